/**
 * What a researcher asks first: is a method better with a setting or without it, over several environments? From runs to a figure that can
 * be defended, with the clicks counted.
 */
import { readFile } from 'node:fs/promises';
import { expect, open, runs, test, trainToEnd } from './lab.ts';

const setup = (env: string, more: string): string => `#env=${env}&algo=q-learning&steps=3000&seeds=5&depth=lab${more}`;

test('two settings of one world: a panel, a verdict in words and a table of scores', { tag: '@road' }, async ({ page }) => {
  for (const alpha of ['0.1', '0.9']) {
    await page.goto('about:blank');
    await open(page, setup('cliff-walking', `&algo.alpha=${alpha}`));
    await trainToEnd(page);
  }
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Colour' })).toHaveValue('algo.alpha');
  await expect(page.getByRole('figure').filter({ hasText: 'while exploring' })).toContainText(/\[[−\d.,]+, [−\d.,]+\] n=5/, {
    timeout: 60_000, // intervals are counted in a worker of their own
  });
  await expect(page.getByRole('region', { name: 'Conclusions' }).getByRole('listitem').first()).toContainText(/; 5 seeds\./);
  await expect(page.getByRole('region', { name: 'Table of scores' }).locator('tbody tr')).toHaveCount(2);
});

test('groups over two environments: panels, scores, a verdict in words, one figure, the view in the link', { tag: '@night' }, async ({
  page,
}) => {
  for (const env of ['cliff-walking', 'frozen-lake']) {
    for (const alpha of ['0.1', '0.9']) {
      await page.goto('about:blank');
      await open(page, setup(env, `&algo.alpha=${alpha}`));
      await trainToEnd(page);
    }
  }
  expect(await runs(page)).toHaveLength(4);

  // In the table and in the legend, each is called by what differs.
  await expect(page.getByRole('button', { name: 'Actions for step size: 0.9' })).toHaveCount(2);
  await expect(page.locator('#panel-curves').getByText('step size: 0.1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'What differs' }).click();
  const differences = page.getByRole('table', { name: /What differs/ });
  await expect(differences.getByRole('rowheader', { name: 'step size (alpha)' })).toBeVisible();
  await expect(differences.getByRole('row')).toHaveCount(4); // heads, environment, step size, what they scored
  await page.keyboard.press('Escape');

  let clicks = 0;
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  clicks++;
  // Without a choice of one's own: a panel for each environment, coloured by what differs.
  await expect(page.getByRole('combobox', { name: 'Colour' })).toHaveValue('algo.alpha');
  await expect(page.getByRole('combobox', { name: 'Panels' })).toHaveValue('env');
  for (const panel of ['Cliff walking', 'Frozen lake', 'Performance profile']) {
    await expect(page.getByRole('figure').filter({ hasText: panel })).toContainText(/step size \(alpha\): 0\.9/);
  }
  const cliff = page.getByRole('figure').filter({ hasText: 'Cliff walking' });
  await expect(cliff).toContainText(/\[[−\d.,]+, [−\d.,]+\] n=5/);

  const verdicts = page.getByRole('region', { name: 'Conclusions' });
  await page.getByRole('combobox', { name: 'Judge by' }).selectOption('last');
  clicks++;
  await expect(verdicts.getByRole('listitem')).toHaveCount(3); // over all, and in each
  await expect(verdicts.getByRole('listitem').first()).toContainText(
    /(is above|No winner between).* in \d+\u00a0% of pairs of runs \[\d+\u00a0%, \d+\u00a0%\].*; 5 seeds\./,
  );
  await page.getByRole('textbox', { name: 'At step' }).fill('2k');
  await page.getByRole('textbox', { name: 'At step' }).press('Enter');
  await page.getByRole('textbox', { name: 'Level' }).fill('-200');
  await page.getByRole('textbox', { name: 'Level' }).press('Enter');
  const scores = page.getByRole('region', { name: 'Table of scores' });
  await expect(scores.getByRole('columnheader', { name: /At 2/ })).toBeVisible();
  await expect(scores.getByRole('columnheader', { name: /Steps to −200/ })).toBeVisible();
  await expect(scores.locator('tbody tr')).toHaveCount(4);

  const saved: Record<string, string> = {};
  for (const kind of ['SVG', 'CSV']) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: kind, exact: true }).click()]);
    clicks++;
    saved[kind] = await readFile(await file.path(), 'utf8');
  }
  for (const text of ['Cliff walking', 'Frozen lake', 'Performance profile', 'is above|No winner between']) {
    expect(saved.SVG).toMatch(new RegExp(text));
  }
  const rows = (saved.CSV ?? '').trim().split('\n');
  expect(new Set(rows.slice(1).map((row) => row.split(',')[0]))).toEqual(new Set(['Cliff walking', 'Frozen lake', 'Performance profile']));
  expect(clicks).toBeLessThanOrEqual(12);

  // The view is in the link; another visit shows the same.
  const link = await page.evaluate(() => location.hash);
  expect(link).toContain('score=last');
  const before = await verdicts.getByRole('listitem').allTextContents();
  await page.goto('about:blank');
  await page.goto(`./${link}`);
  await expect(page.getByRole('combobox', { name: 'Judge by' })).toHaveValue('last');
  await expect.poll(() => page.getByRole('region', { name: 'Conclusions' }).getByRole('listitem').allTextContents()).toEqual(before);

  // A panel that is not in sight holds no canvas.
  await page.setViewportSize({ width: 390, height: 500 });
  const canvas = page.getByRole('figure').filter({ hasText: 'Performance profile' }).locator('canvas');
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await expect(canvas).toHaveCount(0);
  await page.getByRole('figure').filter({ hasText: 'Performance profile' }).scrollIntoViewIfNeeded();
  await expect(canvas).toHaveCount(1);
});
