import { resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { build } from 'vite';
import { serve } from '../tools/serve.mjs';
import { expect, open, test, trainToEnd } from './lab.ts';

interface Trace {
  readonly losses: readonly number[];
  readonly parameters: { readonly [name: string]: readonly number[] };
}

/** |a - b| / max(|b|, floor), the largest. */
function worst(a: readonly number[], b: readonly number[], floor: number): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN)) / Math.max(Math.abs(b[i] ?? 0), floor)), 0);
}

/** What the worker that `query` asks for answers, and what the browser had to complain about. */
async function ask(
  browser: Browser,
  query: string,
  patience: number,
): Promise<{ readonly result: unknown; readonly complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/validation|invalid|uncaptured|error/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${site.url}?${query}`);
  const answer = page.locator('#answer[data-done]');
  await answer.waitFor({ state: 'attached', timeout: patience });
  const result: unknown = JSON.parse((await answer.textContent()) ?? '');
  await page.close();
  return { result, complaints };
}

let site: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  const outDir = resolve('node_modules/.cache/rl-workbench/parity');
  await build({
    configFile: false,
    root: resolve('e2e/parity'),
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'esnext' },
  });
  site = await serve({ dir: outDir, port: 0 });
});
test.afterAll(() => {
  site.server.close();
});

for (const [executor, tag] of [
  ['webgpu', []],
  ['tfjs-webgpu', ['@night']],
] as const)
  test(`five gradient steps on a recorded rollout agree on ${executor} and wasm`, { tag: [...tag] }, async ({ browser }) => {
    test.setTimeout(180_000);
    const { result, complaints } = await ask(browser, `executor=${executor}`, 150_000);
    const { error, wasm, webgpu } = result as { error?: string; wasm: Trace; webgpu: Trace };
    expect(error).toBeUndefined();
    expect(new Set(wasm.losses.filter(Number.isFinite)).size).toBe(5);
    expect(worst(webgpu.losses, wasm.losses, 1e-3)).toBeLessThan(1e-3);
    const names = Object.keys(wasm.parameters);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const [gpu, exact] = [webgpu.parameters[name] ?? [], wasm.parameters[name] ?? []];
      // Relative to the size of the tensor's entries: a parameter that is nearly zero has no relative error worth the name.
      const scale = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0) / exact.length);
      expect(worst(gpu, exact, scale), name).toBeLessThan(1e-3);
    }
    expect(complaints).toEqual([]);
  });

/** Everything takes minutes where a processor plays the graphics card; CI runs a part of it. */
for (const [title, amount, tag] of [
  [
    'a part of the conformance suite and of the fuzzer',
    { sizes: [3], every: 13, seeds: 4, large: false, training: ['adamW', 'assign'] },
    [],
  ],
  [
    'the whole conformance suite and 300 random programs',
    { sizes: [1, 2, 3, 5, 7, 17, 65], every: 1, seeds: 300, large: true },
    ['@night'],
  ],
] as const)
  test(`${title} hold on webgpu`, { tag: [...tag] }, async ({ browser }) => {
    test.setTimeout(3_600_000);
    const { result, complaints } = await ask(browser, `amount=${encodeURIComponent(JSON.stringify(amount))}`, 3_500_000);
    expect(result).toMatchObject({ failures: [] });
    expect((result as { programs: number }).programs).toBeGreaterThan(amount.seeds + 8);
    expect(complaints).toEqual([]);
  });

for (const [executor, tag] of [
  ['webgpu', []],
  ['tfjs-webgpu', ['@night']],
] as const)
  test(`a PPO run on ${executor} completes an iteration and is labelled within tolerance`, { tag: [...tag] }, async ({ page }) => {
    test.setTimeout(180_000);
    await open(page, `#env=cartpole&algo=ppo&steps=64&seeds=1&executor=${executor}&algo.rolloutSteps=16&algo.epochs=1&run.evalEpisodes=1`);
    const run = await trainToEnd(page, 150_000);
    expect(run.config.run.executor).toBe(executor);
    expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(64);
    await expect(page.getByRole('button', { name: `Executor ${executor}, within tolerance` })).toBeVisible();
  });

test('without WebGPU the page says so and trains all the same', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }));
  await open(page, '#env=cartpole&algo=ppo&steps=2048&seeds=1');
  await trainToEnd(page);
  await page.getByRole('button', { name: /Executor wasm, exact/ }).click();
  await expect(page.getByText('this browser has no WebGPU')).toBeVisible();
});
