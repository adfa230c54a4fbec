/**
 * Each of two agents knows where the other should go, and can send it only symbols. MPE simple_reference_v3. Obs: own velocity, three
 * landmarks relative to it, colour of the OTHER's goal, the other's last message (ten numbers). Action: move + 5 * symbol. Reward
 * localRatio * local + (1 - localRatio) * mean of both, local = -distance of the other agent to the goal that this one knows.
 * There are no collisions. Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_reference/simple_reference.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { referenceRule } from './lib/goal-rules.ts';
import { copied, OWN_VELOCITY, type Plan, seen, symbolName, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';
import { distance } from './lib/world.ts';

const config = z.strictObject({
  localRatio: z.number().min(0).max(1).default(0.5).meta({
    title: 'local ratio',
    description: 'Weight of what an agent’s own directions achieve; the rest is shared.',
    source: 'MPE2 1.1.0',
  }),
  ...shared,
  agentSize: sizeField(0.05),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const A = 2;
const L = 3;
const SYMBOLS = 10;
const isStandard = standard(config);

function plan(c: Config): Plan {
  return {
    agents: [0, 1].map((i) => ({
      name: `agent_${i}`,
      group: 'agent',
      size: c.agentSize,
      force: c.force,
      mass: c.mass,
      collides: false,
      moves: true,
      speaks: true,
      sees: [
        ...OWN_VELOCITY,
        ...Array.from({ length: L }, (_, k) => toward(`landmark ${k}`)).flat(),
        ...['red', 'green', 'blue'].map((x) => `goal of the other: ${x}`),
        ...Array.from({ length: SYMBOLS }, (_, k) => `heard ${symbolName(k)}`),
      ],
    })),
    landmarks: [3, 2, 0].map((colour, k) => ({ name: `landmark ${k}`, look: 'landmark' as const, size: 0.05, collides: false, colour })),
    symbols: SYMBOLS,
    picks: [{ name: 'goals', n: L, count: A, doc: 'landmark to which the other agent shall go' }],
    score: 'mean',
    spread: 1,
    references: isStandard(c) ? measured(-28.33, -7.54) : [],
    reward(floats, s, words, w, out, at) {
      const first = -distance(floats, s + 2, s + 4 * A + 2 * words[w]!);
      const second = -distance(floats, s, s + 4 * A + 2 * words[w + 1]!);
      const common = ((first + second) / 2) * (1 - c.localRatio);
      out[at] = common + first * c.localRatio;
      out[at + 1] = common + second * c.localRatio;
    },
    observe(floats, s, words, w, out, at, width) {
      const marks = s + 4 * A;
      const said = marks + 2 * L;
      for (let i = 0; i < A; i++) {
        const own = s + 2 * i;
        let k = copied(floats, own + 2 * A, out, at + i * width);
        for (let l = 0; l < L; l++) k = seen(floats, own, marks + 2 * l, out, k);
        for (let x = 0; x < 3; x++) out[k++] = x === words[w + i] ? 0.75 : 0.25;
        const heard = said + (1 - i) * SYMBOLS;
        for (let x = 0; x < SYMBOLS; x++) out[k++] = floats[heard + x]!;
      }
    },
  };
}

export const mpeSimpleReference = defineScenario<Config>({
  id: 'mpe-simple-reference',
  title: 'Particles: reference',
  summary: 'Two agents must find symbols for landmarks to send each other to them.',
  config,
  presets: [
    { id: 'standard', title: 'simple_reference_v3', config: {} },
    { id: 'continuous', title: 'continuous actions and messages', config: { continuousActions: true } },
  ],
  plan,
  policies: { scripted: (c) => scripted(referenceRule(c)) },
});
