/**
 * Claims of our own about single agents that need a rival: exploration where chance finds nothing, memory against none, practice in the
 * memory against real steps. `npm run claims -- single-agent` runs them beside the scores of that suite, `npm run claims -- deep-sea` one.
 */
import type { JsonObject } from '#contract/json.ts';
import type { PaperCard } from '#contract/papers.ts';
import { definePaper } from './define.ts';

const MANY: JsonObject = { envs: 16, rolloutSteps: 64, lr: 1e-3, annealLr: false, entropyCoef: 0.005 };
const bonus = (kind: string): JsonObject => ({ ...MANY, bonus: kind, bonusWeight: 0.5 });

const deepSea = definePaper({
  id: 'deep-sea',
  title: 'Behaviour Suite for Reinforcement Learning',
  authors: 'Osband et al.',
  year: 2020,
  link: 'https://arxiv.org/abs/1908.03568',
  question:
    'Do a count bonus, random network distillation and bootstrapped values find the treasure of deep sea 20 where epsilon-greedy DQN does not?',
  idea: 'Twenty rows down, and only the move to the right in every one of them leads to the treasure; each costs a little. By chance one episode in a million does.',
  equation: 'P(treasure by chance) = 2^-20',
  config: {
    v: 1,
    env: { id: 'deep-sea', config: { size: 20 } },
    algo: { id: 'ppo', config: bonus('counts') },
    run: { steps: 250_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'counts', title: 'PPO with a count bonus', trials: 1 },
    { id: 'rnd', title: 'PPO with random network distillation', trials: 1, differs: { algo: { id: 'ppo', config: bonus('RND') } } },
    {
      id: 'bootstrapped',
      title: 'bootstrapped DQN, 10 networks',
      trials: 1,
      differs: { algo: { id: 'bootstrapped-dqn', config: { heads: 10, batchSize: 64, trainEvery: 4, targetEvery: 16 } } },
    },
    {
      id: 'epsilon',
      title: 'DQN, epsilon-greedy',
      trials: 1,
      differs: { algo: { id: 'dqn', config: { batchSize: 64, trainEvery: 4, targetEvery: 16 } } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    { id: 'a count bonus', kind: 'difference', arm: 'counts', over: 'epsilon', claim: 'above', size: 0.5 },
    { id: 'random network distillation', kind: 'difference', arm: 'rnd', over: 'epsilon', claim: 'above', size: 0.5 },
    { id: 'bootstrapped values', kind: 'difference', arm: 'bootstrapped', over: 'epsilon', claim: 'above', size: 0.5 },
  ],
  scale: { better: 'more', ceiling: 0.99 },
  exempt: [
    {
      check: 'parameters',
      arms: ['counts', 'rnd', 'bootstrapped', 'epsilon'],
      why: 'curiosity and ten values are networks beside the policy',
    },
  ],
  tunedOn: [1, 3],
  noQuick: 'the treasure is found late in the budget or not at all',
  scaledDown:
    'The suite asks after 10,000 episodes; here 12,500 in one size. Settings are those of the presets of each method, chosen on this world.',
  dishonest: 'Giving the comparator fewer steps; counting a treasure met once in training.',
  next: 'Size 30, or the noisy form, where counting is harder.',
});

const memory = definePaper({
  id: 'memory-30',
  title: 'Behaviour Suite for Reinforcement Learning',
  authors: 'Osband et al.',
  year: 2020,
  link: 'https://arxiv.org/abs/1908.03568',
  question: 'Does recurrent PPO answer what it was shown thirty steps before, where PPO without a memory can only guess?',
  idea: 'One bit is shown first and asked for thirty steps later; a policy without memory is right half of the time.',
  equation: 'E[return | no memory] = 0',
  config: {
    v: 1,
    env: { id: 'memory-chain', config: { memoryLength: 30 } },
    algo: { id: 'recurrent-ppo', config: { ...MANY, entropyCoef: 0.01, minibatches: 4, hidden: [64], units: 64 } },
    run: { steps: 500_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'recurrent', title: 'recurrent PPO', trials: 1 },
    {
      id: 'plain',
      title: 'PPO without memory',
      trials: 1,
      differs: { algo: { id: 'ppo', config: { ...MANY, entropyCoef: 0.01, minibatches: 4, hidden: [64, 64] } } },
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
  scaledDown: 'One length of the suite, and more steps than its 10,000 episodes.',
  dishonest: 'An observation that still shows the bit; a rollout that is cut before the question.',
  next: 'Length 100, where a gradient must go further than one rollout.',
});

const planning = definePaper({
  id: 'dyna',
  title: 'Integrated Architectures for Learning, Planning, and Reacting Based on Approximating Dynamic Programming',
  authors: 'Sutton',
  year: 1990,
  link: 'https://doi.org/10.1016/B978-1-55860-141-3.50030-4',
  question: 'How many fewer real steps does Q-learning need when it also learns from remembered ones?',
  idea: 'After every real step, fifty remembered ones are learned from again.',
  equation: "Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ] on remembered (s, a, r, s')",
  config: {
    v: 1,
    env: { id: 'cliff-walking' },
    algo: { id: 'dyna-q', config: { gamma: 0.95, planningSteps: 50 } },
    run: { steps: 20_000, evalEvery: 50, evalEpisodes: 1 },
  },
  arms: [
    { id: 'dyna', title: 'Dyna-Q, 50 planning steps', trials: 1 },
    { id: 'plain', title: 'Q-learning', trials: 1, differs: { algo: { id: 'q-learning', config: { gamma: 0.95 } } } },
  ],
  quantity: {
    title: 'real steps until the greedy way is the shortest, as a power of ten',
    metric: 'evalReturn',
    reaches: -13,
    log10: true,
  },
  contrasts: [{ id: 'half the real steps', kind: 'difference', arm: 'dyna', over: 'plain', claim: 'below', size: -0.3 }],
  scale: { better: 'more' }, // of the return that is to be reached
  exempt: [],
  tunedOn: [1, 3],
  quick: { run: { steps: 20_000, evalEvery: 50, evalEpisodes: 1 }, seeds: 3 },
  scaledDown: 'One map. Both methods have one learning rate of 0.5 and explore in one step of ten.',
  dishonest: 'Counting planning steps as free in seconds: this counts real steps only.',
  next: 'Prioritised sweeping, which practises where the surprise is.',
});

export const single: readonly PaperCard[] = [deepSea, memory, planning];
