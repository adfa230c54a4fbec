/**
 * PQN for teams with one value, the sum of the agents' (value decomposition, Sunehag et al. 2018): the loop is value/lib/pqn.ts.
 * Defaults are JaxMARL's pqn_vdn on its particle worlds with half its width, at which the reference score was measured here.
 */
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import { type PqnConfig, pqnDef, pqnFields, pqnMetrics } from './lib/pqn.ts';

const title = 'PQN-VDN';

export const pqnVdn = defineAlgo<PqnConfig>({
  spec: {
    id: 'pqn-vdn',
    version: 2,
    changes: [finalMasks(2)],
    title,
    summary: 'A team learns one value, the sum of its agents’ values, in many parallel environments.',
    source: {
      title: 'Simplifying Deep Temporal Difference Learning',
      authors: 'Gallici et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.04811',
    },
    config: pqnFields({
      source: 'JaxMARL pqn_vdn, MPE',
      lr: 5e-4,
      annealLr: false,
      gamma: 0.9,
      lambda: 0.3,
      envs: 256,
      steps: 16,
      minibatches: 16,
      epochs: 4,
      epsilonEnd: 0.1,
      epsilonFraction: 0.1,
      maxGradNorm: 1,
      hidden: [128, 128],
      agentId: true,
    }),
    presets: [{ id: 'jaxmarl-mpe', title: 'JaxMARL settings for particle worlds (256-256)', config: { hidden: [256, 256] } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1024, config: { envs: 4, rolloutSteps: 8, minibatches: 2, hidden: [16] } },
    probes: [
      { on: ['team'], steps: 4000 },
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
  ...pqnDef(title, true),
});
