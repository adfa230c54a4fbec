import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ROADS } from '../tools/keyboard-roads.mjs';
import { configHash, expect, open, test, train, trainToEnd } from './lab.ts';

const SMALL = '#env=frozen-lake&algo=q-learning&steps=3000&seeds=2';

for (const [scheme, views, tag] of [
  ['dark', 'some views', []], // looking at one view takes seconds: by day it is two
  ['dark', 'every view', ['@night']],
  ['light', 'every view', ['@night']],
] as const) {
  test(`axe finds nothing, ${scheme}, ${views}`, { tag: [...tag] }, async ({ page }) => {
    test.setTimeout(300_000);
    const byDay = views === 'some views';
    await page.emulateMedia({ colorScheme: scheme });
    const check = async (view: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
        view,
      ).toEqual([]);
    };
    const others = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Side by side' }).first().click();
      await expect(page.getByRole('slider', { name: 'Moment' })).toBeEnabled();
      await check('side by side');
      await page.getByRole('button', { name: /^Laboratory: / }).click();
      for (const [name, opener] of [
        ['gallery', 'g'],
        ['share', 's'],
        ['help', '?'],
      ] as const) {
        await page.locator('body').click({ position: { x: 3, y: 3 } });
        await page.keyboard.press(opener);
        await expect(page.getByRole('dialog')).toBeVisible();
        await check(name);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      await page.goto('about:blank');
      await open(page, '#nonsense');
      await expect(page.getByRole('dialog')).toBeVisible();
      await check('refused link');
    };
    await open(page, SMALL);
    if (!byDay) await check('at rest');
    await trainToEnd(page);
    await check('after a run');
    if (!byDay) await others();
    await page.goto('about:blank');
    await open(page, '#env=cartpole&algo=ppo&steps=3000000&seeds=1');
    await train(page);
    if (!byDay) await check('training');
    await page.setViewportSize({ width: 390, height: 844 });
    await check('phone');
  });
}

/** Beside pages: a world of each kind of stage, lessons, a method, a paper, and addresses of nothing. */
const ADDRESSES = [
  ...['#/lab', '#env=frozen-lake&algo=q-learning', '#env=boids', '#/lessons/cliff?step=2', '#/class/bandit?class=K7Q2'],
  ...['#/methods/ppo', '#/papers/P027', '#/papers/P999', '#/lessons/zzz', '#/no-such-page', '#env=catpole'],
];

/** Pages (#/name) that links lead to from the front page, and on from there. */
async function pagesByLinks(page: Page): Promise<readonly string[]> {
  const found = ['#/home'];
  for (const address of found) {
    await page.goto('about:blank');
    await page.goto(`./${address}`);
    await expect(page.locator('h1').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const links = await page.locator('a[href^="#/"]').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
    for (const link of links) if (/^#\/[a-z]+$/.test(link) && !found.includes(link)) found.push(link);
  }
  return found;
}

for (const [scheme, width] of [
  ['dark', 1440],
  ['light', 390],
] as const) {
  test(`axe finds nothing on every page in every language, ${scheme}, ${width} pixels`, { tag: '@night' }, async ({ page, complaints }) => {
    test.setTimeout(1_800_000);
    complaints.expected.push(/frame-ancestors/);
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    const addresses = [...(await pagesByLinks(page)), ...ADDRESSES];
    expect(addresses.length).toBeGreaterThan(20);
    for (const language of ['en', 'es', 'fr', 'de', 'zh-Hans']) {
      for (const address of addresses) {
        await page.goto('about:blank');
        await page.goto(`?lang=${language}${address}`);
        await expect(page.locator('h1, #lesson-title, dialog[open], main').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
          `${address} in ${language}`,
        ).toEqual([]);
      }
    }
  });
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

for (const width of [390, 320])
  test(`reflow: nothing scrolls sideways at ${width} pixels`, { tag: width > 320 ? '@night' : [] }, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('about:blank');
    await open(page, SMALL);
    for (const tab of ['Set up', 'Curves', 'Why', 'Runs']) {
      await page.getByRole('tab', { name: tab }).click();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(overflow, `${tab} at ${width}`).toBeLessThanOrEqual(0);
    }
    const ways = page.getByRole('navigation', { name: 'Pages' });
    for (const [name, title] of [
      ['papers', /Papers/],
      ['scores', /Scores/],
      ['methods', /Methods/],
      ['methods/ppo', /PPO/],
      ['swarm', /swarm/],
      ['side', /Side by side/],
    ] as const) {
      // biome-ignore format: pairs
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${name}`);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
    }
    // The ways between pages are all in sight, in as many rows as they need.
    await expect(ways).toBeVisible();
    const hidden = await ways.evaluate((nav) => nav.scrollWidth - nav.clientWidth);
    expect(hidden, `ways at ${width}`).toBeLessThanOrEqual(0);
    for (const way of await ways.getByRole('link').all()) {
      const box = await way.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), `ways at ${width}`).toBeLessThanOrEqual(width);
    }
  });

test('phone: train, look at the curves, with a thumb', { tag: '@road' }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', ...PHONE });
  const page = await context.newPage();
  await open(page, SMALL);
  await page.getByRole('button', { name: 'Train', exact: true }).tap();
  await page.getByRole('tab', { name: 'Curves' }).tap();
  await expect(page.getByRole('tabpanel').or(page.locator('#panel-curves'))).toBeVisible();
  await page.getByRole('tab', { name: 'Runs' }).tap();
  await expect(page.getByRole('row').filter({ hasText: 'Q-learning' })).toContainText('2/2', { timeout: 30_000 });
  await context.close();
});

test('keyboard only: edit the world, train, change a setting, train again, compare, share', { tag: '@night' }, async ({ page }) => {
  await open(page, SMALL);
  /** Tab until the focused element has this name; every stop must be visible to a person who looks for the focus. */
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let stops = 0; stops < 150; stops++) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate(() => {
        const at = document.activeElement;
        if (at?.getAttribute('role') === 'grid') return { label: 'the map', tag: at.tagName };
        const label = at?.getAttribute('aria-label') ?? (at as HTMLInputElement | null)?.labels?.[0]?.textContent ?? at?.textContent ?? '';
        return { label: label.trim(), tag: at?.tagName ?? '' };
      });
      if (name.test(found.label)) return;
    }
    throw new Error(`no stop named ${name} in 150 tabs`);
  };
  // The world: a tile of the map, chosen by arrow keys.
  const before = await configHash(page);
  await expect(page.getByRole('grid').first()).toBeVisible(); // its editor is loaded with the first map
  await tabTo(/^the map$/);
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => configHash(page)).not.toBe(before);
  const rows = page.getByRole('row').filter({ hasText: 'Q-learning' });
  await tabTo(/^Train$/);
  await page.keyboard.press('Enter');
  await expect(rows.first()).toContainText('2/2', { timeout: 30_000 });
  // Another run beside it, and only one of the two in the chart.
  await tabTo(/step size/i);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0.9');
  await page.keyboard.press('Enter');
  await tabTo(/^Train$/);
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('2/2', { timeout: 30_000 });
  await expect(rows.last()).toContainText('2/2', { timeout: 30_000 });
  const shown = page.getByRole('button', { name: /^Show the curves of/, pressed: true });
  await expect(shown).toHaveCount(2);
  await tabTo(/^Show the curves of/);
  await page.keyboard.press('Space');
  await expect(shown).toHaveCount(1);
  await tabTo(/^Share$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  // The dialog keeps the focus, and gives it back.
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog, [role=dialog]') !== null,
      ),
    ).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Share');
});

for (const [name, walk] of Object.entries(ROADS)) {
  // The same in Firefox: tools/firefox.mjs.
  test(`by keys alone: ${name}`, { tag: '@night' }, async ({ page, baseURL }) => {
    await walk(page, baseURL ?? '');
  });
}

test('reduced motion: nothing moves by itself, and one key stops all motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, SMALL);
  const animations = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running').length);
  expect(animations).toBe(0);
});

test('phone: the panel of a tab reaches down to the transport above the doors, and the scene keeps two fifths of the height', {
  tag: '@night',
}, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', ...PHONE });
  const page = await context.newPage();
  await open(page, SMALL);
  await trainToEnd(page); // runs that are there stand in the panel of their tab, which opens higher
  for (const tab of ['Set up', 'Curves', 'Why', 'Runs']) {
    await page.getByRole('tab', { name: tab }).tap();
    const panel = await page.getByRole('tabpanel').boundingBox();
    const train = await page.getByRole('button', { name: 'Train', exact: true }).boundingBox();
    const doors = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    const scene = await page.getByRole('region', { name: 'Scene' }).boundingBox();
    if (panel === null || train === null || doors === null || scene === null) throw new Error(`${tab}: nothing is shown`);
    expect(doors.y + doors.height, tab).toBe(844);
    expect(doors.y - (train.y + train.height), tab).toBeLessThan(20);
    expect(scene.height, tab).toBeGreaterThanOrEqual(0.4 * 844 - 1);
    expect(train.y - (panel.y + panel.height), tab).toBeLessThan(40);
  }
  await context.close();
});
