/** A limit on cost: PPO alone and PPO-Lagrangian among hazards. `npm run claims -- limit-on-hazards`. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Of both: one million steps in less than a minute. */
export const HAZARDS_PPO: JsonObject = {
  envs: 16,
  rolloutSteps: 250,
  minibatches: 8,
  epochs: 5,
  lr: 1e-3,
  annealLr: true,
  entropyCoef: 0,
  gamma: 0.95,
};
/** Below the limit that it is judged by: the multiplier swings about its own limit. */
const LIMITED: JsonObject = { lagrangian: { kind: 'ascent', limit: 18, rate: 0.02, start: 0, gamma: 0.95 } };

const RETURN = { title: 'mean return, actions drawn by the policy', of: 'sampledReturn' } as const;
/** Of the script that knows where everything lies; random play earns nothing. */
const RETURNS = { random: 0, ceiling: 63 };

export const limitOnHazards: JudgedCard = definePaper({
  id: 'limit-on-hazards',
  title: 'A limit on cost among hazards: PPO and PPO-Lagrangian',
  authors: 'Ray, Achiam and Amodei; Ji et al.',
  year: 2019,
  link: 'https://arxiv.org/abs/2310.12567',
  question:
    'Does PPO with a Lagrangian keep an episode of 1,000 steps below a cost of 25 and still earn more than 15, where PPO alone costs more than twice the limit?',
  idea: 'A multiplier weighs cost against reward. It grows while episodes cost more than the limit and shrinks while they cost less, so that no weight has to be guessed.',
  equation: 'max over pi of J(pi) such that J_c(pi) <= d;   lambda <- max(0, lambda + eta (J_c - d))',
  config: {
    v: 1,
    env: { id: 'quick-safety' },
    algo: { id: 'ppo', config: HAZARDS_PPO },
    run: { steps: 1_000_000 },
  },
  arms: [
    { id: 'limited', title: 'PPO-Lagrangian, its limit set to 18: cost', trials: 16, differs: { algo: { config: LIMITED } } },
    { id: 'free', title: 'PPO alone: cost', trials: 16 },
    {
      id: 'limited-return',
      title: 'PPO-Lagrangian, its limit set to 18: return',
      trials: 16,
      differs: { algo: { config: LIMITED } },
      quantity: RETURN,
      scale: RETURNS,
    },
    { id: 'free-return', title: 'PPO alone: return', trials: 16, quantity: RETURN, scale: RETURNS },
  ],
  quantity: { title: 'cost of an episode, actions drawn by the policy', measured: 'episodeCost', drawn: true },
  contrasts: [
    { id: 'PPO-Lagrangian costs less than 25', kind: 'level', arm: 'limited', claim: 'below', none: 25 },
    { id: 'PPO alone costs more than 50', kind: 'level', arm: 'free', claim: 'above', none: 50 },
    { id: 'PPO-Lagrangian earns more than 15', kind: 'level', arm: 'limited-return', claim: 'above', none: 15 },
  ],
  scale: { better: 'less', random: 53, ceiling: 0 },
  exempt: [
    { check: 'random', arms: ['free'], why: 'the claim is that it costs much: more than random play, which gets nowhere' },
    { check: 'random', arms: ['limited-return', 'free-return'], why: 'of returns more is better, of costs less; random play earns 0' },
  ],
  tunedOn: [901, 905],
  looks: [10],
  quick: { run: { steps: 250_000 }, seeds: 2 },
  scaledDown:
    'Level 1 of the goal task in closed form: the robot is moved and does not turn; one million steps where the published tables have ten. The limit is set to 18 and judged by 25, because the multiplier swings about its own limit: five tuning seeds with 20 cost 19.3, with a spread of 5.3, and earned 26; PPO alone earned 66 at 91. Sixteen settings were tried: copies, discounts, network, rule and step size of the multiplier. Costs are those of drawn actions, as in training; greedy ones of the same policy may cost twice as much.',
  dishonest: 'Judging the greedy policy by a limit that was kept for drawn actions, or the best of many updates in place of the last.',
  next: 'Move the slider of the limit while it learns, and look at the curve of the cost.',
});
