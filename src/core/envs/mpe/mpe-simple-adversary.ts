/**
 * Good agents know which landmark is the goal and must reach it without showing it to the adversary. MPE simple_adversary_v3. Obs of a
 * good agent: goal, landmarks and other agents relative to it; the adversary sees the same without the goal. Reward of all good agents:
 * adversary's distance to the goal minus the least distance of a good agent; of the adversary: minus its distance. There are no collisions.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_adversary/simple_adversary.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { countField, forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { deceiveRule } from './lib/goal-rules.ts';
import { type Plan, seen, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';
import { distance } from './lib/world.ts';

const config = z.strictObject({
  good: countField(2, 1, 9, 'good agents', 'Agents that know the goal, and as many landmarks.'),
  ...shared,
  agentSize: sizeField(0.15),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

function plan(c: Config): Plan {
  const L = c.good;
  const A = c.good + 1;
  const common = [
    ...Array.from({ length: L }, (_, k) => toward(`landmark ${k}`)).flat(),
    ...Array.from({ length: A - 1 }, (_, k) => toward(`other ${k}`)).flat(),
  ];
  return {
    agents: Array.from({ length: A }, (_, i) => ({
      name: i === 0 ? 'adversary_0' : `agent_${i - 1}`,
      group: i === 0 ? 'adversary' : 'agent',
      size: c.agentSize,
      force: c.force,
      mass: c.mass,
      collides: false,
      moves: true,
      speaks: false,
      sees: i === 0 ? common : [...toward('goal'), ...common],
    })),
    landmarks: Array.from({ length: L }, (_, k) => ({
      name: `landmark ${k}`,
      look: 'landmark' as const,
      size: 0.08,
      collides: false,
      colour: 7,
    })),
    landmarkColour: (words, w, k) => (words[w] === k ? 2 : 7),
    symbols: 0,
    picks: [{ name: 'goal', n: L, count: 0, doc: 'landmark that is the goal' }],
    score: Array.from({ length: c.good }, (_, i) => i + 1),
    spread: 1,
    references: isStandard(c) ? measured(7.35, 9.1, 'return of a good agent') : [],
    reward(floats, s, words, w, out, at) {
      const goal = s + 4 * A + 2 * words[w]!;
      const foe = distance(floats, s, goal);
      let least = Number.POSITIVE_INFINITY;
      for (let i = 1; i < A; i++) least = Math.min(least, distance(floats, s + 2 * i, goal));
      out[at] = -foe;
      for (let i = 1; i < A; i++) out[at + i] = foe - least;
    },
    observe(floats, s, words, w, out, at, width) {
      const marks = s + 4 * A;
      for (let i = 0; i < A; i++) {
        const own = s + 2 * i;
        let k = at + i * width;
        if (i > 0) k = seen(floats, own, marks + 2 * words[w]!, out, k);
        for (let l = 0; l < L; l++) k = seen(floats, own, marks + 2 * l, out, k);
        for (let j = 0; j < A; j++) if (j !== i) k = seen(floats, own, s + 2 * j, out, k);
      }
    },
  };
}

export const mpeSimpleAdversary = defineScenario<Config>({
  id: 'mpe-simple-adversary',
  title: 'Particles: adversary',
  summary: 'A team reaches a secret goal without giving it away to the adversary that watches.',
  config,
  presets: [
    { id: '2-good', title: '2 good agents (simple_adversary_v3)', config: {} },
    { id: '4-good', title: '4 good agents', config: { good: 4 } },
    { id: '9-good', title: '9 good agents', config: { good: 9 } },
  ],
  plan,
  policies: { scripted: (c) => scripted(deceiveRule(c)) },
});
