/** The single file, opened from the disk. It is built here: `npm run build:single`. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base } from '@playwright/test';
import { allSeeds, expect, ready, train } from './lab.ts';

base('the single file opens from a disk and trains, without a request', { tag: '@night' }, async ({ page }) => {
  base.setTimeout(300_000);
  execFileSync(process.execPath, ['tools/build-single.mjs'], { stdio: 'pipe' });
  const file = pathToFileURL(resolve('dist-single/rl-workbench.html')).href;
  const asked: string[] = [];
  const wrong: string[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) asked.push(request.url().replace(/#.*$/, ''));
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(`${file}#env=cartpole&algo=ppo&steps=8192&seeds=1`);
  await ready(page);
  await train(page);
  const run = await allSeeds(page, 'done');
  expect(run.seeds[0]?.result?.parameterHash).toMatch(/^[0-9a-f]{16}$/);
  expect(wrong).toEqual([]);
  expect(asked).toEqual([file]);
});
