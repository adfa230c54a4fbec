/** A run is a timeline: forked from one of its kept states with another setting, shown as a tree, and its policies side by side. */
import { activeRun, allSeeds, type CurveView, curve, expect, field, open, type RunView, runs, test, train, trainToEnd } from './lab.ts';

const HASH = '#env=cartpole&algo=ppo&steps=60000&seeds=1&seed=4&depth=lab';

const upTo = (view: CurveView | null, step: number): number[][] =>
  (view?.steps ?? []).flatMap((at, i) => (at <= step ? [[at, view?.values[i] ?? Number.NaN]] : []));

test('a fork from the timeline with another learning rate: one past, two curves, a tree; and two checkpoints side by side', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, HASH);
  const parent = await trainToEnd(page);
  const whole = await curve(page, 4);
  // The last state is on the disk a moment after the end is told.
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.points?.length ?? 0).toBeGreaterThanOrEqual(20);
  const kept = (await activeRun(page))?.seeds[0]?.points ?? [];

  // To the middle of the timeline by keys, then a fork from there.
  const timeline = page.getByRole('slider', { name: 'learning' });
  await timeline.focus();
  for (const [key, place] of [
    ['Home', 1],
    ['PageUp', 6],
    ['PageUp', 11],
    ['PageUp', 16],
  ] as const) {
    await page.keyboard.press(key);
    await expect(timeline).toHaveAttribute('aria-valuetext', new RegExp(`, ${place} of \\d+ kept`));
  }
  await page.getByRole('button', { name: /^Fork at step/ }).click();
  const note = page.getByText(/^Fork of .* at step/);
  await expect(note).toBeVisible();
  await field(page, /^learning rate/).fill('0.01');
  await field(page, /^learning rate/).press('Enter');
  await page.getByRole('button', { name: 'Train the fork' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  const child = await allSeeds(page, 'done');
  expect(child.parent?.id).toBe(parent.id);
  expect(child.seeds[0]?.result?.parameterHash).not.toBe(parent.seeds[0]?.result?.parameterHash);
  const step = child.parent?.step ?? 0;
  expect(kept).toContain(step);
  const forked = await curve(page, 4);
  expect(upTo(forked, step).length).toBeGreaterThan(5);
  expect(upTo(forked, step)).toEqual(upTo(whole, step));
  expect(upTo(forked, 60_000)).not.toEqual(upTo(whole, 60_000));

  // Both are drawn, and the table shows which goes on from which.
  const legend = page.locator('#panel-curves');
  await expect(legend.getByText('learning rate: 0.01', { exact: true })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Table of runs' }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(/Fork, level 1, from step/);
  await expect(page.getByText(/Goes on from step .* This run minus that one/)).toBeVisible();
  await page.reload();
  await expect(rows.nth(1)).toContainText(/Fork, level 1, from step/);

  await page.getByRole('link', { name: 'Side by side' }).first().click();
  const scenes = page.locator('[data-state]:has(canvas)');
  await expect(scenes).toHaveCount(2);
  for (const i of [0, 1]) await expect(scenes.nth(i)).toHaveAttribute('data-drawn', 'true');
  const clock = page.getByRole('slider', { name: 'Moment' });
  await expect(clock).toBeEnabled();
  await clock.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  const at = page.getByLabel(/^Scene \d, where it stands$/);
  await expect(at.nth(0)).toHaveText(/step [1-9]\d*, return/);
  // They are drawn in turns; then both stand at the same step.
  await expect.poll(async () => new Set((await at.allTextContents()).map((text) => text.split(',')[0])).size).toBe(1);
  await page.getByRole('button', { name: 'Add a scene' }).click();
  await expect(scenes).toHaveCount(3);
  expect(await page.evaluate(() => location.hash)).toContain('c=learned');
});

test('the shadow of a live edit ends as a run that was never edited, and the effect stands in words', { tag: '@night' }, async ({
  page,
}) => {
  const hash = '#env=cartpole&algo=ppo&steps=200000&seeds=2&seed=4&depth=lab';
  await open(page, hash);
  const plain = await trainToEnd(page);
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(40_000);
  await field(page, /^learning rate/).fill('0.003');
  await field(page, /^learning rate/).press('Enter');
  await page.getByRole('button', { name: 'Start the shadow' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(3);
  const find = async (): Promise<RunView | undefined> => (await runs(page)).find(({ parent }) => parent !== null);
  await expect.poll(async () => (await find())?.seeds.map(({ state }) => state), { timeout: 90_000 }).toEqual(['done', 'done']);
  const shadow = await find();
  expect(shadow?.name).toContain('Shadow of');
  const hashes = (run: RunView | undefined): unknown => run?.seeds.map(({ result }) => result?.parameterHash);
  expect(hashes(shadow)).toEqual(hashes(plain));
  await allSeeds(page, 'done');
  expect(hashes((await activeRun(page)) ?? undefined)).not.toEqual(hashes(plain));
  await expect(page.getByText(/^Effect of learning rate = 0\.003 from step .*: this run minus its shadow, .*2 paired seeds/)).toBeVisible();
});

test('cross-play: every policy against every other over seeded games, with intervals; stopped when asked to', { tag: '@night' }, async ({
  page,
}) => {
  await open(page, '#env=tic-tac-toe&algo=self-play&steps=2048&seeds=1');
  await trainToEnd(page);
  await page.getByRole('link', { name: 'Side by side' }).first().click();
  const games = page.getByRole('spinbutton', { name: 'Games of each' });
  await games.fill('3');
  const entrants = await page.locator('[data-state]:has(canvas)').count();
  await page.getByRole('button', { name: `Play ${entrants ** 2 * 3} games` }).click();
  await expect(page.getByText(`All ${entrants ** 2 * 3} games played`)).toBeVisible();
  const cells = page.getByRole('table', { name: /^Mean returns/ }).locator('tbody td');
  await expect(cells).toHaveCount(entrants ** 2);
  await expect(cells.first()).toContainText(/[−\d.]+ \[[−\d.]+, [−\d.]+\].*3 games/);
  // The same seeds give the same games.
  const first = await cells.allTextContents();
  await page.getByRole('button', { name: /^Play \d+ games/ }).click();
  await expect.poll(() => cells.allTextContents()).toEqual(first);
  await games.fill('200');
  await page.getByRole('button', { name: /^Play \d+ games/ }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText(/^Stopped after \d+ of/)).toBeVisible();
});

test('a live edit acts on every seed at one step; where one is past it another run takes it, and the first goes on without', {
  tag: '@night',
}, async ({ page }) => {
  test.setTimeout(240_000); // two runs of three seeds, each trained twice
  await open(page, '#env=cartpole&algo=ppo&steps=60000&seeds=3&seed=1&depth=lab');
  await train(page);
  // The first seed is over while others go on or wait.
  await expect
    .poll(async () => (await activeRun(page))?.seeds.map(({ state }) => state), { timeout: 60_000, intervals: [50] })
    .toEqual(expect.arrayContaining(['done', expect.stringMatching(/queued|running|starting/)]));
  const rate = field(page, /^learning rate/);
  await rate.fill('0.003');
  await rate.press('Enter');
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  const changed = (await activeRun(page)) as RunView;
  expect(changed.name).toBe('PPO on CartPole, edited');
  await expect(
    page.locator('#panel-curves').getByText(/^Changed while it trained, for all 3 seeds: learning rate = 0\.003 from step/),
  ).toBeVisible();
  const edited = await allSeeds(page, 'done', 120_000);
  const edits = ({ seeds }: RunView): unknown =>
    seeds.map(({ marks }) => marks.filter(({ type }) => type === 'edit').map(({ step }) => step));
  const [step] = (edits(edited) as number[][])[0] as [number];
  expect(edits(edited)).toEqual([[step], [step], [step]]);
  const first = async (): Promise<RunView | undefined> => (await runs(page)).find(({ id }) => id === changed.parent?.id);
  await expect.poll(async () => (await first())?.seeds.map(({ state }) => state), { timeout: 120_000 }).toEqual(Array(3).fill('done'));
  expect(edits((await first()) as RunView)).toEqual([[], [], []]);

  // Both are what they are of from the start: done again they come to the same bits, after a reload too.
  await page.reload();
  await expect(page.getByText(/^Changed while it trained, for all 3 seeds/).first()).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Run again and compare' });
  for (const row of [0, 1]) {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .nth(row)
      .click();
    await page.getByRole('button', { name: 'Run again and compare' }).click();
    await expect(dialog.getByRole('status')).toHaveText('3 of 3 seeds are the same, bit for bit.', { timeout: 120_000 });
    await page.keyboard.press('Escape');
  }
});
