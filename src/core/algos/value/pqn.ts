/**
 * PQN: Q-learning in many parallel environments without a replay buffer or a target network (value/lib/pqn.ts). The
 * agents of a team learn each from its own reward, as in independent Q-learning. Defaults are CleanRL's pqn.py, except that time limits bootstrap.
 */
import { PUREJAXQL_CARTPOLE, PUREJAXQL_MINATAR } from '#contract/published.ts';
import { pqnFields, pqnMethod } from './lib/pqn.ts';

export const pqn = pqnMethod(
  {
    id: 'pqn',
    title: 'PQN',
    summary: 'Q-learning in many parallel environments, with layer normalisation in place of replay and target network.',
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
        config: PUREJAXQL_CARTPOLE,
      },
      {
        id: 'purejaxql-minatar',
        title: 'PureJaxQL settings for MinAtar (convolution of 16 filters, 128 units)',
        config: PUREJAXQL_MINATAR,
      },
    ],
    trialEnv: 'cartpole',
    probes: [
      { on: ['bandit'], steps: 3000 },
      { on: ['cued', 'masked', 'team'], steps: 4000 },
      { on: ['delayed'], steps: 6000 },
      { on: ['roles'], steps: 8000 },
    ],
  },
  false,
);
