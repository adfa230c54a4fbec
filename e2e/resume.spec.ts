import { activeRun, allSeeds, curve, expect, keep, mainButton, open, outcome, ready, test, train, trainToEnd } from './lab.ts';

const HASH = '#env=cartpole&algo=ppo&steps=800000&seeds=1&seed=5';
test.describe.configure({ timeout: 300_000 });

const METRICS = ['episodicReturn', 'episodeLength', 'entropy'];

test('pause, reload, resume: the same run bit for bit as one that was never interrupted', async ({ page }) => {
  await open(page, HASH);
  const whole = await trainToEnd(page, 150_000);
  const wanted = await Promise.all(METRICS.map((metric) => curve(page, 5, metric)));

  await train(page);
  await keep(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(100_000);
  await mainButton(page, 'Pause').click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(100_000);
  const paused = (await activeRun(page))?.seeds[0]?.step;
  expect(paused).toBeLessThan(750_000);

  await page.reload();
  await ready(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('interrupted');
  await mainButton(page, 'Resume').click();
  const resumed = await allSeeds(page, 'done', 150_000);
  expect(resumed.seeds[0]?.marks.some((mark) => mark.type === 'resume')).toBe(true);
  expect(outcome(resumed)).toEqual(outcome(whole));
  expect(await Promise.all(METRICS.map((metric) => curve(page, 5, metric)))).toEqual(wanted);
});

test('a killed worker is reported and the run goes on from its checkpoint, to the same end', async ({ page }) => {
  await open(page, HASH);
  const whole = await trainToEnd(page, 150_000);
  await train(page);
  await keep(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
  const before = page.workers().length;
  const victim = page.workers().find((worker) => /session/.test(worker.url()));
  expect(victim).toBeDefined();
  // A worker that is closed says nothing: exactly what running out of memory looks like.
  await victim?.evaluate(() => self.close()).catch(() => {});
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.marks.map((mark) => mark.text).join(' ')).toContain('was lost');
  const finished = await allSeeds(page, 'done', 150_000);
  expect(outcome(finished)).toEqual(outcome(whole));
  expect(page.workers().length).toBeLessThanOrEqual(before + 1);
});
