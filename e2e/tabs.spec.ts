/** Two tabs of one profile: what one trains, the other shows and leaves alone. */
import { activeRun, curve, expect, mainButton, open, ready, runs, test, train } from './lab.ts';

test('a run that another tab trains is shown live and read-only, and goes on here when that tab has closed', async ({ page, context }) => {
  test.setTimeout(180_000);
  await open(page, '#env=cartpole&algo=ppo&steps=50000000&seeds=1');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
  const id = (await activeRun(page))?.id;

  const other = await context.newPage();
  await open(other, '#env=cartpole&algo=ppo&steps=50000000&seeds=1');
  const row = other.getByRole('row').filter({ hasText: 'PPO on' });
  await expect(row).toContainText('training in another tab');
  const length = async (): Promise<number> => (await curve(other, 1))?.values.length ?? 0;
  await expect.poll(length).toBeGreaterThan(0);
  const before = await length();
  await expect.poll(length).toBeGreaterThan(before);
  // Every point once, from the first on.
  const steps = (await curve(other, 1))?.steps ?? [];
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  expect(steps[0]).toBe((await curve(page, 1))?.steps[0]);
  await expect(mainButton(other, 'Resume')).toHaveCount(0);
  await expect(mainButton(other, 'Train')).toBeEnabled();
  await expect(other.getByRole('button', { name: /Stop and keep/ })).toHaveCount(0);

  await page.close();
  await expect.poll(async () => (await activeRun(other))?.seeds[0]?.state).toBe('interrupted');
  await expect(mainButton(other, 'Resume')).toBeEnabled();
  const stored = (await activeRun(other))?.seeds[0]?.checkpointStep ?? -1;
  expect(stored).toBeGreaterThan(0);
  await other.reload();
  await ready(other);
  await expect.poll(async () => (await runs(other)).map((run) => run.id)).toEqual([id]);
  await expect.poll(async () => (await activeRun(other))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThanOrEqual(stored);
});
