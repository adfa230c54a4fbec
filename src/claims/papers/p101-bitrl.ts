/** P101: new heads over a frozen trunk whose weights are -1, 0 or 1, against the same over a float one. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Arm } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

interface World {
  readonly id: string;
  readonly title: string;
  readonly env: { readonly id: string; readonly config?: JsonObject };
  readonly algo: JsonObject;
  readonly steps: number;
  /** Returns of random play, and of the best that is known. */
  readonly random: number;
  readonly best: number;
}

const control = { envs: 8, rolloutSteps: 64, lr: 1e-3, annealLr: false, hidden: [160, 160] };
const WORLDS: readonly World[] = [
  {
    id: 'cartpole',
    title: 'CartPole',
    env: { id: 'cartpole' },
    algo: { ...control, entropyCoef: 0 },
    steps: 200_000,
    random: 22,
    best: 500,
  },
  {
    id: 'acrobot',
    title: 'Acrobot',
    env: { id: 'acrobot' },
    algo: { ...control, entropyCoef: 0.01 },
    steps: 200_000,
    random: -500,
    best: -80,
  },
  {
    id: 'doorkey',
    title: 'DoorKey',
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { envs: 8, minibatches: 8, lr: 5e-4, annealLr: false, hidden: [64, 64] },
    steps: 200_000,
    random: 0.03,
    best: 0.96,
  },
];
const TRUNKS = [
  { id: 'float', title: 'float trunk', trials: 4, standard: true },
  { id: 'ternary', title: 'ternary trunk', trials: 4, standard: false },
] as const;

/** A float trunk that did not get so far up the way from random play to the best is no standard to lose 15 % of. */
const COMPETENT = 0.9;

const arms = WORLDS.flatMap((world) =>
  TRUNKS.map(
    ({ id, title, trials, standard }): Arm => ({
      id: `${world.id}-${id}`,
      title: `${world.title}: ${title}`,
      trials,
      ...(standard && { competent: world.random + COMPETENT * (world.best - world.random) }),
      differs: { env: world.env, algo: { config: { ...world.algo, trunk: id } }, run: { steps: world.steps } },
    }),
  ),
);
/** A loss of 15 % of what lies between random play and the best, from float to ternary. */
const keeps = ({ id, title, random, best }: World) =>
  ({
    id: `${title}: at most 15 % is lost`,
    kind: 'difference',
    arm: `${id}-ternary`,
    over: `${id}-float`,
    claim: 'above',
    none: -0.15 * (best - random),
  }) as const;
const [cartpole, acrobot, doorkey] = WORLDS as readonly [World, World, World];

export const bitRl = definePaper({
  id: 'P101',
  title: 'BitRL: Reinforcement Learning with 1-bit Quantized Language Models for Resource-Constrained Edge Deployment',
  authors: 'Sajid et al.',
  year: 2026,
  link: 'https://arxiv.org/abs/2604.24273',
  claim:
    'A ternary backbone keeps 85 to 98 % of full-precision performance with 10 to 16 times less memory and 3 to 5 times better energy efficiency.',
  mechanism: ABSTRACT_ONLY,
  differs: [
    'two-layer trunks on CartPole, Acrobot and DoorKey',
    '200,000 steps, half of them on the frozen trunk',
    'bytes are counted, energy is not',
  ],
  question: 'Do new heads over a frozen trunk of ternary weights keep 85 % of what they reach over a float one, in a tenth of the bytes?',
  idea: 'Layers of weights -1, 0 and 1 take two bits a weight; frozen, they serve a small policy that is learned over them.',
  equation: 'w = mean|W| round(clip(W / mean|W|, -1, 1)), straight through while the trunk learns',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'frozen-trunk-ppo' }, run: { steps: 200_000 } },
  arms,
  quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
  contrasts: [keeps(cartpole), keeps(acrobot), keeps(doorkey)],
  scale: { better: 'more' },
  exempt: [],
  atMost: {
    verdict: 'partly',
    why: 'The trunk is a small network trained in the same world, no language model; the energy of a device is not measured.',
  },
  tunedOn: [1, 2],
  quick: { run: { steps: 30_000 }, seeds: 2 },
  scaledDown:
    'Half of 200,000 steps train trunk and heads together, by PPO with one trunk for policy and value; then the trunk is frozen, new heads begin from nothing and learn over it for the other half. Two layers of 160 (64 in DoorKey). With packed weights, float heads and float biases the networks take 11.1, 10.5 and 14.0 times fewer bytes, which a test of the method counts. The score is that of the likeliest actions at the end. A trunk that was trained on the very world it serves is an easier start than a language model.',
  dishonest:
    'Multiplications counted as energy; heads large enough to do without the trunk; a float trunk of other training than the ternary one; returns below zero divided by each other.',
  next: 'Set the share for the trunk to 0: how much is a trunk worth that was only drawn?',
});
