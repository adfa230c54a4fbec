/** Recorded play: record, look at an episode, export and import, learn from it; and an agent that is taught by hand. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { activeRun, expect, open, stage, test } from './lab.ts';

const entries = (page: Page) => page.getByRole('region', { name: 'Datasets' }).getByRole('listitem');

test('a script is recorded, its episodes play, the file leaves and comes back, and a method learns from it', { tag: '@night' }, async ({
  page,
}) => {
  await open(page, '#env=cartpole&algo=ppo');
  await page.evaluate(() => {
    location.hash = '#/data';
  });
  await expect(page.getByText('None yet.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Steps, in whole episodes' }).selectOption('1000');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'CartPole: expert' })).toBeVisible();
  await expect(page.getByRole('img', { name: /2 episodes with returns from 500 to 500/ })).toBeVisible();
  await expect(page.getByText(/step \d+, return \d+/)).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as .npz' }).click();
  const path = await (await download).path();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(entries(page)).toHaveCount(0);
  await page.getByLabel('Dataset file').setInputFiles({ name: 'expert.npz', mimeType: 'application/zip', buffer: await readFile(path) });
  await expect(entries(page)).toHaveCount(1);
  await page.getByLabel('Dataset file').setInputFiles({ name: 'broken.npz', mimeType: 'application/zip', buffer: Buffer.from('nothing') });
  await expect(page.getByRole('alert')).toContainText('not a whole');

  await page.getByRole('button', { name: 'clone it' }).click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.result?.evalReturn ?? 0).toBeGreaterThan(400);
  expect((await activeRun(page))?.seeds[0]?.failure).toBeNull();
});

test('a person plays, and an agent is taught by that alone', async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning&env.slippery=false');
  await page.getByRole('radio', { name: 'Play yourself' }).check();
  for (const [i, key] of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowRight'].entries()) {
    await expect.poll(async () => (await stage(page)).length).toBe(i + 1);
    await page.keyboard.press(key);
  }
  await page.getByRole('button', { name: 'Teach an agent what you played' }).click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.result?.evalReturn ?? 0).toBe(1);
});

test('a run whose dataset is not on this device says so and where to load it', { tag: '@night' }, async ({ page }) => {
  await open(page, `#env=cartpole&algo=behaviour-cloning&algo.dataset=${'0123456789abcdef'.repeat(4)}&steps=200&seeds=1`);
  await page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'is not on this machine' })).toBeVisible();
  await page.getByRole('link', { name: 'Load it on the Data page' }).click();
  await expect(page.getByRole('heading', { name: 'Data', level: 1 })).toBeVisible();
});
