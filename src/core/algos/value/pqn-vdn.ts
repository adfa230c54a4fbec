/**
 * PQN for teams with one value, the sum of the agents' (value decomposition, Sunehag et al. 2018): the loop is value/lib/pqn.ts.
 * Defaults are JaxMARL's pqn_vdn on its particle worlds with half its width, at which the reference score was measured here.
 */
import { pqnFields, pqnMethod } from './lib/pqn.ts';

export const pqnVdn = pqnMethod(
  {
    id: 'pqn-vdn',
    title: 'PQN-VDN',
    summary: 'A team learns one value, the sum of its agents’ values, in many parallel environments.',
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
    trialEnv: 'mpe-simple-spread',
    probes: [
      { on: ['team'], steps: 4000 },
      { on: ['delayed'], steps: 6000 },
      { on: ['roles'], steps: 8000 },
    ],
  },
  true,
);
