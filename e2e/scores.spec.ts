/** The page of scores: found by words that stand in the address, and each one press from training. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './lab.ts';

test('scores are found by words, stand in the address, and lead to a run', async ({ page }) => {
  await page.goto('./#/scores?q=cartpole ppo');
  const rows = page.getByRole('table').locator('tbody tr');
  await expect(rows.filter({ hasText: 'CartPole' }).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: / of \d+ scores/ })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search' }).fill('acrobot');
  await expect(rows.filter({ hasText: 'CartPole' })).toHaveCount(0);
  expect(page.url()).toContain('q=acrobot');
  await page.getByRole('button', { name: /^Train: PPO in Acrobot/ }).click();
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeVisible();
});
