/** Environments on MuJoCo: its module is fetched when one is opened, with progress and a way to stop. */
import type { BrowserContext } from '@playwright/test';
import { expect, open, test } from './lab.ts';

const CHEETAH = '#env=mujoco-half-cheetah&algo=ppo&steps=4096&seeds=1';
const MODULE = /\/assets\/mujoco-[\w-]+\.wasm$/;

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

test('on a slow line the page says what it loads, and stops on demand', async ({ page, context }) => {
  const release = await holdModule(context);
  await open(page, CHEETAH);
  await expect(page.getByText('Loading MuJoCo')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Loading MuJoCo' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop loading' }).click();
  await expect(page.getByText('Loading MuJoCo')).toBeHidden();
  await expect(page.getByText('The download of MuJoCo was stopped.').first()).toBeVisible();
  await release();
});
