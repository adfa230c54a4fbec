/** Worlds of one's own in the laboratory: chosen under Mine, trained in sandboxes, shown, stored, resumed, forked, sent as a link. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { FRIENDLY, HOSTILE, HOSTILE_IN_LAB, labLink, OTHER, openTrap, walk } from '../tools/own-cases.mjs';
import {
  activeRun,
  allSeeds,
  curve,
  dropFile,
  expect,
  field,
  type LabWindow,
  test as labTest,
  mainButton,
  open,
  ready,
  runs,
  stage,
  train,
} from './lab.ts';

/** The editor's library sets styles on elements, which the page's policy refuses without harm; what tests here look at comes after it. */
const test = labTest.extend<{ editor: undefined }>({
  editor: [
    async ({ complaints }, use) => {
      complaints.expected.push(/inline style|style-src-attr/);
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Writes a world and waits until it is kept on this device. */
async function write(page: Page, code: string, title: string): Promise<void> {
  await page.goto('./#/write');
  const editor = page.getByRole('textbox', { name: /^Your code/ });
  await editor.click({ timeout: 60_000 });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
  await expect(page.getByText(new RegExp(`${title}: sees`))).toBeVisible({ timeout: 60_000 });
  await page.waitForTimeout(2000); // a version is kept when nothing was typed for a while
}

const chooser = (page: Page) => page.getByRole('combobox', { name: 'Environment', exact: true });

async function choose(page: Page, title: string): Promise<void> {
  await page.getByRole('radio', { name: 'All settings' }).check({ force: true });
  await expect(chooser(page).locator('optgroup[label="Mine"] option', { hasText: title })).toBeAttached({ timeout: 60_000 });
  await chooser(page).selectOption({ label: title });
  await expect(chooser(page).locator('option:checked')).toHaveText(title, { timeout: 60_000 });
}

const setField = async (page: Page, name: RegExp, value: string): Promise<void> => {
  await field(page, name).fill(value);
  await field(page, name).press('Enter');
};

test('chosen under Mine, trained with three seeds, shown, reloaded and resumed', { tag: '@night' }, async ({ page }) => {
  test.slow();
  await write(page, walk("title: 'My walk'"), 'My walk');
  await open(page);
  await choose(page, 'My walk');
  await setField(page, /^steps/i, '60000');
  await setField(page, /^seeds/i, '3');
  await train(page);
  const run = await activeRun(page);
  expect([run?.name, run?.seeds.length]).toEqual(['PPO on My walk', 3]);
  await expect.poll(async () => (await curve(page, 1))?.steps.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(3);
  await expect.poll(async () => (await stage(page)).mode, { timeout: 60_000 }).toBe('live');
  await expect(page.getByText(/My walk, seed 1: episode \d+, the policy at step/)).toBeVisible({ timeout: 60_000 });
  await mainButton(page, 'Pause').click();
  await expect
    .poll(async () => (await activeRun(page))?.seeds.some(({ state, checkpointStep }) => state === 'paused' && checkpointStep > 0))
    .toBe(true);
  await page.reload();
  await ready(page);
  await expect.poll(async () => (await activeRun(page))?.name, { timeout: 60_000 }).toBe('PPO on My walk');
  await mainButton(page, 'Resume').click();
  const done = await allSeeds(page, 'done', 180_000);
  for (const { result, failure } of done.seeds)
    expect([failure, result?.parameterHash]).toEqual([null, expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(new Set(done.seeds.map(({ result }) => result?.parameterHash)).size).toBe(3);
});

test('the link of an own world shows the code elsewhere, and trains to the same parameters when it may run', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  await write(page, walk("title: 'My walk'"), 'My walk');
  await open(page);
  await choose(page, 'My walk');
  await setField(page, /^steps/i, '8000');
  await setField(page, /^seeds/i, '1');
  await train(page);
  const [here] = (await allSeeds(page, 'done', 120_000)).seeds;
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#1\./);
  const { hash } = new URL(page.url());
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }), serviceWorkers: 'block' });
  const other = await context.newPage();
  await other.goto(`./${hash}`);
  const code = other.getByRole('textbox', { name: 'Code of another author' });
  await expect(code).toHaveValue(/title: 'My walk'/, { timeout: 60_000 });
  await expect(other.locator('iframe')).toHaveCount(0);
  await other.getByRole('button', { name: 'Run this code' }).click();
  await ready(other);
  await expect(other.locator('optgroup[label="Mine"] option:checked')).toHaveText('My walk', { timeout: 60_000 });
  await train(other);
  const [there] = (await allSeeds(other, 'done', 120_000)).seeds;
  expect(there?.result?.parameterHash).toBe(here?.result?.parameterHash);
  await other.reload();
  await ready(other);
  await expect(other.getByRole('button', { name: 'Run this code' })).toHaveCount(0); // asked once
  await context.close();
});

test('of two programs with one short id, allowing one lets the other not run', async ({ page }) => {
  test.slow();
  const code = page.getByRole('textbox', { name: 'Code of another author' });
  await page.goto(`./${labLink(FRIENDLY)}`);
  await expect(code).toHaveValue(/Friendly walk/, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Run this code' }).click();
  await expect(page.locator('iframe')).not.toHaveCount(0, { timeout: 60_000 });
  await expect(page.locator('optgroup[label="Mine"] option:checked')).toHaveText('Friendly walk', { timeout: 60_000 });
  expect(labLink(OTHER).slice(0, 30)).toBe(labLink(FRIENDLY).slice(0, 30)); // the same id
  await page.goto('about:blank');
  await page.goto(`./${labLink(OTHER)}`);
  await expect(code).toHaveValue(/Other walk/, { timeout: 60_000 });
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('a loop without end in a seed ends that run with words; the page goes on', { tag: '@night' }, async ({ page }) => {
  test.slow();
  await write(
    page,
    walk("title: 'Loops', step(state, action, settings, random) { while (random.chance(0.0003)) for (;;); return 0; }"),
    'Loops',
  );
  await open(page);
  await choose(page, 'Loops');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state, { timeout: 150_000 }).toBe('failed');
  expect((await activeRun(page))?.seeds[0]?.failure?.message).toMatch(/did not answer for \d+ seconds/);
  expect((await runs(page)).length).toBe(1);
});

test('a fork, a network for other programs, and all runs as a file that is asked about on another device', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  await write(page, walk("title: 'My walk', settings: { slope: { default: 0.5, min: 0, max: 1 } }"), 'My walk');
  await open(page);
  await choose(page, 'My walk');
  await setField(page, /^steps/i, '30000');
  await setField(page, /^seeds/i, '1');
  await train(page);
  const parent = await allSeeds(page, 'done', 120_000);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.points?.length ?? 0).toBeGreaterThan(5);
  const timeline = page.getByRole('slider', { name: 'learning' });
  await timeline.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageUp');
  await page.getByRole('button', { name: /^Fork at step/ }).click();
  await setField(page, /^slope/i, '0.9');
  await page.getByRole('button', { name: 'Train the fork' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  const child = await allSeeds(page, 'done', 120_000);
  expect([child.parent?.id, child.seeds[0]?.failure]).toEqual([parent.id, null]);

  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Policy as ONNX' }).click();
  const onnx = page.getByRole('dialog', { name: 'Policy as ONNX' });
  await expect(onnx).toContainText('obs [batch, 1]', { timeout: 60_000 });
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'View and files' }).click();
  await page.getByRole('button', { name: /^Storage/ }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Storage' }).getByRole('button', { name: 'Export all' }).click(),
  ]);
  const content = readFileSync(await file.path());
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }), serviceWorkers: 'block' });
  const other = await context.newPage();
  await open(other, '#env=cliff-walking&algo=q-learning');
  await dropFile(other, file.suggestedFilename(), content);
  await expect(other.getByRole('textbox', { name: 'Code of another author' })).toHaveValue(/title: 'My walk'/, { timeout: 60_000 });
  await expect(other.locator('iframe')).toHaveCount(0);
  await other.getByRole('button', { name: 'Run this code' }).click();
  await expect.poll(async () => (await runs(other)).length, { timeout: 60_000 }).toBe(2);
  const hashes = (all: Awaited<ReturnType<typeof runs>>) => all.map(({ seeds }) => seeds[0]?.result?.parameterHash).sort();
  expect(hashes(await runs(other))).toEqual(hashes(await runs(page)));
  await context.close();
});

/**
 * Opens a link of the laboratory as a person does who was given it, and lets its code run. Answers once its world is the open set-up, or the page has
 * said why not.
 */
async function openForeign(page: Page, code: string, settings: string): Promise<'opened' | 'refused'> {
  await page.goto(`./${labLink(code, settings)}`);
  const ask = page.getByRole('textbox', { name: 'Code of another author' });
  await expect(ask).toBeVisible({ timeout: 60_000 });
  await watchTasks(page);
  await page.getByRole('button', { name: 'Run this code' }).click();
  await expect(ask).toHaveCount(0, { timeout: 60_000 });
  await ready(page);
  const opened = page.locator('option:checked[value^="own-"]');
  const refused = page.getByRole('dialog');
  await expect(opened.or(refused).first()).toBeAttached();
  return (await refused.count()) > 0 ? 'refused' : 'opened';
}

test('the link of a world alone brings what its author recommends', async ({ page }) => {
  const code = walk("learn: { method: 'a2c', steps: 30_000 }");
  expect(await openForeign(page, code, 'seeds=1')).toBe('opened');
  await expect(page.getByRole('button', { name: /A2C on Walk/ }).first()).toBeVisible();
  await page.getByRole('radio', { name: 'All settings' }).check({ force: true });
  await expect(field(page, /^steps/i)).toHaveValue('30000');
});

/** Two agents, each of whom wants to stand to the right of the other. */
const DUEL = `defineEnv({
  title: 'Duel', agents: ['red', 'blue'], observation: { labels: ['me', 'other'], low: 0, high: 1 }, actions: ['left', 'right'], maxSteps: 20,
  reset: (settings, random) => ({ places: [random.int(5), random.int(5)] }),
  step(state, actions) {
    actions.forEach((a, i) => { state.places[i] = Math.max(0, Math.min(8, state.places[i] + 2 * a - 1)); });
    const ahead = (state.places[0] - state.places[1]) / 8;
    return [ahead, -ahead];
  },
  observe: (state, settings, i) => [state.places[i] / 8, state.places[1 - i] / 8],
  view: { cells: [9, 2] }, draw: (state) => state.places.map((x, i) => ({ agent: [x, i] })),
});`;

test('every policy against every other, a film, and a recording that is refused in words', { tag: '@night' }, async ({ page }) => {
  test.slow();
  expect(await openForeign(page, DUEL, 'algo=ippo&steps=2048&seeds=1&depth=lab')).toBe('opened');
  await train(page);
  await allSeeds(page, 'done', 120_000);
  await page.getByRole('button', { name: 'Save as a video' }).click();
  const film = page.getByRole('dialog', { name: 'Save as a video' });
  const download = page.waitForEvent('download');
  await film.getByRole('button', { name: 'Make the film' }).click();
  expect((await download).suggestedFilename()).toMatch(/^duel\.(webm|mp4)$/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Side by side' }).first().click();
  await page.getByRole('spinbutton', { name: 'Games of each' }).fill('3');
  await page.getByRole('button', { name: /^Play \d+ games/ }).click();
  await expect(page.getByText(/^All \d+ games played/)).toBeVisible({ timeout: 60_000 });
  await page.goto('./#/data');
  await page.getByRole('button', { name: 'Record', exact: true }).first().click();
  await expect(page.getByText('are not recorded as data here: their code runs in a sandbox')).toBeVisible({ timeout: 30_000 });
});

test('a sweep, and trained here, tested there', { tag: '@night' }, async ({ page }) => {
  test.slow();
  const code = walk(
    'settings: { slope: { default: 0.5, min: 0, max: 1 } }, step: (state, action, { slope }) => (action === 1 ? slope : 0.1)',
  );
  expect(await openForeign(page, code, 'algo=ppo&steps=1024&seeds=1&depth=lab')).toBe('opened');
  await page
    .getByRole('link', { name: /^Sweep$/ })
    .first()
    .click();
  await page
    .getByRole('checkbox', { name: /^slope/ })
    .first()
    .check();
  await page.getByRole('textbox', { name: /^Values of slope/ }).fill('0.2, 0.8');
  await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('grid');
  await page.getByRole('button', { name: /^Start$/ }).click();
  await expect(page.getByRole('region', { name: 'Verdict on fresh seeds' })).toContainText(/Best on the tuning seeds: slope 0\.8/, {
    timeout: 240_000,
  });
  await page.goto('./#/transfer');
  await page.getByRole('textbox', { name: 'Train on' }).fill('0.2, 0.8');
  await page.getByRole('textbox', { name: 'Test on' }).fill('0.3, 0.9');
  await page
    .getByRole('button', { name: /^Start/ })
    .first()
    .click();
  await expect(page.getByText(/^Done\. 8 of 8 tests/)).toBeVisible({ timeout: 240_000 });
});

/** ms for which code in a sandbox may keep the page from answering. */
const MOST_TASK_MS = 1000;

/** From now on the longest task of the page is measured. */
const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const longest = { ms: 0 };
    Object.assign(window, { longestTask: longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
    }).observe({ type: 'longtask' });
  });

async function expectFree(page: Page): Promise<void> {
  const ms = await page.evaluate(() => (window as unknown as { longestTask: { ms: number } }).longestTask.ms);
  test.info().annotations.push({ type: 'longest task of the page, ms', description: `${Math.round(ms)}` });
  expect(ms, 'the longest task of the page, ms').toBeLessThan(MOST_TASK_MS);
}

/** What went wrong, wherever the page says it: in a dialog, of a run, or under the scene where nothing was trained yet. */
const wrongs = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const failures = ((window as LabWindow).__lab?.activeRun?.seeds ?? []).map(({ failure }) => failure?.message ?? '');
    return [...failures, ...[...document.querySelectorAll('dialog, [role="alert"], p[data-scrub]')].map((e) => e.textContent ?? '')].join(
      ' ',
    );
  });

/** Tried on every push; the others at night. */
const EVERY_PUSH = ['fetch'];
const tagged = (what: string) => ({ tag: EVERY_PUSH.includes(what) ? [] : ['@night'] });

for (const { what, code, says } of HOSTILE_IN_LAB) {
  test(`hostile in the laboratory: ${what}`, tagged(what), async ({ page }) => {
    // it may end its sandbox before there is anything to train
    if ((await openForeign(page, code, 'algo=ppo&steps=5000000&seeds=1')) === 'opened') {
      const main = mainButton(page, 'Train');
      if (await main.isEnabled()) await main.click({ timeout: 5000 }).catch(() => {}); // what it says may have closed the set-up meanwhile
    }
    await expect.poll(() => wrongs(page), { timeout: 90_000 }).toMatch(says);
    for (const dialog of await page.getByRole('dialog').all()) await dialog.getByRole('button', { name: 'Go on without it' }).click();
    expect(await page.evaluate(() => Reflect.get({}, 'polluted'))).toBeUndefined();
    await page.getByRole('radio', { name: 'All settings' }).check({ force: true }); // the page answers
    await chooser(page).selectOption({ label: 'CartPole' });
    await expect(page.getByRole('button', { name: /on CartPole/ }).first()).toBeVisible();
    await expectFree(page);
  });
}

// Kinds of code that the laboratory does not take are tried where they are written; so is code that cannot be read.
for (const { what, code } of HOSTILE.filter((one) => one.code.includes('defineEnv'))) {
  test(`hostile in the laboratory, as where it is written: ${what}`, tagged(what), async ({ page, complaints }) => {
    complaints.expected.push(/./); // the browser tells of what the policies refuse
    const trap = await openTrap();
    if ((await openForeign(page, trap.aim(code), 'algo=ppo&steps=4096&seeds=1')) === 'opened') {
      await train(page);
      expect((await activeRun(page))?.config.env).toMatchObject({ id: expect.stringMatching(/^own-/) });
      const states = async () =>
        (await activeRun(page))?.seeds.map(({ state }) => state).filter((state) => state !== 'done' && state !== 'failed');
      await expect.poll(states, { timeout: 100_000 }).toEqual([]);
    } else expect((await wrongs(page)).length).toBeGreaterThan(20); // why it is not opened
    await page.waitForTimeout(300); // what it asks for may come later than its words
    expect(trap.calls()).toBe(0);
    trap.close();
    expect(await page.evaluate(() => [Reflect.get({}, 'polluted'), typeof [].map, localStorage.getItem('a')])).toEqual([
      undefined,
      'function',
      null,
    ]);
    expect(new URL(page.url()).pathname).toMatch(/\/lab\/$/);
    await expectFree(page);
  });
}
