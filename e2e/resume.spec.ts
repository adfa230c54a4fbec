import { activeRun, allSeeds, curve, expect, mainButton, open, outcome, ready, runs, test, train, trainToEnd } from './lab.ts';

const config = (steps: number): string => `#env=cartpole&algo=ppo&steps=${steps}&seeds=1&seed=5`;
const HASH = config(800_000);
test.describe.configure({ timeout: 300_000 });

const METRICS = ['episodicReturn', 'episodeLength', 'entropy'];

test('pause, reload, resume: the same run bit for bit as one that was never interrupted', { tag: '@night' }, async ({ page }) => {
  await open(page, HASH);
  const whole = await trainToEnd(page, 150_000);
  const wanted = await Promise.all(METRICS.map((metric) => curve(page, 5, metric)));

  await train(page);
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

test('a killed worker is reported and the run goes on from its checkpoint, to the same end', { tag: '@road' }, async ({ page }) => {
  await open(page, config(200_000));
  const whole = await trainToEnd(page, 150_000);
  await train(page);
  // A pause saves: what remains to train is then the same on every machine, where the time of the first automatic save is not.
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(0);
  await mainButton(page, 'Pause').click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
  expect((await activeRun(page))?.seeds[0]?.step).toBeLessThan(100_000);
  await mainButton(page, 'Resume').click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('running');
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

test('what was trained from a received link is stored: a page reloaded the moment it ends, and another tab, show it finished', async ({
  page,
  context,
}) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=20000&seeds=1&run.evalEpisodes=5');
  await train(page);
  // From within the page, in the same task in which the end is seen.
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(() => {
      const look = (): void => {
        const hook = (
          window as unknown as { readonly __lab: { readonly activeRun: { readonly seeds: readonly { readonly state: string }[] } } }
        ).__lab;
        if (hook.activeRun.seeds.every(({ state }) => state === 'done')) location.reload();
        else setTimeout(look, 0);
      };
      look();
    }),
  ]);
  await ready(page);
  await expect.poll(async () => (await activeRun(page))?.seeds.map(({ state }) => state)).toEqual(['done']);
  const ended = await activeRun(page);
  expect(ended?.seeds[0]?.result).not.toBeNull();
  // The whole of it: its last state, and its curve.
  expect(ended?.seeds[0]?.checkpointStep).toBe(20_000);
  await expect.poll(async () => (await curve(page, 1))?.steps.at(-1) ?? 0).toBeGreaterThan(19_000);
  await page.close();
  const other = await context.newPage();
  await open(other);
  await expect.poll(async () => (await runs(other)).map(({ id, seeds }) => [id, seeds[0]?.state])).toEqual([[ended?.id, 'done']]);
});
