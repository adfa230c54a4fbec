/** The gallery of papers, a paper's page, and home: found, run, forked, shared, printed, offline, on a phone, without complaints of axe. */
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { activeRun, configHash, expect, field, mainButton, ready, test } from './lab.ts';

/** A paper whose full result lies beside the page. */
const JUDGED = 'p033';
/** A paper of few, small policies, as many as there are scenes at once. */
const PLAYED = 'p057';
/** A paper with a quick form of seconds, with curves. */
const SMALL = 'p059';

/** Without the ten to begin with, which stand in the list as well. */
const shownEntries = (page: Page): Promise<number> =>
  page
    .getByRole('main')
    .locator('li:not([hidden]):not([aria-labelledby="papers-ways"] li) :is(a[href^="#/papers/p0"], a[href^="#/papers/p1"])')
    .count();

const scenes = (page: Page): Locator => page.getByRole('region', { name: 'Side by side' });
const playing = (page: Page): Locator => page.locator('[data-state="playing"]');
/** All four at once; a renderer in software on a loaded machine takes its time. */
const allPlay = async (page: Page): Promise<void> => {
  await scenes(page).getByRole('listitem').first().scrollIntoViewIfNeeded(); // below the fold they stand still
  await expect(playing(page)).toHaveCount(4, { timeout: 90_000 });
};
/** What the canvases of live scenes show, as text. */
const pictures = (page: Page): Promise<readonly string[]> =>
  playing(page)
    .locator('canvas')
    .evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()));

async function noComplaints(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    view,
  ).toEqual([]);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('the gallery holds every paper, is searched and filtered, and its address keeps the filters', async ({ page }) => {
  await page.goto('./#/papers');
  await expect(page.getByRole('status').filter({ hasText: 'papers' })).toHaveText('184 papers');
  expect(await shownEntries(page)).toBe(184);

  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('coin game mansa');
  await expect(page.getByText('No paper passes all of these filters')).toBeVisible();
  await search.fill('mguni');
  await expect(page.getByRole('link', { name: 'P033 MANSA' })).toBeVisible();
  expect(await shownEntries(page)).toBe(1);
  expect(page.url()).toContain('#/papers?q=mguni');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(search).toHaveValue('');
  await page.getByText('Topics', { exact: true }).click();
  await page.getByRole('button', { name: /^Memory/i }).click();
  await page.getByLabel('Tier').selectOption('2');
  await page.getByRole('combobox', { name: 'What came out' }).selectOption('planned');
  const left = await shownEntries(page);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(33);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Memory/i })).toHaveAttribute('aria-pressed', 'true');
  expect(await shownEntries(page)).toBe(left);

  await page.goto('./#/papers?env=coin-game');
  await expect(page.getByRole('link', { name: 'P033 MANSA' })).toBeVisible();
  await search.focus();
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press('Tab');
    if (await page.getByRole('link', { name: 'P033 MANSA' }).evaluate((link) => link === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /MANSA/ })).toBeFocused();
});

test('a paper says what was asked, compared and found, on one page on paper; a planned one says what it waits for', {
  tag: '@road',
}, async ({ page }) => {
  await page.goto(`./#/papers/${JUDGED}`);
  const verdict = page.getByRole('region', { name: 'Outcome' });
  await expect(verdict).toContainText(/shown|smaller|mixed|reversed|open/i);
  await expect(verdict).toContainText('seeds an arm');
  for (const name of ['Paper says', 'Here', 'Tested', 'Came out', 'Smaller or other here']) await expect(verdict).toContainText(name);
  await expect(page.getByRole('img', { name: /^Curves: a learned switch ends at/ })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'QMIX in every step' })).toContainText(/\d to .+ seeds/);
  for (const title of ['Checks', 'Scaled down', 'Threats to validity', 'What to try next', 'Where it comes from'])
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await verdict.getByRole('button', { name: /^Against the source/ }).click();
  await expect(page.getByText('Looked for, without finding')).toBeVisible();
  await page.getByText('Citation', { exact: true }).click();
  await expect(page.getByText('@misc{mguni2023p033')).toBeVisible();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1);

  await page.goto('./#/papers/p001');
  await expect(page.getByText('It waits for:')).toBeVisible();
  await page.goto('./#/papers/p999');
  await expect(page.getByRole('heading', { name: 'There is no paper “p999”' })).toBeVisible();
});

test('run, fork, share: a quick form in this tab, an arm live in the laboratory, its link in another profile', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000);
  await page.goto(`./#/papers/${SMALL}`);
  await page.getByRole('button', { name: 'Quick form' }).click();
  const form = page.getByRole('group', { name: 'Quick form' });
  await expect(form).toBeFocused(); // the button is disabled now
  await expect(form.getByRole('progressbar')).toBeInViewport();
  await expect(page.getByText(/The direction (shows|does not show)/)).toBeVisible({ timeout: 240_000 });
  await expect(page.getByRole('img', { name: /^Curves:/ })).toBeVisible();

  const open = page.getByRole('link', { name: /^Open in the workbench/ }).first();
  const shared = await open.getAttribute('href');
  await page
    .getByRole('button', { name: /^Train live/ })
    .first()
    .click();
  await expect(mainButton(page, 'Pause')).toBeVisible();
  const own = await configHash(page);

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await other.goto(`./${shared}`);
  await ready(other);
  expect(await configHash(other)).toBe(own);
  await context.close();
});

test('what an arm learned plays in the laboratory by one press', async ({ page }) => {
  await page.goto('./#/papers/p064');
  await page
    .getByRole('button', { name: /^Watch what it learned/ })
    .first()
    .click();
  await ready(page);
  await expect(page.getByText(/the policy at step 658, always its best action/)).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was opened once is there without a network', { tag: '@night' }, async ({ page, context, complaints }) => {
    complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await page.goto(`./#/papers/${JUDGED}`);
    const curves = page.getByRole('img', { name: /^Curves:/ });
    const said = await curves.getAttribute('aria-label');
    const verdict = await page.getByRole('region', { name: 'Outcome' }).innerText();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect.poll(() => page.evaluate(async () => (await (await caches.open('papers')).keys()).length)).toBe(1);

    await context.setOffline(true);
    await page.reload();
    await expect(curves).toHaveAttribute('aria-label', said ?? '');
    expect(await page.getByRole('region', { name: 'Outcome' }).innerText()).toBe(verdict);
    await page.goto('./#/papers');
    await expect(page.getByText('184 papers', { exact: true })).toBeVisible();
    await page.goto('./#/papers/p109');
    await expect(page.getByText('not here without a network')).toBeVisible();
  });

  test('from a cold start what the arms learned plays side by side, stands still when asked, and plays again offline', {
    tag: '@night',
  }, async ({ page, context, complaints }) => {
    test.setTimeout(300_000);
    complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(`./#/papers/${PLAYED}`);
    await allPlay(page);
    const scene = scenes(page).getByRole('img').first();
    const before = await pictures(page);
    await expect.poll(async () => (await pictures(page)).every((picture, i) => picture !== before[i])).toBe(true);

    await page.getByRole('button', { name: 'Pause the scenes' }).click();
    await expect(scene, 'what stands still is described').toHaveAttribute('aria-label', /.{61}/s);
    await page.waitForTimeout(300); // a picture may be on its way
    const still = await pictures(page);
    await page.waitForTimeout(500);
    expect(await pictures(page)).toEqual(still);
    await page.getByRole('button', { name: 'Play the scenes' }).click();
    await expect.poll(async () => (await pictures(page)).some((picture, i) => picture !== still[i])).toBe(true);

    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect.poll(() => page.evaluate(async () => (await (await caches.open('papers')).keys()).length)).toBe(5);
    await context.setOffline(true);
    await page.reload();
    await allPlay(page);
  });
});

test('with reduced motion arms and worlds are pictures until they are started, and no policy is fetched', { tag: '@night' }, async ({
  page,
}) => {
  const policies: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/results/policies/')) policies.push(request.url());
  });
  await page.goto('./#/home');
  await expect(page.getByRole('button', { name: 'Play the scenes' })).toBeVisible();
  await page.goto(`./#/papers/${PLAYED}`);
  await expect(page.getByRole('img', { name: /^Curves:/ })).toBeVisible();
  expect(await page.locator('canvas').count()).toBe(0);
  expect(policies).toEqual([]);
  await page.getByRole('button', { name: 'Play the scenes' }).click();
  await allPlay(page);
  expect(new Set(policies).size).toBe(4);
});

test('a place among the scenes goes to another arm', { tag: '@night' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('./#/papers/p064');
  await allPlay(page);
  await page.getByRole('combobox', { name: 'Arm in place of stag hunt, risk-averse' }).selectOption('trust dilemma, uniform');
  await expect(scenes(page).getByRole('img', { name: /^trust dilemma, uniform/ })).toBeVisible();
  await allPlay(page);
});

test('fork of an arm: what is changed in the laboratory is another config of the same world', { tag: '@night' }, async ({ page }) => {
  await page.goto(`./#/papers/${PLAYED}`);
  await page
    .getByRole('link', { name: /^Open in the workbench/ })
    .first()
    .click();
  await ready(page);
  const arm = await configHash(page);
  await field(page, /learning rate/i).fill('0.0123');
  await page.keyboard.press('Tab');
  await expect.poll(() => configHash(page)).not.toBe(arm);
  await mainButton(page, 'Train').click();
  await expect(mainButton(page, 'Pause')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the bare address is the front page; a world is one press from learning', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The doors come first for the keyboard.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'RL Workbench' })).toBeFocused();
  await expect(page.getByRole('link', { name: /to \d+ minutes/ }).nth(4)).toBeVisible(); // five lessons at least
  await page.getByRole('button', { name: /^Classic control/ }).click();
  await expect(mainButton(page, 'Pause')).toBeVisible();
  expect((await activeRun(page))?.name).toContain('Mountain car');
  await page.goBack();
  await page.getByRole('link', { name: /^Swarms and populations/i }).click();
  await expect(page.getByText('7 of 184 papers')).toBeVisible();
});

const PAGES = ['#/home', '#/papers', '#/papers/own', `#/papers/${JUDGED}`, '#/papers/p001'];

for (const [scheme, width, pages, tag] of [
  ['light', 1440, PAGES, ['@night']],
  ['dark', 390, PAGES, ['@night']],
  ['dark', 375, [`#/papers/${JUDGED}`], []],
] as const) {
  test(`axe finds nothing and nothing scrolls sideways, ${scheme} at ${width}`, { tag: [...tag] }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 844 });
    for (const hash of pages) {
      await page.goto('about:blank');
      await page.goto(`./${hash}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      if (hash.endsWith(JUDGED)) await expect(page.getByRole('img', { name: /^Curves:/ })).toBeVisible();
      await noComplaints(page, hash);
      expect(await overflow(page), hash).toBeLessThanOrEqual(0);
    }
    if (tag.length === 0) return; // scenes at night
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'no-preference' });
    await page.goto('./#/papers/p064');
    await scenes(page).getByRole('listitem').last().scrollIntoViewIfNeeded();
    await allPlay(page);
    await page.getByRole('button', { name: 'Pause the scenes' }).click();
    await noComplaints(page, 'scenes');
    expect(await overflow(page), 'scenes').toBeLessThanOrEqual(0);
  });
}

test('what came out is covered on request, with every number behind it, until it was predicted', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/papers/p180');
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText(/^shown/);
  await expect(page.getByText('First, your prediction')).toHaveCount(0); // nobody is asked beside the answer
  await page.getByRole('button', { name: 'Cover it and ask me' }).click();
  await expect(outcome).toContainText('Covered until you have said what you expect.');
  await expect(outcome).not.toContainText(/shown|Clear|confirmed/i);
  await expect(page.getByText(/^judged:/)).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText('Every contrast is held');

  const asked = page.getByRole('region', { name: 'First, your prediction' });
  await asked.getByRole('radio', { name: 'No clear difference' }).check();
  await asked.getByRole('button', { name: 'Show what came out' }).click();
  await expect(outcome).toContainText(/^shown/);
  await expect(page.getByRole('region', { name: 'Predicted and found' })).toContainText('You said “No clear difference”');

  await page.reload(); // what was said stays beside what came out
  await expect(page.getByRole('region', { name: 'Predicted and found' })).toContainText('You said “No clear difference”');
});

test('the idea is touched on the method itself: steps that share a state (P021)', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/papers/p021');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  const touched = page.getByRole('region', { name: 'Touch the idea' });
  await expect(touched.getByText(/^\d+ of \d+ steps begin in a state/)).toBeVisible({ timeout: 90_000 });
  await expect(touched.getByRole('toolbar')).toHaveCount(8);
  const table = touched.getByRole('region', { name: 'Steps from the same state' });
  const sums = table.locator('tbody tr td:last-child');
  const whole = table.locator('tbody tr td:nth-child(6)');
  await expect(sums.first()).toBeVisible();
  const framed = await touched.locator('button[data-same]').count();
  expect(await sums.count()).toBe(framed);
  await touched.getByRole('slider', { name: /Weight w/ }).fill('0');
  expect(await sums.allTextContents()).toEqual(await whole.allTextContents());
  const chosen = touched.locator('button[aria-pressed="true"]');
  const before = await chosen.getAttribute('aria-label');
  await chosen.focus();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toBeFocused();
  expect(await chosen.getAttribute('aria-label')).not.toBe(before);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0); // the page takes its narrow form a moment later
  await noComplaints(page, 'P021 touched');
});

test('the idea is touched on the method itself: the tree of branches (P099)', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/papers/p099');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  const touched = page.getByRole('region', { name: 'Touch the idea' });
  const said = touched.getByText(/^\d+ of 16 episodes branched off/);
  await expect(said).toBeVisible({ timeout: 60_000 });
  const before = await said.textContent();
  await expect(touched.getByText('P(branch) = clip(0.5')).toBeVisible();
  await touched.getByRole('slider', { name: /Chance of a branch/ }).fill('0');
  await expect(said).not.toHaveText(before ?? '');
  const chosen = touched.locator('[role="button"][aria-pressed="true"]');
  const first = await chosen.getAttribute('aria-label');
  await chosen.focus();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toBeFocused();
  expect(await chosen.getAttribute('aria-label')).not.toBe(first);
  await touched.getByText('The tree as a table').first().click();
  await expect(touched.locator('tbody tr')).toHaveCount(16);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0); // the page takes its narrow form a moment later
  await noComplaints(page, 'P099 touched');
});

test('the idea is touched on the method itself: units of a trunk by world (P036)', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/papers/p036');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  const touched = page.getByRole('region', { name: 'Touch the idea' });
  const rows = touched.getByRole('img', { name: /: mean [\d.]+, like / });
  await expect(rows).toHaveCount(8, { timeout: 60_000 }); // four worlds, two layers
  await expect(touched.getByRole('img', { name: /^Spread: mean [\d.]+, like Spread by 1$/ })).toHaveCount(2);
  await touched.getByRole('radio', { name: 'Foraging' }).check();
  await expect(touched.getByRole('img', { name: /^Foraging: mean [\d.]+, like Foraging by 1$/ })).toHaveCount(2);
  await expect(touched.getByRole('button', { name: 'Carry it there' })).toBeEnabled();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0); // the page takes its narrow form a moment later
  await noComplaints(page, 'P036 touched');
});

test('the idea is touched on the method itself: a trained team of any size (P006)', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/papers/p006');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  const touched = page.getByRole('region', { name: 'Touch the idea' });
  await expect(touched.getByText('A size that neither ever saw.')).toBeVisible();
  await expect(touched.getByText(/^this episode so far: return -/)).toHaveCount(2, { timeout: 60_000 }); // both teams of seven play
  await touched.getByRole('slider', { name: /Agents/ }).fill('3');
  await expect(touched.getByText('A size that both trained with.')).toBeVisible();
  await touched.getByRole('button', { name: /^8 never seen/ }).click();
  await expect(touched.getByRole('slider', { name: /Agents/ })).toHaveValue('8');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  await noComplaints(page, 'P006 touched');
});

test('the tasks made by hand are a wall of lamps, and one that is changed is played by the same player (P039)', { tag: '@night' }, async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto('./#/papers/p039');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  await page.getByRole('radio', { name: 'planner, told everything' }).check();
  await expect(page.getByText('20 of 20 lamps burn; 100 % of the episodes met their goal.')).toBeVisible({ timeout: 120_000 });
  await page.getByRole('button', { name: /^Hold a blue hexagon/ }).click();
  await expect(page.getByText(/^Goal met in step \d+$/)).toBeVisible();
  await page.getByText('Change goal, rules and things').click();
  await page.getByRole('combobox', { name: 'Goal' }).selectOption({ label: 'Stand on A' });
  await page.getByRole('button', { name: 'Hand it over' }).click();
  await expect(page.getByText(/met \d of 5 times, the planner finds (a|no) way$/)).toBeVisible({ timeout: 60_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  await noComplaints(page, 'P039 touched');
});

test('mazes that a learner is given are shown, and one that is drawn is played by it (P084)', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(300_000);
  await page.goto('./#/papers/p084');
  await page.getByRole('button', { name: 'Touch the idea' }).click();
  await page.getByRole('button', { name: 'Train it here' }).click();
  const mazes = page.getByRole('button', { name: /^Level \d+/ });
  await expect(mazes.first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/^steps to solve: \d+$/).first()).toBeVisible();
  const board = page.getByRole('grid', { name: 'Draw one and hand it over' });
  await board.click({ position: { x: 60, y: 150 } });
  await page.getByRole('button', { name: 'Hand it over' }).click();
  await expect(page.getByText(/olved in \d+ steps, (at best in \d+|no solution), solved \d of 1 times/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Once more' }).click();
  await expect(page.getByText(/solved \d of 2 times/)).toBeVisible({ timeout: 30_000 });
  await mazes.nth(2).click();
  await expect(page.getByRole('button', { name: 'Hand it over' })).toBeVisible();
  await noComplaints(page, 'P084 touched');
});
