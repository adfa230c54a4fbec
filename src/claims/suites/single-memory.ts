/** Memory against none: a chain that asks for what it showed, and MiniGrid's hallway. Suite: single.ts. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const MANY: JsonObject = { envs: 16, rolloutSteps: 64, lr: 1e-3, annealLr: false, entropyCoef: 0.01, minibatches: 4 };

const memory = definePaper({
  id: 'memory-30',
  title: 'A bit remembered for thirty steps',
  authors: 'Osband et al.',
  year: 2020,
  link: 'https://arxiv.org/abs/1908.03568',
  question: 'Does recurrent PPO answer what it was shown thirty steps before, where PPO without a memory can only guess?',
  idea: 'One bit is shown first and asked for thirty steps later; a policy without memory is right half of the time.',
  equation: 'E[return | no memory] = 0',
  config: {
    v: 1,
    env: { id: 'memory-chain', config: { memoryLength: 30 } },
    algo: { id: 'recurrent-ppo', config: { ...MANY, hidden: [64], units: 64 } },
    run: { steps: 500_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'recurrent', title: 'recurrent PPO', trials: 1 },
    {
      id: 'plain',
      title: 'PPO without memory',
      trials: 1,
      differs: { algo: { id: 'ppo', config: { ...MANY, hidden: [64, 64] } } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    { id: 'a memory', kind: 'difference', arm: 'recurrent', over: 'plain', claim: 'above', size: 0.5 },
    { id: 'it answers rightly', kind: 'level', arm: 'recurrent', claim: 'above', none: 0.95 },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [
    { check: 'parameters', arms: ['recurrent', 'plain'], why: 'a memory has weights' },
    { check: 'random', arms: ['plain'], why: 'no policy without memory is better than chance' },
    { check: 'ceiling', arms: ['recurrent'], why: 'that it answers every time is the claim' },
  ],
  tunedOn: [1, 2],
  noQuick: 'a memory is learned late or not at all',
  longer: { times: 4, why: 'does every seed learn to remember in the end?' },
  scaledDown: 'One length of the suite, and more steps than its 10,000 episodes.',
  dishonest: 'An observation that still shows the bit; a rollout that is cut before the question.',
  next: 'Length 100, where a gradient must go further than one rollout.',
});

const HALL: JsonObject = { envs: 16, rolloutSteps: 128, minibatches: 8, lr: 1e-3 };

const hallway = definePaper({
  id: 'minigrid-memory',
  title: 'MiniGrid Memory: the best checkpoint and the end',
  authors: 'Chevalier-Boisvert et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2306.13831',
  question:
    'Does recurrent PPO choose at the end of the hallway what it saw at its start, where plain PPO can only guess, and does it keep doing so?',
  idea: 'A thing is seen at the start; at the end of the hallway the same one stands on one side and another on the other. Without memory one of two is right.',
  equation: 'E[success | no memory] = 1/2',
  config: {
    v: 1,
    env: { id: 'minigrid-memory' },
    algo: { id: 'recurrent-ppo', config: { ...HALL, sequence: 32 } },
    run: { steps: 500_000, evalEvery: 50_000 },
  },
  arms: [
    { id: 'recurrent', title: 'recurrent PPO, best kept checkpoint', trials: 1 },
    {
      id: 'plain',
      title: 'PPO without memory, best kept checkpoint',
      trials: 1,
      differs: { algo: { id: 'ppo', config: HALL } },
    },
    { id: 'recurrent-end', title: 'recurrent PPO, at the end', trials: 1, quantity: { title: 'mean greedy return', of: 'evalReturn' } },
    {
      id: 'plain-end',
      title: 'PPO without memory, at the end',
      trials: 1,
      differs: { algo: { id: 'ppo', config: HALL } },
      quantity: { title: 'mean greedy return', of: 'evalReturn' },
    },
  ],
  quantity: { title: 'mean greedy return, the best of ten evaluations', metric: 'evalReturn', take: 'best' },
  contrasts: [
    // a tenth of the way from random play to the ceiling
    { id: 'a memory, best kept checkpoint', kind: 'difference', arm: 'recurrent', over: 'plain', claim: 'above', size: 0.08 },
    // as the first
    { id: 'a memory, at the end', kind: 'difference', arm: 'recurrent-end', over: 'plain-end', claim: 'above', size: 0.08 },
  ],
  scale: { better: 'more', random: 0.1671, ceiling: 0.9833 },
  exempt: [
    { check: 'parameters', arms: ['recurrent', 'plain', 'recurrent-end', 'plain-end'], why: 'a memory has weights' },
    { check: 'random', arms: ['plain', 'plain-end'], why: 'without memory no policy beats chance by much' },
  ],
  tunedOn: [1, 2],
  noQuick: 'a memory is learned late or not at all',
  longer: { times: 4, why: 'is the hallway learned for good?' },
  scaledDown:
    'The 7x7 hallway and 500,000 steps. The best of ten evaluations on the same 100 episodes is a little too good, for both arms alike.',
  dishonest: 'Choosing the checkpoint of one arm only.',
  next: 'The 13x13 hallway of random length.',
});

export const remembering: readonly JudgedCard[] = [memory, hallway];
