/** What is wrong with a run stands beside its curves with the numbers that say so, and one press tries the setting that is proposed. */
import { activeRun, expect, open, runs, test, train } from './lab.ts';

const TARGET =
  '#env=cartpole&algo=dqn&steps=2000000&seeds=1&algo.targetEvery=1000000&algo.learningStarts=500&algo.trainEvery=8&algo.hidden=[16]&depth=lab';

test('a target network that is never copied is named while the run goes on, and mended by one press', async ({ page }) => {
  await open(page, TARGET);
  await train(page);
  const panel = page.getByRole('region', { name: 'What is wrong?' });
  await expect(panel.getByRole('status')).toContainText('The target network is never copied', { timeout: 30_000 });
  await expect(panel).toContainText('No copy was made');
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: 'DQN' })
      .getByRole('button', { name: /What is wrong with/ }),
  ).toBeVisible();

  await panel.getByRole('button', { name: 'Start again: a copy every 500 steps' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  const mended = await activeRun(page);
  await expect(page.locator('#panel-curves').getByText('target update interval: 500 steps', { exact: true })).toBeVisible();
  expect(mended?.parent).toBeNull();
  await expect(panel).toBeHidden();
  await expect.poll(async () => (await runs(page)).find(({ id }) => id !== mended?.id)?.seeds[0]?.state).toBe('stopped');
});

test('on a phone the note leads to what is wrong', { tag: '@night' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, TARGET);
  await train(page);
  await page.getByRole('tab', { name: 'Why' }).click();
  await page.getByRole('button', { name: 'What is wrong?' }).click({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'What is wrong?' })).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
});
