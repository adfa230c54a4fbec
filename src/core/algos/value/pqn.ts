/**
 * PQN (Gallici et al. 2024): Q-learning in many parallel environments without a replay buffer or a target network (value/lib/pqn.ts). The
 * agents of a team learn each from its own reward, as in independent Q-learning. Defaults are CleanRL's pqn.py, except that time limits
 * bootstrap.
 *   G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) max_b Q(s_{t+1}, b));   after a termination r_t
 *   loss: mean of (Q(s_t, a_t) - G_t)^2 / 2
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments, every agent epsilon-greedily on its own Q
 *       keep o, a, rewardScale times r, and max_b Q of the next observation
 *       where a time limit ended an episode: max_b Q of its final one (bootstrapAtTruncation)
 *     targets G by Q(lambda), backwards through the rollout; G_T = max_b Q of what follows it
 *     for each epoch, for each shuffled minibatch
 *       one step of RAdam on the loss, the norm of its gradient at most maxGradNorm
 *     epsilon falls linearly; if annealLr: the step size too, to 0
 */
import { PUREJAXQL_CARTPOLE, PUREJAXQL_MINATAR } from '#contract/papers/published.ts';
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
