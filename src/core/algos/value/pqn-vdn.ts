/**
 * PQN (Gallici et al. 2024) for teams with one value, the sum of the agents' (value decomposition, Sunehag et al. 2018). The loop is
 * value/lib/pqn.ts. Defaults are JaxMARL's pqn_vdn on its particle worlds with half its width, at which the reference score was measured
 * here.
 *   Q_tot(o, a) = sum_i q_i(o_i, a_i),   r = sum_i r_i,   loss: mean of (Q_tot(o_t, a_t) - G_t)^2 / 2
 *   G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) sum_i max_b q_i(o_{i,t+1}, b)),   after a termination r_t
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments, every agent epsilon-greedily on its own q_i
 *       keep o, a, rewardScale times the sum of rewards, and sum_i max_b q_i of the next observations
 *       where a time limit ended an episode: that sum for its final ones (bootstrapAtTruncation)
 *     targets G by Q(lambda), backwards through the rollout; G_T = the sum for what follows it
 *     for each epoch, for each shuffled minibatch
 *       one step of RAdam on the loss, through the sum into every q_i
 *     epsilon falls linearly; if annealLr: the step size too, to 0
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
