import { expect, type LabWindow, open, stage, test, trainToEnd } from './lab.ts';
import { differing, png } from './pixels.ts';

/**
 * Shares of pixels. Turned by half a radian, a cart and its track differ in TURNED and more. The same place may be drawn finely or,
 * on a busy machine, coarsely: edges differ, in less than SAME.
 */
const TURNED = 0.05;
const SAME = 0.025;

test('cameras by keys, by hand and by link', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  const picture = page.getByRole('region', { name: 'Scene' }).getByRole('img').first();
  await page.locator('body').click({ position: { x: 3, y: 3 } });
  for (const [key, camera] of [
    ['2', 'top'],
    ['3', 'side'],
    ['4', 'follow'],
    ['f', 'home'],
    ['f', 'follow'],
    ['1', 'home'],
    ['2', 'top'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(async () => (await stage(page)).camera).toBe(camera);
  }
  // The link holds it, a moment after the change.
  await page.keyboard.press('3');
  await page.waitForTimeout(1000);
  const link = await page.evaluate(() => location.hash);
  await page.goto('about:blank');
  await open(page, link);
  await expect.poll(async () => (await stage(page)).camera).toBe('side');

  // Arrow keys turn the picture there and back, Home turns it back at once.
  await page.getByRole('button', { name: 'Camera home' }).click();
  await picture.focus();
  await page.waitForTimeout(1500); // the fine picture that follows a change
  const now = async (): Promise<string> => png(await picture.screenshot());
  const turn = async (key: string): Promise<void> => {
    for (let i = 0; i < 4; i++) await page.keyboard.press(key);
  };
  const home = await now();
  const from = (other: string) => expect.poll(async () => differing(page, other, await now()));
  await turn('ArrowRight');
  await from(home).toBeGreaterThan(TURNED);
  const right = await now();
  await turn('ArrowLeft');
  await from(home).toBeLessThan(SAME);
  await turn('ArrowLeft');
  await from(home).toBeGreaterThan(TURNED);
  await from(right).toBeGreaterThan(TURNED);
  await page.keyboard.press('Home');
  await from(home).toBeLessThan(SAME);
});

test('a cell shows the value that the policy has there, and visits', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning&steps=20000&seeds=1&env.slippery=false');
  await trainToEnd(page);
  const layers = page.getByRole('group', { name: 'Layers over the map' });
  await layers.getByRole('button', { name: 'Values' }).click();
  await layers.getByRole('button', { name: 'Visits' }).click();
  await page.locator('body').click({ position: { x: 3, y: 3 } });
  await page.keyboard.press('2'); // from above: cells lie where they are drawn
  const cell = 2 * 4 + 2; // row 2, column 2: on the way
  const seen = (): Promise<{ value: number; visits: number } | null> =>
    page.evaluate((at) => {
      const { stage: now } = (
        window as unknown as { __lab: { stage: { valueMap: { values: Float32Array } | null; visits: Float64Array | null } } }
      ).__lab;
      return now.valueMap === null || now.visits === null
        ? null
        : { value: now.valueMap.values[at] ?? Number.NaN, visits: now.visits[at] ?? 0 };
    }, cell);
  await expect.poll(seen).not.toBeNull();
  const picture = page.getByRole('region', { name: 'Scene' }).getByRole('img').first();
  const box = await picture.boundingBox();
  if (box === null) throw new Error('no picture');
  const readout = page.getByText(/^column 2, row 2/);
  // Over the picture in a fine net until that cell is met: where it lies is the camera's business.
  find: for (let y = 0.3; y < 0.95; y += 0.06) {
    for (let x = 0.4; x < 0.95; x += 0.04) {
      await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
      await page.waitForTimeout(25);
      if (await readout.isVisible()) break find;
    }
  }
  const words = (await readout.first().textContent()) ?? '';
  const wanted = await seen();
  const value = Number(/value ([−-]?[\d.,]+)/.exec(words)?.[1]?.replace('−', '-').replace(',', ''));
  expect(Math.abs(value - (wanted?.value ?? Number.NaN))).toBeLessThan(0.005);
  expect(words).toMatch(/\d visits?$/);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('one key stops all motion, and lets it go on', { tag: '@night' }, async ({ page }) => {
    await open(page, '#env=cartpole&algo=ppo');
    const at = (await stage(page)).t;
    await expect.poll(async () => (await stage(page)).t).not.toBe(at);
    await page.locator('body').click({ position: { x: 3, y: 3 } });
    await page.keyboard.press('m');
    await page.waitForTimeout(300);
    const stopped = (await stage(page)).t;
    await page.waitForTimeout(600);
    expect((await stage(page)).t).toBe(stopped);
    expect(await page.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running').length)).toBe(0);
    await page.keyboard.press('m');
    await page.keyboard.press('p');
    await expect.poll(async () => (await stage(page)).t).not.toBe(stopped);
  });
});

test('an episode that takes long to compute says so, and what there is of it is shown when it is stopped', { tag: '@night' }, async ({
  page,
}) => {
  await open(page, '#env=boids&algo=random&env.boids=2000&env.box=70&env.maxSteps=1000000');
  const note = page.getByRole('status').filter({ hasText: 'Computing the next episode' });
  await expect(note).toBeVisible();
  await note.getByRole('button', { name: 'Stop here' }).click();
  await expect(note).toHaveCount(0);
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  expect((await stage(page)).length).toBeLessThan(1_000_000);
});

test('a station is dragged with the pointer', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=base-stations&algo=ippo&steps=4096&seeds=1');
  await expect(page.locator('[data-drawn="webgl"]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0)).toBeGreaterThan(1);
  const canvas = page.locator('[data-drawn] canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the picture has no place');
  const find = async (): Promise<readonly [number, number] | null> => {
    for (let down = 0.2; down < 0.9; down += 0.02)
      for (let along = 0.2; along < 0.8; along += 0.015) {
        const [x, y] = [box.x + along * box.width, box.y + down * box.height];
        await page.mouse.move(x, y);
        if ((await canvas.evaluate((element) => element.style.cursor)) === 'grab') return [x, y];
      }
    return null;
  };
  const found = await find();
  if (found === null) throw new Error('there is nothing to hold');
  await page.mouse.down();
  await page.mouse.move(found[0] + 40, found[1] + 20, { steps: 3 });
  await expect(page.getByText('You pull at it')).toBeVisible();
  await page.waitForTimeout(1500);
  await page.mouse.up();
  await page.keyboard.press('Escape');
  const moved = () =>
    page.evaluate(() => Array.from((window as LabWindow).__lab?.stage.replay?.pulls ?? []).filter((part, i) => i % 7 === 0 && part >= 0));
  await expect.poll(async () => (await moved()).length).toBeGreaterThan(0);
});
