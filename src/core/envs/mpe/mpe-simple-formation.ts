/**
 * N agents form a circle about a landmark. MPE simple_formation_v1. Obs: own velocity, own place, landmark relative to it. Wanted
 * places: N points evenly on the circle of radius 0.5 m, the first at the smallest angle (0 to 2 pi) at which an agent stands. Shared
 * reward: minus the mean distance (at most 2 m each) under the cheapest assignment. Agents collide.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_formation/simple_formation.py`.
 */
import { z } from 'zod';
import { atan2, cos, sin } from '#math/functions.ts';
import { measured, standard } from '../lib/references.ts';
import { countField, forceField, massField, physics, quantity, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { formationPolicy } from './lib/place-policy.ts';
import { createPlaces } from './lib/places.ts';
import { alike, copied, OWN_PLACE, OWN_VELOCITY, type Plan, seen, toward } from './lib/plan.ts';

const config = z.strictObject({
  agents: countField(4, 2, 16, 'agents', 'Agents on the circle.'),
  radius: quantity(0.5, {
    title: 'radius of the circle',
    unit: 'm',
    description: 'Where the agents should stand.',
    min: 0.05,
    max: 2,
    live: false,
  }),
  ...shared,
  agentSize: sizeField(0.05),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

/** The wanted places for agents whose places begin at s and a landmark at `mark`. */
function circle(n: number, radius: number, floats: Float64Array, s: number, mark: number, wanted: Float64Array): void {
  let first = 2 * Math.PI;
  for (let i = 0; i < n; i++) {
    const angle = atan2(floats[s + 2 * i + 1]! - floats[mark + 1]!, floats[s + 2 * i]! - floats[mark]!);
    first = Math.min(first, angle < 0 ? angle + 2 * Math.PI : angle);
  }
  for (let i = 0; i < n; i++) {
    const angle = first + (i * 2 * Math.PI) / n;
    wanted[2 * i] = floats[mark]! + radius * cos(angle);
    wanted[2 * i + 1] = floats[mark + 1]! + radius * sin(angle);
  }
}

function plan(c: Config): Plan {
  const N = c.agents;
  const places = createPlaces(N);
  return {
    agents: alike(N, c, [...OWN_VELOCITY, ...OWN_PLACE, ...toward('landmark')]),
    landmarks: [{ name: 'landmark_0', look: 'landmark', size: 0.03, collides: false, colour: 3 }],
    symbols: 0,
    picks: [],
    score: 'shared',
    spread: 0.5,
    references: isStandard(c) ? measured(-18.55, -4.24) : [],
    reward(floats, s, _words, _w, out, at) {
      circle(N, c.radius, floats, s, s + 4 * N, places.wanted);
      out.fill(places.reward(floats, s), at, at + N);
    },
    observe(floats, s, _words, _w, out, at, width) {
      for (let i = 0; i < N; i++) {
        const own = s + 2 * i;
        seen(floats, own, s + 4 * N, out, copied(floats, own, out, copied(floats, own + 2 * N, out, at + i * width)));
      }
    },
  };
}

export const mpeSimpleFormation = defineScenario<Config>({
  id: 'mpe-simple-formation',
  title: 'Particles: formation',
  summary: 'A team spreads evenly on a circle about a landmark.',
  source: {
    title: 'Learning transferable cooperative behavior in multi-agent teams',
    authors: 'Agarwal, Kumar and Sycara',
    year: 2019,
    url: 'https://arxiv.org/abs/1906.01202',
  },
  config,
  recommended: { algo: 'ippo', preset: 'simple-spread', steps: 500_000 },
  presets: [
    { id: '4-agents', title: '4 agents (simple_formation_v1)', config: {} },
    { id: '2-agents', title: '2 agents', config: { agents: 2 } },
    { id: '10-agents', title: '10 agents', config: { agents: 10, maxCycles: 50 } },
  ],
  plan,
  policies: { scripted: (c) => formationPolicy(c, circle) },
});
