/** P076: does the emergence of hidden units early in training go with the return at its end? A correlation over runs, in three tasks. */
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Tasks whose final returns differ between seeds, chosen by that alone, with their steps; twenty evaluations each. */
const TASKS = [
  { id: 'cartpole', title: 'CartPole, PPO', env: 'cartpole', algo: { id: 'ppo' }, steps: 30_000 },
  { id: 'acrobot', title: 'Acrobot, PPO', env: 'acrobot', algo: { id: 'ppo' }, steps: 60_000 },
  { id: 'cartpole-dqn', title: 'CartPole, DQN', env: 'cartpole', algo: { id: 'dqn', config: { learningStarts: 1000 } }, steps: 20_000 },
] as const;

const EARLY: Quantity = {
  title: 'emergence over the first fifth of training',
  metric: 'emergence',
  take: 'mean',
  until: 0.2,
  unit: 'nats',
};

const arms = TASKS.flatMap(({ id, title, env, algo, steps }): readonly Arm[] => {
  const differs = { env: { id: env }, algo, run: { steps, evalEvery: steps / 20 } };
  return [
    { id, title, trials: 0, differs },
    { id: `early-${id}`, title: `${title}: emergence early on`, trials: 0, differs, quantity: EARLY },
  ];
});

export const causalEmergence = definePaper({
  id: 'P076',
  title:
    'The Causally Emergent Alignment Hypothesis: Causal Emergence Aligns with and Predicts Final Reward in Reinforcement Learning Agents',
  authors: 'Pigozzi and Levin',
  year: 2026,
  link: 'https://arxiv.org/abs/2605.06746',
  claim:
    'The causal emergence of hidden units, measured by integrated information decomposition over the whole of training, is for successful agents consistently predictive of the final reward early on, and follows the reward in most tasks: over several algorithms, architectures and six environments.',
  leftOut: 'Another decomposition than the paper’s: pairs of units, of synergy alone; three tasks and two methods of six and several.',
  source: {
    read: 'A public script that adapts the paper’s measure to another system and lists its steps (found by 2605.06746); no code of the authors (repositories of pigozzif).',
    table: [
      {
        of: 'information of normal numbers, I = -ln(1 - rho^2) / 2, from one step to the next',
        ours: 'src/math/information.ts (meanEmergence)',
        state: 'kept',
      },
      {
        of: 'hidden units reduced to two numbers by principal components',
        ours: 'src/core/run/activations.ts',
        state: 'changed',
        note: 'All pairs of units, averaged.',
      },
      { of: 'ranks turned into normal numbers first', ours: '', state: 'left out', note: 'Taken as normal as they are.' },
      {
        of: 'two halves by the Fiedler vector of the information between units',
        ours: '',
        state: 'left out',
        note: 'No halves: each pair is whole.',
      },
      {
        of: 'emergence is downward causation and synergy',
        ours: 'src/math/information.ts (meanEmergence)',
        state: 'changed',
        note: 'What a pair tells of its future beyond the better of its two units.',
      },
    ],
  },
  differs: ['three tasks, two methods', 'pairs of units, taken as jointly normal', 'a thousand steps of greedy play at each evaluation'],
  found: {
    outcome: 'open',
    text: 'How much a policy’s parts cause together goes with its return in none of three cases that forty seeds could show.',
  },
  question: 'Do runs whose hidden units show more emergence in the first fifth of training end with a higher return?',
  idea: 'Two units may each tell little of what both will do next, and together much: the whole then drives its own future. If that shows early where learning will go well, it could be read off before the return says anything.',
  equation: 'emergence = I(x1, x2; y1, y2) - max_i I(x_i; y1, y2), mean over pairs of hidden units; y is x one step later',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 30_000, evalEpisodes: 20, emergence: true } },
  arms,
  quantity: { title: 'return of greedy episodes at the end', of: 'evalReturn' },
  // 0.4 is the recipe's: it explains a sixth of the order
  contrasts: [
    { id: 'CartPole, PPO', kind: 'pairs', arms: ['early-cartpole'], others: ['cartpole'], claim: 'above', size: 0.4 },
    { id: 'Acrobot, PPO', kind: 'pairs', arms: ['early-acrobot'], others: ['acrobot'], claim: 'above', size: 0.4 },
    { id: 'CartPole, DQN', kind: 'pairs', arms: ['early-cartpole-dqn'], others: ['cartpole-dqn'], claim: 'above', size: 0.4 },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'random',
      arms: TASKS.map(({ id }) => `early-${id}`),
      why: 'it is an amount of information, not a score',
    },
    { check: 'ceiling', arms: TASKS.map(({ id }) => `early-${id}`), why: 'it is an amount of information, not a score' },
  ],
  tunedOn: [901, 905],
  firstSeed: 3001,
  looks: [20, 40],
  quick: { run: { steps: 10_000, evalEvery: 500 }, seeds: 6 },
  scaledDown:
    'Three tasks in place of six, chosen by how much the final return differs between five tuning seeds; DoorKey and Acrobot with DQN were left out, because nothing, or nothing in the first fifth, was learned there. At each of twenty evaluations a greedy policy plays 1,000 steps on the same seeds; of its last hidden layer 32 units are kept, each standardised and seen with noise of a tenth of its deviation. Information is that of jointly normal numbers, redundancy the smaller of two informations (Mediano et al. 2021); a pair’s emergence is all that only both tell of both. The estimator was fixed before any run; its tests are pairs with a known answer, copies and shuffled times among them.',
  dishonest: 'Tasks that all seeds solve; an estimator changed until it agrees with the outcome.',
  next: 'Switch on “emergence” beside the evaluations in the laboratory, let five seeds train, and say from the curves at a fifth of the way which one will end best.',
});
