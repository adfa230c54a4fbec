/**
 * Alice sends Bob a message that Eve, who hears it too, must not understand; Alice and Bob share a key. MPE simple_crypto_v3. Obs of
 * Alice: goal colour, key (four numbers each); Bob: key, Alice's message; Eve: the message. Every agent sends one of four symbols:
 * Alice's is the cipher, Bob's and Eve's are their guesses. Reward of Eve: -(guess - goal)^2; of Alice and Bob: Eve's loss - Bob's
 * loss; an empty message costs nothing. Agents do not move. Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_crypto/simple_crypto.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { shared } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { cryptoRule } from './lib/goal-rules.ts';
import { type Plan, symbolName } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';

const config = z.strictObject(shared);
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const EVE = 0;
const BOB = 1;
const ALICE = 2;
const A = 3;
const L = 2;
const SYMBOLS = 4;

const code = (what: string) => Array.from({ length: SYMBOLS }, (_, k) => `${what} ${symbolName(k)}`);

/** Squared distance of an agent's message from the one-hot goal; 0 without a message. */
function loss(floats: Float64Array, from: number, goal: number): number {
  let sum = 0;
  let silent = true;
  for (let k = 0; k < SYMBOLS; k++) {
    const said = floats[from + k]!;
    if (said !== 0) silent = false;
    const off = said - (k === goal ? 1 : 0);
    sum += off * off;
  }
  return silent ? 0 : sum;
}

function plan(c: Config): Plan {
  const common = { size: 0.05, force: 0, mass: 1, collides: false, moves: false, speaks: true };
  return {
    agents: [
      { ...common, name: 'eve_0', group: 'eve', sees: code('heard') },
      { ...common, name: 'bob_0', group: 'bob', sees: [...code('key'), ...code('heard')] },
      { ...common, name: 'alice_0', group: 'alice', sees: [...code('goal'), ...code('key')] },
    ],
    landmarks: [0, 1].map((k) => ({ name: `landmark ${k}`, look: 'landmark' as const, size: 0.05, collides: false, colour: 7 })),
    landmarkColour: (words, w, k) => (words[w] === k ? 2 : 7),
    symbols: SYMBOLS,
    picks: [
      { name: 'goal', n: L, count: 0, doc: 'colour that Alice has to send' },
      { name: 'key', n: L, count: 0, doc: 'colour that is the key' },
    ],
    score: [BOB, ALICE],
    spread: 1,
    references: isStandard(c) ? measured(-0.04, 24.77, 'return of Bob') : [],
    reward(floats, s, words, w, out, at) {
      const said = s + 4 * A + 2 * L;
      const goal = words[w]!;
      const eve = loss(floats, said + EVE * SYMBOLS, goal);
      const bob = loss(floats, said + BOB * SYMBOLS, goal);
      out[at + EVE] = eve === 0 ? 0 : -eve;
      out[at + BOB] = eve - bob;
      out[at + ALICE] = eve - bob;
    },
    observe(floats, s, words, w, out, at, width) {
      const heard = s + 4 * A + 2 * L + ALICE * SYMBOLS;
      for (let k = 0; k < SYMBOLS; k++) {
        const cipher = floats[heard + k]!;
        const key = k === words[w + 1] ? 1 : 0;
        out[at + EVE * width + k] = cipher;
        out[at + BOB * width + k] = key;
        out[at + BOB * width + SYMBOLS + k] = cipher;
        out[at + ALICE * width + k] = k === words[w] ? 1 : 0;
        out[at + ALICE * width + SYMBOLS + k] = key;
      }
    },
  };
}

export const mpeSimpleCrypto = defineScenario<Config>({
  id: 'mpe-simple-crypto',
  title: 'Particles: crypto',
  summary: 'Alice and Bob share a key and invent a cipher that Eve cannot read.',
  config,
  presets: [
    { id: 'standard', title: 'simple_crypto_v3', config: {} },
    { id: 'continuous', title: 'messages of four numbers', config: { continuousActions: true } },
  ],
  plan,
  policies: { scripted: () => scripted(cryptoRule()) },
});
