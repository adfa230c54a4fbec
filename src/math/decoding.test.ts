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
