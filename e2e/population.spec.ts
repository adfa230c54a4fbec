/** What a run with many policies shows: trade-offs whose weights are dragged, a population and how it moves, a team agent by agent, levels. */
import type { Page } from '@playwright/test';
import { expect, open, stage, test, trainToEnd } from './lab.ts';

const panel = (page: Page): ReturnType<Page['locator']> => page.locator('#panel-curves');

test('a person drags the weights of two rewards and sees the policy that is best for them', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=deep-sea-treasure&algo=pareto-sweep&steps=100000&seeds=1');
  await trainToEnd(page);
  await panel(page).getByRole('radio', { name: 'Trade-offs' }).check();
  await expect(panel(page)).toContainText('10 trade-offs');
  const slider = panel(page).getByRole('slider', { name: 'Weight of treasure' });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(panel(page)).toContainText('gets treasure 23.7, time −19');
  await expect.poll(async () => (await stage(page)).length).toBe(20); // nineteen moves to the deepest
  await expect(page.getByText(/for weights 1 : 0, always its best action/)).toBeVisible();
  await page.keyboard.press('Home');
  await expect(panel(page)).toContainText('gets treasure 0.7, time −1');
  await expect.poll(async () => (await stage(page)).length).toBe(2);

  // the pointer does the same, on the slider and on the points themselves
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + 8, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2, { steps: 6 });
  await page.mouse.up();
  await expect(panel(page)).toContainText('gets treasure 23.7');
  const plot = panel(page).getByRole('img', { name: /10 trade-offs between treasure and time/ });
  const first = (await plot.locator('circle').first().boundingBox())!;
  await page.mouse.click(first.x + first.width / 2, first.y + first.height / 2);
  await expect(panel(page)).not.toContainText('gets treasure 23.7');

  await page.reload();
  await panel(page).getByRole('radio', { name: 'Trade-offs' }).check();
  await expect(panel(page)).toContainText('10 trade-offs');
});

test('a population shows its shares, who beats whom and where it goes', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=matrix-games&env.game=rock-paper-scissors&algo=replicator&steps=4000&seeds=1');
  await trainToEnd(page);
  await panel(page).getByRole('radio', { name: 'Population' }).check();
  await expect(panel(page).getByRole('img', { name: /^Shares now: rock \d+ %, paper \d+ %, scissors \d+ %/ })).toBeVisible();
  const scores = panel(page).getByRole('region', { name: 'Scores of all against all' });
  await expect(scores.getByRole('row')).toHaveCount(4);
  await scores.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(panel(page)).toContainText('rock against paper: −1 (exact); the other way round 1.');
});

test('a team is shown agent by agent', async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=random&steps=5000&seeds=1');
  await trainToEnd(page);
  await panel(page).getByRole('combobox', { name: 'Metric' }).selectOption({ label: 'return per agent' });
  const legend = panel(page).getByRole('listitem');
  await expect(legend).toHaveCount(3);
  await expect(legend.first()).toContainText(/agent 1.*−\d/);
  await expect(panel(page).getByRole('img', { name: /return per agent against environment steps/ })).toBeVisible();
});

test('a lineage stands in a row on one clock, and who is watched is hidden while both play', { tag: '@night' }, async ({ page }) => {
  test.slow();
  await open(
    page,
    '#env=goal-sequence&algo=generations&steps=20480&algo.generations=3&algo.envs=32&algo.rolloutSteps=32&seeds=1&run.evalEpisodes=5',
  );
  await trainToEnd(page, 120_000);
  await page.getByRole('radio', { name: 'Generations' }).click();
  await expect(page.getByRole('img', { name: /^Where each generation ended: 1: .*, 2: .*, 3: / })).toBeVisible();
  await page.getByRole('button', { name: 'Hide the predecessor' }).click();
  await expect(page.getByRole('button', { name: 'Show the predecessor' })).toBeVisible();
  await expect(page.getByText(/the policy at step.*Trained with predecessor seen 1, here 0/)).toBeVisible({ timeout: 10_000 });
});

test('levels that are kept stand as a wall of small maps with how hard they are, and the one that is pressed is played', async ({
  page,
}) => {
  const levels = encodeURIComponent('{"kind":"edited","capacity":8,"fill":0.2,"score":"frontier"}');
  const small = 'env.walls=5&env.maxSteps=60&algo.envs=8&algo.rolloutSteps=128&algo.minibatches=4&algo.hidden=[16]';
  await open(page, `#env=minigrid-maze&algo=ppo&${small}&algo.levels=${levels}&steps=16384&seeds=1`);
  await trainToEnd(page);
  await page.getByRole('radio', { name: 'Levels' }).check({ force: true });
  await expect(page.getByText(/levels are kept to be played again/)).toBeVisible();
  await expect(page.getByLabel('Order of the levels')).toBeVisible();
  const wall = page.getByRole('button', { name: /^Level \d+/ });
  expect(await wall.count()).toBeGreaterThan(2);
  await wall.nth(1).click();
  await expect(page.getByText(/^Level 2 of those kept/)).toBeVisible();
  await expect(wall.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(/^Level 2 of those kept .*(steps to solve: \d+|no solution)/)).toBeVisible();
  await expect(page.getByText(/^edits: \d+/).first()).toBeVisible();
  await page.getByLabel('Order of the levels').selectOption('easy to hard');
  const lengths = (await page.getByText(/^steps to solve: \d+$/).allTextContents()).map((text) => Number(text.split(': ')[1]));
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
});
