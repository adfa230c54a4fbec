/** Explanations: values of a team's agents asked for, streamed, stopped, from a frame on, over training; decisions; what if; ties; the report. */
import { readFileSync } from 'node:fs';
import { activeRun, allSeeds, curve, expect, open, outcome, stage, stepsDone, test, train, trainToEnd } from './lab.ts';

/** The question about a decision, playing or still. */
const WHY = /^(Why (“.+”|this)|Stop here: why this)\?$/;

test('a person finds out what each agent of a team contributes', async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await page.getByRole('radio', { name: 'Team' }).check();
  const ask = page.getByRole('button', { name: 'Who did it?' });
  await expect(ask).toBeDisabled(); // random agents: nothing to explain
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await expect(ask).toBeEnabled();
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'a quick look' });
  await ask.click();
  const values = page.getByRole('table').filter({ hasText: 'agent 1' }).first();
  await expect(values.getByRole('row')).toHaveCount(4);
  await expect(ask).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/all coalitions, .* sum check/)).toBeVisible();
  await expect(page.getByText(/^With no agent acting, the team’s return is −2\d/)).toBeVisible();
  // three alike, each worth about 5.6 (reference: 20,000 episodes per coalition)
  const numbers = await values.locator('td.figures').allTextContents();
  for (const text of numbers) {
    const [value, half] = text.split(' ± ').map(Number) as [number, number];
    expect(Math.abs(value - 5.55)).toBeLessThan(2.5 * half);
    expect(half).toBeLessThan(0.6);
  }

  // another question, stopped half way
  await page.getByRole('combobox', { name: 'who is absent' }).selectOption({ label: 'acts at random' });
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'for a paper' });
  await ask.click();
  await expect(page.getByText(/an absent agent acts at random/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect(ask).toBeVisible();

  // from one frame on
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'a quick look' });
  await page.getByRole('button', { name: 'From this frame on' }).click();
  await expect(page.getByText(/from frame \d+ on/)).toBeVisible();
  await expect(ask).toBeVisible({ timeout: 60_000 });

  await page.getByText('Can I trust this?').click();
  await expect(page.getByText(/of 20 intervals hold the truth/)).toBeVisible();
  await page.getByRole('button', { name: 'Four times as many' }).click();
  await expect(page.getByText(/^100 orders: \d+ of 20/)).toBeVisible();
});

test('what would have been: both futures of a frame, with an agent gone and with one moved', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await page.getByRole('radio', { name: 'What if' }).check();
  await page.getByRole('radio', { name: 'Remove agent' }).check();
  await page.getByRole('combobox', { name: 'who' }).selectOption({ index: 1 });
  const ask = page.getByRole('button', { name: 'Play both futures' });
  await expect(ask).toBeEnabled();
  const moment = page.getByRole('slider', { name: 'episode', exact: true });
  await moment.press('End');
  await expect(ask).toBeDisabled();
  await expect(page.getByText('The episode ends with this frame: go back to an earlier one.')).toBeVisible();
  await moment.press('Home');
  await ask.click();
  await expect(page.getByText(/^From frame \d+, if agent 2 is gone:/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('64 continuations on each side')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The changed future' })).toBeVisible();
  await expect(page.getByRole('img', { name: /How the returns are spread/ })).toHaveCount(2);

  // by numbers, without dragging; and outside the picture it says why not
  await page.getByRole('radio', { name: 'Move object' }).check();
  await expect(ask).toBeDisabled();
  await page.getByRole('spinbutton', { name: 'x', exact: true }).fill('0.5');
  await ask.click();
  await expect(page.getByText(/if agent 1 stands at 0.50, 0.00:/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('spinbutton', { name: 'x', exact: true }).fill('99');
  await ask.click();
  await expect(page.getByRole('alert')).toContainText('outside the picture');

  // how they hang together: a script gives no probabilities, so choices are compared
  await page.getByRole('radio', { name: 'Influence' }).check();
  await page.getByRole('button', { name: 'Who moves whom?' }).click();
  await expect(page.getByText(/episodes with drawn actions/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('table', { name: /Influence of row on column/ })).toBeVisible();

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Report/ }).click()]);
  expect(download.suggestedFilename()).toBe('mpe-simple-spread-report.html');
  const path = await download.path();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('What if');
  expect(text).toContain('data:image/png');
  expect(text).not.toMatch(/(src|href)="http/);
});

test('a trained team: values over training open their policy, along an episode, and what a decision rests on', { tag: '@night' }, async ({
  page,
}) => {
  test.setTimeout(240_000);
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await train(page);
  await expect.poll(() => stepsDone(page), { timeout: 90_000 }).toBeGreaterThan(6_000);
  await page.getByRole('radio', { name: 'Team' }).check();
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'a quick look' });
  await page.getByRole('button', { name: 'Over training' }).click();
  const points = page.getByRole('button', { name: /Watch this policy/ });
  await expect.poll(() => points.count(), { timeout: 120_000 }).toBeGreaterThan(1);
  await page
    .getByRole('button', { name: 'Stop explaining points of training' })
    .or(page.getByRole('button', { name: 'Who did it?' }))
    .first()
    .click();
  const before = await stepsDone(page);
  await points.last().click(); // the first ones stand close together by now
  await expect(page.getByText(/all coalitions, .* sum check/)).toBeVisible();
  await expect.poll(async () => (await stage(page)).mode).toBe('replay');
  // nothing of it holds up training
  await expect.poll(() => stepsDone(page), { timeout: 60_000 }).toBeGreaterThan(before);

  await page.getByRole('checkbox', { name: /Who matters from here on/ }).check();
  await expect(page.getByText(/^From frame \d+ on:/)).toBeVisible({ timeout: 60_000 });

  await page.getByRole('radio', { name: 'Decision' }).check();
  await page.getByRole('combobox', { name: 'the choice of' }).selectOption('agent 2');
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('combobox', { name: 'explain', exact: true }).selectOption({ label: 'what comes of it' });
  await page.getByRole('button', { name: WHY }).click();
  await expect(page.getByText(/^Return after each action:/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'Scene' }).getByText('What the return that follows rests on')).toBeVisible();
});

test('while an explanation streams, training loses no step: the same run as without', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(240_000);
  await open(page, '#env=mpe-simple-spread&algo=ppo&seeds=2&steps=60000');
  const alone = await trainToEnd(page, 120_000);
  const rows = await curve(page, 1);
  await page.getByRole('radio', { name: 'Team' }).check();
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'for a paper' });
  await page.getByRole('combobox', { name: 'beside training' }).selectOption({ label: 'a tenth of the time' });
  await page.getByRole('button', { name: 'Who did it?' }).click();
  const settled = page.getByText(/draws, .* episodes/);
  await train(page);
  await expect(settled).toBeVisible({ timeout: 60_000 });
  const before = await settled.textContent();
  const beside = await allSeeds(page, 'done', 120_000);
  // it went on all the while
  await expect(settled).not.toHaveText(before ?? '');
  await expect(page.getByRole('button', { name: 'Stop', exact: true }).last()).toBeVisible();
  expect(outcome(beside)).toEqual(outcome(alone));
  expect(await curve(page, 1)).toEqual(rows);
});

test('on a grid the scene shows which cells a decision rests on', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=minigrid-empty&algo=ppo');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds.some(({ step }) => step > 0), { timeout: 60_000 }).toBe(true);
  // the next time it turns left, and why
  await page
    .getByRole('button', { name: /^Next of the \d+ frames? where it takes “left”/ })
    .or(page.getByRole('button', { name: WHY }))
    .first()
    .click({ timeout: 60_000 });
  await page.getByRole('button', { name: WHY }).click();
  await expect(page.getByText(/^(For it speaks|Against it|Nothing it sees)/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('The scene shows the share of each cell.')).toBeVisible({ timeout: 60_000 });
  await expect(
    page
      .getByRole('rowheader')
      .filter({ hasText: /ahead|left|right|hands/ })
      .first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'The whole episode' }).click();
  await expect(page.getByText(/frames of this episode. Right: speaks for it/)).toBeVisible({ timeout: 90_000 });
});

test('where there is no team, nothing is asked', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Team' })).toHaveCount(0);
});

test('every explainer of the catalogue can be asked from one place', async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  const picker = page.getByRole('combobox', { name: 'explainer' });
  await expect.poll(() => picker.getByRole('option').count()).toBeGreaterThan(5);
  const ask = page.getByRole('button', { name: 'Explain', exact: true });
  await expect(ask).toBeDisabled(); // features need a learned policy

  await picker.selectOption('trust');
  await ask.click();
  await expect(page.getByText(/of 20 intervals hold the truth/)).toBeVisible();

  await picker.selectOption('coordination');
  await ask.click();
  await expect(page.getByRole('table', { name: /Influence of row on column/ })).toBeVisible({ timeout: 60_000 });

  await picker.selectOption('agents');
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('spinbutton', { name: 'budget' }).fill('20000');
  await page.keyboard.press('Enter');
  await ask.click();
  await expect(page.getByText(/draws, .* episodes, .* steps\./)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Along the episode' }).click();
  await expect(page.getByRole('img', { name: 'Shapley value of each agent, by frame' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
  await expect(ask).toBeEnabled();
});

test('the search behind a move is drawn two moves deep and told in a table', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=tic-tac-toe&algo=mcts&algo.simulations=60&steps=200&seeds=1');
  await trainToEnd(page);
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  await page.getByRole('combobox', { name: 'explainer' }).selectOption('search-tree');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(page.getByText(/this position: \d+ visits/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/Best move "/)).toBeVisible();
  const tree = page.getByRole('list', { name: 'Search tree' });
  expect(await tree.locator('> li').count()).toBeGreaterThan(1);
  expect(await tree.locator('> li > ul > li').count()).toBeGreaterThan(1);
  await expect(page.getByRole('columnheader', { name: 'expected reply' })).toBeVisible();
});

test('a team at the simple depth: who did it is one press on the stage, and answered there', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=mpe-simple-spread&steps=20000&seeds=1&depth=teach');
  const scene = page.getByRole('region', { name: 'Scene' });
  const ask = scene.getByRole('button', { name: 'Who did it?' });
  await expect(ask).toHaveCount(0); // random agents: nothing to explain
  await trainToEnd(page);
  await ask.first().click(); // before and after lie over the scene, and have the button, too
  const values = scene.getByRole('table');
  await expect(values.getByRole('row')).toHaveCount(4, { timeout: 60_000 });
  await expect(scene.getByText(/contribute|No difference between the agents/).first()).toBeVisible({ timeout: 60_000 });
  await expect(values).toBeInViewport({ ratio: 1 });
  await expect(scene.getByRole('button', { name: 'Close' })).toBeVisible({ timeout: 60_000 });
  await scene.getByRole('button', { name: 'Close' }).click();
  await expect(values).toHaveCount(0);
  await expect(ask).toBeVisible();
});

test('an answer comes into sight where it was asked for', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1');
  await trainToEnd(page);
  await page.locator('#panel-why').getByRole('button', { name: WHY }).click();
  const shares = page.locator('#panel-why').getByRole('region', { name: 'Why this' }).getByRole('table').first();
  await expect(shares).toBeInViewport({ ratio: 0.5, timeout: 60_000 });
  // the question about a team is in sight before anything that may be chosen for it
  await open(page, '#env=mpe-simple-spread&algo=ppo');
  await page.getByRole('radio', { name: 'Team' }).check();
  await expect(page.getByRole('button', { name: 'Who did it?' })).toBeInViewport({ ratio: 1 });
});
