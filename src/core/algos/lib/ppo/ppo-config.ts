/** PPO's settings. Defaults are CleanRL's ppo.py (4 x 128), except that time limits bootstrap. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';

const source = 'CleanRL ppo.py';

export const ppoConfig = z.strictObject({
  lr: z
    .number()
    .gt(0)
    .max(1)
    .default(2.5e-4)
    .meta({
      title: 'learning rate',
      description: 'Step size of Adam at the start.',
      source,
      live: true,
      log: true,
      slider: [1e-5, 1e-2],
      depth: 'teach',
      group: 'optimisation',
    }),
  annealLr: z.boolean().default(true).meta({
    title: 'anneal',
    description: 'The learning rate falls in a straight line to 0 at the end of the budget.',
    source,
    group: 'optimisation',
  }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(0.99)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source,
      live: true,
      depth: 'teach',
      slider: [0.9, 1],
      group: 'returns',
    }),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .default(0.95)
    .meta({
      title: 'GAE lambda',
      description: '0 trusts the value of the next state, 1 only the rewards seen.',
      source,
      live: true,
      slider: [0.8, 1],
      group: 'returns',
    }),
  bootstrapAtTruncation: z.boolean().default(true).meta({
    title: 'bootstrap at time limits',
    description: 'Counts on the value of the last state when only the clock ended the episode. Off: CleanRL and PureJaxRL.',
    source: 'Pardo et al. 2018; off in CleanRL ppo.py',
    group: 'returns',
  }),
  envs: z
    .int()
    .min(1)
    .max(1024)
    .default(4)
    .meta({
      title: 'parallel copies',
      description: 'Environments stepped together.',
      source,
      slider: [1, 64],
      group: 'rollout',
    }),
  rolloutSteps: z
    .int()
    .min(1)
    .max(65_536)
    .default(128)
    .meta({
      title: 'rollout',
      unit: 'steps',
      description: 'Steps of each copy between two updates.',
      source,
      slider: [8, 2048],
      log: true,
      group: 'rollout',
    }),
  minibatches: z
    .int()
    .min(1)
    .max(1024)
    .default(4)
    .meta({
      title: 'minibatches',
      description: 'Parts the rollout is split into.',
      source,
      slider: [1, 32],
      group: 'rollout',
    }),
  epochs: z
    .int()
    .min(1)
    .max(100)
    .default(4)
    .meta({
      title: 'epochs',
      description: 'Passes over each rollout.',
      source,
      live: true,
      slider: [1, 20],
      group: 'rollout',
    }),
  clip: z
    .number()
    .gt(0)
    .max(10)
    .default(0.2)
    .meta({
      title: 'clip range',
      description: 'How far one update may move the probability of an action.',
      source,
      live: true,
      depth: 'teach',
      slider: [0.05, 0.5],
      group: 'loss',
    }),
  clipValue: z.boolean().default(true).meta({
    title: 'clip the value loss',
    description: 'Keeps new values within the clip range of old ones.',
    source,
    group: 'loss',
  }),
  entropyCoef: z
    .number()
    .min(0)
    .max(10)
    .default(0.01)
    .meta({
      title: 'entropy coefficient',
      description: 'Reward for staying undecided: more exploration.',
      source,
      live: true,
      depth: 'teach',
      slider: [0, 0.1],
      group: 'loss',
    }),
  valueCoef: z
    .number()
    .min(0)
    .max(100)
    .default(0.5)
    .meta({
      title: 'value coefficient',
      description: 'Weight of the value loss, which already carries a factor of one half.',
      source,
      live: true,
      slider: [0, 2],
      group: 'loss',
    }),
  normaliseAdvantages: z.boolean().default(true).meta({
    title: 'standardise advantages',
    description: 'Per minibatch, with the sample standard deviation.',
    source,
    group: 'loss',
  }),
  maxGradNorm: z
    .number()
    .gt(0)
    .max(1e6)
    .default(0.5)
    .meta({
      title: 'gradient norm limit',
      description: 'The gradient of all parameters together is cut to this length.',
      source,
      slider: [0.1, 10],
      log: true,
      group: 'optimisation',
    }),
  adamEps: z.number().gt(0).max(1).default(1e-5).meta({
    title: 'Adam epsilon',
    description: 'Added to the root of the second moment.',
    source,
    log: true,
    depth: 'research',
    group: 'optimisation',
  }),
  targetKl: z.number().gt(0).max(10).nullable().default(null).meta({
    title: 'stop at KL',
    description: 'Ends the epochs of an update once the policy has moved by 1.5 times this; empty: never.',
    source: 'Stable-Baselines3',
    depth: 'research',
    group: 'loss',
  }),
  hidden: z.array(z.int().min(1).max(2048)).min(1).max(6).default([64, 64]).meta({
    title: 'hidden layers',
    description: 'Units of each layer, the same for policy and value.',
    source,
    group: 'network',
  }),
  activation: z.enum(['tanh', 'relu', 'elu', 'gelu']).default('tanh').meta({
    title: 'activation',
    description: 'Non-linearity of the hidden layers.',
    source,
    group: 'network',
  }),
  sharedTrunk: z.boolean().default(false).meta({
    title: 'shared layers',
    description: 'One network with two heads instead of two networks.',
    source: 'separate in CleanRL ppo.py',
    depth: 'research',
    group: 'network',
  }),
  normaliseObs: z.boolean().default(false).meta({
    title: 'normalise observations',
    description: 'Subtract the running mean, divide by the running deviation, clip at 10.',
    source: 'on in CleanRL ppo_continuous_action.py',
    group: 'normalisation',
  }),
  normaliseReward: z.boolean().default(false).meta({
    title: 'normalise rewards',
    description: 'Divide by the deviation of the running return, clip at 10.',
    source: 'on in CleanRL ppo_continuous_action.py',
    group: 'normalisation',
  }),
});
export type PpoConfig = z.infer<typeof ppoConfig>;

export const ppoPresets: readonly Preset[] = [
  { id: 'cleanrl', title: 'CleanRL ppo.py, time limits as terminations', config: { bootstrapAtTruncation: false } },
  {
    id: 'cartpole-fast',
    title: 'RL Zoo settings for CartPole (100,000 steps)',
    config: { envs: 8, rolloutSteps: 32, minibatches: 1, epochs: 20, lr: 1e-3, gamma: 0.98, lambda: 0.8, clipValue: false, entropyCoef: 0 },
  },
  {
    id: 'continuous',
    title: 'Continuous control (CleanRL ppo_continuous_action.py)',
    config: {
      lr: 3e-4,
      envs: 1,
      rolloutSteps: 2048,
      minibatches: 32,
      epochs: 10,
      entropyCoef: 0,
      normaliseObs: true,
      normaliseReward: true,
    },
  },
  {
    id: 'pendulum',
    title: 'RL Zoo settings for Pendulum (100,000 steps)',
    config: {
      lr: 1e-3,
      annealLr: false,
      envs: 4,
      rolloutSteps: 1024,
      minibatches: 64,
      epochs: 10,
      gamma: 0.9,
      entropyCoef: 0,
      clipValue: false,
    },
  },
  {
    id: 'drone-hover',
    title: 'gym-pybullet-drones’ hover example (8 x 256)',
    config: { envs: 8, rolloutSteps: 256, minibatches: 32, epochs: 10, lr: 3e-4, entropyCoef: 0 },
  },
  {
    id: 'minigrid',
    title: 'MiniGrid rooms (8 x 128)',
    config: { envs: 8, rolloutSteps: 128, minibatches: 8, epochs: 4, lr: 5e-4, entropyCoef: 0.01, gamma: 0.99 },
  },
];

export const ppoMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'policyLoss', title: 'policy loss', description: 'Clipped surrogate, mean over the last epoch of the update.' },
  { id: 'valueLoss', title: 'value loss', description: 'Half the mean squared error of the value; near 0 once returns are predictable.' },
  { id: 'entropy', title: 'entropy', description: 'How undecided the policy is; ln(actions) is pure chance.', unit: 'nats' },
  { id: 'approxKl', title: 'KL', description: 'How far one update moved the policy (k3 estimate).', unit: 'nats' },
  { id: 'clipFraction', title: 'clip fraction', description: 'Share of actions whose probability ratio left the clip range.' },
  {
    id: 'explainedVariance',
    title: 'explained variance',
    description: 'Share of the variance of returns that the value predicts; 1 is perfect.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the gradient before clipping, mean over the last epoch.' },
  { id: 'learningRate', title: 'learning rate', description: 'After annealing.' },
];
