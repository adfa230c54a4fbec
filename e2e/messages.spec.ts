/** What agents tell each other, and what attacks on what they see would cost: read from a team trained in the page. */
import { expect, open, test } from './lab.ts';

test('a person reads messages, cuts the channel, and attacks what is seen', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=mpe-simple-speaker-listener&algo=commnet&algo.rounds=1&steps=8192&seeds=1');
  await page.getByRole('radio', { name: 'Communication' }).check();
  await expect(page.getByText('There is no learned channel yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page.getByText('message each agent sends')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('row', { name: /speaker 1 removed/ })).toBeVisible();
  await page.getByRole('button', { name: 'Value of communication' }).click();
  await expect(page.getByText(/Mean return of 100 episodes on the same seeds/)).toBeVisible({ timeout: 60_000 });

  await page.getByRole('radio', { name: 'Decision' }).check();
  await page.getByText('Adversarial observations').click();
  await page.getByRole('button', { name: 'What would it cost?' }).click();
  await expect(page.getByText(/along the gradient of the network/)).toBeVisible({ timeout: 60_000 });
});
