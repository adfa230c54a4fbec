/**
 * `lagrangian`: PPO within a limit on cost, by a Lagrange multiplier.
 *   max over pi of J(pi) such that J_c(pi) <= d       as       min over lambda >= 0, max over pi of J(pi) - lambda (J_c(pi) - d)
 * J_c is the mean cost of an episode, without discount; d the limit. Once an update, before the policy learns (multiplier.ts):
 *   lambda climbs on J_c - d; J_c of the episodes that ended in this rollout; where none ended lambda stays
 *   A <- (A - lambda A_c) / (1 + lambda)
 * A_c by GAE over costs, by a critic of costs that learns as the method's does, with a discount of its own and the method's lambda. A is standardised
 * over the rollout and A_c centred, as in OmniSafe.
 * Sources: Ray, Achiam & Amodei 2019, "Benchmarking Safe Exploration in Deep Reinforcement Learning" (PPO-Lagrangian); OmniSafe commit 15603dd7
 * `algorithms/on_policy/naive_lagrange/ppo_lag.py`, `common/lagrange.py`, `common/buffer/vector_onpolicy_buffer.py`; Ji et al. 2023, Safety-Gymnasium.
 * Differs from OmniSafe: J_c there is a mean over the last 100 episodes; the method standardises the mix again over each minibatch unless
 * `normaliseAdvantages` is off. Costs of several kinds are added up; each agent is held to the limit on its own, all by one multiplier.
 */
import { fail } from '#contract/kit/errors.ts';
import { defineExtension } from '../../api/extension.ts';
import { type LimitSetting, limitField, limitMetrics } from './settings.ts';

export const lagrangian = defineExtension<LimitSetting>({
  id: 'lagrangian',
  field: ({ loop }) => (loop === 'rollout' ? limitField : null),
  metrics: () => limitMetrics,
  presets: [
    {
      id: 'limited',
      title: 'Within a limit on cost (PPO-Lagrangian, 8 x 250)',
      config: {
        envs: 8,
        rolloutSteps: 250,
        minibatches: 8,
        epochs: 10,
        lr: 1e-3,
        annealLr: false,
        entropyCoef: 0,
        lagrangian: { kind: 'Adam', rate: 0.1 },
      },
    },
    {
      id: 'limited-quick',
      title: 'Within a limit on cost, in quick worlds (PPO-Lagrangian, 16 x 250)',
      config: {
        envs: 16,
        rolloutSteps: 250,
        minibatches: 8,
        epochs: 5,
        lr: 1e-3,
        annealLr: true,
        entropyCoef: 0,
        gamma: 0.95,
        lagrangian: { kind: 'ascent', rate: 0.02, start: 0, gamma: 0.95 },
      },
    },
  ],
  check(meta) {
    if (meta.costs.length > 0) return;
    const message = 'A limit on cost is set, but this environment has no costs.';
    throw fail(
      'config-invalid',
      message,
      'Set "limit on cost" to "not used", or choose an environment with costs.',
      'algo.lagrangian.kind',
    );
  },
  async load() {
    const { limitPlaces } = await import('./places.ts');
    return (setting) => ({
      attach: (host) => ({ places: () => (host.loop === 'rollout' && setting.kind !== 'not used' ? limitPlaces(host, setting) : {}) }),
    });
  },
});
