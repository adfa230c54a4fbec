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

test('a ready policy is watched, and handed out as ONNX', async ({ page }) => {
  await page.goto('./#/zoo?q=cartpole');
  const row = page.getByRole('row', { name: /CartPole/ }).first();
  await expect(row).toContainText('PPO');
  await row.getByRole('button', { name: /^ONNX: / }).click();
  const dialog = page.getByRole('dialog', { name: 'Policy as ONNX' });
  await expect(dialog).toContainText('obs [batch, 4]', { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^Watch: / }).click();
  await expect(page.getByText(/The policy, seed 2000\d/)).toBeVisible({ timeout: 30_000 });
});
