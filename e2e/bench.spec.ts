/** The bench page and the executor menu: figures of this machine, asked for by a person, cancelled, passed on. */
import { expect, open, test } from './lab.ts';

test('a row of the bench page is measured here, and its link shows it elsewhere', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/bench');
  await expect(page.getByRole('heading', { name: 'How fast this machine is' })).toBeVisible();
  await page.getByRole('button', { name: /Measure: .*, step-64-wasm/ }).click();
  const here = page.locator('[data-row="step-64-wasm"] td').nth(1);
  await expect(here).toContainText(/\d steps\/s/);
  await page.getByRole('button', { name: /Measure: .*, scene-1000$/ }).click();
  await expect(page.locator('[data-row="scene-1000"] td').nth(1)).toContainText(/\d ms|WebGL/);
  const result = JSON.parse((await page.locator('[data-result]').textContent()) ?? '') as {
    readonly machine: string;
    readonly values: { readonly [row: string]: { readonly value: number } };
  };
  expect(result.machine).toContain('cores');
  expect(result.values['step-64-wasm']?.value).toBeGreaterThan(0);
  const link = await page.getByLabel('A link with these figures').inputValue();
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('columnheader', { name: /From the link/ })).toContainText(result.machine);
  await expect(page.locator('[data-row="step-64-wasm"] td').nth(2)).toContainText(/\d steps\/s/);
});

test('the executor menu measures this very configuration when asked, and stops when told', { tag: ['@night'] }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=100000&seeds=1');
  await page.getByRole('button', { name: /Executor wasm, exact/ }).click();
  const speeds = page.getByRole('region', { name: 'Speed of this configuration here' });
  await speeds.getByRole('button', { name: /^Measure/ }).click();
  await expect(speeds.getByRole('row', { name: /wasm .* steps\/s/ })).toBeVisible();
  const cancel = speeds.getByRole('button', { name: 'Cancel' });
  if (await cancel.isVisible()) await cancel.click();
  await expect(speeds.getByRole('button', { name: 'Measure again' })).toBeVisible();
  await expect(speeds.getByText('measuring ...')).toHaveCount(0);
});
