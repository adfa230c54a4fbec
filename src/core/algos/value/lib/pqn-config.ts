/** Settings of PQN, alone and as a team: the same fields with each paper's defaults. */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { agentIdConfig, sharingConfig } from '../../lib/sharing.ts';

interface Defaults {
  readonly source: string;
  readonly lr: number;
  readonly annealLr: boolean;
  readonly gamma: number;
  readonly lambda: number;
  readonly envs: number;
  readonly steps: number;
  readonly minibatches: number;
  readonly epochs: number;
  readonly epsilonEnd: number;
  readonly epsilonFraction: number;
  readonly maxGradNorm: number;
  readonly hidden: readonly number[];
  readonly agentId: boolean;
}

export const pqnFields = (d: Defaults) => {
  const { source } = d;
  return z.strictObject({
    lr: z
      .number()
      .gt(0)
      .max(1)
      .default(d.lr)
      .meta({
        title: 'learning rate',
        description: 'Step size of RAdam at the start.',
        source,
        live: true,
        log: true,
        slider: [1e-5, 1e-2],
        depth: 'teach',
        group: 'optimisation',
      }),
    annealLr: z.boolean().default(d.annealLr).meta({
      title: 'anneal',
      description: 'The learning rate falls in a straight line to 0 at the end of the budget.',
      source,
      group: 'optimisation',
    }),
    maxGradNorm: z
      .number()
      .gt(0)
      .max(1e6)
      .default(d.maxGradNorm)
      .meta({ title: 'gradient norm limit', description: 'Longer gradients are shortened to this.', source, group: 'optimisation' }),
    gamma: z
      .number()
      .min(0)
      .max(1)
      .default(d.gamma)
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
      .default(d.lambda)
      .meta({
        title: 'Q(lambda)',
        description: '0 trusts the value of the next state, 1 only the rewards seen.',
        source,
        live: true,
        slider: [0, 1],
        group: 'returns',
      }),
    bootstrapAtTruncation: z.boolean().default(true).meta({
      title: 'bootstrap at time limits',
      description: 'Counts on the value of the last state when only the clock ended the episode. Off: as the papers’ code.',
      source: 'Pardo et al. 2018; off in PureJaxQL and CleanRL pqn.py',
      group: 'returns',
    }),
    rewardScale: z.number().gt(0).max(1000).default(1).meta({
      title: 'reward scale',
      description: 'Rewards are multiplied by this before learning; PureJaxQL uses 0.1 on CartPole.',
      source,
      depth: 'research',
      group: 'returns',
    }),
    epsilonStart: z.number().min(0).max(1).default(1).meta({
      title: 'exploration at the start',
      description: 'Share of actions taken at random at first.',
      source,
      live: true,
      group: 'exploration',
    }),
    epsilonEnd: z.number().min(0).max(1).default(d.epsilonEnd).meta({
      title: 'exploration at the end',
      description: 'Share of actions taken at random after the decay.',
      source,
      live: true,
      depth: 'teach',
      group: 'exploration',
    }),
    epsilonFraction: z.number().gt(0).max(1).default(d.epsilonFraction).meta({
      title: 'exploration decay',
      description: 'Share of the budget over which exploration falls in a straight line.',
      source,
      live: true,
      group: 'exploration',
    }),
    envs: z
      .int()
      .min(1)
      .max(1024)
      .default(d.envs)
      .meta({
        title: 'parallel copies',
        description: 'Environments stepped together.',
        source,
        slider: [1, 512],
        log: true,
        group: 'rollout',
      }),
    rolloutSteps: z
      .int()
      .min(1)
      .max(2048)
      .default(d.steps)
      .meta({
        title: 'rollout length',
        unit: 'steps',
        description: 'Steps of every copy between two updates.',
        source,
        slider: [1, 256],
        log: true,
        group: 'rollout',
      }),
    minibatches: z
      .int()
      .min(1)
      .max(1024)
      .default(d.minibatches)
      .meta({ title: 'minibatches', description: 'Equal parts of a rollout, one update each.', source, slider: [1, 64], group: 'rollout' }),
    epochs: z
      .int()
      .min(1)
      .max(100)
      .default(d.epochs)
      .meta({ title: 'epochs', description: 'Times that each rollout is learned from.', source, slider: [1, 16], group: 'rollout' }),
    hidden: z
      .array(z.int().min(1).max(2048))
      .min(1)
      .max(6)
      .default([...d.hidden])
      .meta({
        title: 'hidden layers',
        description: 'Units of each layer; every layer is normalised, which is what keeps learning stable without a target network.',
        source,
        group: 'network',
      }),
    layerNorm: z.boolean().default(true).meta({
      title: 'layer normalisation',
      description: 'Off shows what it is there for.',
      source,
      depth: 'research',
      group: 'network',
    }),
    sharing: sharingConfig,
    agentId: agentIdConfig
      .unwrap()
      .default(d.agentId)
      .meta({ ...agentIdConfig.meta(), source }),
  });
};
export type PqnConfig = z.infer<ReturnType<typeof pqnFields>>;

export const pqnMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Half the squared error of the value predictions, mean over the last epoch.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the actions taken: runs away when values are over-estimated.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the gradient before any limit.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
  { id: 'learningRate', title: 'learning rate', description: 'Step size now.' },
];
