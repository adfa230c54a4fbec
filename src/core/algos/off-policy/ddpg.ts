/**
 * Deep deterministic policy gradient (Lillicrap et al. 2016): replayed transitions, one critic, and a deterministic tanh policy that climbs it.
 * The method that TD3 mends.
 *   y = r + d Q'(s', mu'(s'));  d is gamma, 0 after a termination
 *   critic: mean of (Q(s, a) - y)^2;   policy: -mean Q(s, mu(s))
 * Actions lie in a box; several agents that are alike share the networks and are rows like parallel environments. Truncated episodes
 * bootstrap. Differs from the paper: no weight decay and no batch normalisation; the action enters the critic's first layer; torch's
 * initialisation in all layers. Differs from CleanRL: the policy is updated with every update of the critic. Ornstein-Uhlenbeck noise is the
 * setting "correlated noise". Learner: td3.ts.
 * Pseudo-code:
 *   target policy and critic = policy and critic
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then mu(s) + noise, clipped to it
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       one step of the critic towards y
 *       one step of the policy towards a larger Q(s, mu(s))
 *       target policy and critic += tau (policy and critic - targets)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { extensionsOf } from '../extensions/index.ts';
import * as ac from './lib/actor-critic.ts';
import { deterministicActorCritic, deterministicMetrics } from './td3.ts';

const source = 'CleanRL ddpg_continuous_action.py';

const extensions = extensionsOf({ loop: 'replay', networks: 'deterministic' });
const config = z.strictObject({
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(3e-4, source, { title: 'critic learning rate', description: 'Step size of Adam for the critic.' }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source, { live: true }),
  explorationNoise: ac.explorationNoise(source, {
    description: 'Standard deviation of the noise on actions taken; 1 is half the width of the box.',
    depth: 'teach',
  }),
  ...fields.replay(source, { batchSize: 256, learningStarts: 1000 }),
  ...ac.networkFields(source),
});
type Config = z.infer<typeof config>;

const zoo = { lr: 1e-3, criticLr: 1e-3, hidden: [400, 300] };
const paper = { kind: 'Ornstein-Uhlenbeck', theta: 0.15, dt: 1 };

export const ddpg = defineAlgo<Config>({
  spec: {
    id: 'ddpg',
    version: 1,
    title: 'DDPG',
    summary: 'Learns a deterministic policy for continuous actions that climbs one learned critic.',
    source: {
      title: 'Continuous control with deep reinforcement learning',
      authors: 'Lillicrap et al.',
      year: 2016,
      url: 'https://arxiv.org/abs/1509.02971',
    },
    config,
    extensions,
    presets: [
      {
        id: 'paper',
        title: 'Lillicrap et al. 2016: 400-300, batch 64, Ornstein-Uhlenbeck noise',
        config: {
          lr: 1e-4,
          criticLr: 1e-3,
          tau: 0.001,
          batchSize: 64,
          hidden: [400, 300],
          explorationNoise: 0.2,
          correlatedNoise: paper,
        },
      },
      { id: 'cleanrl', title: 'CleanRL ddpg_continuous_action.py', config: { learningStarts: 25_000 } },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps)',
        config: { ...zoo, gamma: 0.98, learningStarts: 10_000 },
      },
      {
        id: 'mountain-car',
        title: 'RL Zoo settings for the continuous mountain car (300,000 steps)',
        config: { ...zoo, learningStarts: 100, explorationNoise: 0.5, correlatedNoise: { kind: 'Ornstein-Uhlenbeck' } },
      },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: ac.trialConfig },
    probes: ac.boxProbes,
    probeConfig: { ...ac.probeConfig, explorationNoise: 0.2 },
    metrics: deterministicMetrics,
  },

  ...deterministicActorCritic<Config>('DDPG', extensions),
});
