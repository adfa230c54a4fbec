/** A page for every method: from the set-up to what its file says, and back with it into the laboratory. */
import AxeBuilder from '@axe-core/playwright';
import { expect, open, test } from './lab.ts';

test('a method says how it works, and can be taken along', async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning&steps=3000&seeds=2');
  await page.getByRole('button', { name: 'About this method' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Q-learning' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Idea' })).toContainText('alpha [ r + gamma max_b');
  await expect(page.getByRole('region', { name: 'Pseudo-code' })).toContainText('repeat until the budget is spent');
  await expect(page.getByRole('region', { name: 'Code of the method' })).toContainText('export function qUpdate');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);

  await page.getByRole('link', { name: 'All methods' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('rummery');
  await expect(page.getByText(/of \d+ methods/)).toBeVisible();
  await page.getByRole('link', { name: 'SARSA', exact: true }).click();
  await page.getByRole('button', { name: 'Use it in Frozen lake' }).click();
  await expect(page.getByRole('combobox', { name: 'Algorithm', exact: true })).toHaveValue('sarsa');
});

test('a method that does not exist is said so', async ({ page }) => {
  await page.goto('./#/methods/nonsense');
  await expect(page.getByText('There is no method “nonsense”.')).toBeVisible();
});
