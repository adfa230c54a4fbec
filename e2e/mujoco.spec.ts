/** Environments on MuJoCo: its module is fetched when one is opened, with progress and a way to stop, and kept for use without a network. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, open, ready, stage, test } from './lab.ts';

const CHEETAH = '#env=mujoco-half-cheetah&algo=ppo&steps=4096&seeds=1';
const MODULE = /\/assets\/mujoco-[\w-]+\.wasm$/;

const moves = (page: Page): Promise<void> => expect.poll(async () => (await stage(page)).t, { timeout: 20_000 }).toBeGreaterThan(3);

/** Keeps the module's requests waiting until it is called. */
async function holdModule(context: BrowserContext): Promise<() => Promise<void>> {
  let release = (): void => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await context.route(MODULE, async (route) => {
    await released;
    await route.continue().catch(() => {}); // the page has given it up meanwhile
  });
  return async () => {
    release();
    await context.unroute(MODULE);
  };
}

test('on a slow line the page says what it loads, stops on demand and loads it when it is asked again', async ({ page, context }) => {
  const release = await holdModule(context);
  await open(page, CHEETAH);
  await expect(page.getByText('Loading MuJoCo')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Loading MuJoCo' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop loading' }).click();
  await expect(page.getByText('Loading MuJoCo')).toBeHidden();
  await expect(page.getByText('The download of MuJoCo was stopped.').first()).toBeVisible();
  await release();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, '#env=mujoco-hopper&algo=ppo&steps=4096&seeds=1');
  await moves(page);
});

test('opened once, it works without a network; never opened, a sentence says what is missing', async ({ page, context, complaints }) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.goto('about:blank');
  await open(page, CHEETAH);
  await expect(page.getByText(/MuJoCo is not on this device, and there is no connection/).first()).toBeVisible();
  await context.setOffline(false);
  await page.reload();
  await ready(page);
  await moves(page);
  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await moves(page);
});
