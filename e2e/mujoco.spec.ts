/** Environments on MuJoCo: its module is fetched when one is opened, with progress and a way to stop. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, type LabWindow, open, test, train } from './lab.ts';

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

test('where learning takes minutes a trained policy walks on the stage, and the learner begins beside it', { tag: '@night' }, async ({
  page,
}) => {
  test.slow();
  await open(page, '#env=mujoco-walker2d&depth=teach&steps=200000&seeds=1');
  const scene = page.getByRole('region', { name: 'Scene' });
  await expect(
    scene.getByText(/^A policy that was trained before, for [\d,]+ steps: episode \d+\. Push it with the pointer\.$/),
  ).toBeVisible({
    timeout: 60_000,
  });
  await train(page);
  await expect(scene.getByRole('region', { name: /^Your run, after / })).toBeVisible({ timeout: 90_000 });
  await expect(scene.getByText(/^A policy that was trained before/)).toBeVisible(); // it stays
  await scene.getByRole('button', { name: 'Watch it large' }).click();
  await expect(scene.getByText(/^PPO on Walker 2D .*the policy at step/)).toBeVisible({ timeout: 60_000 });
  await scene.getByRole('button', { name: 'Watch a trained one' }).click();
  await expect(scene.getByText(/^A policy that was trained before/)).toBeVisible();
});

/** Opens a body, and a place of the picture where it may be held. */
async function openHopper(page: Page) {
  await open(page, '#env=mujoco-hopper&algo=ppo&steps=4096&seeds=1');
  const canvas = page.locator('[data-drawn] canvas');
  await expect(page.locator('[data-drawn="webgl"]')).toBeVisible();
  const stage = () => page.evaluate(() => (window as LabWindow).__lab?.stage ?? null);
  await expect.poll(async () => (await stage())?.length ?? 0).toBeGreaterThan(1);
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the picture has no place');
  const middle = box.x + box.width / 2;
  const grabbed = async (): Promise<readonly [number, number] | null> => {
    for (let down = 0.25; down < 0.8; down += 0.05)
      for (const aside of [0, -0.02, 0.02, -0.05, 0.05]) {
        const [x, y] = [middle + aside * box.width, box.y + down * box.height];
        await page.mouse.move(x, y);
        if ((await canvas.evaluate((element) => element.style.cursor)) === 'grab') return [x, y];
      }
    return null;
  };
  return { stage, grabbed, to: [middle + 0.2 * box.width, box.y + 0.3 * box.height] as const };
}

/** Lets what is held be drawn for some steps, then `release`s it: the replay holds the pull. */
async function expectPulled(
  page: Page,
  stage: Awaited<ReturnType<typeof openHopper>>['stage'],
  release: () => Promise<unknown>,
): Promise<void> {
  await expect.poll(async () => (await stage())?.mode).toBe('play');
  // A body that is pulled may fall, and its episode is over, within a few steps: pulls themselves are looked at below.
  await expect.poll(async () => (await stage())?.length ?? 0).toBeGreaterThan(1);
  await release();
  if ((await stage())?.mode === 'play') await page.keyboard.press('Escape');
  await expect.poll(async () => (await stage())?.mode).toBe('replay');
  const parts = await page.evaluate(() => {
    const pulls = (window as LabWindow).__lab?.stage.replay?.pulls;
    return pulls === undefined ? [] : Array.from(pulls).filter((_, i) => i % 7 === 0);
  });
  expect(parts.some((part) => part >= 0)).toBe(true);
}

test('a body is pulled with the mouse while it plays; the replay that comes of it shows the pull', { tag: '@night' }, async ({ page }) => {
  const { stage, grabbed, to } = await openHopper(page);
  await expect.poll(async () => (await grabbed()) !== null).toBe(true);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  await expectPulled(page, stage, () => page.mouse.up());
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a finger that rests on a body holds it', { tag: '@night' }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' }); // what is to be held stands still
    const { stage, grabbed, to } = await openHopper(page);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: readonly (readonly [number, number])[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y]) => ({ x, y })) });
    const at = await grabbed();
    if (at === null) throw new Error('nothing can be held');
    await touch('touchStart', [at]);
    await expect.poll(() => page.locator('[data-drawn] canvas').evaluate((element) => element.style.cursor)).toBe('grabbing');
    await touch('touchMove', [to]);
    await expectPulled(page, stage, () => touch('touchEnd', []));
  });
});
