/** Worlds of cities: what a person may put elsewhere while it plays, by keys; with the pointer: stage.spec.ts. */
import type { Page } from '@playwright/test';
import { expect, type LabWindow, open, test } from './lab.ts';

/** Opens a world whose scripted policy plays, and stands still. */
async function openStations(page: Page) {
  await open(page, '#env=base-stations&algo=ippo&steps=4096&seeds=1');
  await expect(page.locator('[data-drawn]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0)).toBeGreaterThan(1);
}

/** Things that were put elsewhere in the replay on the stage, step by step where there were any. */
const moved = (page: Page) =>
  page.evaluate(() => {
    const pulls = (window as LabWindow).__lab?.stage.replay?.pulls;
    return pulls === undefined ? [] : Array.from(pulls).filter((part, i) => i % 7 === 0 && part >= 0);
  });

test('on a phone the buttons come when they are asked for, and go again', { tag: '@night' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openStations(page);
  await page.getByRole('button', { name: 'Move by hand' }).click();
  await expect(page.getByRole('combobox', { name: 'What to move' })).toBeFocused();
  await page.getByRole('group', { name: 'Move by hand' }).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('combobox', { name: 'What to move' })).toHaveCount(0);
});

test('a station is moved by arrow keys, and the replay shows it', async ({ page }) => {
  await openStations(page);
  await page.getByRole('combobox', { name: 'What to move' }).selectOption({ label: 'station 2' });
  const right = page.getByRole('button', { name: 'to the right' });
  await right.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('You pull at it')).toBeVisible();
  await page.waitForTimeout(1500); // some steps of the world
  await page.keyboard.press('Escape');
  await expect.poll(async () => [...new Set(await moved(page))]).toEqual([1]);
});

test('a link is moved by an arrow key, and the replay shows it', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=demand-routing&env.nodes=6&env.more=0&env.count=1&env.capacity=10000&algo=ppo&steps=4096&seeds=1');
  await expect(page.locator('[data-drawn]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0)).toBeGreaterThan(1);
  await page.getByRole('combobox', { name: 'What to move' }).selectOption({ label: 'link 3' });
  await page.getByRole('button', { name: 'upwards' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('You pull at it')).toBeVisible();
  await page.waitForTimeout(2500); // some steps of the world
  await page.keyboard.press('Escape');
  await expect.poll(async () => [...new Set(await moved(page))]).toEqual([6 + 2]);
});

test('a request is put into the city by arrow keys, and the replay shows it', async ({ page }) => {
  await open(page, '#env=ride-dispatch&env.drivers=4&env.demand=20&algo=ppo&steps=4096&seeds=1');
  await expect(page.locator('[data-drawn]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0)).toBeGreaterThan(1);
  await page.getByRole('combobox', { name: 'What to move' }).selectOption({ label: 'your request' });
  await page.getByRole('button', { name: 'to the right' }).focus();
  for (let press = 0; press < 6; press++) await page.keyboard.press('ArrowRight');
  await expect(page.getByText('You pull at it')).toBeVisible();
  await page.waitForTimeout(2500); // some steps of the world
  await page.keyboard.press('Escape');
  await expect.poll(async () => [...new Set(await moved(page))]).toEqual([4]);
});
