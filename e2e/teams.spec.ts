import type { Locator, Page } from '@playwright/test';
import { activeRun, configHash, expect, humanLog, type LabWindow, mainButton, open, runs, stage, test, trainToEnd } from './lab.ts';

/** The form of the seats, which is unfolded where it is not shown. */
async function seatsOf(page: Page): Promise<Locator> {
  const seats = page.locator('[data-field="env.seats"]');
  if ((await seats.count()) === 0)
    await page
      .getByRole('button', { name: /more fields?/ })
      .first()
      .click();
  return seats;
}

const TAG = '#env=mpe-simple-tag&algo=ippo&steps=8192&seeds=1';

test('a seat goes to a random player: the team that learns is smaller, and the link says so', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await open(page, TAG);
  const before = await configHash(page);
  const seats = await seatsOf(page);
  await seats.getByLabel('agent 1').selectOption('random');
  await expect.poll(() => configHash(page)).not.toBe(before);
  const after = await configHash(page);
  const run = await trainToEnd(page);
  expect((run.config.env.config as { readonly seats?: unknown }).seats).toEqual({ agent: 'random' });

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await open(other, await page.evaluate(() => location.hash));
  await expect.poll(() => configHash(other)).toBe(after);
  await context.close();

  // Back: nothing is left in the config.
  await seats.getByRole('button', { name: /^Reset/ }).click();
  await expect.poll(() => configHash(page)).toBe(before);
});

test('a seat is given to a pool, and the trained policy meets partners it has not seen as a table', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=level-based-foraging&algo=agent-modelling&steps=2048&seeds=1');
  const seats = await seatsOf(page);
  await seats.getByLabel('all 2 of player').selectOption('each');
  await seats.getByLabel('player 2').selectOption('drawn');
  const members = seats.getByRole('group', { name: 'players of player 2' });
  await members.getByLabel('modest patient').check();
  await members.getByLabel('random').uncheck();
  await expect(members.getByLabel('idle')).toBeDisabled(); // two of them stay
  await members.getByLabel('learners are told who plays').check();
  const run = await trainToEnd(page);
  const pool = { pool: ['idle', 'modest-patient'], tell: true };
  expect((run.config.env.config as { readonly seats?: unknown }).seats).toEqual({ 'player 2': pool });

  await page.getByRole('link', { name: 'Side by side' }).first().click();
  await page.getByRole('spinbutton', { name: 'Games of each' }).fill('5');
  await page.getByRole('button', { name: /^Play \d+ games/ }).click();
  await expect(page.getByText(/^All \d+ games played/)).toBeVisible();
  const table = page.getByRole('table', { name: 'Mean returns of each policy with each partner' });
  await expect(table.getByRole('columnheader', { name: 'selfish hasty' })).toBeVisible();
  await expect(table.locator('tbody td').first()).toContainText(/[−\d.]+ \[[−\d.]+, [−\d.]+\].*5 games/);
});

test('a line-up puts players together, and a person takes over one of them', async ({ page }) => {
  await open(page, TAG);
  await trainToEnd(page);
  const scene = page.getByRole('region', { name: 'Scene' });
  await page.getByRole('button', { name: /^Line-up/ }).click();
  await scene.getByRole('combobox', { name: 'adversary 2', exact: true }).selectOption('random');
  await expect(page.getByText('in the chosen line-up')).toBeVisible();
  await scene.getByRole('combobox', { name: 'agent 1', exact: true }).selectOption({ label: 'scripted: scripted' });
  await scene.getByRole('combobox', { name: 'You play' }).selectOption({ label: 'adversary 3' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Line-up, changed' })).toBeVisible();
  await page.getByRole('radio', { name: 'Play yourself' }).check({ force: true });
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  await page.keyboard.down('ArrowLeft');
  await expect(page.getByText(/^You scored/)).toBeVisible();
  await page.keyboard.up('ArrowLeft');
  expect((await stage(page)).length).toBe(26);

  // The team plays, and a person takes over now one of them, now another.
  await page.getByRole('radio', { name: 'Take over' }).check({ force: true });
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  const tempo = page.getByRole('slider', { name: 'Tempo of the game' });
  await tempo.fill('-2');
  await tempo.blur(); // the arrow keys belong to the game again
  for (const name of ['adversary 2', 'agent 1']) {
    await page.getByRole('combobox', { name: 'you act for' }).selectOption({ label: name });
    const before = (await stage(page)).length;
    await page.keyboard.down('ArrowLeft');
    await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(before + 2);
    await page.keyboard.up('ArrowLeft');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^You acted in \d+ of \d+ steps/)).toBeVisible();
  const log = await humanLog(page);
  expect(new Set(log.filter((agent) => agent >= 0))).toEqual(new Set([1, 3]));
});

test('who does not fit is refused with ways on', async ({ page }) => {
  await open(page, '#env=mpe-simple-tag&algo=ppo&steps=4096&seeds=1');
  await expect(page.getByRole('dialog')).toContainText('Give the seats of the others to players');
  await page.getByRole('button', { name: 'Go on without it' }).click();
  expect(await runs(page)).toEqual([]);
  await expect(mainButton(page, 'Train')).toBeEnabled();
  expect(await activeRun(page)).toBeNull();
});

test('an environment changes under an agent that learns in it, as a mark of the run', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=50000000&seeds=1');
  await page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true }).click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(2000);
  const gravity = page.locator('[data-field="env.gravity"]');
  if ((await gravity.count()) === 0)
    await page
      .getByRole('button', { name: /more fields?/ })
      .first()
      .click();
  await gravity.getByRole('spinbutton').or(gravity.getByRole('textbox')).first().fill('20');
  await page.keyboard.press('Enter');
  const marks = async () => (await activeRun(page))?.seeds[0]?.marks.map(({ text }) => text) ?? [];
  await expect.poll(marks).toContain('env.gravity set to 20');
  await page.getByRole('button', { name: /Stop and keep/ }).click();
});

const POOL = `#env=level-based-foraging&env.maxSteps=25&env.seats=${encodeURIComponent('{"player 2":{"pool":["random","modest-patient"]}}')}&algo=ppo&steps=4096&seeds=1`;

test('a person takes the seat of a pool beside the policy that was trained there, which then joins the pool itself', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, POOL);
  await trainToEnd(page);
  const scene = page.getByRole('region', { name: 'Scene' });
  await page.getByRole('button', { name: /^Line-up/ }).click();
  await scene.getByRole('combobox', { name: 'You play' }).selectOption({ label: 'player 2 (partner)' });
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Play yourself' }).check({ force: true });
  await expect(page.getByText('You are player 2. The trained policy plays beside you')).toBeVisible();
  await page.keyboard.down('ArrowLeft');
  await expect(page.getByText(/^You scored/)).toBeVisible({ timeout: 30_000 });
  await page.keyboard.up('ArrowLeft');
  const replay = await page.evaluate(() => (window as LabWindow).__lab?.stage.replay?.human);
  expect([...new Set(Object.values(replay ?? {}))]).toEqual([1]);

  const seats = await seatsOf(page);
  await seats.getByRole('combobox', { name: 'Add the policy of an earlier run' }).selectOption({ index: 1 });
  await expect(seats.getByRole('checkbox', { name: /^ppo, seed \d+, step [\d,]+ \([0-9a-f]{6}\)$/ })).toBeChecked();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const run = await trainToEnd(page);
  const pool = (run.config.env.config as { readonly seats?: { readonly [seat: string]: { readonly pool: readonly unknown[] } } }).seats;
  expect(pool?.['player 2']?.pool[2]).toMatchObject({ frozen: expect.stringMatching(/^[0-9a-f]{12}$/) });
});
