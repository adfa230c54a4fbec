/**
 * The bench page in a headless Chromium: the same table that a visitor gets, on this machine's graphics card or, without one, on the adapter
 * that the processor plays. There only dispatch counts and the distance from wasm say something; times are those of a processor.
 * Results of other machines that are committed stay; this machine's replace those of the same name.
 */

import type { Json, JsonObject } from '#contract/kit/json.ts';
import { BENCH_ROWS, type BenchResult } from '#contract/run/bench.ts';
import { machine } from '../cli/kit/machine.ts';
import { BROWSER_FLAGS } from '../tools/browser.mjs';
import { withBrowser } from './browser.ts';

/** A processor that plays the graphics card takes minutes for rows that a card does in seconds. */
const PATIENCE_MS = 900_000;

/** Without the flags that make a processor play the graphics card. */
const REAL = BROWSER_FLAGS.filter((flag) => !flag.includes('swiftshader'));

const hasAdapter = (): Promise<boolean> =>
  withBrowser(async ({ url, newPage }) => {
    const page = await newPage();
    await page.goto(url);
    return page.evaluate(async () => {
      const adapter = 'gpu' in navigator ? await navigator.gpu.requestAdapter().catch(() => null) : null;
      return adapter !== null && adapter.info.isFallbackAdapter !== true;
    });
  }, REAL);

export async function run(options: {
  readonly quick: boolean;
  readonly log: (line: string) => void;
  readonly before: Json;
}): Promise<Json> {
  const real = await hasAdapter();
  options.log(real ? 'on a graphics card' : 'no graphics card: the processor plays one');
  const measured = await withBrowser(
    async ({ url, newPage }) => {
      const page = await newPage();
      await page.goto(`${url}#/bench`);
      await page.getByRole('button', { name: 'Measure everything' }).click();
      // The button comes back when the last row is done.
      await page.getByRole('button', { name: 'Measure everything' }).waitFor({ timeout: PATIENCE_MS });
      for (const { id, title } of BENCH_ROWS)
        options.log(
          `${id.padEnd(24)} ${title}: ${(await page.locator(`[data-row="${id}"] td`).nth(1).innerText()).replaceAll('\n', ', ')}`,
        );
      return JSON.parse((await page.locator('[data-result]').textContent()) ?? '') as BenchResult;
    },
    real ? REAL : BROWSER_FLAGS,
  );
  const own: BenchResult = { ...measured, machine: `${machine().cpu}, ${measured.machine}` };
  const before = ((options.before as JsonObject | null)?.machines ?? []) as unknown as readonly BenchResult[];
  return { machines: [...before.filter(({ machine: name }) => name !== own.machine), own] } as unknown as Json;
}
