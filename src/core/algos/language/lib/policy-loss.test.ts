import { expect, it } from 'vitest';
import { type Averaging, groupAdvantages, mixedGroups, overlongPenalty, rowWeights } from '#math/groups.ts';
import { gradients } from '../../../engine/autodiff.ts';
import { broadcastTo, exp, logSoftmax, mul, neg, pick, reshape, sum } from '../../../engine/ops.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import golden from './golden/lm-policy-losses.json' with { type: 'json' };
import { type PolicyLossOptions, policyLoss } from './policy-loss.ts';

const caseOf = (name: string) => golden.cases.find((c) => c.name === name) as unknown as { input: Batch; expected: Expected };
interface Batch {
  readonly G: number;
  readonly logits: number[][][];
  readonly tokens: number[][];
  readonly mask: number[][];
  readonly old_logp: number[][];
  readonly rewards: number[];
}
interface Expected {
  readonly loss: number;
  readonly d_logits?: number[][][];
  readonly ref_logp: number[][];
  readonly lengths: number[];
  readonly advantage: number[];
  readonly keep_group: number[];
  readonly penalty: number[];
  readonly [other: string]: unknown;
}
const batch = caseOf('batch').input;
const [rows, T, V] = [batch.tokens.length, batch.tokens[0]!.length, batch.logits[0]![0]!.length];
const lengths = caseOf('batch').expected.lengths;
const grpoAdvantage = groupAdvantages(batch.rewards, batch.G, { baseline: 'mean', scale: 'group' });

async function found(
  options: PolicyLossOptions,
  c: {
    advantage?: ArrayLike<number>;
    averaging?: Averaging;
    keep?: ArrayLike<number>;
    low?: number;
    high?: number;
    klCoef?: number;
    entropyCoef?: number;
  },
) {
  const engine = await createWasmEngine();
  const each = [rows, T] as const;
  const program = engine.compile(
    {
      logits: [rows, T, V],
      tokens: each,
      mask: each,
      old: each,
      reference: each,
      weight: each,
      advantage: [rows],
      low: [1],
      high: [1],
      klCoef: [1],
      entropyCoef: [1],
    },
    (x) => {
      const logp = logSoftmax(x.logits);
      const entropy = neg(sum(mul(exp(logp), logp), -1));
      const advantage = broadcastTo(reshape(x.advantage, [rows, 1]), each);
      const { loss } = policyLoss({ ...x, logProb: pick(logp, x.tokens), entropy, advantage }, options);
      return { loss, slope: gradients(loss, [x.logits])[0]! };
    },
  );
  const weights = rowWeights(lengths, c.averaging ?? 'token', T, c.keep);
  const feed = program.in;
  feed.logits.set(batch.logits.flat(2));
  feed.tokens.set(batch.tokens.flat());
  feed.mask.set(batch.mask.flat());
  feed.old.set(batch.old_logp.flat());
  feed.reference.set(caseOf('batch').expected.ref_logp.flat());
  feed.weight.set(batch.mask.flatMap((row, b) => row.map((m) => m * weights[b]!)));
  feed.advantage.set(c.advantage ?? grpoAdvantage);
  feed.low[0] = c.low ?? 0.2;
  feed.high[0] = c.high ?? 0.2;
  feed.klCoef[0] = c.klCoef ?? 0;
  feed.entropyCoef[0] = c.entropyCoef ?? 0;
  program.run();
  return { loss: program.out.loss[0]!, slope: [...program.out.slope] };
}

const shaped = batch.rewards.map((r, b) => r + overlongPenalty(lengths[b]!, T, 2));
const clip = { ratio: 'token', surrogate: 'clip' } as const;

it.each([
  ['aggregate_seq_mean_token_mean', clip, { averaging: 'sequence' }],
  ['aggregate_token_mean', clip, {}],
  ['aggregate_constant', clip, { averaging: 'constant' }],
  ['aggregate_seq_mean_token_sum', clip, { averaging: 'sum' }],
  ['grpo', { ...clip, kl: 'k3' }, { averaging: 'sequence', klCoef: 0.04 }],
  ['dr_grpo', clip, { averaging: 'constant', advantage: groupAdvantages(batch.rewards, batch.G, { baseline: 'mean', scale: 'none' }) }],
  [
    'dapo',
    clip,
    {
      high: 0.28,
      keep: mixedGroups(batch.rewards, batch.G),
      advantage: groupAdvantages(shaped, batch.G, { baseline: 'mean', scale: 'group' }),
    },
  ],
  ['gspo', { ...clip, ratio: 'sequence' }, { averaging: 'sequence', low: 0.03, high: 0.04 }],
  ['cispo', { ratio: 'token', surrogate: 'cap' }, { low: 0, high: 1.28 }],
  ['ppo_dual_clip', { ...clip, dual: 1.3 }, {}],
  [
    'rloo',
    { ratio: 'token', surrogate: 'none' },
    { averaging: 'sum', advantage: groupAdvantages(batch.rewards, batch.G, { baseline: 'leave-one-out', scale: 'none' }) },
  ],
  ['entropy_bonus', clip, { entropyCoef: 0.01 }],
] as const)('%s: loss and its gradient by every logit', async (name, options, settings) => {
  const { expected } = caseOf(name);
  const { loss, slope } = await found(options, settings);
  expect(Math.abs(loss - expected.loss)).toBeLessThan(5e-5);
  expected.d_logits?.flat(2).forEach((wanted, i) => {
    expect(Math.abs(slope[i]! - wanted), `d_logits ${i}`).toBeLessThan(5e-5);
  });
});

it('advantages, dropped groups and the overlong penalty are those listed; a group of equal rewards gets exactly 0', () => {
  const { expected } = caseOf('advantages');
  const close = (a: ArrayLike<number>, wanted: unknown) =>
    (wanted as number[]).forEach((w, i) => {
      expect(Math.abs(a[i]! - w)).toBeLessThan(1e-8);
    });
  close(grpoAdvantage, expected.grpo_ddof1_eps1e4);
  close(groupAdvantages(batch.rewards, batch.G, { baseline: 'mean', scale: 'group', ddof: 0, eps: 1e-6 }), expected.grpo_ddof0_eps1e6);
  close(groupAdvantages(batch.rewards, batch.G, { baseline: 'leave-one-out', scale: 'none' }), expected.rloo);
  expect([...grpoAdvantage.slice(8)]).toEqual([0, 0, 0, 0]);
  const keep = mixedGroups(batch.rewards, batch.G);
  expect([keep[0], keep[4], keep[8]]).toEqual(caseOf('dapo').expected.keep_group);
  const table = caseOf('overlong_table') as unknown as { input: { L_max: number; L_cache: number; lengths: number[] }; expected: Expected };
  close(
    table.input.lengths.map((n) => overlongPenalty(n, table.input.L_max, table.input.L_cache)),
    table.expected.penalty,
  );
});
