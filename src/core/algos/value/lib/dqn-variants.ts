/**
 * What DQN's variants add: settings, and losses of distributions of returns and Munchausen targets as tensor expressions. Rows are transitions, M;
 * N actions, K atoms or quantiles, L samples of the target.
 */
import { fail } from '#contract/kit/errors.ts';
import {
  abs,
  add,
  exp,
  gt,
  logSoftmax,
  maximum,
  mean,
  mul,
  oneHot,
  pick,
  reshape,
  softmax,
  stopGradient,
  sub,
  sum,
} from '#core/engine/ops.ts';
import { lastSize } from '#core/engine/shapes.ts';
import type { Tensor } from '#core/engine/types.ts';
import { crossEntropy, projected, quantileHuber, support } from '#core/nets/distribution.ts';
import type { Distribution } from '#core/nets/value-network.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const atoms = fields.integer(51, {
  min: 2,
  max: 201,
  title: 'atoms or quantiles',
  description: 'Of the learned distribution.',
  source: '51 in Bellemare et al. 2017, 200 in Dabney et al. 2018',
  slider: [11, 201],
  group: 'variant',
});

export const variantFields = {
  distribution: variant(
    'none',
    [
      kind('none', {}),
      kind('categorical', {
        atoms,
        low: fields.real(-10, {
          min: -1e6,
          max: 1e6,
          title: 'lowest atom',
          description: 'Returns below it count as it.',
          source: 'Bellemare et al. 2017',
          group: 'variant',
        }),
        high: fields.real(10, {
          min: -1e6,
          max: 1e6,
          title: 'highest atom',
          description: 'Returns above it count as it.',
          source: 'Bellemare et al. 2017',
          group: 'variant',
        }),
      }),
      kind('quantile', { atoms }),
      kind('implicit quantile', {}),
    ],
    {
      title: 'distribution of returns',
      description:
        'Learned in place of the mean: chances of fixed atoms (C51), quantiles (QR-DQN), or a quantile for every level asked (IQN), of which 8 are drawn for each transition.',
      source: 'off in CleanRL dqn.py',
      depth: 'teach',
      group: 'variant',
    },
  ),
  noisy: variant(
    'off',
    [
      kind('off', {}),
      kind('on', {
        sigma: fields.real(0.5, {
          min: 0,
          max: 4,
          title: 'noise at the start (sigma)',
          description: 'Standard deviation of the noise of weights, times the root of the number of inputs.',
          source: 'Fortunato et al. 2018',
          depth: 'research',
          group: 'variant',
        }),
      }),
    ],
    {
      title: 'noisy layers',
      description: 'Weights with learned noise explore in place of epsilon, which is then usually set to 0; evaluations play their means.',
      source: 'Fortunato et al. 2018; off in CleanRL dqn.py',
      group: 'variant',
    },
  ),
  munchausen: variant(
    'off',
    [
      kind('off', {}),
      kind('on', {
        alpha: fields.real(0.9, {
          min: 0,
          max: 1,
          title: 'Munchausen share (alpha)',
          description: 'Of the log-probability in the reward; 0 leaves soft Q-learning.',
          source: 'Vieillard et al. 2020',
          depth: 'research',
          group: 'variant',
        }),
        temperature: fields.real(0.03, {
          min: 1e-4,
          max: 10,
          title: 'Munchausen temperature (tau)',
          description: 'Of the softmax over target values, in units of reward.',
          source: 'Vieillard et al. 2020',
          depth: 'research',
          group: 'variant',
        }),
      }),
    ],
    {
      title: 'Munchausen targets',
      description: 'The reward grows by the scaled log-probability of the action taken, and the next state counts with its entropy.',
      source: 'Vieillard et al. 2020; off in CleanRL dqn.py',
      group: 'variant',
    },
  ),
};

/** Throws LabError('config-invalid') for variants that exclude each other. */
export function checkVariants(c: {
  readonly distribution: Distribution;
  readonly munchausen: { readonly kind: 'off' | 'on' };
  readonly double: boolean;
  readonly nStep: number;
}): void {
  const { distribution } = c;
  if (distribution.kind === 'categorical' && distribution.low >= distribution.high) {
    throw fail(
      'config-invalid',
      'The lowest atom is not below the highest.',
      'Lower it, or raise the highest atom.',
      'algo.distribution.low',
    );
  }
  if (c.munchausen.kind === 'off') return;
  const no = (why: string, fix: string, path: string) => fail('config-invalid', why, fix, path);
  if (distribution.kind === 'categorical') {
    throw no(
      'Munchausen targets mix actions, which fixed atoms cannot.',
      'Choose quantiles, or no distribution.',
      'algo.distribution.kind',
    );
  }
  if (c.double) {
    throw no('Munchausen targets select no next action, so that double Q has nothing to do.', 'Turn one of them off.', 'algo.double');
  }
  if (c.nStep > 1) throw no('Munchausen targets are defined for one step.', 'Set n-step returns to 1.', 'algo.nStep');
}

export type DqnTerms = {
  readonly loss: Tensor; // []
  readonly error: Tensor; // [M] what priorities are made of
  readonly qMean: Tensor; // []
  readonly errorMean: Tensor; // [] mean absolute difference of expected value and expected target
  readonly targetsClipped?: Tensor; // [] of fixed atoms: share of the targets' chances beyond the outermost
};

/** Of one transition's target, all [M]; weight: importance of each row, null: 1. */
interface Step {
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly weight: Tensor | null;
}

/** Mean of `each` [M], weighted. */
export const weighted = (each: Tensor, weight: Tensor | null): Tensor =>
  weight === null ? mean(each) : mul(sum(mul(weight, each)), 1 / each.shape[0]!);

/** Of one action for each row: out [M, N, K] at action [M] -> [M, K]. */
export function ofAction(out: Tensor, action: Tensor): Tensor {
  const [M, N] = [out.shape[0]!, out.shape[1]!];
  return sum(mul(out, reshape(oneHot(action, N), [M, N, 1])), 1);
}

/** C51: logits [M, K] of the action taken towards logits [M, K] of the next action; priorities are the cross-entropy, as in Rainbow. */
export function categoricalTerms(logits: Tensor, nextLogits: Tensor, step: Step, [low, high]: readonly [number, number]): DqnTerms {
  const chances = softmax(nextLogits);
  const target = projected(chances, step.reward, step.discount, low, high);
  const each = crossEntropy(target, logits);
  const K = lastSize('categoricalTerms', logits.shape);
  const z = support(logits.graph, low, high, K);
  const M = logits.shape[0]!;
  const moved = add(reshape(step.reward, [M, 1]), mul(reshape(step.discount, [M, 1]), reshape(z, [1, K])));
  const outside = add(gt(moved, high), gt(mul(moved, -1), -low));
  const value = sum(mul(softmax(logits), z), -1);
  return {
    loss: weighted(each, step.weight),
    error: each,
    qMean: mean(value),
    errorMean: mean(abs(sub(value, sum(mul(target, z), -1)))),
    targetsClipped: mean(sum(mul(chances, outside), -1)),
  };
}

/** QR-DQN and IQN: quantiles [M, K] at levels `taus` ([K] or [M, K]) towards samples [M, L] of the next state's return. */
export function quantileTerms(quantiles: Tensor, taus: Tensor, samples: Tensor, step: Step): DqnTerms {
  const M = quantiles.shape[0]!;
  const target = stopGradient(add(reshape(step.reward, [M, 1]), mul(reshape(step.discount, [M, 1]), samples)));
  const value = mean(quantiles, -1);
  const error = sub(value, mean(target, -1));
  return { loss: weighted(quantileHuber(quantiles, taus, target), step.weight), error, qMean: mean(value), errorMean: mean(abs(error)) };
}

/** alpha max(-1, tau ln pi(a|s)), pi = softmax(q / tau); q [M, N] of the target network, action [M] -> [M]. */
export const munchausenBonus = (q: Tensor, action: Tensor, alpha: number, tau: number): Tensor =>
  stopGradient(mul(maximum(mul(pick(logSoftmax(mul(q, 1 / tau)), action), tau), -1), alpha));

/** sum_b pi(b|s') (z(s', b) - tau ln pi(b|s')); z [M, N] -> [M], or samples [M, N, L] -> [M, L]. No gradient. */
export function softNext(q: Tensor, z: Tensor, tau: number): Tensor {
  const logPi = logSoftmax(mul(q, 1 / tau));
  const shape = z.shape.length === 2 ? q.shape : [...q.shape, 1];
  const pi = reshape(exp(logPi), shape);
  return stopGradient(sum(mul(pi, sub(z, reshape(mul(logPi, tau), shape))), 1));
}
