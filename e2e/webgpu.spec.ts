import { resolve } from 'node:path';
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

test('five gradient steps on a recorded rollout agree on webgpu and wasm', async ({ browser }) => {
  test.setTimeout(180_000);
  const outDir = resolve('node_modules/.cache/rl-workbench/parity');
  await build({
    configFile: false,
    root: resolve('e2e/parity'),
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'esnext' },
  });
  const { server, url } = await serve({ dir: outDir, port: 0 });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/validation|invalid|uncaptured/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(url);
    const answer = page.locator('#answer[data-done]');
    await answer.waitFor({ state: 'attached', timeout: 150_000 });
    const result = JSON.parse((await answer.textContent()) ?? '') as { error?: string; wasm: Trace; webgpu: Trace };
    expect(result.error).toBeUndefined();
    expect(new Set(result.wasm.losses.filter(Number.isFinite)).size).toBe(5);
    expect(worst(result.webgpu.losses, result.wasm.losses, 1e-3)).toBeLessThan(1e-3);
    const names = Object.keys(result.wasm.parameters);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const [gpu, exact] = [result.webgpu.parameters[name] ?? [], result.wasm.parameters[name] ?? []];
      // Relative to the size of the tensor's entries: a parameter that is nearly zero has no relative error worth the name.
      const scale = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0) / exact.length);
      expect(worst(gpu, exact, scale), name).toBeLessThan(1e-3);
    }
    expect(complaints).toEqual([]);
    await page.close();
  } finally {
    server.close();
  }
});

test('a PPO run on webgpu completes an iteration and is labelled within tolerance', async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, '#env=cartpole&algo=ppo&steps=64&seeds=1&executor=tfjs-webgpu&algo.rolloutSteps=16&algo.epochs=1&run.evalEpisodes=1');
  const run = await trainToEnd(page, 150_000);
  expect(run.config.run.executor).toBe('tfjs-webgpu');
  expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(64);
  await expect(page.getByRole('button', { name: /Executor tfjs-webgpu, within tolerance/ })).toBeVisible();
});

test('without WebGPU the page says so and trains all the same', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }));
  await open(page, '#env=cartpole&algo=ppo&steps=2048&seeds=1');
  await trainToEnd(page);
  await page.getByRole('button', { name: /Executor wasm, exact/ }).click();
  await expect(page.getByText('this browser has no WebGPU')).toBeVisible();
});
