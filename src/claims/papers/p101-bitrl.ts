/** P101: new heads over a frozen trunk whose weights are -1, 0 or 1, against the same over a float one. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineIdea, headOf } from '../define-forms.ts';

interface World {
  readonly id: string;
  readonly title: string;
  readonly env: { readonly id: string; readonly config?: JsonObject };
  readonly algo: JsonObject;
  /** Share of the steps in which the trunk learns. */
  readonly share: number;
  readonly steps: number;
  /** Returns of random play, and of the best that is known. */
  readonly random: number;
  readonly best: number;
}

const COMMON: JsonObject = { envs: 16, rolloutSteps: 128, minibatches: 8, annealLr: true, clipValue: false, hidden: [160, 160] };
const WORLDS: readonly World[] = [
  {
    id: 'cartpole',
    title: 'CartPole',
    env: { id: 'cartpole' },
    algo: { ...COMMON, lr: 3e-3, entropyCoef: 0 },
    share: 0.35,
    steps: 600_000,
    random: 22,
    best: 500,
  },
  {
    id: 'catch',
    title: 'Catch',
    env: { id: 'catch' },
    algo: { ...COMMON, lr: 1e-3, entropyCoef: 0.02 },
    share: 0.5,
    steps: 200_000,
    random: -0.61,
    best: 1,
  },
  {
    id: 'obstacles',
    title: 'Dynamic Obstacles',
    env: { id: 'minigrid-dynamic-obstacles' },
    algo: { ...COMMON, lr: 1e-3, entropyCoef: 0.02 },
    share: 0.5,
    steps: 400_000,
    random: -1,
    best: 0.96, // eleven steps, where no ball is in the way
  },
];
const TRUNKS = [
  { id: 'float', title: 'float trunk', standard: true, config: { trunk: 'float' } },
  { id: 'ternary', title: 'ternary trunk', standard: false, config: { trunk: 'ternary' } },
  { id: 'drawn', title: 'ternary trunk as it was drawn', standard: false, config: { trunk: 'ternary', trunkShare: 0 } },
] as const;

/** A float trunk that did not get so far up the way from random play to the best is no standard to lose 15 % of. */
const COMPETENT = 0.9;

const arms = WORLDS.flatMap((world) =>
  TRUNKS.map(
    ({ id, title, standard, config }): Arm => ({
      id: `${world.id}-${id}`,
      title: `${world.title}: ${title}`,
      trials: 6,
      ...(standard && { competent: world.random + COMPETENT * (world.best - world.random) }),
      scale: { random: world.random, ceiling: world.best },
      differs: { env: world.env, algo: { config: { trunkShare: world.share, ...world.algo, ...config } }, run: { steps: world.steps } },
    }),
  ),
);
const ALL = arms.map(({ id }) => id);
/** One trunk beside another in each world, and what its scores are measured by: the way from random play to the best. */
const cellsOf = (trunk: string, other: string) => WORLDS.map(({ id }) => [`${id}-${trunk}`, `${id}-${other}`]);
const WAYS = WORLDS.map(({ random, best }) => best - random);

const judged = definePaper({
  id: 'P101',
  title: 'BitRL: Reinforcement Learning with 1-bit Quantized Language Models for Resource-Constrained Edge Deployment',
  authors: 'Sajid et al.',
  year: 2026,
  link: 'https://arxiv.org/abs/2604.24273',
  claim:
    'A ternary backbone keeps 85 to 98 % of full-precision performance with 10 to 16 times less memory and 3 to 5 times better energy efficiency.',
  source: {
    guess: {
      searches: [
        '“BitRL: Reinforcement Learning with 1-bit Quantized Language Models” and 2604.24273 among public repositories: lists and abstracts that name a frozen backbone of three values with trained heads.',
        'Repositories named BitRL: fourteen, of other things.',
      ],
    },
  },
  differs: [
    'two layers of 160 in CartPole, Catch and MiniGrid Dynamic Obstacles',
    '200,000 to 600,000 steps, half or more of them on the frozen trunk',
    'bytes are counted, energy is not',
  ],
  found: {
    outcome: 'open',
    text: 'A trunk of three-valued weights loses nothing, but every arm ends at the ceiling, so nothing was at stake.',
  },
  question: 'Do new heads over a frozen trunk of ternary weights keep 85 % of what they reach over a float one, in a tenth of the bytes?',
  idea: 'Layers of weights -1, 0 and 1 take two bits a weight; frozen, they serve a small policy that is learned over them.',
  equation: 'w = mean|W| round(clip(W / mean|W|, -1, 1)), straight through while the trunk learns',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'frozen-trunk-ppo' }, run: { steps: 200_000 } },
  arms,
  quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
  contrasts: [
    {
      id: 'in each world at most 15 % is lost',
      kind: 'cells',
      cells: cellsOf('ternary', 'float'),
      of: WORLDS.length,
      claim: 'above',
      none: -0.15,
      units: WAYS,
    },
    // over a trunk that was never trained heads must fail: else nothing that a trunk has learned could be lost
    {
      id: 'heads need what the trunk has learned',
      kind: 'cells',
      cells: cellsOf('ternary', 'drawn'),
      of: WORLDS.length,
      claim: 'above',
      none: 0,
      units: WAYS,
      control: true,
    },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'ceiling',
      arms: ALL,
      why: 'what is asked is how much is lost: both at the ceiling is the answer that nothing is',
    },
    { check: 'steps', arms: ALL, why: 'equal in each world; worlds are not compared with each other' },
    { check: 'parameters', arms: ALL, why: 'equal in each world; worlds are not compared with each other' },
  ],
  leftOut: 'The trunk is a small network trained in the same world, no language model; the energy of a device is not measured.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 903],
  quick: { run: { steps: 30_000 }, seeds: 2 },
  scaledDown:
    'First trunk and heads learn together, by PPO with one trunk for policy and value; then the trunk is frozen, new heads begin from nothing and learn over it, each time with a step that falls to nothing. With packed weights, float heads and float biases the networks take 11.1, 11.3 and 14.8 times fewer bytes, which a test of the method counts. The score is that of the likeliest actions at the end. A trunk that was trained on the very world it serves is an easier start than a language model. In a first form, on ten seeds from 1,001, the float trunk failed on four seeds of ten in CartPole and in Acrobot, so that there was nothing to lose 15 % of. Worlds were chosen on seeds 901 to 903 where heads over a float trunk are competent and heads over a trunk as it was drawn are not. Left out for the first: Acrobot and DoorKey, where PPO of either kind finds no reward on some seeds; for the second: an empty room. CartPole has the largest step of the three, 0.003: with 0.0005 and clipped values new heads were not done in 100,000 steps over either trunk, with 0.001 only over the float one on one seed of two. With two layers of 64 the ternary trunk failed in Dynamic Obstacles (0.0 against 0.94, seeds 901 and 902): width is a part of this result.',
  dishonest:
    'Multiplications counted as energy; heads large enough to do without the trunk; a float trunk of other training than the ternary one; returns below zero divided by each other.',
  next: 'Set hidden to 64, 64 in Dynamic Obstacles: how wide must a ternary trunk be?',
});

export const bitRl = defineIdea({
  ...headOf(judged),
  claim: 'A backbone whose weights are -1, 0 and 1 keeps nearly all of full-precision performance with far less memory and energy.',
  noVerdict: 'The claim needs a pretrained language model as the trunk, and a device whose energy is measured.',
  quoted: { text: '85 to 98 % of full-precision performance with 10 to 16 times less memory and 3 to 5 times better energy efficiency.' },
  asked: {
    ask: 'A network that balances a pole may keep only -1, 0 and 1 (times one scale) in each layer of its trunk. Either it learned so from the beginning, or it learned with any numbers and is rounded afterwards. Which keeps more?',
    choices: ['Learned with three values', 'Rounded to three values afterwards', 'About the same'],
    most: 'more',
    alike: 25, // a twentieth of the 500 steps
  },
  touch: { kind: 'widget', id: 'rounding', measured: 'steps that the pole stays up, of 500' },
  earlier: judged,
});
