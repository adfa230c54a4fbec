/** Who did it: values of a team's agents are asked for, streamed, stopped, asked from a frame on; the estimator proves itself. */
import { expect, open, test } from './lab.ts';

test('a person finds out what each agent of a team contributes', async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await page.getByRole('radio', { name: 'The team' }).check();
  const ask = page.getByRole('button', { name: 'Who did it?' });
  await expect(ask).toBeDisabled(); // random agents: nothing to explain
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await expect(ask).toBeEnabled();
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'a quick look' });
  await ask.click();
  const values = page.getByRole('table').filter({ hasText: 'agent 0' }).first();
  await expect(values.getByRole('row')).toHaveCount(4);
  await expect(ask).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/all coalitions, .* sum check/)).toBeVisible();
  await expect(page.getByText(/^With nobody acting, the team’s return is −2\d/)).toBeVisible();
  // three alike, each worth about 5.6 (reference: 20,000 episodes per coalition)
  const numbers = await values.locator('td.figures').allTextContents();
  for (const text of numbers) {
    const [value, half] = text.split(' ± ').map(Number) as [number, number];
    expect(Math.abs(value - 5.55)).toBeLessThan(2.5 * half);
    expect(half).toBeLessThan(0.6);
  }

  // another question, stopped half way
  await page.getByText('Ask differently').click();
  await page.getByRole('combobox', { name: 'who is absent' }).selectOption({ label: 'acts at random' });
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'for a paper' });
  await ask.click();
  await expect(page.getByText(/whoever is absent acts at random/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect(ask).toBeVisible();

  // from one frame on
  await page.getByText('Ask differently').click();
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'a quick look' });
  await page.getByRole('button', { name: 'From this frame on' }).click();
  await expect(page.getByText(/from frame \d+ on/)).toBeVisible();
  await expect(ask).toBeVisible({ timeout: 60_000 });

  await page.getByText('Can I trust this?').click();
  await expect(page.getByText(/of 15 intervals hold the truth/)).toBeVisible();
  await page.getByRole('button', { name: 'Four times as many' }).click();
  await expect(page.getByText(/^100 orders: \d+ of 15/)).toBeVisible();
});

test('where there is no team, nothing is asked', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'The team' })).toHaveCount(0);
});
