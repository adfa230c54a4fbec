/** P011: play against oneself by who wins, against a reward that shall explain the answers: a rater in circles, one who errs, and few answers. */
import type { JsonObject } from '#contract/kit/json.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

const algo = (id: string, config: JsonObject) => ({ algo: { id, config } });
const CIRCLE = {
  env: { id: 'noisy-bandit', config: {} },
  run: { steps: 61_440 },
};
const dueling: JsonObject = { rater: 'cyclic', raterErrors: 0, segment: 1, answers: 300, annealLr: false, entropyCoef: 0.1 };
const WINS = { title: 'share of comparisons won against the fixed rival that does best', metric: 'worstWins', take: 'last' } as const;
const DUEL = { random: 0.15, ceiling: 0.5 };

export const spo = definePaper({
  id: 'P011',
  title: 'A Minimaximalist Approach to Reinforcement Learning from Human Feedback',
  authors: 'Swamy et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2401.04056',
  claim:
    'Self-play on the share of comparisons won learns from fewer comparisons than a reward model and stays robust where raters are cyclic or noisy.',
  leftOut: 'The rater is not asked about every pair of own trajectories: who wins is learned from answers about segments.',
  source: {
    read: 'Project page gokul.dev/spo, which says the rule in words; no code of the authors was found (repositories of gkswamy98, “SPO”, 2401.04056).',
    table: [
      {
        of: 'the share of wins among trajectories drawn from the policy is the reward of a trajectory',
        ours: 'src/core/algos/preferences/spo.ts (sharesOf)',
        state: 'kept',
      },
      {
        of: 'one policy against itself in place of two that duel',
        ours: 'src/core/algos/preferences/spo.ts (rewardOfContest)',
        state: 'kept',
      },
      {
        of: 'a preference model compares whole trajectories',
        ours: 'src/core/algos/preferences/spo.ts (winOdds)',
        state: 'changed',
        note: 'Learned from answers; segments of 25 steps.',
      },
      { of: 'any method of policy optimisation below it', ours: 'src/core/algos/preferences/spo.ts (spo)', state: 'kept', note: 'PPO.' },
    ],
  },
  differs: [
    'a circle of ten arms and Pendulum in place of larger bodies',
    '102,400 steps of Pendulum, scripted raters',
    'segments of 25 steps',
  ],
  found: {
    outcome: 'mixed',
    text: 'Where the rater goes in circles, self-play loses 0.30 less to the worst rival; that it needs fewer answers or stands wrong ones better did not show.',
  },
  question:
    'Does a policy that climbs its share of wins against its own play stand raters who go in circles or err, and need fewer answers?',
  idea: 'Do not ask for a reward that explains all answers: there may be none. Learn who wins when two moments are compared, and reward what wins against your own play.',
  equation: 'r(segment) = mean over own segments of P(segment > other)',
  config: { v: 1, env: { id: 'pendulum' }, algo: { id: 'spo' }, run: { steps: 102_400 } },
  arms: [
    {
      id: 'spo-circle',
      title: 'SPO, a rater in circles',
      trials: 4,
      differs: { ...CIRCLE, ...algo('spo', dueling) },
      quantity: WINS,
      scale: DUEL,
    },
    {
      id: 'reward-circle',
      title: 'learned reward, a rater in circles',
      trials: 4,
      differs: { ...CIRCLE, ...algo('preference-ppo', dueling) },
      quantity: WINS,
      scale: DUEL,
    },
    {
      id: 'spo-errors',
      title: 'SPO, 240 answers, three of ten wrong',
      trials: 1,
      differs: algo('spo', { ...ZOO_PENDULUM, answers: 240, raterErrors: 0.3 }),
    },
    {
      id: 'reward-errors',
      title: 'learned reward that counts on errors, 240 answers, three of ten wrong',
      trials: 1,
      // a learned reward that takes answers at their word ends below random play: this one counts on the errors
      differs: algo('preference-ppo', { ...ZOO_PENDULUM, answers: 240, raterErrors: 0.3, assumedErrors: 0.3 }),
    },
    { id: 'spo-few', title: 'SPO, 120 right answers', trials: 1, differs: algo('spo', { ...ZOO_PENDULUM, answers: 120, raterErrors: 0 }) },
    {
      id: 'reward-many',
      title: 'learned reward, 240 right answers',
      trials: 1,
      differs: algo('preference-ppo', { ...ZOO_PENDULUM, answers: 240, raterErrors: 0 }),
    },
  ],
  quantity: { title: 'true return of the last 100 training episodes', metric: 'episodicReturn', take: 'last' },
  contrasts: [
    {
      id: 'loses less to the worst rival where the rater goes in circles',
      kind: 'difference',
      arm: 'spo-circle',
      over: 'reward-circle',
      claim: 'above',
      size: 0.05,
    },
    {
      id: 'more return where three of ten answers are wrong',
      kind: 'difference',
      arm: 'spo-errors',
      over: 'reward-errors',
      claim: 'above',
      size: 100, // about a tenth of what learning gains
    },
    // about a tenth of what learning gains
    { id: 'more return from half of the answers', kind: 'difference', arm: 'spo-few', over: 'reward-many', claim: 'above', size: 100 },
  ],
  scale: { better: 'more', random: -1239.6 },
  exempt: [
    {
      check: 'random',
      arms: ['reward-circle'],
      why: 'no reward explains answers that go in circles: that it learns nothing there is what the claim says',
    },
    {
      check: 'parameters',
      arms: ['spo-circle', 'reward-circle', 'spo-errors', 'reward-errors', 'spo-few', 'reward-many'],
      why: 'policies and values are equal; who wins is one network here, the reward an ensemble of three there, as published',
    },
  ],
  forms: 4,
  tunedOn: [1, 3],
  firstSeed: 4001,
  quick: { run: { steps: 20_480 }, seeds: 3 },
  scaledDown:
    'Two worlds. The circle is a dueling bandit of ten arms: three beat each other in a circle and all others, by a script without errors; what is measured is all play of the second half against every fixed arm, which nobody trains on. Pendulum with a rater who knows the true return, 240 answers, or 120, over the first half of 102,400 steps, segments of 25 steps; it also stands for the paper’s other bodies. Entropy and annealing for the circle were chosen among four pairs for each method, the best for both being the same; Pendulum’s are the preset of either method. A first form, on ten seeds from 1,001, had 61,440 steps and a quarter of the answers: with errors neither method left the level of chance, and the check of that level also struck the rival in the circle, where the claim says that it learns nothing. A second, on twenty seeds from 3,001 and with the answers of today, was void because the learned reward with wrong answers ended below random play: it took them at their word. In this form, on new seeds, that rival counts on three wrong answers of ten.',
  dishonest:
    'Scoring a rater in circles by a return; counting siblings’ comparisons as answers that cost nothing, where a person gave them: here the learned contest makes them; a circle in which random play cannot be beaten either (three arms alone), where not learning wins.',
  next: 'Set the entropy to 0.01: self-play goes round the circle ever more widely, and only its average stays unbeaten.',
});
