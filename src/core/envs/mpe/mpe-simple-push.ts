/**
 * An agent wants to its goal; an adversary that does not know which landmark it is wants to push it away. MPE simple_push_v3. Obs of the
 * agent: own velocity, goal relative to it, own colour (the goal's), landmarks relative, their colours, adversary relative; of the
 * adversary: own velocity, landmarks and agent relative. Reward of the agent: minus its distance to the goal; of the adversary:
 * the agent's distance minus its own. The two collide. Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_push/simple_push.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { pushRule } from './lib/goal-rules.ts';
import { copied, OWN_VELOCITY, type Plan, seen, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';
import { distance } from './lib/world.ts';

const config = z.strictObject({
  ...shared,
  agentSize: sizeField(0.05),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const A = 2;
const L = 2;
const RGB = ['red', 'green', 'blue'];
const isStandard = standard(config);

function plan(c: Config): Plan {
  const marks = Array.from({ length: L }, (_, k) => toward(`landmark ${k}`)).flat();
  const common = { size: c.agentSize, force: c.force, mass: c.mass, collides: true, moves: true, speaks: false };
  return {
    agents: [
      { ...common, name: 'adversary_0', group: 'adversary', sees: [...OWN_VELOCITY, ...marks, ...toward('agent')] },
      {
        ...common,
        name: 'agent_0',
        group: 'agent',
        sees: [
          ...OWN_VELOCITY,
          ...toward('goal'),
          ...RGB.map((x) => `own ${x}`),
          ...marks,
          ...[0, 1].flatMap((k) => RGB.map((x) => `landmark ${k} ${x}`)),
          ...toward('adversary'),
        ],
      },
    ],
    landmarks: Array.from({ length: L }, (_, k) => ({
      name: `landmark ${k}`,
      look: 'landmark' as const,
      size: 0.05,
      collides: false,
      colour: 7,
    })),
    landmarkColour: (words, w, k) => (words[w] === k ? 2 : 7),
    symbols: 0,
    picks: [{ name: 'goal', n: L, count: 0, doc: 'landmark that is the goal' }],
    score: [1],
    spread: 1,
    references: isStandard(c) ? measured(-28.4, -7.7, 'return of the agent') : [],
    reward(floats, s, words, w, out, at) {
      const goal = s + 4 * A + 2 * words[w]!;
      const agent = distance(floats, s + 2, goal);
      out[at] = agent - distance(floats, s, goal);
      out[at + 1] = -agent;
    },
    observe(floats, s, words, w, out, at, width) {
      const first = s + 4 * A;
      const goal = words[w]!;
      let k = copied(floats, s + 2 * A, out, at);
      for (let l = 0; l < L; l++) k = seen(floats, s, first + 2 * l, out, k);
      seen(floats, s, s + 2, out, k);
      const own = s + 2;
      k = copied(floats, own + 2 * A, out, at + width);
      k = seen(floats, own, first + 2 * goal, out, k);
      for (let x = 0; x < 3; x++) out[k++] = x === goal + 1 ? 0.75 : 0.25;
      for (let l = 0; l < L; l++) k = seen(floats, own, first + 2 * l, out, k);
      for (let l = 0; l < L; l++) for (let x = 0; x < 3; x++) out[k++] = x === l + 1 ? 0.9 : 0.1;
      seen(floats, own, s, out, k);
    },
  };
}

export const mpeSimplePush = defineScenario<Config>({
  id: 'mpe-simple-push',
  title: 'Particles: push',
  summary: 'One agent seeks its goal, the other guesses which it is and stands in the way.',
  config,
  presets: [
    { id: 'standard', title: 'simple_push_v3', config: {} },
    { id: 'heavy', title: 'agents of 3 kg', config: { mass: 3 } },
  ],
  plan,
  policies: { scripted: (c) => scripted(pushRule(c)) },
});
