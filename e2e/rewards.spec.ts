/** Rewards by hand: the weights of an environment's reward as sliders, and what share of the return each part of it has. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { configHash, expect, field, mainButton, open, ready, test, trainToEnd } from './lab.ts';

const shares = (page: Page) => page.getByRole('table', { name: /^Return so far/ });

/** Amount and share of a part, as numbers. */
async function part(page: Page, name: string): Promise<readonly [amount: number, percent: number]> {
  const row = shares(page).getByRole('row', { name });
  const [amount, percent] = (await row.getByRole('cell').allTextContents())
    .slice(-2)
    .map((text) => Number.parseFloat(text.replace('−', '-').replace('< ', '')));
  return [amount ?? Number.NaN, percent ?? Number.NaN];
}

async function toTheEnd(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'episode', exact: true }).focus();
  await page.keyboard.press('End');
}

for (const [env, parts, weight, tag] of [
  ['pendulum', ['angle', 'speed', 'torque'], /^torque/, []],
  ['drone-learning-to-fly', ['still flying', 'place', 'yaw', 'speed', 'effort'], /^place/, ['@night']],
  ['mpe-simple-spread', ['landmarks covered', 'collisions'], /^local ratio/, ['@night']],
] as const) {
  test(`${env}: a slider for every weight, a share for every part`, { tag: [...tag] }, async ({ page }) => {
    await open(page, `#env=${env}`);
    await expect(shares(page)).toBeVisible();
    await toTheEnd(page);
    await expect.poll(async () => Math.abs((await part(page, parts[0]))[0])).toBeGreaterThan(0);
    const found = await Promise.all(parts.map((name) => part(page, name)));
    const percent = found.reduce((sum, [, share]) => sum + share, 0);
    expect(Math.abs(percent - 100)).toBeLessThanOrEqual(parts.length);
    await expect(field(page, weight)).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).include('#panel-left').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
}

test('a weight is moved by keys, the next episode is paid by it, and the link carries it', async ({ page }) => {
  await open(page, '#env=pendulum&algo=ppo&steps=4096&seeds=1');
  await toTheEnd(page);
  await expect.poll(async () => (await part(page, 'torque'))[1]).toBeLessThan(2);
  const before = await configHash(page);
  const address = page.url();
  const torque = field(page, /^torque/);
  await torque.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => configHash(page)).not.toBe(before);
  // the episode of the changed world comes a moment later, and begins at its start
  await expect(async () => {
    await toTheEnd(page);
    expect((await part(page, 'torque'))[1]).toBeGreaterThan(5);
  }).toPass();
  const changed = await configHash(page);
  await expect(page).not.toHaveURL(address); // written a moment after the change
  await page.reload();
  await ready(page);
  await expect.poll(() => configHash(page)).toBe(changed);
  const run = await trainToEnd(page);
  expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(4096);
  await expect(mainButton(page, 'Train')).toBeEnabled();
});

test('phone: weights and shares stand together', { tag: '@night' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#env=pendulum&depth=lab');
  await page.getByRole('tab', { name: 'Set up' }).click();
  await shares(page).scrollIntoViewIfNeeded();
  await expect(shares(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
});
