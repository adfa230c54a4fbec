import { activeRun, configHash, curve, expect, field, mainButton, open, runs, stepsDone, test, train } from './lab.ts';

test('values out of range are marked, Train is off, and two changed fields are listed as exactly these two', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  const rate = field(page, /learning rate/i);
  await expect(rate).not.toHaveValue(''); // the defaults are filled in by a worker
  const good = await rate.inputValue();
  for (const bad of ['1e9', '-1', 'NaN', '']) {
    await rate.fill(bad);
    await rate.blur();
    await expect(rate).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('group', { name: 'Training' }).getByRole('button').first()).toBeDisabled();
  }
  await rate.fill(good);
  await rate.blur();
  await expect(mainButton(page, 'Train')).toBeEnabled();
  expect(await runs(page)).toEqual([]);

  await expect(page.getByText('Nothing changed')).toBeVisible();
  await rate.fill('0.002');
  await field(page, /^discount/i).fill('0.9');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '2 changes' }).click();
  await expect(page.getByRole('list', { name: 'Changed fields' }).locator('code')).toHaveText(['algo.lr', 'algo.gamma']);
});

test('a live edit is marked in the run; a field that needs a new run offers one', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=20000000&seeds=1');
  await train(page);
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(2000);
  const rate = field(page, /learning rate/i);
  await rate.fill('0.0001');
  await rate.blur();
  const edits = async () => (await activeRun(page))?.seeds[0]?.marks.filter((mark) => mark.type === 'edit').length;
  await expect.poll(edits).toBe(1);
  // Undo takes it back where it acts, as one more change.
  await rate.press('ControlOrMeta+z');
  await expect.poll(edits).toBe(2);
  await expect(rate).toHaveValue('2.5e-4');
  await mainButton(page, 'Pause').click();
  await expect(mainButton(page, 'Resume')).toBeVisible();
  const copies = field(page, /parallel (copies|environments)/i);
  await copies.fill('2');
  await copies.blur();
  await expect(page.getByText(/needs a new run; the one going on keeps its own/)).toBeVisible();
  await page.getByRole('button', { name: 'Train as a new run' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
});

test('the budget ends a run within one update, and curves hold no smoothing', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=5000&seeds=1');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('done');
  const done = await stepsDone(page);
  expect(done).toBeGreaterThanOrEqual(5000);
  expect(done).toBeLessThan(5000 + 512);
  const values = (await curve(page, 1))?.values ?? [];
  expect(values.length).toBeGreaterThan(5);
});

test('colours and names of runs survive filtering and a reload', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=2000&seeds=1');
  for (const algo of ['q-learning', 'sarsa', 'q-learning']) {
    await page.goto('about:blank');
    await open(page, `#env=cliff-walking&algo=${algo}&steps=2000&seeds=1`);
    await train(page);
    await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('done');
  }
  const looks = async (): Promise<unknown> => (await runs(page)).map(({ name, colour, dash }) => ({ name, colour, dash }));
  const before = await looks();
  expect(new Set((await runs(page)).map((run) => `${run.colour}/${run.dash}`)).size).toBe((await runs(page)).length);
  await page.reload();
  await expect.poll(looks).toEqual(before);
  expect(await configHash(page)).not.toBe('');
});

test('an environment alone is a link, and choosing one brings what is recommended for it, with one press to take it back', async ({
  page,
}) => {
  await open(page, '#env=frozen-lake&depth=lab');
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toHaveValue('q-learning');
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('pendulum');
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toHaveValue('ppo');
  await expect(page.getByText(/Pendulum: PPO, 100\s?k steps, as recommended here/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(page.getByRole('combobox', { name: 'Environment' })).toHaveValue('frozen-lake');
  await expect(page.getByRole('combobox', { name: 'Algorithm' })).toHaveValue('q-learning');
});

test('a run ends at the return that is asked for, within one update; memory and tensors are said', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=5000000&seeds=1');
  await field(page, /^end at a return of/).fill('22');
  await page.keyboard.press('Enter');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('stopped');
  const seed = (await activeRun(page))?.seeds[0];
  const mark = seed?.marks.find(({ type }) => type === 'stop');
  expect(mark?.text).toMatch(/^Ended by a rule: the mean return of the last \d+ episodes, [\d.]+, has reached 22\.$/);
  expect(mark?.step).toBe(seed?.step);
  const measured = await curve(page, 1);
  const met = measured?.values.findIndex((value) => value >= 22) ?? -1;
  expect(measured?.steps.at(-1)).toBe(seed?.step);
  expect((seed?.step ?? 0) - (measured?.steps[met] ?? 0)).toBeLessThanOrEqual(512 * 8); // twenty episodes are waited for
  await mainButton(page, 'Train').waitFor(); // what is over is not resumed by the main button
  // What it takes stands beside where it computes, while it trains.
  await page.getByRole('button', { name: /^Reset end at a return/ }).click();
  await train(page);
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(1000);
  await page.getByRole('button', { name: /^Executor wasm/ }).click();
  await expect(page.locator('[data-figure="memory"]')).toContainText(/^[\d.]+\s?[kM]B in \d+ tensors$/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Stop and keep/ }).click();
});
