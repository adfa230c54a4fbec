/**
 * A speaker sees which landmark is meant, a listener can walk. MPE simple_speaker_listener_v4. Obs of the speaker: colour of the goal;
 * of the listener: own velocity, three landmarks relative to it, the last message (three numbers). Actions: speaker 3 symbols, listener
 * 5 moves. Reward of both -(listener's distance to the goal)^2. There are no collisions; the speaker cannot move.
 * With `deaf` the message is zeros.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_speaker_listener/simple_speaker_listener.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { speakerListenerRule } from './lib/goal-rules.ts';
import { copied, OWN_VELOCITY, type Plan, seen, symbolName, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';

const config = z.strictObject({
  deaf: z.boolean().default(false).meta({
    title: 'deaf listener',
    description: 'The symbols are not heard: what the listener should know must reach it some other way.',
    source: 'own choice: what a channel of the agents’ own is worth',
  }),
  ...shared,
  agentSize: sizeField(0.075),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const A = 2;
const L = 3;
const SYMBOLS = 3;
const isStandard = standard(config);

function plan(c: Config): Plan {
  const common = { size: c.agentSize, force: c.force, mass: c.mass, collides: false };
  return {
    agents: [
      { ...common, name: 'speaker_0', group: 'speaker', moves: false, speaks: true, sees: ['goal red', 'goal green', 'goal blue'] },
      {
        ...common,
        name: 'listener_0',
        group: 'listener',
        moves: true,
        speaks: false,
        sees: [
          ...OWN_VELOCITY,
          ...Array.from({ length: L }, (_, k) => toward(`landmark ${k}`)).flat(),
          ...Array.from({ length: SYMBOLS }, (_, k) => `heard ${symbolName(k)}`),
        ],
      },
    ],
    landmarks: [3, 2, 0].map((colour, k) => ({ name: `landmark ${k}`, look: 'landmark' as const, size: 0.04, collides: false, colour })),
    // The listener is tied to the place it shall go to, which only the speaker knows.
    ties: { count: 1, of: (_floats, _s, words, w) => [1, words[w]!] },
    symbols: SYMBOLS,
    picks: [{ name: 'goal', n: L, count: 0, doc: 'landmark to which the listener shall go' }],
    score: 'shared',
    spread: 1,
    references: isStandard(c) ? measured(-39.89, -7.21) : [],
    reward(floats, s, words, w, out, at) {
      const goal = s + 4 * A + 2 * words[w]!;
      const dx = floats[s + 2]! - floats[goal]!;
      const dy = floats[s + 3]! - floats[goal + 1]!;
      const reward = -(dx * dx + dy * dy);
      out[at] = reward;
      out[at + 1] = reward;
    },
    observe(floats, s, words, w, out, at, width) {
      const marks = s + 4 * A;
      for (let x = 0; x < 3; x++) out[at + x] = x === words[w] ? 0.65 : 0.15;
      const own = s + 2;
      let k = copied(floats, own + 2 * A, out, at + width);
      for (let l = 0; l < L; l++) k = seen(floats, own, marks + 2 * l, out, k);
      for (let x = 0; x < SYMBOLS; x++) out[k++] = c.deaf ? 0 : floats[marks + 2 * L + x]!;
    },
  };
}

export const mpeSimpleSpeakerListener = defineScenario<Config>({
  id: 'mpe-simple-speaker-listener',
  title: 'Particles: speaker and listener',
  summary: 'One knows the goal and can only speak, the other can only walk.',
  config,
  presets: [
    { id: 'standard', title: 'simple_speaker_listener_v4', config: {} },
    { id: 'continuous', title: 'continuous actions and messages', config: { continuousActions: true } },
    { id: 'deaf', title: 'the listener hears no symbols', config: { deaf: true } },
  ],
  plan,
  policies: { scripted: (c) => scripted(speakerListenerRule(c)) },
});
