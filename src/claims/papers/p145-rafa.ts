/** P145: planning anew as soon as enough was learned, against planning once and against acting first and reflecting afterwards. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineIdea, headOf } from '../define-forms.ts';

const GROWTH: Quantity = {
  title: 'power by which regret grows with the steps, since a quarter of them',
  metric: 'regretGrowth',
  take: 'last',
};
const algo = (config: JsonObject) => ({ algo: { config } });

const judged = definePaper({
  id: 'P145',
  title: 'Reason for Future, Act for Now: A Principled Framework for Autonomous LLM Agents with Provable Sample Efficiency',
  authors: 'Liu et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2309.17382',
  claim:
    'Planning far ahead, acting once and planning again with what was learned has a regret that grows with the square root of the steps.',
  published: { value: 0.5, text: 'an exponent of 0.5', of: 'growth' },
  source: {
    read: 'Authors’ code, agentification/RAFA_code at 07da5ec, Game24/agent/tot_agent.py, Game24/run.py and Tic-Tac-Toe/agent.py.',
    table: [
      {
        of: 'plan ahead, act once, add what came of it, plan anew',
        ours: 'src/core/algos/tabular/posterior-sampling.ts (posteriorSampling)',
        state: 'kept',
        note: 'Anew at every episode.',
      },
      {
        of: 'a language model plans by a search over its own proposals and values',
        ours: 'src/core/algos/tabular/posterior-sampling.ts (posteriorWorld)',
        state: 'changed',
        note: 'The best plan in a world drawn from a posterior.',
      },
      { of: 'number games and tic-tac-toe', ours: '', state: 'left out', note: 'One random world.' },
    ],
  },
  differs: [
    'a random world of 20 states in place of language-model tasks',
    'plans are made anew at every episode, not step',
    'a posterior over tables in place of a language model',
  ],
  found: {
    outcome: 'mixed',
    text: 'Regret grows slowly (as steps to the power 0.3) and is a fifth of that of acting and then reflecting; against planning once ten seeds leave it open.',
  },
  question:
    'Does an agent that plans anew under what it has learned so far lose ever less, and less than one that plans once or that reflects only after acting?',
  idea: 'Plan a long way under the updated belief, act, remember what came of it, and plan anew under the belief that follows.',
  equation: 'regret(T) = sum over steps of V*(s) - Q*(s, a), about T^0.5',
  config: {
    v: 1,
    env: { id: 'random-mdp', config: { states: 20, actions: 4, branching: 3, sparsity: 0.8, discount: 0.95, modelSeed: 7 } },
    algo: { id: 'posterior-sampling', config: { gamma: 0.9999, replan: 'episode', rewardSpread: 0.3 } },
    run: { steps: 100_000 },
  },
  arms: [
    { id: 'growth', title: 'plans anew: growth of its regret', trials: 4, quantity: GROWTH, scale: { random: 1 } },
    { id: 'replan', title: 'plans anew at every episode', trials: 4 },
    { id: 'once', title: 'plans once, after random steps', trials: 5, differs: algo({ replan: 'once', belief: 'mean', warmUp: 10_000 }) },
    {
      id: 'reflect',
      title: 'acts, then reflects on the episode, without a plan',
      trials: 5,
      differs: { algo: { id: 'monte-carlo', config: { gamma: 1, epsilon: 0.15 } } },
    },
  ],
  quantity: { title: 'regret of a training episode, mean over training', metric: 'episodeRegret', take: 'mean' },
  contrasts: [
    { id: 'its regret grows at most as steps^0.6', kind: 'level', arm: 'growth', claim: 'below', none: 0.6 },
    { id: 'less regret than planning once', kind: 'ratio', arm: 'replan', over: 'once', claim: 'below', size: 0.8 },
    { id: 'less regret than acting, then reflecting', kind: 'ratio', arm: 'replan', over: 'reflect', claim: 'below', size: 0.8 },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'parameters',
      arms: ['replan', 'once', 'reflect'],
      why: 'all hold one table of the same size; the planners count what they saw beside it',
    },
  ],
  leftOut:
    'The agent of the paper is a language model; here its principle stands alone, in one world that was drawn at random, without tic-tac-toe.',
  tunedOn: [1, 3],
  quick: { run: { steps: 20_000 }, seeds: 3 },
  scaledDown:
    'A random world of 20 states and 4 actions, 100,000 steps, some 5,000 episodes. The belief is a Dirichlet posterior over what follows, with a prior that knows nothing of how worlds are drawn; a plan is made in a world drawn from it, anew at every episode, where the paper’s agent plans at every step and its proof when enough information was gained. Reflection without a plan is Monte Carlo control: whole episodes, then their returns. The abstract prints the regret as that of T, which is read as its square root. Settings were chosen on a world of another seed, four for planning anew and five for each rival. The last two of reflection were tried after a first run, because it had had fewer than planning; the better of them is what runs here.',
  dishonest:
    'A prior equal to the way in which worlds are drawn; a warm-up for the plan made once that is too short to plan by; reading the growth before anything was learned.',
  next: 'Replan at every step (replan: step) and see whether planning more often than one learns helps; make the prior weight large.',
});

export const rafa = defineIdea({
  ...headOf(judged),
  noVerdict: 'The claim needs a pretrained language model that plans: here its principle stands alone, in a table.',
  quoted: { text: 'A regret that grows with the square root of the steps.' },
  asked: {
    ask: 'Three agents meet an unknown world of 20 places. One plans anew at every episode with what it has learned, one plans once, one acts and then reflects without a plan. Which loses least per episode while it learns?',
    choices: ['The one that plans anew', 'The one that plans once', 'The one that reflects afterwards', 'About the same'],
    most: 'less',
    alike: 0.1,
  },
  touch: {
    kind: 'trained',
    players: [
      { arm: 'replan', title: 'plans anew at every episode' },
      { arm: 'once', title: 'plans once' },
      { arm: 'reflect', title: 'acts, then reflects' },
    ],
    measured: 'lost in an episode against the best policy, mean over training',
  },
  earlier: judged,
});
