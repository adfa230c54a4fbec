/**
 * From one number to a range to a grid: train over a range, see where the policies break, open a cell, and find the grid again after a reload. Or from the
 * range to tasks that follow one another, and what is kept of each.
 */
import { expect, open, test } from './lab.ts';

test('a number becomes a range, the range a grid, and a cell a scene', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=4000&depth=lab');
  const draw = page.getByRole('button', { name: 'mass of the pole: draw from a range in each episode' });
  await draw.click();
  await expect(draw).toHaveAttribute('aria-pressed', 'true');
  const from = page.getByRole('spinbutton', { name: 'mass of the pole, from' });
  await expect(from).toHaveValue('0.05');
  await expect(page.getByRole('spinbutton', { name: 'mass of the pole, to' })).toHaveValue('0.2');
  await from.press('ArrowUp');
  await expect(from).not.toHaveValue('0.05');
  await expect(page.getByText(/poleMass: .* to 0.2/)).toBeVisible();
  await page.getByRole('link', { name: 'Grid', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Transfer grid', level: 1 })).toBeVisible();
  await page.getByLabel('Train on').fill('0.05, what');
  await expect(page.getByText(/Train on: "what"/)).toBeVisible();
  await page.getByLabel('Train on').fill('0.05, 0.05..0.5');
  await page.getByLabel('Test on').fill('0.05, 0.5, 1');
  await page.getByLabel('Seeds of a row').fill('1');
  await page.getByLabel('Episodes of a test').fill('3');
  await expect(page.getByText('2 runs')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Done. 6 of 6 tests' })).toBeVisible({ timeout: 60_000 });
  await page.reload();
  const cell = page.getByRole('button', { name: /watch: trained with 0.05 to 0.5 kg, tested with 1 kg/ });
  await expect(cell).toBeVisible();
  await cell.click();
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'mass of the pole' })).toHaveValue('1');
});

test('the ends of a range become tasks, one after the other, and a table says what is kept of each', { tag: '@night' }, async ({
  page,
}) => {
  await open(page, '#env=cartpole&algo=dqn&steps=4000&seeds=2&depth=lab');
  await page.getByRole('button', { name: 'force: draw from a range in each episode' }).click();
  await page.getByLabel('episodes', { exact: true }).selectOption({ label: 'one task after the other' });
  await expect(page.getByLabel('steps of a task')).toHaveValue('2000');
  await expect(page.getByLabel('force of task 1')).toHaveValue('5');
  const second = page.getByLabel('force of task 2');
  await second.fill('-10');
  await second.press('Enter');
  await expect(page.getByText('by task: 5, -10')).toBeVisible();
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  const rows = page.getByRole('region', { name: 'Returns by task' }).locator('tbody tr');
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await expect(rows.first().getByRole('rowheader')).toHaveText('2\u2009000');
  await page.getByLabel('episodes', { exact: true }).selectOption({ label: 'drifting from task to task' });
  await expect(page.getByLabel('steps from task to task')).toHaveValue('2000');
  await page.getByRole('button', { name: 'Leave out task 2' }).click();
  await expect(page.getByText('by task: 5', { exact: true })).toBeVisible();
});
