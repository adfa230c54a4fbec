/** P171: a reward that also answers for the play it leads to, against one that learns in turn with its policy. */
import type { JsonObject } from '#contract/kit/json.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });

export const parl = definePaper({
  id: 'P171',
  title: 'PARL: A Unified Framework for Policy Alignment in Reinforcement Learning',
  authors: 'Chakraborty et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2308.02585',
  claim: 'A bilevel form that accounts for how a learned reward changes the policy’s data needs up to 63 % fewer samples.',
  published: { value: 0.37, text: 'a ratio of 0.37 (up to 63 % fewer samples)', of: 'steps to the level, at least a fifth fewer' },
  source: {
    guess: {
      searches: [
        '“PARL: A Unified Framework for Policy Alignment”, “A-PARL” and 2308.02585 among public repositories: two lists of publications.',
        'Pages about its hypergradient: the abstract, conversions of the text stored only up to the introduction, and later papers that cite it.',
        'Repositories by its first author (souradip-chakraborty): none of the paper.',
      ],
    },
  },
  differs: [
    'Pendulum, 204,800 steps, PPO in place of SAC',
    'scripted rater, wrong in one of ten',
    'a multiple of the identity as inverse Hessian',
  ],
  found: {
    outcome: 'open',
    text: 'Too few runs arrive at the level to say anything: the interval reaches from less than a thousandth to more than a thousand.',
  },
  question: 'Does a reward that is learned with an eye on the play it leads to need fewer steps than one learned as if play stood still?',
  idea: 'What a learned reward is worth shows in the play it brings about, and that play decides what is asked next. So its gradient has a second term: how the policy would move, and what the answers would then cost.',
  equation: 'dL/dnu = grad_nu E[l] + weight grad_nu E[r_nu(tau) <grad_theta ln pi(tau), v>],  v = E[l grad_theta ln pi(tau)]',
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: {
      id: 'preference-ppo',
      config: {
        ...ZOO_PENDULUM,
        segment: 10,
        assumedErrors: 0.1,
        rewardDecay: 0.03,
        rewardNormaliseObs: true,
      },
    },
    run: { steps: 204_800 },
  },
  arms: [
    { id: 'bilevel', title: 'reward and policy as one problem of two levels', trials: 2, differs: algo({ bilevel: 0.01 }) },
    { id: 'alternating', title: 'reward and policy in turn', trials: 2 },
  ],
  quantity: { title: 'steps until the true return of training is half way', metric: 'episodicReturn', reaches: -690 },
  contrasts: [
    {
      id: 'steps to the level, at least a fifth fewer',
      kind: 'ratio',
      arm: 'bilevel',
      over: 'alternating',
      claim: 'below',
      size: 0.8,
      paired: true,
    },
  ],
  scale: { better: 'more' },
  leftOut: 'One task of control; neither reaching nor pushing, and none of the paper’s baselines.',
  forms: 2,
  tunedOn: [1, 4],
  firstSeed: 3001,
  quick: { run: { steps: 20_480 }, seeds: 3 },
  scaledDown:
    'Pendulum, 204,800 steps, PPO in place of SAC. Both arms ask the same number of questions at the same steps, chosen by the same rule; the rater errs once in ten. The weight was chosen of two on four smaller seeds, on which the reward ran away with the other, 0.1; all other settings were chosen for turns alone. A run that never gets there counts as 204,800 steps. A first form, 102,400 steps on ten seeds from 1,001, was inconclusive: 3 of 10 runs of each arm never got there, and the ratio, 0.90, had an interval of 0.65 to 1.37. This form takes twice the steps, pairs the seeds, whose runs begin alike, and takes new ones. The inverse Hessian of the return is a multiple of the identity, whose size is the weight; the expectations are over the answered segments, also those of older policies.',
  dishonest:
    'Another schedule of questions for one arm; a level at which one of the arms was seen to be ahead; a weight chosen on the reported seeds.',
  next: 'Raise the weight tenfold: the reward then says more about what play avoids than about what was answered.',
});
