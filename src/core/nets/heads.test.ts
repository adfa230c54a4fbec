import { describe, expect, test } from 'vitest';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import * as ops from '../engine/ops.ts';
import type { Tensor } from '../engine/types.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import golden from './golden/algo-policy-distributions.json' with { type: 'json' };
import ppo from './golden/algo-ppo-loss.json' with { type: 'json' };
import sac from './golden/algo-sac-td3.json' with { type: 'json' };
import * as heads from './heads.ts';

type Rows = readonly (readonly number[])[];
const find = (file: { cases: readonly { name: string }[] }, name: string) =>
  file.cases.find((c) => c.name === name) as unknown as { input: Record<string, never>; expected: Record<string, never> };
/** Constants are float32 in a graph: the files' float32 tolerance. */
const close = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i]! - b[i]!), `${i}`).toBeLessThan(1e-6 * Math.max(1, Math.abs(b[i]!)));
};
const g = createGraph();
const feeds: Record<string, readonly number[]> = {};
let count = 0;
function rows(data: Rows): Tensor {
  const name = `in${count++}`;
  feeds[name] = data.flat();
  return g.input(name, [data.length, data[0]!.length]);
}
function row(data: readonly number[]): Tensor {
  const name = `in${count++}`;
  feeds[name] = data;
  return g.input(name, [data.length]);
}
const value = (t: Tensor) => interpret([t], { inputs: feeds }).get(t)!;

describe('golden distributions', () => {
  test('diagonal Gaussian', () => {
    const { input, expected } = find(golden, 'diag_gaussian');
    const logStd = row(input.log_std!);
    close(value(heads.gaussianLogProb(rows(input.mean!), logStd, rows(input.action!))), expected.log_prob!);
    close(value(heads.gaussianEntropy(logStd)), [expected.entropy_per_sample!]);
    const kl = find(golden, 'diag_gaussian_kl_p_q');
    const k = kl.input;
    const out = heads.gaussianKl(rows(k.mean_p!), row(k.log_std_p!), rows(k.mean_q!), row(k.log_std_q!));
    close(value(out), kl.expected.kl!);
  });
  test('categorical', () => {
    const { input, expected } = find(golden, 'categorical_kl_p_q');
    const p = heads.logitsOf(rows(input.p!));
    close(value(heads.categoricalKl(p, heads.logitsOf(rows(input.q!)))), expected.kl!);
    close(value(heads.categoricalEntropy(p)), expected.entropy_p!);
  });
  test('masked', () => {
    const { input, expected } = find(golden, 'masked_categorical');
    const raw = rows([input.logits!]);
    const logits = heads.maskLogits(raw, rows([input.mask!]));
    close(value(ops.softmax(logits)), expected.probs!);
    expect(value(ops.softmax(logits))[1]).toBe(0);
    close(value(heads.categoricalEntropy(logits)), [expected.entropy!]);
    const both = ops.add(ops.sum(heads.categoricalEntropy(logits)), ops.sum(heads.categoricalLogProb(logits, row([2]))));
    const slopes = gradients(both, [raw]);
    const d = value(slopes[0]!);
    expect(d[1]).toBe(0);
    expect(d.every(Number.isFinite)).toBe(true);
  });
  test('squashed Gaussian, saturated too', () => {
    for (const [name, key] of [
      ['squashed_gaussian', 'log_prob_unit'],
      ['squashed_gaussian_scale_and_saturation', 'log_prob_unit_stable'],
    ] as const) {
      const { input, expected } = find(sac, name);
      const { action, logProb, u } = heads.squashedGaussian(rows(input.mean!), rows(input.log_std!), rows(input.eps!));
      close(value(u), (expected.pre_tanh! as Rows).flat());
      close(value(logProb), expected[key]!);
      const [scale, bias] = [input.action_scale! as number[], input.action_bias! as number[]];
      const scaled = value(action).map((a, i) => a * scale[i % 2]! + bias[i % 2]!);
      close(scaled, (expected.action! as Rows).flat());
    }
  });
});

describe('golden PPO losses from these heads', () => {
  test('cleanrl_defaults_valueclip: values and gradients', () => {
    const { input: i, expected: e } = find(ppo, 'cleanrl_defaults_valueclip');
    const logits = rows(i.logits_new!);
    const action = row(i.actions!);
    const values = row(i.values_new!);
    const old = heads.categoricalLogProb(rows(i.logits_old!), action);
    const logp = heads.categoricalLogProb(logits, action);
    close(value(old), e.old_logprob!);
    close(value(logp), e.new_logprob!);
    const advantage = ops.standardise(row(i.advantages!), 1, 1e-8);
    close(value(advantage), e.advantages_used!);
    const ratio = ops.exp(ops.sub(logp, old));
    const clip = i.clip_coef! as number;
    const policy = ops.neg(ops.mean(ops.minimum(ops.mul(advantage, ratio), ops.mul(advantage, ops.clip(ratio, 1 - clip, 1 + clip)))));
    close(value(policy), [e.policy_loss!]);
    const entropy = heads.categoricalEntropy(logits);
    close(value(entropy), e.entropy_each!);
    const returns = row(i.returns!);
    const before = row(i.values_old!);
    const near = ops.add(before, ops.clip(ops.sub(values, before), -clip, clip));
    const errors = ops.maximum(ops.square(ops.sub(values, returns)), ops.square(ops.sub(near, returns)));
    const valueLoss = ops.scale(ops.mean(errors), 0.5);
    close(value(valueLoss), [e.value_loss!]);
    const loss = ops.add(ops.sub(policy, ops.scale(ops.mean(entropy), i.ent_coef!)), ops.scale(valueLoss, i.vf_coef!));
    close(value(loss), [e.loss!]);
    const [dLogits, dValues] = gradients(loss, [logits, values]) as [Tensor, Tensor];
    close(value(dLogits), (e.grad_logits! as Rows).flat());
    close(value(dValues), e.grad_values!);
  });
});
