import { expect, it } from 'vitest';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { runLanguageModelFile } from '../../../testing/lm/index.ts';
import golden from './golden/lm-tasks.json' with { type: 'json' };
import { DEFAULT_KNOBS, demonstration, itemOf, TASK_NAMES, verify } from './tasks.ts';

it('draws, verdicts and transcripts are those of the golden file, and a changed verdict fails', async () => {
  const engine = await createWasmEngine();
  const report = await runLanguageModelFile(golden, engine);
  expect(report.cases.filter((c) => c.status !== 'passed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
  const changed = structuredClone(golden) as { cases: { name: string; expected: Record<string, unknown[][]> }[] };
  const of = (name: string) => changed.cases.find((c) => c.name === name)!.expected;
  of('add_da1_db1').verdicts![0]![4] = 0;
  (of('env_guess').episodes![0] as unknown as { text: string }).text = '0-15:';
  expect((await runLanguageModelFile(changed, engine)).failed).toBe(2);
});

it('items of a game belong to the seeds that their case names, the first to seed 1 where it names none', async () => {
  const engine = await createWasmEngine();
  const calculator = golden.cases.find((c) => c.name === 'env_calculator');
  const items = (calculator!.expected as unknown as { items: readonly unknown[] }).items.slice(2, 5);
  const run = async (input: object) =>
    (
      await runLanguageModelFile(
        { ...golden, cases: [{ ...calculator, input: { ...calculator!.input, ...input }, expected: { items } }] },
        engine,
      )
    ).passed;
  expect(await run({ item_seeds: [3, 5] })).toBe(1);
  expect(await run({})).toBe(0);
});

it.each(TASK_NAMES)('%s: every demonstration is right, and wrong once it did not end', (task) => {
  for (const scratch of [false, true]) {
    const knobs = { ...DEFAULT_KNOBS, scratch };
    for (let seed = 0; seed < 50; seed++) {
      const item = itemOf(task, knobs, seed);
      const text = demonstration(item, knobs);
      expect(verify(task, knobs, item, text, true), `${item.prompt} ${text}`).toEqual({ format: 1, correct: 1, partial: 1 });
      expect(verify(task, knobs, item, text, false).correct).toBe(0);
    }
  }
});
