/**
 * N agents spread evenly on the segment between two landmarks, 1.25 m apart. MPE simple_line_v1. Obs: own velocity, own place,
 * landmarks relative to it. Shared reward: minus the mean distance (at most 2 m each) of agents and wanted places under the cheapest
 * assignment. Agents collide. The second landmark lies in a random direction from the first, turned on by 5 degrees until it is inside
 * the square. Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_line/simple_line.py`.
 */
import { z } from 'zod';
import { cos, sin } from '#math/functions.ts';
import { measured, standard } from '../lib/references.ts';
import { countField, forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { linePolicy } from './lib/place-policy.ts';
import { createPlaces } from './lib/places.ts';
import { alike, copied, OWN_PLACE, OWN_VELOCITY, type Plan, seen, toward } from './lib/plan.ts';

const LENGTH = 1.25; // m
const TURN = (5 * Math.PI) / 180;

const config = z.strictObject({
  agents: countField(4, 2, 16, 'agents', 'Agents on the line.'),
  ...shared,
  agentSize: sizeField(0.03),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

/** N points from one landmark (at `mark`) to the next, ends included. */
function segment(n: number, floats: Float64Array, mark: number, wanted: Float64Array): void {
  for (let i = 0; i < n; i++)
    for (let d = 0; d < 2; d++) wanted[2 * i + d] = floats[mark + d]! + (i / (n - 1)) * (floats[mark + 2 + d]! - floats[mark + d]!);
}

function plan(c: Config): Plan {
  const N = c.agents;
  const places = createPlaces(N);
  return {
    agents: alike(N, c, [...OWN_VELOCITY, ...OWN_PLACE, ...toward('landmark 0'), ...toward('landmark 1')]),
    landmarks: [0, 1].map((k) => ({ name: `landmark_${k}`, look: 'landmark' as const, size: 0.02, collides: false, colour: 3 })),
    symbols: 0,
    picks: [],
    score: 'shared',
    spread: 0.25,
    references: isStandard(c) ? measured(-22.37, -5.16) : [],
    place(floats, at, u) {
      floats[at] = (2 * u() - 1) * 0.25;
      floats[at + 1] = (2 * u() - 1) * 0.25;
      let angle = 2 * Math.PI * u();
      for (;;) {
        const x = floats[at]! + LENGTH * cos(angle);
        const y = floats[at + 1]! + LENGTH * sin(angle);
        floats[at + 2] = x;
        floats[at + 3] = y;
        if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
        angle += TURN;
      }
    },
    reward(floats, s, _words, _w, out, at) {
      segment(N, floats, s + 4 * N, places.wanted);
      out.fill(places.reward(floats, s), at, at + N);
    },
    observe(floats, s, _words, _w, out, at, width) {
      for (let i = 0; i < N; i++) {
        const own = s + 2 * i;
        let k = copied(floats, own, out, copied(floats, own + 2 * N, out, at + i * width));
        k = seen(floats, own, s + 4 * N, out, k);
        seen(floats, own, s + 4 * N + 2, out, k);
      }
    },
  };
}

export const mpeSimpleLine = defineScenario<Config>({
  id: 'mpe-simple-line',
  title: 'Particles: line',
  summary: 'A team lines up evenly between two landmarks.',
  source: {
    title: 'Learning transferable cooperative behavior in multi-agent teams',
    authors: 'Agarwal, Kumar and Sycara',
    year: 2019,
    url: 'https://arxiv.org/abs/1906.01202',
  },
  config,
  recommended: { algo: 'ippo', preset: 'simple-spread', steps: 500_000 },
  presets: [
    { id: '4-agents', title: '4 agents (simple_line_v1)', config: {} },
    { id: '2-agents', title: '2 agents', config: { agents: 2 } },
    { id: '10-agents', title: '10 agents', config: { agents: 10, maxCycles: 50 } },
  ],
  plan,
  policies: { scripted: (c) => linePolicy(c, segment) },
});
