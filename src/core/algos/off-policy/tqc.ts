/**
 * Truncated quantile critics (Kuznetsov et al. 2020, "Controlling Overestimation Bias with Truncated Mixture of Continuous Distributional Quantile
 * Critics"): SAC whose N critics predict K quantiles of the return each. All quantiles of the next state are pooled, and the largest are left
 * out of the target: values that are too high by chance are among them.
 *   z_1 <= ... <= z_NK: all quantiles of the target critics at (s', a'), in order;  k = N (K - drop)
 *   y_i = r + d [z_i - alpha ln pi(a' | s')],  i = 1 .. k;  a' drawn from pi; d is gamma, 0 after a termination
 *   L = mean over n, m, i of |tau_m - 1{u < 0}| Huber_1(u),  u = y_i - Z_n,m(s, a),  tau_m = (2 m - 1) / 2 K
 *   J(pi) = mean[alpha ln pi(a | s) - mean over n, m of Z_n,m(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) as in SAC (sac.ts)
 * The loss is a mean over quantiles, as in the paper's code and in sb3-contrib; with drop 0 nothing is left out. The quantiles are not sorted: the
 * largest are taken out one after another. Several agents that are alike share the networks and are rows like parallel environments. Truncated
 * episodes bootstrap. Policy, temperature and learner: lib/soft.ts.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       pool the quantiles of all target critics at (s', a'), leave out the critics x drop largest
 *       one step of the critics on the quantile Huber loss towards the others
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi)
 *         if autoTemperature: a step of alpha on J(alpha)
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import { add, concat, mean, mul, reshape, sub } from '#core/engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import { allButLargest, keptQuantileHuber, midpoints } from '#core/nets/distribution.ts';
import { mlp } from '#core/nets/mlp.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import * as ac from './lib/actor-critic.ts';
import { type SoftCritics, softActorCritic, softFields, softProbes } from './lib/soft.ts';

const source = 'sb3-contrib TQC';

const config = z.strictObject({
  ...softFields(source),
  critics: fields.integer(2, {
    min: 1,
    max: 10,
    title: 'critics',
    description: 'Networks whose quantiles are pooled; 5 in the paper.',
    source,
    slider: [1, 5],
    group: 'variant',
  }),
  quantiles: fields.integer(25, {
    min: 1,
    max: 200,
    title: 'quantiles',
    description: 'Numbers that each critic predicts the distribution of returns by.',
    source,
    slider: [5, 50],
    group: 'variant',
  }),
  drop: fields.integer(2, {
    min: 0,
    max: 199,
    title: 'quantiles dropped',
    unit: 'per critic',
    description: 'Of the pooled quantiles so many times the critics are left out of the target, the largest: more of them, lower values.',
    source,
    depth: 'teach',
    slider: [0, 10],
    group: 'variant',
  }),
});
type Config = z.infer<typeof config>;

function critics(engine: Engine, rng: Rng, inputs: number, c: Config): SoftCritics {
  const [N, K] = [c.critics, c.quantiles];
  const critic = engine.group('critic');
  const target = engine.group('target');
  /** All quantiles side by side, [M, N K]. */
  const quantilesIn = (group: ParamGroup, from: Rng): ((features: Tensor, action: Tensor) => Tensor) => {
    const nets = Array.from({ length: N }, (_, n) =>
      mlp(group, `q${n + 1}`, from, [inputs, ...c.hidden, K], { act: 'relu', init: 'torch' }),
    );
    return (features, action) => {
      const x = concat([features, action], 1);
      return concat(nets.map((net) => net(x)));
    };
  };
  const quantiles = quantilesIn(critic, rng);
  const targetQuantiles = quantilesIn(target, Rng.from(0)); // overwritten by a copy before the first use
  const expected: SoftCritics['value'] = (features, action) => mean(quantiles(features, action), -1);
  return {
    critic,
    target,
    learn(x) {
      const found = quantiles(x.features, x.action);
      const loss = truncatedLoss(found, targetQuantiles(x.nextFeatures, x.nextAction), { ...x, critics: N, drop: c.drop });
      return { loss: mean(loss), qMean: mean(found) };
    },
    climb: expected,
    value: expected,
  };
}

interface Target {
  readonly reward: Tensor; // [M]
  readonly discount: Tensor; // [M]
  readonly nextLogProb: Tensor; // [M]
  readonly alpha: Tensor; // [1]
  readonly critics: number; // N
  readonly drop: number; // per critic
}

/** L of each row: quantiles [M, N K] of N critics towards those of the next state, [M, N K]. [M] */
export function truncatedLoss(quantiles: Tensor, next: Tensor, { reward, discount, nextLogProb, alpha, critics, drop }: Target): Tensor {
  const [M, all] = quantiles.shape as readonly [number, number];
  const rows = (x: Tensor): Tensor => reshape(x, [M, 1]);
  const soft = sub(next, rows(mul(nextLogProb, alpha)));
  const y = add(rows(reward), mul(rows(discount), soft));
  const levels = concat(Array<Tensor>(critics).fill(midpoints(next.graph, all / critics)));
  return keptQuantileHuber(quantiles, levels, y, allButLargest(next, critics * drop), all - critics * drop);
}

const soft = softActorCritic<Config>('TQC', critics);

export const tqc = defineAlgo<Config>({
  spec: {
    id: 'tqc',
    version: 1,
    title: 'TQC',
    summary: 'SAC with distributions of returns, the most optimistic part of which is left out.',
    source: {
      title: 'Controlling Overestimation Bias with Truncated Mixture of Continuous Distributional Quantile Critics',
      authors: 'Kuznetsov et al.',
      year: 2020,
      url: 'https://arxiv.org/abs/2005.04269',
    },
    config,
    presets: [
      {
        id: 'paper',
        title: 'Kuznetsov et al. 2020: five critics of 512-512-512',
        config: { critics: 5, learningStarts: 1000, hidden: [512, 512, 512] },
      },
      { id: 'pendulum', title: 'RL Zoo settings for Pendulum (20,000 steps)', config: { lr: 1e-3, criticLr: 1e-3 } },
      { id: 'drone-hover', title: 'Drone hover, one speed for all motors (30,000 steps)', config: { hidden: [64, 64] } },
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
    probes: softProbes,
    probeConfig: ac.probeConfig,
    metrics: ac.sacMetrics,
  },

  ...soft,

  fits(meta, c) {
    soft.fits?.(meta, c);
    if (c.drop >= c.quantiles)
      throw fail('config-invalid', 'TQC drops all of its quantiles.', 'Drop fewer of them, or predict more.', 'algo.config.drop');
  },
});
