/** The workbench in a frame of another page. */
import type { Page } from '@playwright/test';
import { expect, test } from './lab.ts';

test.use({ serviceWorkers: 'allow' });

const LINK = 'env=cliff-walking&algo=q-learning&steps=4000&seeds=1';

/** A page around a frame, which keeps what the frame says. */
async function host(page: Page, sandbox: string, query = ''): Promise<void> {
  const body = `<!doctype html><title>A course</title><h1>A course</h1>
<iframe ${sandbox} title="Cliff" width="900" height="560" src="./#/embed/${LINK.replaceAll('&', '&amp;')}?title=The+cliff${query}"></iframe>
<script>window.news = []; addEventListener('message', ({ source, data }) => { if (source === frames[0]) news.push(data); });</script>`;
  await page.route('**/host.html', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('./host.html');
}

interface News {
  readonly from: string;
  readonly version: number;
  readonly type: string;
  readonly title?: string;
  readonly step?: number;
  readonly seeds?: readonly { readonly seed: number; readonly steps: number; readonly parameterHash: string }[];
}
const news = (page: Page): Promise<readonly News[]> => page.evaluate(() => (window as unknown as { news: News[] }).news);
const types = async (page: Page): Promise<readonly string[]> => [...new Set((await news(page)).map(({ type }) => type))];
const command = (page: Page, type: string): Promise<void> =>
  page.evaluate((name) => frames[0]?.postMessage({ to: 'rl-workbench', version: 1, type: name }, '*'), type);

test('a sandboxed frame shows a poster, trains when told to, and tells its page how it went', async ({ page }) => {
  await host(page, 'sandbox="allow-scripts"');
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'The cliff' })).toBeVisible();
  await expect(frame.getByRole('button', { name: 'Train it here' })).toBeVisible();
  await expect.poll(() => types(page)).toEqual(['ready']);
  expect(page.workers()).toHaveLength(0); // nothing before it is asked for
  await page.evaluate(() => frames[0]?.postMessage({ to: 'rl-workbench', version: 1, type: 'eval' }, '*'));
  await command(page, 'start');
  await expect.poll(() => types(page), { timeout: 60_000 }).toEqual(['ready', 'progress', 'result']);
  const result = (await news(page)).find(({ type }) => type === 'result');
  expect(result).toMatchObject({ from: 'rl-workbench', version: 1, seeds: [{ seed: 1, steps: 4000 }] });
  expect(result?.seeds?.[0]?.parameterHash).toMatch(/^[0-9a-f]{16}$/);
  await expect(frame.getByRole('region', { name: 'Scene' })).toBeVisible();
});

test('a press starts it; with an origin in the address, messages of others are not read', async ({ page }) => {
  await host(page, '', '&origin=https%3A%2F%2Fcourse.example');
  const frame = page.frameLocator('iframe');
  await command(page, 'start');
  await expect(frame.getByRole('button', { name: 'Train it here' })).toBeVisible();
  await frame.getByRole('button', { name: 'Train it here' }).click();
  await expect(frame.getByRole('group', { name: 'Training' })).toBeVisible();
  await expect(frame.locator('[data-phase="done"]').first()).toBeAttached({ timeout: 60_000 });
  expect(await news(page)).toEqual([]);
  // nothing is kept
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});
