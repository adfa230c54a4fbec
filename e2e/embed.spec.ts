/** The workbench in a frame of another page. */
import type { Page } from '@playwright/test';
import { encodeCard } from '../src/contract/link/card.ts';
import { labLink, walk } from '../tools/own-cases.mjs';
import { expect, test } from './lab.ts';
import { CARD } from './own-card.ts';

test.use({ serviceWorkers: 'allow' });

const LINK = 'env=cliff-walking&algo=q-learning&steps=4000&seeds=1';

/** A page around a frame, which keeps what the frame says. */
async function host(page: Page, sandbox: string, query = '', link = LINK): Promise<void> {
  const body = `<!doctype html><title>A course</title><h1>A course</h1>
<iframe ${sandbox} title="Cliff" width="900" height="560" src="./#/embed/${link.replaceAll('&', '&amp;')}?title=The+cliff${query}"></iframe>
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

test('the poster is the picture of the world in the link, and none where its settings have no picture', { tag: '@night' }, async ({
  page,
}) => {
  const picture = page.frameLocator('iframe').locator('main img');
  const button = page.frameLocator('iframe').getByRole('button', { name: 'Train it here' });
  await host(page, '');
  await expect(picture).toHaveAttribute('src', /\/cliff-walking-[\w-]+\.webp$/);
  await host(page, '', '', 'env=cartpole&env.gravity=20&algo=ppo');
  await expect(button).toBeVisible();
  await expect(picture).toHaveCount(0);
  await host(page, '', '', 'env=mountain-car&algo=dqn&steps=2000&seeds=1');
  await expect(picture).toHaveAttribute('src', /\/mountain-car-standard\.webp$/);
  // while the link opens, too: the set-up is another world until then
  await button.click();
  const seen = await page
    .frameLocator('iframe')
    .locator('main')
    .evaluate(
      (main) =>
        new Promise<readonly string[]>((resolve) => {
          const sources = new Set<string>();
          const until = performance.now() + 5000;
          const look = (): void => {
            for (const img of main.ownerDocument.querySelectorAll('img')) sources.add(img.src.replace(/^.*\//, ''));
            if (performance.now() < until) requestAnimationFrame(look);
            else resolve([...sources]);
          };
          look();
        }),
    );
  expect(seen).toEqual(['mountain-car-standard.webp']);
  await page.goto('./#/embed/env=mountain-car&algo=dqn'); // no title: by what it names
  await expect(page.getByRole('heading', { name: 'DQN on Mountain car' })).toBeVisible();
});

test('a press starts it; with an origin in the address, messages of others are not read', { tag: '@night' }, async ({ page }) => {
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

/** A world of another author, and the answer to whether it may run. */
const OWN_LINK = labLink(walk(''), 'algo=ppo&steps=4096&seeds=1').slice(1);

test('a world in code is asked about before anything trains; allowed, it alone is trained', async ({ page }) => {
  test.slow();
  await host(page, 'sandbox="allow-scripts"', '', OWN_LINK);
  const frame = page.frameLocator('iframe').first();
  await frame.getByRole('button', { name: 'Train it here' }).click();
  await expect(frame.getByRole('textbox', { name: 'Code of another author' })).toHaveValue(/title: 'Walk'/, { timeout: 60_000 });
  await page.waitForTimeout(1500);
  expect(await types(page)).toEqual(['ready']);
  await frame.getByRole('button', { name: 'Run this code' }).click();
  await expect.poll(() => types(page), { timeout: 90_000 }).toContain('result');
  const told = await news(page);
  expect(told.filter(({ type }) => type === 'failure')).toEqual([]);
  expect(told.find(({ type }) => type === 'result')?.seeds?.map(({ seed }) => seed)).toEqual([1]);
  await expect(frame.getByText(/Walk, seed 1/)).toBeVisible();
});

test('a world in code that may not run trains nothing, and the page around is told', { tag: '@night' }, async ({ page }) => {
  await host(page, '', '', OWN_LINK);
  const frame = page.frameLocator('iframe').first();
  await frame.getByRole('button', { name: 'Train it here' }).click();
  await frame.getByRole('button', { name: 'Go on without it' }).click({ timeout: 60_000 });
  await expect(frame.getByRole('alert')).toContainText('not allowed to run');
  await page.waitForTimeout(1500);
  expect(await types(page)).toEqual(['ready', 'failure']);
});

test('the card of an article runs in a sandboxed frame; its links lead out; a damaged one says so', async ({ page }) => {
  test.setTimeout(150_000);
  const card = encodeCard(CARD);
  await host(page, 'sandbox="allow-scripts"', `&c=${card}`, 'card');
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('Does UCB1 earn more')).toBeVisible();
  await expect.poll(() => types(page)).toEqual(['ready']);
  expect(page.workers()).toHaveLength(0);
  await command(page, 'start');
  await frame.getByRole('button', { name: 'Full form' }).click({ timeout: 60_000 });
  await expect(frame.getByRole('status', { name: 'Your runs' })).toContainText('by your own runs', { timeout: 90_000 });
  await expect(frame.getByRole('button', { name: 'Copy embed code' })).toHaveCount(0);
  await host(page, '', `&c=${card.slice(0, -1)}A`, 'card');
  await expect(frame.getByRole('alert')).toContainText('damaged');
  await host(page, '', '&id=P053', 'paper');
  await expect(frame.getByRole('heading', { name: 'The cliff' })).toBeVisible(); // the title that its page gives it
  await expect(frame.getByText('learned links, dropped; learned links to the end')).toBeVisible();
  await expect(frame.getByRole('link', { name: 'RL Workbench' })).toHaveAttribute('href', /#\/papers\/p053$/);
});
