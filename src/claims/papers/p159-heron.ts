/** P159: a reward learned from the mere ranking of its factors, against sums of the same factors under tuned and under unsure weights. */
import type { JsonObject } from '#contract/kit/json.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const SUM: JsonObject = { reward: 'weighted sum', weights: [1, 0.03, 0.001] };

export const heronPaper = definePaper({
  id: 'P159',
  title: 'Deep Reinforcement Learning from Hierarchical Weak Preference Feedback',
  authors: 'Bukharin et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2309.02632',
  claim:
    'A ranking of reward factors is enough: policies match or beat tuned sums of factors, with better sample efficiency and robustness.',
  source: {
    read: 'Authors’ code, abukharin3/HERON at 677beb5, ClassicControl/cleanrl/ddpg_rm.py.',
    table: [
      {
        of: 'the first factor that differs by more than a share of its deviation decides',
        ours: 'src/core/algos/preferences/lib/factors.ts (rankedCompare)',
        state: 'kept',
      },
      {
        of: 'cross-entropy with these answers trains the reward',
        ours: 'src/core/algos/preferences/heron.ts (rewardOfRanking)',
        state: 'kept',
      },
      {
        of: 'of single steps',
        ours: 'src/core/algos/preferences/lib/factors.ts (factorRows)',
        state: 'changed',
        note: 'Means of segments.',
      },
      {
        of: 'DDPG, one network for the reward',
        ours: 'src/core/algos/preferences/heron.ts (heron)',
        state: 'changed',
        note: 'PPO, three networks.',
      },
      { of: 'traffic and code', ours: '', state: 'left out', note: 'A pendulum.' },
    ],
  },
  differs: ['Pendulum with three factors, 102,400 steps', 'no traffic, no code', 'samples to a level are not counted'],
  found: {
    outcome: 'shown',
    text: 'An order of factors beats sums whose weights are unsure by 287 of return, and stays within 100 of the tuned sum.',
  },
  question: 'Is it enough to say which factor of a task matters more than which, where weights would have to be tuned?',
  idea: 'Rank the factors. Of two moments the one that is clearly better in the first factor is better, else the second decides, and so on. Comparisons by that tree train a reward; no weight is given.',
  equation: 'P(1 > 2) = sigmoid(sum r(1) - sum r(2)), the winner told by the first factor that differs by more than the margin',
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: {
      id: 'heron',
      config: {
        factors: 'o0, -|o2|, -|a0|',
        margin: 0.1,
        segment: 10,
        answers: 2000,
        ...ZOO_PENDULUM,
      },
    },
    run: { steps: 102_400 },
  },
  arms: [
    { id: 'ranking', title: 'HERON: upright before still before effortless', trials: 4 },
    { id: 'tuned', title: 'the sum under tuned weights', trials: 4, differs: algo(SUM), competent: -300 },
    {
      id: 'unsure',
      title: 'the sum under weights that are wrong by a factor of seven',
      trials: 4,
      differs: algo({ ...SUM, weightNoise: 2 }),
    },
  ],
  quantity: { title: 'true return of the last 100 training episodes', metric: 'episodicReturn', take: 'last' },
  contrasts: [
    // about a tenth of what learning gains; means, because some seeds fail altogether
    {
      id: 'above sums whose weights are unsure',
      kind: 'difference',
      arm: 'ranking',
      over: 'unsure',
      claim: 'above',
      middle: 'mean',
      size: 100,
    },
    {
      id: 'at most 100 below the tuned sum',
      kind: 'difference',
      arm: 'ranking',
      over: 'tuned',
      claim: 'above',
      middle: 'mean',
      none: -100,
    },
  ],
  // no step of the pendulum pays more than 0
  scale: { better: 'more', random: -1239.6, ceiling: 0 },
  exempt: [
    {
      check: 'parameters',
      arms: ['ranking', 'tuned', 'unsure'],
      why: 'policies and values are equal; a ranking has networks that learn the reward, a sum has none',
    },
  ],
  leftOut: 'Control alone, and one task of it: neither traffic nor code, and no count of samples to a level.',
  forms: 2,
  tunedOn: [1, 3],
  firstSeed: 3001,
  quick: { run: { steps: 20_480 }, seeds: 3 },
  scaledDown:
    'Pendulum with three factors: the cosine of the angle, the speed and the torque, 102,400 steps; what is measured is the return of the environment, which neither learns from. The weights of the sum were chosen among four sets, margin, segments and number of comparisons of the ranking among four; the unsure ones are those times e to a normal number of deviation 2, drawn anew with every seed. The ranking says what a person would, without those numbers. A first form, on ten seeds from 1,001, compared interquartile means, which leave out the seeds on which unsure weights fail altogether, and was inconclusive; this one compares means on new seeds, and asks for twice the size.',
  dishonest: 'A ranking read off tuned weights; unsure weights that are drawn once, badly; a true return that one of the arms learns from.',
  next: 'Turn the ranking round: "-|a0|, -|o2|, o0" saves torque, and the pendulum hangs.',
});
