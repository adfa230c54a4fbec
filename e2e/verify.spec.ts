/** A stored run that is run again: the same hash, or the first row that differs. */
import { expect, open, test, trainToEnd } from './lab.ts';

interface Hooked {
  readonly __lab: { readonly runs: readonly { readonly config: { algo: { config: { alpha: number } }; run: { steps: number } } }[] };
}

test('run again and compare: the same hash, or the first row that differs; and it can be cancelled', async ({ page }) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=20000&seeds=2&depth=lab');
  const run = await trainToEnd(page);
  const menu = () => page.getByRole('button', { name: /^Actions for/ }).first();
  await menu().click();
  await page.getByRole('button', { name: 'Run again and compare' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again and compare' });
  await expect(dialog.getByRole('status')).toHaveText('2 of 2 seeds are the same, bit for bit.');
  for (const { result } of run.seeds) await expect(dialog.getByText(result?.parameterHash ?? 'none')).toBeVisible();
  await page.keyboard.press('Escape');

  // A stored result whose config is no longer the one it came from.
  const change = (part: 'alpha' | 'steps', value: number) =>
    page.evaluate(
      ([name, to]) => {
        const config = (window as unknown as Hooked).__lab.runs[0]?.config;
        if (name === 'alpha' && config !== undefined) config.algo.config.alpha = to;
        if (name === 'steps' && config !== undefined) config.run.steps = to;
      },
      [part, value] as const,
    );
  await change('alpha', 0.123);
  await menu().click();
  await page.getByRole('button', { name: 'Run again and compare' }).click();
  await expect(dialog.getByRole('status')).toHaveText('0 of 2 seeds are the same, bit for bit.');
  await expect(dialog.getByText(/at step [\d,. ]+: .* stored, .* here/).first()).toBeVisible();

  await change('steps', 100_000_000);
  await dialog.getByRole('button', { name: 'Once more' }).click();
  await expect(dialog.getByRole('progressbar').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('cancelled', { exact: true })).toHaveCount(2);
  await expect(dialog.getByRole('button', { name: 'Once more' })).toBeVisible();
});
