/** Worlds in which a press on the floor puts the goal there, and worlds whose rules stand beside the scene. */
import type { Page } from '@playwright/test';
import { expect, type LabWindow, open, test } from './lab.ts';

/** Points that were put elsewhere in the replay on the stage, step by step where there were any. */
const moved = (page: Page) =>
  page.evaluate(() => {
    const pulls = (window as LabWindow).__lab?.stage.replay?.pulls;
    return pulls === undefined ? [] : Array.from(pulls).filter((part, i) => i % 7 === 0 && part >= 0);
  });

const playing = async (page: Page) => {
  await expect(page.locator('[data-drawn]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0)).toBeGreaterThan(1);
};

test('a press in the maze puts the goal there, and the replay shows it', async ({ page }) => {
  // an episode that goes on at its goal, which may be put beside the robot
  await open(page, '#env=quick-point-maze&env.episodes=navigate&env.maxSteps=1000&algo=ppo&steps=4096&seeds=1');
  await playing(page);
  const box = (await page.locator('[data-drawn]').boundingBox())!;
  // the open way on the right of the U: a cell, of five across the picture, from its middle
  await page.mouse.click(box.x + box.width / 2 + 0.18 * Math.min(box.width, box.height), box.y + box.height / 2);
  await expect(page.getByText('You pull at it')).toBeVisible();
  const steps = () => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0);
  const opened = await steps();
  await expect.poll(steps).toBeGreaterThan(opened + 3);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await moved(page)).length).toBeGreaterThan(0);
  expect(new Set(await moved(page)).size).toBe(1);
  // what then stands on the stage is no random play
  await expect(page.getByText('A person played or pulled in this episode.')).toBeVisible();
  await expect(page.getByText('These actions are random')).toHaveCount(0);
});

test('the value map shows the shortest way before training, and a press on it sets the goal', async ({ page }) => {
  await open(page, '#env=quick-point-maze&env.episodes=navigate&env.maxSteps=1000&algo=hiql&steps=100&seeds=1');
  await playing(page);
  await page.getByRole('radio', { name: 'Value map' }).check({ force: true });
  const map = page.getByRole('img', { name: /^shortest way: [\d.]+ steps, goal$/ });
  await expect(map).toBeVisible();
  await expect(page.getByText('Nothing is learned yet.')).toBeVisible();
  await map.click({ position: { x: 8, y: 8 } }); // the upper left end of the U
  await expect(page.getByText('You pull at it')).toBeVisible();
  const goal = page.locator('[data-mark="goal"]');
  await expect.poll(() => goal.evaluate(({ style }) => Number.parseFloat(style.left))).toBeLessThan(15);
});

test('the rules of a rule grid stand beside the scene in sentences', async ({ page }) => {
  await open(page, '#env=xland-minigrid&algo=ppo&steps=4096&seeds=1');
  await playing(page);
  const card = page.getByRole('region', { name: 'Goal and rules' });
  await expect(card).toBeVisible();
  await expect(card).toHaveText(/\w+ \w+ \w+/);
});
