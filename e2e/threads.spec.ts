import { execFileSync } from 'node:child_process';
import { WIDE } from '../tools/wide.mjs';
import { allSeeds, expect, open, ready, test, train, trainToEnd } from './lab.ts';

test.use({ serviceWorkers: 'allow' });

test('from the second load on a seed with large products is trained on several threads, with the bits of one', { tag: '@night' }, async ({
  page,
}) => {
  test.setTimeout(240_000);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency); // of one core a seed uses that one
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false); // the first visit comes from the server
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await ready(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await trainToEnd(page); // a first curve stands: from here on a seed may have all cores
  await page.goto('about:blank');
  await open(page, WIDE);
  await train(page);
  await page.getByRole('button', { name: /^Executor wasm/ }).click();
  const most = Math.min(8, cores > 2 ? cores - 1 : cores);
  await expect(page.locator('[data-figure="cores"]')).toHaveText(`${cores}, of which this run uses ${most}`, { timeout: 60_000 });
  expect(page.workers().filter((worker) => worker.url().includes('kernel.worker'))).toHaveLength(most - 1);
  await page.keyboard.press('Escape');
  const { seeds: here } = await allSeeds(page, 'done', 120_000);
  const out = execFileSync(process.execPath, ['tools/rl.mjs', 'train', '--config', WIDE, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const { seeds } = JSON.parse(out.trim().split('\n').at(-1) ?? '') as { readonly seeds: readonly { readonly parameterHash: string }[] };
  expect(here[0]?.result?.parameterHash).toBe(seeds[0]?.parameterHash);
});
