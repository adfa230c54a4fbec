import type { Page, Response } from '@playwright/test';
import { activeRun, curve, expect, type LabWindow, mainButton, open, ready, runs, stage, stepsDone, test, train } from './lab.ts';

/** How long the scene of a run that one press began waits for its curve, ms (src/client/runs/first-curve.ts). */
const LONGEST_MS = 4000;

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('first visit: the scene is alive, one press trains five seeds, the return climbs', { tag: '@road' }, async ({ page }) => {
    const answers: Response[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') answers.push(response);
    });
    await open(page);
    await expect(page).toHaveTitle(/RL Workbench/);
    // Before any press an agent acts.
    await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
    const before = (await stage(page)).t;
    await expect.poll(async () => (await stage(page)).t).not.toBe(before);

    await train(page);
    await expect.poll(async () => (await curve(page, 1))?.values.length ?? 0, { timeout: 60_000 }).toBeGreaterThanOrEqual(20);
    const run = await activeRun(page);
    expect(run?.seeds).toHaveLength(5);
    expect(run?.config.run.executor).toBe('wasm');

    // Nothing of tfjs is asked for while the wasm executor trains.
    const scripts = await Promise.all(answers.map((response) => response.text()));
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((text) => text.includes('registerBackend'))).toEqual([]);

    // It learns: the mean return of the newest episodes is well above that of the first ones.
    await expect.poll(async () => Math.max(0, ...((await curve(page, 1))?.values ?? [])), { timeout: 60_000 }).toBeGreaterThan(150);
  });
});

test.describe('the front page', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a trained agent moves though no worker answers: it was played when the page was built', async ({ page }) => {
    await page.addInitScript(() => {
      window.Worker = class extends EventTarget implements Worker {
        onmessage = null;
        onmessageerror = null;
        onerror = null;
        postMessage(): void {}
        terminate(): void {}
      };
    });
    await page.goto('./');
    const first = page
      .getByRole('main')
      .getByRole('button', { name: /A trained agent plays/ })
      .first();
    const canvas = first.locator('[data-state="playing"] canvas');
    await expect(canvas).toBeVisible();
    const picture = (): Promise<string> => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
    const before = await picture();
    await expect.poll(picture).not.toBe(before);
  });

  test('bodies move and their simulator is not fetched to look at them', { tag: '@night' }, async ({ page }) => {
    const simulator: string[] = [];
    page.on('request', (request) => {
      if (/mujoco-[\w-]+\.(wasm|js)$/.test(request.url())) simulator.push(request.url());
    });
    await page.goto('./');
    for (const name of [/^Bodies with joints/, /Your own robot/]) {
      const tile = page.getByRole('main').getByRole('button', { name });
      await tile.scrollIntoViewIfNeeded();
      await expect(tile.locator('[data-state="playing"] canvas')).toBeVisible({ timeout: 60_000 });
    }
    expect(simulator).toEqual([]);
  });

  test('where the processor draws, the laboratory draws in the context of the front page, after the first curve', {
    tag: '@night',
  }, async ({ page }) => {
    await page.addInitScript(() => {
      const made = new Set<HTMLCanvasElement>();
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
        if (given[0] === 'webgl2') made.add(this);
        Object.assign(window, { contexts: made.size });
        return Reflect.apply(getContext, this, given) as null;
      };
      // What stood in the curve when the scene of the laboratory was drawn, and how long after the press: a slow machine has fewer points by then.
      let pressed = Number.NaN;
      addEventListener('click', () => {
        pressed = performance.now();
      });
      const watching = new MutationObserver(() => {
        if (document.querySelector('#stage [data-drawn="webgl"]') === null) return;
        watching.disconnect();
        const { __lab: lab } = window as LabWindow;
        const run = lab?.activeRun ?? null;
        const points = run === null ? 0 : (lab?.curve(run.id, run.seeds[0]?.seed ?? 1, 'episodicReturn')?.values.length ?? 0);
        Object.assign(window, { drawn: { points, ms: performance.now() - pressed } });
      });
      watching.observe(document, { subtree: true, childList: true, attributeFilter: ['data-drawn'] });
    });
    const contexts = (): Promise<number> => page.evaluate(() => (window as unknown as { contexts: number }).contexts);
    await page.goto('./');
    const moving = page.getByRole('main').locator('[data-state="playing"] canvas');
    await expect(moving.first()).toBeVisible();
    await expect.poll(contexts).toBe(1);
    await expect(page.locator('html')).toHaveAttribute('data-drawer', 'software');
    await page
      .getByRole('main')
      .getByRole('button', { name: /Train: learns/ })
      .first()
      .click();
    await expect(page.locator('#stage [data-drawn="webgl"]')).toBeVisible();
    const { points, ms } = await page.evaluate(() => (window as unknown as { drawn: { points: number; ms: number } }).drawn);
    if (ms < LONGEST_MS) expect(points).toBeGreaterThanOrEqual(20);
    expect(await contexts()).toBe(1);
    // All seeds that may train at once do.
    await expect.poll(async () => (await activeRun(page))?.seeds.filter(({ state }) => state === 'running').length).toBeGreaterThan(1);
    // The front page, opened again, makes another and moves.
    await page.getByRole('link', { name: 'Worlds' }).click();
    await expect(moving.first()).toBeVisible();
    await expect.poll(contexts).toBe(2);
  });
});

test('pause, one iteration at a time, resume, stop', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=5000000&seeds=1');
  await train(page);
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(1000);
  await mainButton(page, 'Pause').click();
  await expect(mainButton(page, 'Resume')).toBeVisible();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('paused');
  const at = await stepsDone(page);
  const step = page.getByRole('button', { name: /One training iteration/ });
  for (let press = 1; press <= 3; press++) {
    await step.click();
    await expect.poll(() => stepsDone(page)).toBe(at + press * 512); // 4 copies of 128 steps
  }
  await mainButton(page, 'Resume').click();
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(at + 3 * 512);
  await page.getByRole('button', { name: /Stop and keep/ }).click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('stopped');

  // Back to step 0: the same config waits for its first step, and what there was is kept.
  const before = await activeRun(page);
  await page.getByRole('button', { name: /^Back to step 0/ }).click();
  await expect.poll(async () => (await activeRun(page))?.id).not.toBe(before?.id);
  expect(await stepsDone(page)).toBe(0);
  expect((await activeRun(page))?.hash).toBe(before?.hash);
  await step.click();
  await expect.poll(() => stepsDone(page)).toBe(512);
  expect(await runs(page)).toHaveLength(2);
});

test('seeds are queued, each becomes a line, and from five on there is an interval', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=5000&seeds=5');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds.filter((seed) => seed.state === 'done').length, { timeout: 30_000 }).toBe(5);
  const row = page.getByRole('row').filter({ hasText: 'Q-learning' });
  await expect(row).toContainText('5/5');
  await expect(row).toContainText(/\[[−\d.,]+, [−\d.,]+\]/);
  // The last save of a seed is told while its worker has begun with another one.
  await expect.poll(async () => (await activeRun(page))?.seeds.filter((seed) => (seed.points?.length ?? 0) > 0).length).toBe(5);
});

/** Names of what Tab reaches, in order, without the skip link and the bar of the doors. */
async function tabStops(page: Page): Promise<readonly string[]> {
  const stops: string[] = [];
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement) || at === document.body || at.dataset.counted !== undefined) return null;
      at.dataset.counted = '';
      if (at.closest('header') !== null) return '';
      return (
        at.getAttribute('aria-label') ??
        (at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null) ??
        at.textContent ??
        at.tagName
      );
    });
    if (name === null) break;
    stops.push(name.trim());
  }
  return stops.filter((name) => name !== '' && name !== 'Skip to the scene');
}

test('a first visit shows at most twelve controls; one press shows the rest, and who pressed it keeps it', async ({ page }) => {
  await open(page);
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  await expect(page.getByRole('radio', { name: 'Watch' })).toBeVisible(); // below the scene, which is loaded after the form
  const stops = await tabStops(page);
  expect(stops.length, stops.join(', ')).toBeLessThanOrEqual(12);
  for (const wanted of [/^Train/, /Playback speed/, /Watch/, /^Share/, /^Simple/]) {
    expect(
      stops.some((name) => wanted.test(name)),
      `${wanted} among ${stops.join(', ')}`,
    ).toBe(true);
  }
  const sliders = await page.locator('#panel-left').getByRole('spinbutton').count();
  expect(sliders).toBeGreaterThan(0);
  expect(sliders).toBeLessThanOrEqual(3);

  await page.getByRole('radio', { name: 'All settings' }).check();
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toBeVisible();
  await page.goto('about:blank');
  await open(page);
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toBeVisible();
});

test('a link without a depth opens in the lab', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toBeVisible();
});

test('the help says what the words mean that the page uses everywhere', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: /^Help/ }).click();
  const help = page.getByRole('dialog', { name: 'Help' });
  for (const word of ['return', 'policy', 'seed', 'entropy', 'KL divergence', 'bootstrapping', 'advantage, GAE'])
    await expect(help.getByRole('term').filter({ hasText: word }).first()).toBeVisible();
});

test('the tour: each step ends with what the visitor does, the last with a change of their own; it comes once', async ({ page }) => {
  await open(page);
  const card = page.getByRole('complementary', { name: 'First steps' });
  await expect(card).toContainText('1 of 3');
  await train(page);
  await expect(card).toContainText('2 of 3');
  await card.getByRole('button', { name: 'Next' }).click();
  await expect(card).toContainText('3 of 3');
  await page.locator('#panel-left').getByRole('spinbutton').first().press('PageUp');
  await expect(card).toContainText('That was your experiment');
  await card.getByRole('button', { name: 'Close' }).click();
  await expect(card).toBeHidden();
  await page.goto('about:blank');
  await open(page);
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  await expect(card).toBeHidden();
  // A link starts it again, the address does not keep that, and Escape ends it.
  await page.goto('./?tour');
  await expect(card).toContainText('1 of 3');
  expect(page.url()).not.toContain('tour');
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
});

test('a visit by a link has no tour', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  await expect(page.getByRole('complementary', { name: 'First steps' })).toHaveCount(0);
});

test('the simple depth: a sentence on the run, one on the decision, and when it ends before and after from the same start', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#env=cartpole&algo=ppo&steps=20480&seeds=2');
  await page.getByRole('radio', { name: 'Simple' }).check();
  await train(page);
  await expect(
    page.getByText(/^Done, better than at the start: the score went from [\d.]+ a try to [\d.]+\..*Tested with its best action/),
  ).toBeVisible({
    timeout: 60_000,
  });
  const why = page.locator('#panel-why');
  await expect(why.getByRole('radio')).toHaveCount(0);
  for (const word of ['IQM', 'nats', 'TD error'])
    await expect(page.locator('#panel-curves, #panel-why').getByText(word).first()).toBeHidden();

  const both = page.getByRole('region', { name: 'Before and after, from the same start' });
  await expect(both.getByRole('img')).toHaveCount(2);
  await expect(both.getByText(/^Before: after [\d.]+\S* ?\w* steps$/)).toBeVisible();
  await both.getByRole('button', { name: 'Share' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const hash = (await activeRun(page))?.hash;
  // Another world on the stage takes its place.
  await page
    .getByRole('spinbutton', { name: /gravity/ })
    .first()
    .fill('12');
  await expect(both).toHaveCount(0);
  await expect(why.getByText(/^It (is nearly sure here|leans to|is unsure here|is close to chance here)/)).toBeVisible();
  // The link is the same experiment at the same depth.
  await page.goto('about:blank');
  await page.goto(link);
  await ready(page);
  await expect(page.getByRole('radio', { name: 'Simple' })).toBeChecked();
  await expect // the hash follows the settings by a moment
    .poll(() => page.evaluate(() => (window as unknown as { readonly __lab: { readonly configHash: string } }).__lab.configHash))
    .toBe(hash);
});
