import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { activeRun, curve, expect, field, open, test, trainToEnd } from './lab.ts';

const hash = (lr: number, seeds: number): string => `#env=cliff-walking&algo=q-learning&steps=4000&seeds=${seeds}&algo.alpha=${lr}`;

/** The legend's line of a run: what is plotted at its end, in words. */
const legend = (page: Page, name: string): ReturnType<Page['locator']> =>
  page
    .locator('#panel-curves')
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

/** The plotted numbers of a run, from the chart's text twin. */
async function plotted(page: Page, name: string): Promise<readonly string[]> {
  const table = page.getByRole('region', { name: 'Plotted values' }).getByRole('table').first();
  const heads = await table.getByRole('columnheader').allTextContents();
  const at = heads.findIndex((head) => head.trim() === name) + 1;
  return table.locator(`tbody tr > :nth-child(${at})`).allTextContents();
}

/** The cells of the headline, whichever columns the fields of the runs take before it. */
async function outcomes(page: Page): Promise<readonly string[]> {
  const table = page.getByRole('table').last();
  const heads = await table.getByRole('columnheader').allTextContents();
  const at = heads.findIndex((head) => head.startsWith('Greedy test return')) + 1;
  return table.locator(`tbody tr > :nth-child(${at})`).allTextContents();
}

test('statistics: thin lines below five seeds, an interval from five on, and nothing another run does changes them', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, hash(0.5, 5));
  await trainToEnd(page);
  const five = (await activeRun(page))?.name ?? '';
  await expect(legend(page, five)).toContainText(/IQM n=5.*\[[−\d.,]+, [−\d.,]+\]/);
  await page.getByRole('button', { name: 'What the interval means' }).click();
  await expect(page.getByText(/91\s*% at 5 seeds, 94\s*% at 10 seeds/)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto('about:blank');
  await open(page, hash(0.1, 4));
  await trainToEnd(page);
  // Beside each other they are called by what differs.
  const fast = 'step size: 0.5';
  const four = 'step size: 0.1';
  await expect(legend(page, four)).toContainText('mean of 4');
  await expect(legend(page, four)).not.toContainText('[');
  await expect(legend(page, four)).toContainText(/1: .*2: .*3: .*4: /); // each seed on its own

  // Row by row the same numbers, with and without the other run in the picture.
  await page.getByRole('button', { name: 'Chart options' }).click();
  await page.getByRole('checkbox', { name: 'Numbers as a table' }).check();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await plotted(page, fast)).filter((text) => text.includes('[')).length).toBeGreaterThan(10);
  const together = await plotted(page, fast);
  await page.getByRole('button', { name: `Show the curves of ${four}` }).click();
  await expect(legend(page, four)).toHaveCount(0);
  expect(await plotted(page, fast)).toEqual(together);
});

test('smoothing is off at first, says how much it is, and stays out of the files', async ({ page }) => {
  await open(page, hash(0.5, 1));
  await trainToEnd(page);
  const raw = await curve(page, 1);
  await expect(page.getByText(/^smoothed/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Chart options' }).click();
  const slider = page.getByRole('slider', { name: 'Smoothing' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'off');
  await slider.focus();
  for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^smoothed 0\.9/)).toBeVisible();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Save the curves' }).click();
      await page.getByRole('button', { name: /^CSV/ }).click();
    })(),
  ]);
  const rows = (await readFile(await file.path(), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  expect(rows[0]).toEqual(['run', 'seed', 'step', 'metric', 'value']);
  const values = rows.filter((row) => row[3] === 'episodicReturn').map((row) => Number(row[4]));
  expect(values).toEqual(raw?.values);
});

test('the table of runs sorts, and its filter comes back with the link', { tag: '@night' }, async ({ page }) => {
  await open(page, hash(0.5, 1));
  await trainToEnd(page);
  // One headline number, called the same beside the chart and in the table; the curve has its own name.
  const cell = (await outcomes(page))[0];
  const headline = /^[−\d.,]+/.exec(cell ?? '')?.[0] ?? 'none';
  await expect(page.locator('#panel-curves')).toContainText(`greedy test return ${headline}`);
  await expect(page.getByRole('combobox', { name: 'Metric' }).getByRole('option', { name: 'return while exploring' })).toHaveCount(1);
  for (const rate of ['0.2', '0.9']) {
    await field(page, /^step size/i).fill(rate);
    await field(page, /^step size/i).blur();
    await trainToEnd(page);
  }
  const returns = async (): Promise<readonly number[]> =>
    (await outcomes(page)).map((text) => Number.parseFloat(text.replace('−', '-').replace(',', '')));
  // The setting in which they differ has a column of its own.
  await expect(page.getByRole('table').last().getByRole('columnheader', { name: 'Step size' })).toBeVisible();
  await expect(page.getByRole('table').last().locator('tbody th')).toHaveCount(3);
  await page.getByRole('button', { name: 'Greedy test return', exact: true }).click();
  const rising = [...(await returns())].sort((x, y) => x - y);
  expect(new Set(rising).size).toBeGreaterThan(1);
  await expect.poll(returns).toEqual(rising);
  await page.getByRole('button', { name: 'Greedy test return', exact: true }).click();
  await expect.poll(returns).toEqual([...rising].reverse());

  const wanted = 'step size: 0.9';
  await expect(page.getByRole('button', { name: `Actions for ${wanted}` })).toBeVisible();
  const before = await page.evaluate(() => location.hash);
  await page.getByRole('searchbox', { name: 'Filter the runs' }).fill(wanted);
  await expect.poll(() => page.evaluate(() => location.hash)).not.toBe(before);
  const link = await page.evaluate(() => location.hash);
  await page.goto('about:blank');
  await open(page, link);
  await expect(page.getByRole('searchbox', { name: 'Filter the runs' })).toHaveValue(wanted);
});

test('no curve of another world stands in the laboratory of a world; My runs on a phone says score, state and when', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, hash(0.5, 2));
  await trainToEnd(page);
  await expect(page.locator('#panel-curves').getByRole('listitem').first()).toBeVisible();
  await page.goto('about:blank');
  await open(page, '#env=pendulum&algo=sac&depth=lab');
  await page.evaluate(() => {
    location.hash = '#/runs';
  });
  // the run of the other world is looked at, and then this world again
  await page
    .getByRole('button', { name: /^Q-learning/ })
    .first()
    .click();
  await expect(page.locator('#panel-curves').getByRole('listitem').first()).toBeVisible();
  // until the address says so it is still that of the other world, and the same one again is no other
  await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('pendulum');
  await page.evaluate(() => {
    location.hash = '#env=pendulum&algo=sac&depth=lab';
  });
  await expect(page.locator('#panel-curves').getByText('1 in other environments: compare')).toBeVisible();
  await expect(page.locator('#panel-curves').getByRole('listitem')).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => {
    location.hash = '#/runs';
  });
  const table = page.getByRole('region', { name: 'Table of runs' });
  await expect(table.getByRole('button', { name: /^Q-learning/ })).toBeInViewport({ ratio: 1 });
  for (const column of ['return', 'status', 'createdAt']) {
    const cell = table.locator(`tbody [data-column="${column}"]`).first();
    await expect(cell).toBeInViewport({ ratio: 1 });
    await expect(cell).not.toHaveText('');
  }
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test('where both sides learn the line is the wins against random play, tested beside the run; files hold none of it, and a stored run shows it again', {
  tag: '@night',
}, async ({ page }) => {
  const address = '#env=tic-tac-toe&algo=self-play&steps=60000&seeds=1';
  await open(page, address);
  await trainToEnd(page);
  const metric = page.getByRole('combobox', { name: 'Metric' });
  await expect(metric).toHaveValue('strength');
  await expect(metric.getByRole('option').first()).toHaveText('wins against random play');
  const panel = page.locator('#panel-curves');
  await expect(panel).toContainText('at the end of every seed', { timeout: 30_000 });
  await expect(panel).toContainText(/one seed, test of \d+ episodes/);
  await page.getByRole('radio', { name: 'Simple' }).check();
  const sentence = page.getByText(/^Done.*Wins against random play: \d+\s%/);
  await expect(sentence).toBeVisible({ timeout: 30_000 });
  // no column of the run: its rows are those of before
  expect(await curve(page, 1, 'episodicReturn')).not.toBeNull();
  expect(await curve(page, 1, 'strength')).toBeNull();

  await page.reload();
  await expect(sentence).toBeVisible({ timeout: 30_000 });
});
