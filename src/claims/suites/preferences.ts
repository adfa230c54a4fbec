/**
 * A claim of our own about learning from few answers, some of them wrong. It stands in no list of papers:
 * `npm run claims -- preferences-60`.
 */
import type { JudgedCard } from '#contract/papers/papers.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

/** Greedy returns of random play and of PPO on the true reward (docs/guide.md). */
const [RANDOM, TRUE_REWARD] = [-1209, -171];

export const preferences60: JudgedCard = definePaper({
  id: 'preferences-60',
  title: 'Sixty answers, one in ten wrong: Pendulum',
  authors: 'Christiano et al.',
  year: 2017,
  link: 'https://arxiv.org/abs/1706.03741',
  question:
    'Do 60 answers of a rater who errs once in ten bring Pendulum half of the way from random play to the policy trained on the true reward?',
  idea: 'Networks that learn the reward count on wrong answers, are kept smooth, see standardised observations, answer for the play they lead to (PARL), and are asked about short moments.',
  equation: 'P(1 > 2) = e + (1 - 2 e) sigmoid(sum r(1) - sum r(2)), e: share of the answers thought to be wrong',
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: { id: 'preference-ppo', config: ZOO_PENDULUM },
    run: { steps: 102_400, evalEpisodes: 20 },
  },
  arms: [
    {
      id: 'robust',
      title: '60 answers, networks that count on errors',
      trials: 13,
      differs: {
        algo: {
          config: { segment: 10, assumedErrors: 0.1, rewardDecay: 0.03, rewardNormaliseObs: true, bilevel: 0.01 },
        },
      },
    },
    { id: 'plain', title: '60 answers, all taken as right', trials: 1 },
    { id: 'true-reward', title: 'PPO on the true reward', trials: 0, differs: { algo: { id: 'ppo', config: ZOO_PENDULUM } } },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [{ id: 'half of the way', kind: 'level', arm: 'robust', claim: 'above', none: (RANDOM + TRUE_REWARD) / 2 }],
  scale: { better: 'more', random: RANDOM },
  exempt: [
    {
      check: 'parameters',
      arms: ['robust', 'plain', 'true-reward'],
      why: 'policies and values are equal; answers have networks that learn the reward',
    },
    { check: 'random', arms: ['plain'], why: 'how little is learned where errors are taken for truth is shown beside the claim' },
  ],
  // seeds from 1001 on decided nothing: ten of them were judged before
  firstSeed: 3001,
  tunedOn: [1, 4],
  noQuick: 'its lesson trains the same in the tab',
  scaledDown:
    'Pendulum, 102,400 steps, 60 answers where the paper has 700; the rater is a script that knows the true return and turns one answer in ten round. Segments of half a second.',
  dishonest: 'Choosing settings on the reported seeds; a rater who errs only where it does not matter.',
  next: 'Set the errors of the rater to 0.3, and those assumed to 0.',
});
