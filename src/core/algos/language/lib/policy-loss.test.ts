import { expect, it } from 'vitest';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { runLanguageModelFile } from '../../../testing/lm/index.ts';
import golden from './golden/lm-policy-losses.json' with { type: 'json' };

const engine = await createWasmEngine();

it('losses, gradients, advantages and controllers are those of the golden file', async () => {
  const report = await runLanguageModelFile(golden, engine);
  expect(report.cases.filter((c) => c.status !== 'passed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
  expect(report.passed).toBe(58);
});

it('a changed number of any kind fails its own case: loss, gradient, advantage, preference, step', async () => {
  const changed: { cases: { name: string; expected: Record<string, unknown> }[] } = structuredClone(golden);
  const of = (name: string): Record<string, unknown> => changed.cases.find((c) => c.name === name)!.expected;
  of('dapo').loss = 0.0232;
  of('gspo').coef = golden.cases.find((c) => c.name === 'cispo')!.expected.coef;
  of('advantages').rloo = of('advantages').dr_grpo;
  of('ipo').loss = golden.cases.find((c) => c.name === 'ipo_sum')!.expected.loss;
  of('process_reward_model').suffix_min = [0.4, 0.4, 0.8, 0.8];
  const failed = (await runLanguageModelFile(changed, engine)).cases.filter((c) => c.status === 'failed').map((c) => c.name);
  expect(failed).toEqual(['advantages', 'dapo', 'gspo', 'ipo', 'process_reward_model']);
});

it('rows of other shapes and masks are taken as they are, and a case that nobody knows says so', async () => {
  const batch = golden.cases[0]!;
  const { G, logits, tokens, mask, old_logp, ref_logits, rollout_logp, rewards } = batch.input;
  if (logits === undefined || tokens === undefined || mask === undefined) throw new Error('the first case holds the rows');
  if (old_logp === undefined || ref_logits === undefined || rollout_logp === undefined || rewards === undefined) throw new Error('rows');
  // the first two groups and three tokens of each row
  const cut = <T>(rows: readonly (readonly T[])[]): T[][] => rows.slice(0, 8).map((row) => row.slice(0, 3));
  const input = {
    P: 2,
    G,
    logits: cut(logits),
    tokens: cut(tokens),
    mask: cut(mask),
    old_logp: cut(old_logp),
    ref_logits: cut(ref_logits),
    rollout_logp: cut(rollout_logp),
    rewards: rewards.slice(0, 8),
  };
  const expected = {
    logp: cut(batch.expected.logp ?? []),
    ref_logp: cut(batch.expected.ref_logp ?? []),
    lengths: [3, 3, 3, 2, 3, 3, 1, 3],
  };
  const sum = {
    name: 'aggregate_seq_mean_token_sum',
    input: { batch: 'other rows', advantage: 'dr_grpo', clip_low: 1, clip_high: 99, L_max: 3 },
  };
  const advantages = { name: 'advantages again', input: { batch: 'other rows' }, expected: { zero_variance_groups: [0, 0] } };
  const file = {
    topic: golden.topic,
    cases: [{ name: 'batch', input, expected }, { name: 'other rows', input, expected }, advantages, { ...sum, expected: { coef: [] } }],
  };
  const report = await runLanguageModelFile(file, engine);
  expect(report.cases.map((c) => [c.name, c.status])).toEqual([
    ['batch', 'passed'],
    ['other rows', 'failed'],
    ['advantages again', 'passed'],
    ['aggregate_seq_mean_token_sum', 'failed'],
  ]);
  expect(report.cases[1]!.message).toContain('no kind of case begins with the name "other rows"');
  expect(report.cases[3]!.message).toContain('coef');
});
