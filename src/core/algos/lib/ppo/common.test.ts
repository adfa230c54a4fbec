import { describe, expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { add, mean, mul, standardise, sub } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb } from '#core/nets/heads.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import golden from '../../golden/algo-ppo-loss.json' with { type: 'json' };
import { clippedSurrogate, clippedValueError, standardiseMasked } from './common.ts';

interface Case {
  readonly input: { readonly [name: string]: unknown };
  readonly expected: { readonly [name: string]: unknown };
}
const list = (x: unknown): number[] => (Array.isArray(x) ? x.flat() : [x]) as number[];
const num = (x: unknown): number => x as number;
const named = (name: string) => {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as Case;
};
const close = (found: ArrayLike<number>, expected: unknown): void => {
  const want = list(expected);
  expect(found.length).toBe(want.length);
  want.forEach((v, i) => {
    expect(Math.abs(found[i]! - v)).toBeLessThan(1e-6 * Math.max(1, Math.abs(v)));
  });
};

describe('PPO objective, values and gradients against PyTorch in float64', () => {
  it.each(['cleanrl_defaults_valueclip', 'no_value_clip', 'no_adv_norm', 'atari_clip0.1', 'population_std_like_jax'])('%s', (name) => {
    const { input, expected } = named(name);
    const g = createGraph();
    const rows = list(expected.new_logprob).length;
    const row = (key: string): Tensor => g.input(key, [rows]);
    const logits = g.input('logits', [rows, 3]);
    const value = row('value');
    const logProb = categoricalLogProb(logits, row('action'));
    const advantage = input.normalize_advantages ? standardise(row('advantage'), input.std_ddof as 0 | 1, 1e-8) : row('advantage');
    const policy = clippedSurrogate(logProb, row('old'), advantage, g.input('clip', [1]));
    const clip = input.value_clip === null ? null : g.input('valueClip', [1]);
    const valueTerm = mean(clippedValueError(value, row('oldValue'), row('target'), clip));
    const entropy = mean(categoricalEntropy(logits));
    const loss = sub(add(policy.loss, mul(valueTerm, num(input.vf_coef))), mul(entropy, num(input.ent_coef)));
    const [dLogits, dValue] = gradients(loss, [logits, value]) as [Tensor, Tensor];
    const outputs = [logProb, policy.ratio, policy.loss, valueTerm, entropy, policy.kl, policy.clipFraction, loss, dLogits, dValue];
    const found = interpret(outputs, {
      inputs: {
        logits: list(input.logits_new),
        value: list(input.values_new),
        action: list(input.actions),
        advantage: list(input.advantages),
        old: list(expected.old_logprob),
        oldValue: list(input.values_old),
        target: list(input.returns),
        clip: [num(input.clip_coef)],
        ...(clip === null ? {} : { valueClip: [num(input.value_clip)] }),
      },
    });
    const get = (t: Tensor): ArrayLike<number> => found.get(t)!;
    close(get(logProb), expected.new_logprob);
    close(get(policy.ratio), expected.ratio);
    close(get(policy.loss), expected.policy_loss);
    close(get(valueTerm), expected.value_loss);
    close(get(entropy), expected.entropy);
    close(get(policy.kl), expected.kl_k3);
    close(get(policy.clipFraction), expected.clip_fraction);
    close(get(loss), expected.loss);
    close(get(dLogits), expected.grad_logits);
    close(get(dValue), expected.grad_values);
  });

  it('gaussian_state_independent_log_std', () => {
    const { input, expected } = named('gaussian_state_independent_log_std');
    const g = createGraph();
    const rows = list(expected.new_logprob).length;
    const means = g.input('mean', [rows, 2]);
    const logStd = g.input('logStd', [2]);
    const logProb = gaussianLogProb(means, logStd, g.input('action', [rows, 2]));
    const advantage = standardise(g.input('advantage', [rows]), 1, 1e-8);
    const policy = clippedSurrogate(logProb, g.input('old', [rows]), advantage, num(input.clip_coef));
    const entropy = gaussianEntropy(logStd);
    const loss = sub(policy.loss, mul(entropy, num(input.ent_coef)));
    const [dMean, dLogStd] = gradients(loss, [means, logStd]) as [Tensor, Tensor];
    const found = interpret([logProb, policy.loss, entropy, policy.kl, policy.clipFraction, loss, dMean, dLogStd], {
      inputs: {
        mean: list(input.mean_new),
        logStd: list(input.log_std_new),
        action: list(input.actions),
        advantage: list(input.advantages),
        old: list(expected.old_logprob),
      },
    });
    close(found.get(logProb)!, expected.new_logprob);
    close(found.get(policy.loss)!, expected.policy_loss);
    close(found.get(entropy)!, expected.entropy);
    close(found.get(policy.kl)!, expected.kl_k3);
    close(found.get(policy.clipFraction)!, expected.clip_fraction);
    close(found.get(loss)!, expected.loss);
    close(found.get(dMean)!, expected.grad_mean);
    close(found.get(dLogStd)!, expected.grad_log_std);
  });
});

describe('advantages standardised over the entries that count', () => {
  const run = (x: readonly number[], mask: readonly number[], ddof: 0 | 1): number[] => {
    const g = createGraph();
    const out = standardiseMasked(g.input('x', [x.length]), g.input('mask', [x.length]), ddof);
    return [...interpret([out], { inputs: { x: [...x], mask: [...mask] } }).get(out)!];
  };

  it.each([0, 1] as const)('ddof %i: entries of mask 0 change nothing', (ddof) => {
    const alone = run([1, 2, 4], [1, 1, 1], ddof);
    expect(run([1, 100, 2, 4, -50], [1, 0, 1, 1, 0], ddof).filter((_, i) => i !== 1 && i !== 4)).toEqual(alone);
    const g = createGraph();
    const plain = standardise(g.input('x', [3]), ddof, 1e-8);
    interpret([plain], { inputs: { x: [1, 2, 4] } })
      .get(plain)!
      .forEach((v, i) => {
        expect(alone[i]).toBeCloseTo(v, 6);
      });
  });
});
