/** P183: believing in the model that promises most for its fit, against chance and against a bonus, in worlds whose optimum is known. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const GROWTH: Quantity = {
  title: 'power by which regret grows with the steps, since a quarter of them',
  metric: 'regretGrowth',
  take: 'last',
};
const planner = (id: string, config: JsonObject) => ({
  algo: { id, config: { gamma: 0.9999, maxValue: 20, replan: 'doubling', ...config } },
});

export const mex = definePaper({
  id: 'P183',
  title: 'One Objective to Rule Them All: A Maximization Objective Fusing Estimation and Planning for Exploration',
  authors: 'Liu et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2305.18258',
  claim:
    'One objective that adds estimated value to the fit of the model has sublinear regret and beats baselines on sparse control by a stable margin.',
  source: {
    read: 'Authors’ code, agentification/MEX at 3125f9c.',
    table: [
      {
        of: 'MEX_MB/mbrl/models/one_dim_tr_model.py, update(): the loss of the model less a multiple of the value of what it predicts',
        ours: 'src/core/algos/tabular/mex.ts (promisingWorld)',
        state: 'kept',
      },
      {
        of: 'the same: by a gradient through sampled steps',
        ours: 'src/core/algos/tabular/mex.ts (tiltedChances)',
        state: 'changed',
        note: 'The best model is worked out over tables.',
      },
      {
        of: 'MEX_MF/IO.py: squared error of Q less eta times the value of what the policy does',
        ours: '',
        state: 'left out',
        note: 'The model-free form.',
      },
      { of: 'MEX_MF/IO.py, eta = 0.001', ours: 'algo.config.eta', state: 'changed', note: '1: the fit is a log-likelihood there.' },
    ],
  },
  differs: [
    'one random world of 36 states, 100,000 steps',
    'exact maximisation over tables in place of networks',
    'no sparse control, no game',
  ],
  found: {
    outcome: 'shown',
    text: 'Optimism needs a quarter of the regret of random trying and 0.5 to 0.6 of that of a bonus, and its regret grows more slowly than its steps, on two blocks of forty seeds.',
  },
  question: 'Does one objective, promise and fit together, lose ever less as it learns, and less than random trying and than a bonus?',
  idea: 'Choose the model that maximises what it promises plus how well it fits: where little was seen, promising much costs little, and that is exploration.',
  equation: 'max over f of V_f(s_1) - eta L(f)',
  config: {
    v: 1,
    env: { id: 'random-mdp', config: { states: 36, actions: 4, branching: 2, sparsity: 0.97, discount: 0.95, modelSeed: 9 } },
    algo: { id: 'mex', config: { gamma: 0.9999, maxValue: 20, replan: 'doubling', eta: 1 } },
    run: { steps: 100_000 },
  },
  arms: [
    { id: 'growth', title: 'MEX: growth of its regret', trials: 3, quantity: GROWTH, scale: { random: 1 } },
    { id: 'mex', title: 'MEX', trials: 3 },
    {
      id: 'epsilon',
      title: 'Q-learning, one action in ten at random',
      trials: 3,
      differs: { algo: { id: 'q-learning', config: { gamma: 1, alpha: 0.1, epsilon: 0.1 } } },
    },
    { id: 'bonus', title: 'a bonus for what was tried seldom (UCBVI)', trials: 8, differs: planner('ucbvi', { bonus: 0.003 }) },
  ],
  quantity: { title: 'regret of a training episode, mean over training', metric: 'episodeRegret', take: 'mean' },
  contrasts: [
    { id: 'its regret grows by less than steps^0.8', kind: 'level', arm: 'growth', claim: 'below', none: 0.8 },
    { id: 'less regret than random trying', kind: 'ratio', arm: 'mex', over: 'epsilon', claim: 'below', size: 0.8 },
    { id: 'less regret than a bonus', kind: 'ratio', arm: 'mex', over: 'bonus', claim: 'below', size: 0.9 },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'parameters',
      arms: ['mex', 'epsilon', 'bonus'],
      why: 'all hold one table of the same size; the planners count what they saw beside it',
    },
  ],
  leftOut: 'The tabular part alone: no sparse mountain car against SAC, no zero-sum game.',
  forms: 2,
  tunedOn: [1, 3],
  firstSeed: 3001,
  quick: { run: { steps: 20_000 }, seeds: 3 },
  scaledDown:
    'One random world of 36 states in which 3 of 100 actions pay, 100,000 steps. The objective is maximised over tables exactly, chances and values in turn; the rewards of a model fit by squares. All planners plan anew by the same rule. Settings were chosen on a world of another seed, three for each arm and eight scales of the bonus, from 0.001 to 0.06. Its published scale is 7. From 0.02 on the bonus covers the spread of the returns and regret grows as steps^0.45 on average there, but it explores for longer than this run lasts: a pilot with 0.02 lost as much as Q-learning. With 0.003 an unlucky action can be given up for good, which is no optimism, and over these steps loses least: it is the stronger rival and what runs here. A first form had five seeds from 1,001, and left that contrast open.',
  dishonest:
    'A bonus of a scale that was not tuned; a world in which random trying finds everything; tuning on the world that is reported.',
  next: 'Raise eta to 100: the fit is all, and exploration stops. Give the bonus its published scale of 7.',
});
