import { describe, expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { log, minimum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import golden from '../golden/algo-sac-td3.json' with { type: 'json' };
import {
  bootstrapped,
  boundedLogStd,
  discreteSoftValue,
  scaledSquashedGaussian,
  smoothedAction,
  softValue,
  temperatureLoss,
} from './actor-critic.ts';

interface Case {
  readonly input: { readonly [name: string]: unknown };
  readonly expected: { readonly [name: string]: unknown };
}
const list = (x: unknown): number[] => (Array.isArray(x) ? x.flat() : [x]) as number[];
const named = (name: string): Case => {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as Case;
};
const close = (found: ArrayLike<number> | undefined, expected: unknown): void => {
  const want = list(expected);
  expect(found?.length).toBe(want.length);
  want.forEach((v, i) => {
    expect(Math.abs(found![i]! - v)).toBeLessThan(1e-6 * Math.max(1, Math.abs(v)));
  });
};
/** Values of tensors from named inputs given as numbers. */
function evaluate(
  shapes: Record<string, readonly number[]>,
  inputs: Record<string, unknown>,
  build: (t: Record<string, Tensor>) => Tensor[],
) {
  const g = createGraph();
  const tensors = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, g.input(name, shape)]));
  const outputs = build(tensors);
  const found = interpret(outputs, { inputs: Object.fromEntries(Object.keys(shapes).map((name) => [name, list(inputs[name])])) });
  return outputs.map((t) => found.get(t)!);
}

describe('SAC and TD3 against the reference in float64', () => {
  it.each([
    ['squashed_gaussian', 2, 'log_prob_scaled_exact'],
    ['squashed_gaussian_scale_and_saturation', 3, 'log_prob_scaled_stable'],
  ] as const)('%s: ln pi of the rescaled action', (name, rows, key) => {
    const { input, expected } = named(name);
    const shapes = { mean: [rows, 2], log_std: [rows, 2], eps: [rows, 2], action_scale: [2] };
    const [action, logProb] = evaluate(shapes, input, (t) => {
      const drawn = scaledSquashedGaussian(t.mean!, t.log_std!, t.eps!, t.action_scale!);
      return [drawn.action, drawn.logProb];
    });
    const [scale, bias] = [list(input.action_scale), list(input.action_bias)];
    close(
      Array.from(action!, (a, i) => a * scale[i % 2]! + bias[i % 2]!),
      expected.action,
    );
    close(logProb, expected[key]);
  });

  it('temperature: both losses and their slopes', () => {
    const { input, expected } = named('temperature');
    for (const form of ['log', 'exp'] as const) {
      const [loss, slope] = evaluate({ log_alpha: [1], log_prob: [2] }, input, (t) => {
        const value = temperatureLoss(t.log_alpha!, t.log_prob!, input.target_entropy as number, form);
        return [value, ...(gradients(value, [t.log_alpha!]) as Tensor[])];
      });
      close(loss, expected[`loss_${form}`]);
      close(slope, expected[`grad_${form}`]);
    }
  });

  it('the soft target, and nothing after an end', () => {
    const { input, expected } = named('critic_target');
    const discount = list(input.terminated).map((over) => (1 - over) * (input.gamma as number));
    const shapes = { rewards: [2], discount: [2], next_q1: [2], next_q2: [2], next_log_prob: [2] };
    const [target] = evaluate(shapes, { ...input, discount }, (t) => [
      bootstrapped(t.rewards!, t.discount!, softValue(t.next_q1!, t.next_q2!, t.next_log_prob!, input.alpha as number)),
    ]);
    close(target, expected.target);
  });

  it('the soft value of discrete actions', () => {
    const { input, expected } = named('discrete_soft_value');
    const shapes = { probs: [2, 3], q1: [2, 3], q2: [2, 3] };
    const [value] = evaluate(shapes, input, (t) => [discreteSoftValue(log(t.probs!), t.q1!, t.q2!, input.alpha as number)]);
    close(value, expected.soft_value);
  });

  it('log-deviations bent by a tanh', () => {
    const { input, expected } = named('log_std_tanh_rescale');
    const [logStd] = evaluate({ raw: [3] }, input, (t) => [boundedLogStd(t.raw!, 'tanh')]);
    close(logStd, expected.log_std);
  });

  it('the smoothed target of TD3', () => {
    const { input, expected } = named('td3_target');
    const discount = [input.gamma, input.gamma];
    const shapes = { next_mean_action: [2], noise: [2], rewards: [2], discount: [2], q1: [2], q2: [2] };
    const [action, target] = evaluate(shapes, { ...input, discount }, (t) => [
      smoothedAction(t.next_mean_action!, t.noise!, 1, input.noise_clip as number),
      bootstrapped(t.rewards!, t.discount!, minimum(t.q1!, t.q2!)),
    ]);
    close(action, expected.next_action);
    close(target, expected.target);
  });
});
