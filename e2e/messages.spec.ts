/** What agents tell each other, and what attacks on what they see would cost: read from a team trained in the page. */
import { expect, open, test } from './lab.ts';

test('a person reads messages, cuts the channel, and attacks what is seen', async ({ page }) => {
  await open(page, '#env=mpe-simple-speaker-listener&algo=commnet&algo.rounds=1&steps=8192&seeds=1');
  await page.getByRole('radio', { name: 'Talk' }).check();
  await expect(page.getByText('Nobody has learned to talk yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page.getByText('what each agent says')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('row', { name: /speaker 0 unheard/ })).toBeVisible();
  await page.getByRole('button', { name: 'What is talking worth?' }).click();
  await expect(page.getByText(/Mean return of 100 episodes on the same seeds/)).toBeVisible({ timeout: 60_000 });

  await page.getByRole('radio', { name: 'Decision' }).check();
  await page.getByText('Attack what it sees').click();
  await page.getByRole('button', { name: 'What would it cost?' }).click();
  await expect(page.getByText(/along the gradient of the network/)).toBeVisible({ timeout: 60_000 });
});
