/**
 * PQN: Q-learning in many parallel environments without a replay buffer or a target network (value/lib/pqn.ts). The
 * agents of a team learn each from its own reward, as in independent Q-learning. Defaults are CleanRL's pqn.py, except that time limits bootstrap.
 */
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import { type PqnConfig, pqnDef, pqnFields, pqnMetrics } from './lib/pqn.ts';

const title = 'PQN';

export const pqn = defineAlgo<PqnConfig>({
  spec: {
    id: 'pqn',
    version: 2,
    changes: [finalMasks(2)],
    title,
    summary: 'Q-learning in many parallel environments, with layer normalisation in place of replay and target network.',
    source: {
      title: 'Simplifying Deep Temporal Difference Learning',
      authors: 'Gallici et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.04811',
    },
    config: pqnFields({
      source: 'CleanRL pqn.py',
      lr: 2.5e-4,
      annealLr: true,
      gamma: 0.99,
      lambda: 0.65,
      envs: 4,
      steps: 128,
      minibatches: 4,
      epochs: 4,
      epsilonEnd: 0.05,
      epsilonFraction: 0.5,
      maxGradNorm: 10,
      hidden: [120, 84],
      agentId: false,
    }),
    presets: [
      {
        id: 'purejaxql-cartpole',
        title: 'PureJaxQL settings for CartPole',
        config: {
          envs: 32,
          rolloutSteps: 64,
          minibatches: 16,
          lr: 1e-4,
          lambda: 0.95,
          epsilonEnd: 0.2,
          epsilonFraction: 0.2,
          hidden: [256, 256],
          rewardScale: 0.1,
        },
      },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1024, config: { envs: 4, rolloutSteps: 8, minibatches: 2, hidden: [16] } },
    probes: [
      { on: ['bandit'], steps: 3000 },
      { on: ['cued', 'masked', 'team'], steps: 4000 },
      { on: ['delayed'], steps: 6000 },
      { on: ['roles'], steps: 8000 },
    ],
    probeConfig: {
      envs: 8,
      rolloutSteps: 8,
      minibatches: 2,
      lr: 3e-3,
      gamma: 0.9,
      hidden: [16],
      epsilonFraction: 0.5,
      epsilonEnd: 0.1,
      annealLr: false,
    },
    metrics: pqnMetrics,
  },
  ...pqnDef(title, false),
});
