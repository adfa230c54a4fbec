import type { Browser, Page } from '@playwright/test';
import { configHash, curve, expect, open, outcome, ready, runs, test, trainToEnd } from './lab.ts';

async function fresh(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  return context.newPage();
}

/** The link that the share dialog offers. */
async function sharedLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await page.keyboard.press('Escape');
  return link;
}

test('a link in a fresh profile gives the same config and the same curve, bit for bit', async ({ page, browser, baseURL }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=40960&seeds=2&seed=11&algo.lr=0.001');
  const mine = await trainToEnd(page);
  const link = await sharedLink(page);
  expect(link.length).toBeLessThanOrEqual(1900);
  expect(link.startsWith(baseURL ?? 'nowhere')).toBe(true);

  const other = await fresh(browser, baseURL);
  await other.goto(link);
  await ready(other);
  expect(await configHash(other)).toBe(await configHash(page));
  const theirs = await trainToEnd(other);
  expect(outcome(theirs)).toEqual(outcome(mine));
  for (const seed of [11, 12]) {
    for (const metric of ['episodicReturn', 'policyLoss', 'valueLoss', 'entropy']) {
      const own = await curve(page, seed, metric);
      if (metric === 'episodicReturn') expect(own?.values.length).toBeGreaterThan(20);
      expect(await curve(other, seed, metric)).toEqual(own);
    }
  }
  await other.context().close();
});

test('a cut link, a foreign one and one from the future explain themselves and run nothing', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&algo.lr=0.0007');
  const link = await sharedLink(page);
  const hash = link.slice(link.indexOf('#'));
  for (const [bad, words] of [
    [hash.slice(0, -10), /damaged/i],
    [hash.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), /damaged/i],
    ['#hello', /not a link/i],
  ] as const) {
    await page.goto('about:blank');
    await open(page, bad);
    await expect(page.getByRole('dialog')).toContainText(words);
    expect(await runs(page)).toEqual([]);
  }
});

test('every ready experiment opens from the gallery and fits into a link', async ({ page }) => {
  test.setTimeout(300_000);
  await open(page);
  const choose = page.locator('header [aria-haspopup=dialog]').first();
  const cards = page.getByRole('dialog').locator('section button');
  await choose.click();
  await expect(cards.first()).toBeVisible();
  const count = await cards.count();
  expect(count).toBeGreaterThan(8);
  const seen = new Set<string>();
  for (let i = 0; i < count; i++) {
    if (i > 0) await choose.click();
    await cards.nth(i).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const link = await sharedLink(page);
    expect(link.length).toBeLessThanOrEqual(1900);
    seen.add(await configHash(page));
  }
  expect(seen.size).toBeGreaterThan(count / 2); // a lesson may show what a claim measures
  expect(await runs(page)).toEqual([]);
});
