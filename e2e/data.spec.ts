/** Recorded play: record, look at an episode, export and import, learn from it; and an agent that is taught by hand. */
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { activeRun, allSeeds, expect, humanLog, open, runs, stage, test } from './lab.ts';

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

test('a person plays, and an agent is taught by that alone', { tag: '@night' }, async ({ page }) => {
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

/** Holds a key of the shared game for so many steps. */
async function hold(page: Page, key: string, steps: number): Promise<void> {
  const { length } = await stage(page);
  await page.keyboard.down(key);
  await expect.poll(async () => (await stage(page)).length, { intervals: [20] }).toBeGreaterThanOrEqual(length + steps);
  await page.keyboard.up(key);
}

test('teach it yourself: play half of the way, watch the copy, take over where it errs, and it goes the whole way', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning&env.slippery=false');
  await page.getByRole('radio', { name: 'Play yourself' }).check();
  for (let i = 0; i < 2; i++) {
    await expect.poll(async () => (await stage(page)).length).toBe(i + 1);
    await page.keyboard.press('ArrowDown');
  }
  await expect.poll(async () => (await stage(page)).length).toBe(3);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Teach an agent what you played' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(1);
  await allSeeds(page, 'done');
  expect((await activeRun(page))?.name).toBe('copy 1 of you');

  await page.getByRole('button', { name: 'Teach it yourself: where you stand' }).click();
  await expect(page.getByRole('row', { name: 'you, 1 game 0' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'copy 1, of 1 game 0' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('slider', { name: 'episode' }).press('Home');
  await page.getByRole('button', { name: 'Teach it yourself: where you stand' }).click();
  await page.getByRole('button', { name: 'Take over', exact: true }).click();
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  const tempo = page.getByRole('slider', { name: 'Tempo of the game' });
  await tempo.fill('-2');
  await tempo.blur(); // the arrow keys belong to the game again
  for (const [key, steps] of [
    ['ArrowDown', 2],
    ['ArrowRight', 2],
    ['ArrowDown', 1],
    ['ArrowRight', 1],
  ] as const)
    await hold(page, key, steps);
  await expect(page.getByText(/^You acted in \d+ of \d+ steps; the return is 1/)).toBeVisible();
  expect((await humanLog(page)).filter((agent) => agent === 0).length).toBeGreaterThanOrEqual(4);

  await page.getByRole('button', { name: 'Teach an agent your 2 games' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  await allSeeds(page, 'done');
  await page.getByRole('button', { name: 'Teach it yourself: where you stand' }).click();
  await expect(page.getByRole('row', { name: /^copy 2, of .* 1$/ })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
});

test('twenty moments are compared in the lesson, and an agent learns from the answers', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/lessons/prefer?step=2');
  await page.getByRole('button', { name: 'Show me two moments' }).click();
  await expect(page.getByRole('button', { name: 'The first' })).toBeVisible();
  // Both play on the stage, at a size that can be judged.
  const played = page.getByRole('region', { name: 'Scene' }).locator('[data-scenes="2"] canvas');
  await expect(played).toHaveCount(2);
  for (const one of await played.all()) expect((await one.boundingBox())?.height).toBeGreaterThan(250);
  for (let i = 0; i < 20; i++) await page.keyboard.press(i % 3 === 0 ? '2' : '1');
  await expect(page.getByText('20 answers', { exact: true })).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('19 answers', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Neither' }).click();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await page.getByRole('button', { name: 'Keep the answers' }).click();
  await page.getByRole('button', { name: 'Let an agent learn from them' }).click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0, { timeout: 60_000 }).toBeGreaterThan(0);
  expect((await activeRun(page))?.seeds[0]?.failure).toBeNull();
  await expect(page.getByRole('heading', { name: 'Which do you prefer?' }).first()).toBeVisible(); // the lesson is still open
});

for (const scheme of ['dark', 'light'] as const)
  test(`the page of datasets: axe finds nothing and nothing scrolls sideways, ${scheme}`, { tag: '@night' }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, '#env=frozen-lake&algo=q-learning');
    await page.evaluate(() => {
      location.hash = '#/data';
    });
    await page.getByRole('combobox', { name: 'Steps, in whole episodes' }).selectOption('1000');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^Frozen ?[Ll]ake: / })).toBeVisible();
    await page.getByRole('button', { name: 'Compare pairs' }).click();
    await expect(page.getByRole('button', { name: 'The second' })).toBeVisible();
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
