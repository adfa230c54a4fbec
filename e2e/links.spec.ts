import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { configHash, curve, dropFile, expect, open, outcome, ready, runs, test, trainToEnd } from './lab.ts';
import { readQr } from './qr.ts';

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

/** What a camera reads off the share dialog's QR code, and how large the code is. */
async function scanned(page: Page): Promise<ReturnType<typeof readQr>> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const code = page.getByRole('img', { name: 'QR code of the link' });
  const [box, path] = await Promise.all([code.getAttribute('viewBox'), code.locator('path').getAttribute('d')]);
  await page.keyboard.press('Escape');
  const border = 2;
  const size = Number(box?.split(' ')[2]) - 2 * border;
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y] of (path ?? '').matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const row = dark[Number(y) - border];
    if (row !== undefined) row[Number(x) - border] = true;
  }
  return readQr(dark);
}

test('a link in a fresh profile gives the same config and the same curve, bit for bit', { tag: '@road' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await open(page, '#env=cartpole&algo=ppo&steps=20480&seeds=2&seed=11&algo.lr=0.001');
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

test('ready experiments open from the gallery and fit into a link', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(300_000);
  await open(page, '#env=cartpole&algo=ppo');
  const choose = page.locator('h1 [aria-haspopup=dialog]');
  const cards = page.getByRole('dialog').locator('section button');
  await choose.click();
  await expect(cards.first()).toBeVisible();
  const count = await cards.count();
  expect(count).toBeGreaterThan(8);
  const seen = new Set<string>();
  // Lessons stand first; of the many claims every twelfth. That all links are short enough is a unit test (cli/kit/link.test.ts).
  const tried = Array.from({ length: count }, (_, i) => i).filter((i) => i < 6 || i % 12 === 0);
  for (const i of tried) {
    if (i > 0) await choose.click();
    await cards.nth(i).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const link = await sharedLink(page);
    expect(link.length).toBeLessThanOrEqual(1900);
    const code = await scanned(page);
    expect(code.text).toBe(link);
    expect(code.version).toBeLessThanOrEqual(12);
    seen.add(await configHash(page));
  }
  expect(seen.size).toBeGreaterThan(tried.length / 2); // a lesson may show what a claim measures
  expect(await runs(page)).toEqual([]);
});

test('a config too large for a link is never cut: the page offers a file, and the file is the same config', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  // Every cell another thing: nothing to compress.
  const size = 60;
  let state = 7;
  const next = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const cell = (x: number, y: number): string => {
    if (x === 0 || y === 0 || x === size - 1 || y === size - 1) return 'WE';
    if (x === 1 && y === 1) return '..';
    return x === 2 && y === 1 ? 'GG' : `${'KAB'[next(3)]}${'RGBPYE'[next(6)]}`;
  };
  const layout = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => cell(x, y)).join(' '));
  const config = { env: { id: 'minigrid-custom', config: { layout, start: [1, 1, 0] } }, algo: { id: 'ppo' } };

  await open(page, '#env=cartpole&algo=ppo');
  const small = await configHash(page);
  await dropFile(page, 'large.json', JSON.stringify(config));
  await expect.poll(() => configHash(page)).not.toBe(small);
  const large = await configHash(page);
  // No link in the bar rather than one that says something else.
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/lab');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('too large for a link');
  await expect(page.getByRole('textbox', { name: 'Link', exact: true })).toHaveCount(0);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the config file' }).click()]);

  const other = await fresh(browser, baseURL);
  await open(other, '#env=cartpole&algo=ppo');
  await dropFile(other, file.suggestedFilename(), await readFile(await file.path(), 'utf8'));
  await expect.poll(() => configHash(other)).toBe(large);
  await other.context().close();
});

test('a link whose rule has changed since says which, and trains under the rule of today', { tag: '@night' }, async ({ page }) => {
  await open(page, '#1.Q7MJWoxg8xJSPwvmFXD1g-oAaOZH5OjaWgA.as8JbA'); // taxi, version 1, in rain
  const note = page.getByRole('status').filter({ hasText: 'The rules have changed' });
  await expect(note).toContainText('In rain a move that a wall or the border blocks stays in place');
  await note.getByRole('button', { name: 'Train under the new rule' }).click();
  await expect(note).toHaveCount(0);
  await expect.poll(async () => (await runs(page)).length).toBe(1);
});
