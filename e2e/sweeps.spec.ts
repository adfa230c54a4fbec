/** A sweep as a researcher does it: tick fields, see what it costs, start, pause, come back after a reload, read what came of it. */
import { readFile } from 'node:fs/promises';
import { expect, open, runs, test, trainToEnd } from './lab.ts';

const SETUP = '#env=cliff-walking&algo=q-learning&steps=2000&depth=lab';

test('a page that is opened while the link is still on its way keeps what the link asked for', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      if (location.hash.startsWith('#env')) setTimeout(() => (location.hash = '#/sweeps'), 0);
    });
  });
  await page.goto(`./${SETUP}`);
  await expect(page.getByRole('heading', { name: 'Sweeps', level: 1 })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /^step size \(alpha\)/ })).toBeVisible();
});

test('a grid of two fields: known before the start, paused and resumed, and its verdict on fresh seeds', async ({ page }) => {
  await open(page, SETUP);
  // Clicks are counted: a sweep must not cost more of them than the question has parts.
  let clicks = 0;
  const click = async (role: 'link' | 'button' | 'checkbox', name: RegExp): Promise<void> => {
    await page.getByRole(role, { name }).first().click();
    clicks++;
  };
  await click('link', /^Sweep$/);
  await expect(page.getByRole('heading', { name: 'Sweeps', level: 1 })).toBeVisible();
  await expect(page.getByText('Tick at least one field to search.')).toBeVisible();
  await click('checkbox', /^step size \(alpha\)/);
  await click('checkbox', /^epsilon start|^epsilon/);
  await page.getByLabel('Values of step size (alpha), separated by commas').fill('0.1, 0.9');
  await page.getByRole('textbox', { name: /^Values of epsilon/ }).fill('0.01, many');
  await expect(page.getByText(/"many" will not do/)).toBeVisible();
  await page.getByRole('textbox', { name: /^Values of epsilon/ }).fill('0.01, 0.3');
  await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('grid');
  clicks++;
  await expect(page.getByText('4 configurations, 22 runs')).toBeVisible();
  await click('button', /^Start$/);
  expect(clicks).toBeLessThanOrEqual(12);

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('main').getByText('paused', { exact: true })).toBeVisible();
  await page.reload();
  // What was done is kept; the rest goes on when it is asked to.
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Verdict on fresh seeds' })).toContainText(/5 fresh seeds/, { timeout: 90_000 });
  await expect(page.getByRole('region', { name: 'Configurations' }).locator('tbody tr')).toHaveCount(4);
  const all = await runs(page);
  expect(all.map(({ seeds }) => seeds.map(({ seed }) => seed)).sort((a, b) => a.length - b.length || (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
    ...Array.from({ length: 4 }, () => [1, 2, 3]),
    ...Array.from({ length: 2 }, () => [1001, 1002, 1003, 1004, 1005]),
  ]);
  for (const view of ['Heat map', 'Parallel', 'Importance']) {
    await page.getByRole('radio', { name: view }).check({ force: true });
  }
  await expect(page.getByRole('list', { name: 'Importance of each field' }).getByRole('listitem')).toHaveCount(2);

  // The file is that of the command line, and fills the form again.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('group').or(page.locator('details')).getByRole('button', { name: 'File', exact: true }).last().click(),
  ]);
  const path = await file.path();
  const json = JSON.parse(await readFile(path, 'utf8')) as { kind: string; fields: unknown; search: unknown };
  expect(json).toMatchObject({ kind: 'sweep', fields: { 'algo.alpha': [0.1, 0.9] }, search: { by: 'grid' } });
  await page.getByLabel('Sweep file').setInputFiles(path);
  await expect(page.getByText('4 configurations, 22 runs')).toBeVisible();
  await page
    .getByLabel('Sweep file')
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"kind":"sweep"}') });
  await expect(page.getByRole('alert')).toContainText('is not valid');
});

test('three by three by five: forty-five runs are announced with the time they take, and become forty-five rows', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, `${SETUP}&seeds=2`); // other seeds than the sweep’s: none of its set-ups is done already
  await trainToEnd(page);
  await page
    .getByRole('link', { name: /^Sweep$/ })
    .first()
    .click();
  for (const [name, values] of [
    ['step size (alpha)', '0.1, 0.5, 0.9'],
    ['epsilon start', '0.01, 0.1, 0.3'],
  ] as const) {
    await page.getByRole('checkbox', { name }).first().click();
    await page.getByLabel(`Values of ${name}, separated by commas`).fill(values);
  }
  await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('grid');
  await page.getByRole('textbox', { name: 'Tuning seeds' }).fill('5');
  await page.getByRole('textbox', { name: 'Reporting seeds' }).fill('0');
  await expect(page.getByText(/9 configurations, 45 runs/)).toBeVisible();
  await expect(page.getByText(/, about \d+:\d\d here \(from runs of this method here\)/)).toBeVisible();
  await page.getByRole('button', { name: /^Start$/ }).click();
  const seeds = async () => (await runs(page)).slice(0, -1).flatMap((run) => run.seeds.filter(({ state }) => state === 'done'));
  await expect.poll(async () => (await seeds()).length, { timeout: 90_000 }).toBe(45);
});

test('one question in two environments: each value at its best, judged over both, and their curves as one figure', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, SETUP);
  let clicks = 0;
  const click = async (role: 'link' | 'button' | 'checkbox', name: RegExp): Promise<void> => {
    await page.getByRole(role, { name }).first().click();
    clicks++;
  };
  await click('link', /^Sweep$/);
  await click('checkbox', /^step size \(alpha\)/);
  await page.getByLabel('Values of step size (alpha), separated by commas').fill('0.1, 0.9');
  await click('checkbox', /^Compare these values of step size/);
  await click('checkbox', /^epsilon start|^epsilon/);
  await page.getByRole('textbox', { name: /^Values of epsilon/ }).fill('0.01, 0.3');
  await page.getByRole('combobox', { name: 'Another environment' }).selectOption('frozen-lake');
  clicks++;
  await expect(page.getByText('8 configurations, 44 runs')).toBeVisible();
  await click('button', /^Start$/);
  const over = page.getByRole('region', { name: 'step size (alpha) over 2 environments' });
  await expect(over.getByRole('listitem')).toContainText(
    /(is above|No winner between).* in \d+\u00a0% of pairs of runs \[\d+\u00a0%, \d+\u00a0%\].*; 5 seeds\./,
    {
      timeout: 120_000,
    },
  );
  await expect(over.locator('tbody tr')).toHaveCount(4);
  await expect(over.locator('tbody')).toContainText(/Cliff walking.*epsilon/);
  await over.getByRole('link', { name: 'Their curves as a figure' }).click();
  clicks++;
  for (const panel of ['Cliff walking', 'Frozen lake']) {
    await expect(page.getByRole('figure').filter({ hasText: panel })).toContainText(/step size \(alpha\): 0\.9.*n=5/);
  }
  await expect(page.getByRole('combobox', { name: 'Seeds' })).toHaveValue('reporting');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG', exact: true }).click()]);
  clicks++;
  expect(await readFile(await file.path(), 'utf8')).toContain('Frozen lake');
  expect(clicks).toBeLessThanOrEqual(12);
});

test('runs that are behind are ended, and a group is named on the page that compares them', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=catch&algo=ppo&steps=6000&depth=lab');
  await page
    .getByRole('link', { name: /^Sweep$/ })
    .first()
    .click();
  await page.getByRole('checkbox', { name: 'learning rate' }).first().click();
  await page.getByLabel('Values of learning rate, separated by commas').fill('0.01, 0.005, 0.003, 0.001, 1e-4, 3e-5, 1e-5, 1e-6');
  await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('grid');
  await page.getByRole('combobox', { name: 'Runs ended early' }).selectOption('half');
  await page.getByRole('textbox', { name: 'Tuning seeds' }).fill('1');
  await page.getByRole('textbox', { name: 'Reporting seeds' }).fill('0');
  await page.getByRole('button', { name: /^Start$/ }).click();
  await expect(page.getByText(/^Ended early: [1-4] of 8 runs, of [1-4] of 8 configurations, at 25 % and 50 % of the steps/)).toBeVisible({
    timeout: 90_000,
  });
  await expect(page.getByRole('cell', { name: 'ended early' }).first()).toBeVisible();
  const states = (await runs(page)).slice(0, -1).flatMap((run) => run.seeds.map(({ state }) => state));
  expect(states.filter((state) => state === 'stopped').length).toBeGreaterThan(0);

  await page.goto('./#/compare?colour=algo.lr');
  await page.getByText('Names of the groups').click();
  const first = page.getByRole('textbox', { name: /^learning rate: 0.01/ });
  await first.fill('large steps');
  await first.press('Enter');
  await expect(page).toHaveURL(/names=/);
  await expect(page.getByRole('region', { name: 'Scores' }).getByText('large steps').first()).toBeVisible();
});
