/** Changing the world of a trained agent, and when the stage shows what was learned: the experiments a visitor makes first. */
import { expect, field, open, test, train, trainToEnd } from './lab.ts';

test('the trained agent plays on in a changed world, and the caption says what differs', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=60000&seeds=1&run.evalEpisodes=5');
  await trainToEnd(page);
  const caption = page.getByText(/the policy at step [\d,]+/);
  await expect(caption).toContainText('always its best action', { timeout: 10_000 });
  await field(page, /gravity/i).fill('30');
  await expect(page.getByText(/the policy at step [\d,]+.*Trained with gravity 9\.8, here 30/)).toBeVisible({ timeout: 10_000 });
});

test('an agent that cannot act in the changed world says why, and random actions show the world', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ippo&steps=20000&seeds=1&run.evalEpisodes=5');
  await trainToEnd(page, 120_000);
  await expect(page.getByText(/the policy at step/)).toBeVisible({ timeout: 10_000 });
  await field(page, /^agents/i).fill('5');
  await expect(page.getByText(/trained with 3 agents, here there are 5/).first()).toBeVisible({ timeout: 10_000 });
});

test('a team over entities plays on with one more and two less, by the buttons on its scene and by keys', async ({ page }) => {
  test.slow();
  await open(page, '#env=mpe-simple-spread&algo=ippo&algo.body=entities&steps=20000&seeds=1&run.evalEpisodes=5');
  await expect(page.getByRole('group', { name: 'The team while it plays' })).toHaveCount(0);
  await trainToEnd(page, 120_000);
  const plays = (agents: number) => page.getByText(new RegExp(`the policy at step.*Trained with agents 3, here ${agents}`));
  await page.getByRole('button', { name: 'One more: agents' }).click();
  await expect(plays(4)).toBeVisible({ timeout: 10_000 });
  const less = page.getByRole('button', { name: 'One less: agents' });
  await less.focus();
  for (let k = 0; k < 2; k++) await page.keyboard.press('Enter');
  await expect(plays(2)).toBeVisible({ timeout: 10_000 });
  await expect(page.getByText(/cannot act in the changed world/)).toHaveCount(0);
});

test('a dense team offers no other size', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ippo&steps=20000&seeds=1&run.evalEpisodes=5');
  await trainToEnd(page, 120_000);
  await expect(page.getByText(/the policy at step/)).toBeVisible({ timeout: 10_000 });
  await expect(page.getByRole('group', { name: 'The team while it plays' })).toHaveCount(0);
});

test('when training ends the trained policy is on the stage within seconds, however long the episode before', async ({ page }) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=20000&seeds=1&run.evalEpisodes=5');
  await train(page);
  await expect(page.getByText(/the policy at step 20,000, always its best action/)).toBeVisible({ timeout: 15_000 });
});
