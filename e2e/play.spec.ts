import { expect, humanLog, open, runs, stage, test } from './lab.ts';

test('a person plays turn by turn with the keys: same rules, same score, and the game becomes a replay', async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning&env.slippery=false');
  await page.getByRole('radio', { name: 'Play yourself' }).check();
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  // The first step by key, the others by the buttons below the scene, as on a touch screen.
  let frames = (await stage(page)).length;
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await stage(page)).length).toBe(frames + 1);
  for (const name of ['down', 'right', 'down', 'right']) {
    frames = (await stage(page)).length;
    await page.getByRole('button', { name: new RegExp(`${name}$`) }).press('Enter');
    await expect.poll(async () => (await stage(page)).length).toBe(frames + 1);
  }
  await page.getByRole('button', { name: /right$/ }).press('Enter');
  await expect(page.getByText('You scored 1 in 6 steps.')).toBeVisible();
  expect(await stage(page)).toMatchObject({ mode: 'replay', length: 7 });
  expect(await runs(page)).toEqual([]); // no algorithm was needed
});

test('a person plays in real time: the pole falls if nobody helps', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await page.getByRole('radio', { name: 'Play yourself' }).check();
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  // Scores of others from the same start are there to be beaten.
  await expect(page.getByText(/to beat: random \d+, expert \d+/)).toBeVisible();
  const tempo = page.getByRole('slider', { name: 'Tempo of the game' });
  await tempo.fill('-1');
  await tempo.blur();
  // Pushed one way only, the pole falls within a dozen steps: one press is enough, the side stays pressed.
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await stage(page)).mode).toBe('replay');
  expect((await stage(page)).length).toBeGreaterThan(5);
  expect((await stage(page)).length).toBeLessThan(40);
  const result = page.getByRole('status').filter({ hasText: /^You \d+/ });
  await expect(result).toContainText(/random \d+ · expert \d+/);
  // The keys of the game choose nothing else when it is over, and those that were still pressed begin no other.
  const rematch = result.getByRole('button', { name: 'Rematch' });
  await expect(rematch).toBeFocused();
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
  expect((await stage(page)).mode).toBe('replay');
  await expect(page.getByRole('radio', { name: 'Take over' })).not.toBeChecked();
  await page.waitForTimeout(1000); // presses of the first moment are the game's
  await page.keyboard.press('Space');
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  await expect(page.getByText(/your best \d+/)).toBeVisible();
});

test('a replay is stepped frame by frame, and inspected', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(11);
  const at = (await stage(page)).t;
  await page.getByRole('button', { name: 'Next frame' }).click();
  await expect.poll(async () => (await stage(page)).t).toBe(at + 1);
  await page.getByRole('button', { name: 'Previous frame' }).click();
  await expect.poll(async () => (await stage(page)).t).toBe(at);
  // Ten single steps are ten steps of the environment, neither more nor less.
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  for (let press = 0; press < at; press++) await page.keyboard.press(',');
  await expect.poll(async () => (await stage(page)).t).toBe(0);
  for (let press = 0; press < 10; press++) await page.keyboard.press('.');
  await expect.poll(async () => (await stage(page)).t).toBe(10);
});

test('where nobody can play by hand the page says why', async ({ page }) => {
  await open(page, '#env=drone-hover&algo=random');
  await page.getByRole('button', { name: 'Why you cannot play here' }).click();
  await expect(page.getByText(/motor 1, motor 2, motor 3, motor 4 are set \d+ times a second/)).toBeVisible();
});

test('a person takes over by holding a key; let go, the policy plays on, and the log says which steps were whose', async ({ page }) => {
  await open(page, '#env=pendulum&algo=random');
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
  await page.getByRole('radio', { name: 'Take over' }).check();
  await expect.poll(async () => (await stage(page)).mode).toBe('play');
  await page.keyboard.down('ArrowRight');
  await expect(page.getByText(/yours [1-9]\d*/)).toBeVisible();
  await page.keyboard.up('ArrowRight');
  const at = (await stage(page)).length;
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(at + 5);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^You acted in \d+ of \d+ steps/)).toBeVisible();
  const log = await humanLog(page);
  const own = log.flatMap((agent, t) => (agent === 0 ? [t] : []));
  expect(own.length).toBeGreaterThan(0);
  expect(log.slice((own.at(-1) ?? 0) + 1).length).toBeGreaterThanOrEqual(5); // after letting go only the policy acted
  await expect(page.getByRole('slider', { name: 'episode' })).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`a person acted in ${own.length} steps?$`),
  );
});
