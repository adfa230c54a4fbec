/**
 * Truncated quantile critics (Kuznetsov et al. 2020): SAC whose critics predict a distribution of returns. The atoms of all critics are
 * pooled and the largest are left out of the target, which holds back over-estimation in finer steps than the smaller of two means.
 *   Z_n(s, a) = quantiles q_n1 .. q_nK at the levels (2 k - 1) / 2 K of critic n of N
 *   atoms of the target: the N (K - drop) smallest z_j of all N K atoms of the target critics at (s', a'),  a' drawn from pi
 *   y_j = r + d [z_j - alpha ln pi(a' | s')];  d is gamma, 0 after a termination
 *   L = mean over n, k, j of |tau_k - 1{y_j < q_nk}| Huber_1(y_j - q_nk)
 *   J(pi) = mean[alpha ln pi(a | s) - mean over all N K atoms of Z(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) as in SAC (sac.ts)
 * The mean over the quantiles of a critic is that of the authors' code and of sb3-contrib; the paper adds them up. Atoms are ranked by comparing all of
 * them with each other; of equal ones the first counts as the smaller. Several agents that are alike share the networks and are
 * rows like parallel environments. Truncated episodes bootstrap. Policy, temperature and learner: lib/soft.ts.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       pool the atoms of all target critics at (s', a'), leave out the N drop largest
 *       one step of all critics on L
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi), its value the mean of all atoms
 *         if autoTemperature: a step of alpha on J(alpha)
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import { ZOO_BIPEDAL_WALKER_SAC, ZOO_LUNAR_LANDER_SAC } from '#contract/papers/published.ts';
import { abs, add, concat, eq, huber, iota, lt, mean, mul, reshape, sub, sum } from '#core/engine/ops.ts';
import { lastSize } from '#core/engine/shapes.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import { midpoints } from '#core/nets/distribution.ts';
import { mlp } from '#core/nets/mlp.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { extensionsOf } from '../extensions/index.ts';
import * as ac from './lib/actor-critic.ts';
import { type SoftCritics, softFields } from './lib/soft.ts';
import { softActorCritic } from './sac.ts';

const source = 'sb3-contrib TQC';
const extensions = extensionsOf({ loop: 'replay', networks: 'other' });

const config = z.strictObject({
  ...softFields(source),
  ...ac.networkFields(source),
  critics: fields.integer(2, {
    min: 1,
    max: 10,
    title: 'critics',
    description: 'Networks that predict quantiles of the return; their atoms are pooled.',
    source,
    slider: [1, 5],
    group: 'variant',
  }),
  quantiles: fields.integer(25, {
    min: 1,
    max: 200,
    title: 'quantiles',
    description: 'Atoms that each critic predicts.',
    source,
    slider: [5, 50],
    group: 'variant',
  }),
  drop: fields.integer(2, {
    min: 0,
    max: 199,
    title: 'atoms left out',
    description:
      'For each critic so many of the largest atoms are left out of the target: more where values are over-estimated. Fewer than there are.',
    source,
    depth: 'teach',
    slider: [0, 10],
    group: 'variant',
  }),
});
type Config = z.infer<typeof config>;

/** [M, T]: 1 for the `kept` smallest of each row of `atoms` [M, T], 0 for the others; of equal ones the first is the smaller. */
export function smallestOf(atoms: Tensor, kept: number): Tensor {
  const M = atoms.shape[0]!;
  const T = lastSize('smallestOf', atoms.shape);
  const place = iota(atoms.graph, T);
  const [mine, other] = [reshape(atoms, [M, T, 1]), reshape(atoms, [M, 1, T])];
  const before = lt(reshape(place, [1, 1, T]), reshape(place, [1, T, 1]));
  return lt(sum(add(lt(other, mine), mul(eq(other, mine), before)), -1), kept);
}

/** The quantile Huber loss of each critic's quantiles [M, K] towards those atoms `target` [M, T] that `counts` marks, `kept` in each row: a mean over all. */
export function truncatedLoss(quantiles: readonly Tensor[], target: Tensor, counts: Tensor, kept: number): Tensor {
  const M = target.shape[0]!;
  const T = lastSize('truncatedLoss', target.shape);
  const one = (of: Tensor): Tensor => {
    const K = lastSize('truncatedLoss', of.shape);
    const u = sub(reshape(target, [M, 1, T]), reshape(of, [M, K, 1])); // [M, K, T]
    const slope = abs(sub(reshape(midpoints(of.graph, K), [1, K, 1]), lt(u, 0)));
    return mul(sum(mul(mul(slope, reshape(counts, [M, 1, T])), huber(u, 1))), 1 / (M * K * kept));
  };
  return mul(quantiles.map(one).reduce(add), 1 / quantiles.length);
}

function critics(engine: Engine, rng: Rng, inputs: number, c: Config): SoftCritics {
  const { critics: N, quantiles: K } = c;
  const critic = engine.group('critic');
  const target = engine.group('target');
  const sizes = [inputs, ...(c.criticHidden ?? c.hidden), K];
  /** [M, K] of each critic. */
  const criticsIn = (group: ParamGroup, from: Rng): ((features: Tensor, action: Tensor) => Tensor[]) => {
    const nets = Array.from({ length: N }, (_, n) => mlp(group, `q${n + 1}`, from, sizes, ac.layersOf(c)));
    return (features, action) => {
      const both = concat([features, action], 1);
      return nets.map((net) => net(both));
    };
  };
  const quantiles = criticsIn(critic, rng);
  const targetQuantiles = criticsIn(target, Rng.from(0)); // overwritten by copies before the first use
  const average: SoftCritics['value'] = (features, action) => mean(concat(quantiles(features, action), 1), -1);
  const kept = N * (K - c.drop);
  return {
    critic,
    target,
    learn(x) {
      const M = x.action.shape[0]!;
      const atoms = concat(targetQuantiles(x.nextFeatures, x.nextAction), 1); // [M, N K]
      const column = (of: Tensor): Tensor => reshape(of, [M, 1]);
      const y = ac.bootstrapped(column(x.reward), column(x.discount), sub(atoms, column(mul(x.nextLogProb, x.alpha))));
      const now = quantiles(x.features, x.action);
      return { loss: reshape(truncatedLoss(now, y, smallestOf(atoms, kept), kept), []), qMean: mean(concat(now, 1)) };
    },
    climb: average,
    value: average,
  };
}

export const tqc = defineAlgo<Config>({
  spec: {
    id: 'tqc',
    version: 1,
    title: 'TQC',
    summary: 'SAC with critics that predict distributions of returns, the largest atoms of which are left out of the target.',
    source: {
      title: 'Controlling Overestimation Bias with Truncated Mixture of Continuous Distributional Quantile Critics',
      authors: 'Kuznetsov et al.',
      year: 2020,
      url: 'https://arxiv.org/abs/2005.04269',
    },
    config,
    extensions,
    presets: [
      {
        id: 'paper',
        title: 'Kuznetsov et al. 2020: five critics of 512-512-512',
        config: { critics: 5, criticHidden: [512, 512, 512], learningStarts: 256 },
      },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps), without state-dependent noise',
        config: { lr: 1e-3, criticLr: 1e-3, trainEvery: 64, gradientSteps: 64, hidden: [64, 64] },
      },
      {
        id: 'lunar-lander',
        title: 'RL Zoo settings for LunarLanderContinuous (500,000 steps), step size fixed',
        config: ZOO_LUNAR_LANDER_SAC,
      },
      {
        id: 'bipedal-walker',
        title: 'RL Zoo settings for BipedalWalker (500,000 steps), without state-dependent noise',
        config: ZOO_BIPEDAL_WALKER_SAC,
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
    trial: { env: 'pendulum', steps: 700, config: { ...ac.trialConfig, quantiles: 5, drop: 1 } },
    probes: ac.boxProbes,
    probeConfig: { ...ac.probeConfig, quantiles: 9, drop: 1 },
    metrics: ac.sacMetrics.map((metric) =>
      metric.id === 'criticLoss'
        ? { ...metric, description: 'Quantile loss of the critics towards the atoms that are kept, mean since the last row.' }
        : metric,
    ),
  },

  ...softActorCritic<Config>({
    title: 'TQC',
    critics,
    layers: ac.layersOf,
    extensions,
    check(_meta, c) {
      if (c.drop >= c.quantiles)
        throw fail('config-invalid', 'All atoms are left out of the target.', 'Leave out fewer, or predict more.', 'algo.drop');
    },
  }),
});
