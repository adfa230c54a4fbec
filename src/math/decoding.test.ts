import { expect, it } from 'vitest';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { runLanguageModelFile } from '#core/testing/lm/index.ts';
import golden from './golden/lm-sampling.json' with { type: 'json' };

it('restrictions, draws, search and estimators have the golden numbers, and a changed one fails', async () => {
  const engine = await createWasmEngine();
  const report = await runLanguageModelFile(golden, engine);
  expect(report.cases.filter((c) => c.status !== 'passed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
  const changed = structuredClone(golden) as unknown as { cases: { name: string; expected: { kept: number[] } }[] };
  changed.cases.find((c) => c.name === 'top_k_4')!.expected.kept[3] = 1;
  expect((await runLanguageModelFile(changed, engine)).failed).toBe(1);
});

it('the share of what a grammar allows is known where it is too small for a number', async () => {
  const engine = await createWasmEngine();
  const logits = [0, -900.46, -5];
  const unlikely = {
    ...golden.cases.find((c) => c.name === 'grammar_mask'),
    input: { logits, allowed: [0, 1, 0] },
    expected: { log_normaliser_gap: -900.46 - Math.log(1 + Math.exp(-5)) },
  };
  const report = await runLanguageModelFile({ ...golden, cases: [unlikely] }, engine);
  expect(report.cases.map((c) => `${c.status} ${c.message}`)).toEqual(['passed ']);
});
