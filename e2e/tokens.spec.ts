/** Policies on tokens: the strip of an episode, the verdict, the world beside it, a prompt of one's own. */
import type { Locator, Page } from '@playwright/test';
import { expect, open, runs, test, train } from './lab.ts';

/** Opens a task, goes to the end of the expert's episode, which is right, and gives the strip of its tokens. */
async function expertToTheEnd(page: Page, hash: string): Promise<Locator> {
  await open(page, hash);
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('expert');
  const strip = page.getByRole('region', { name: 'Tokens of this episode' });
  // for a moment the strip still shows the episode before, and a press there goes to a place in that one
  await expect(async () => {
    await strip.getByRole('button').last().click();
    await expect(page.getByText('Right', { exact: true })).toBeVisible({ timeout: 1000 });
  }).toPass();
  return strip;
}

test('a person watches tokens being written, reads what the policy made of them, and types a prompt', async ({ page }) => {
  await open(page, '#env=t-reason&steps=400000&seeds=1');
  const strip = page.getByRole('region', { name: 'Tokens of this episode' });
  await expect(strip.getByRole('rowheader')).toHaveText(['token']); // random letters have no reason behind them
  await train(page);
  await expect(strip.getByRole('rowheader')).toHaveText(['token', 'log p', 'entropy', 'value']);
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click();
  await page.getByRole('button', { name: '16 answers' }).click(); // one episode in place of a group of answers
  // with reduced motion the episode waits at its start: a press on a later token goes there
  await expect(page.getByText('still writing')).toBeVisible();
  // the strip still grows while the episode is played out behind it
  await expect(async () => {
    await strip.getByRole('button').last().click();
    await expect(page.getByText(/^(Right|Wrong.*)$/)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(strip.getByRole('button').last()).toHaveAttribute('aria-current', 'step');

  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await expect(prompt).toHaveValue(/^r:[a-d]{3}=$/);
  await prompt.fill('r:ÄB=');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No token stands for "Ä".' })).toBeVisible();
  await prompt.fill('r:bad=');
  await prompt.press('Enter');
  await expect(page.getByRole('figure').filter({ hasText: 'greedy r:bad=' })).toBeVisible();
  await expect(page.getByRole('figure').filter({ hasText: 'sampled r:bad=' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'No token' })).toBeHidden();

  // a group of answers beside its mean, and a table of several groups
  await page.getByRole('button', { name: '16 to this prompt' }).click();
  const group = page.getByRole('table', { name: /^Answers of the group/ });
  await expect(page.getByText(/^\d+ of 16 answers are right$/)).toBeVisible();
  const times = (await group.getByRole('row').allTextContents()).map((row) => /× (\d+)/.exec(row));
  const answers =
    (await group.locator('tbody tr[data-sign]').count()) +
    times.reduce((sum, found) => sum + (found === null ? 0 : Number(found[1]) - 1), 0);
  expect(answers).toBe(16);
  await page.getByRole('button', { name: '8 to each of 8 prompts' }).click();
  const table = page.getByRole('region', { name: 'Table of samples' });
  await expect(table.locator('tbody tr')).toHaveCount(64);
  const right = Number.parseInt(await page.getByText(/^\d+ of 64 answers are right$/).innerText(), 10);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('right');
  await expect(table.locator('tbody tr')).toHaveCount(right);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('samples-t-reason.csv');
});

for (const [where, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`one press on Train: sixteen answers to one prompt, and what each method makes of them, on ${where}`, { tag: '@night' }, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await open(page, '#env=t-reason&steps=400000&seeds=1');
    await train(page);
    const group = page.getByRole('region', { name: /in reverse\.$/ });
    const rows = group.getByRole('table').locator('tbody tr');
    await expect(rows).toHaveCount(16);
    await expect(group.getByText(/of 16 answers are right · mean reward (?!0\.00)/)).toBeVisible({ timeout: 90_000 });
    const said = await group.getByRole('heading').textContent();
    await page.getByRole('button', { name: 'Pause', exact: true }).first().click();
    await group.getByRole('button', { name: 'Another prompt' }).click();
    await expect(group.getByRole('heading')).not.toHaveText(said ?? '');
    // Paused: the answers stay, and another rule weighs the same ones.
    const pushes = (): Promise<string[]> => rows.locator('i').evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.inlineSize));
    await group.getByRole('radio', { name: 'RAFT' }).check({ force: true });
    await expect.poll(async () => (await pushes()).filter((size) => size !== '0%').length).toBe(1);
    const copied = await pushes();
    await group.getByRole('radio', { name: 'This run' }).check({ force: true });
    await expect.poll(pushes).not.toEqual(copied);
    // Held: the same answers under the policy of an update later, each with what it was and is.
    await group.getByRole('button', { name: 'Hold these answers' }).click();
    await expect(group.getByText(/ 1 times as probable as when they were written/)).toBeVisible();
    const answers = (): Promise<string[]> => rows.locator('td:first-child').allTextContents();
    const before = await answers();
    await page.getByRole('button', { name: 'Resume', exact: true }).first().click();
    await expect(group.getByText(/ 1 times as probable/)).toBeHidden();
    await expect(group.getByText(/times as probable as when they were written/)).toBeVisible();
    expect(await answers()).toEqual(before);
    await expect(rows.getByRole('img', { name: /% then, .* now$/ }).first()).toBeVisible();
    // Sixteen groups: each says how many are right, and a press shows its answers.
    await group.getByRole('button', { name: '16 prompts' }).click();
    const tiles = group.getByRole('list', { name: 'Groups of this policy' }).getByRole('button');
    await expect(tiles).toHaveCount(16);
    await expect(rows).toHaveCount(8);
    const shown = await group.getByRole('heading').textContent();
    await tiles.nth(1).click();
    await expect(tiles.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await expect(group.getByRole('heading')).not.toHaveText(shown ?? '');
    await page.getByRole('button', { name: '16 answers' }).click();
    await expect(group).toBeHidden();
  });

test('nothing is drawn behind a group of answers', async ({ page }) => {
  await page.addInitScript(() => {
    const count = { draws: 0 };
    Object.assign(globalThis, { count });
    // With three dimensions and without: only what is drawn on the stage counts, charts go on.
    for (const [prototype, names] of [
      [WebGL2RenderingContext.prototype, ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']],
      [CanvasRenderingContext2D.prototype, ['clearRect']],
    ] as const)
      for (const name of names) {
        const real = Reflect.get(prototype, name);
        Reflect.set(prototype, name, function (this: { readonly canvas: HTMLCanvasElement }, ...rest: unknown[]) {
          if (this.canvas.closest('#stage-scene') !== null) count.draws++;
          return Reflect.apply(real, this, rest);
        });
      }
  });
  const draws = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { count: { draws: number } }).count.draws);
  await open(page, '#env=t-reason&steps=200000&seeds=1');
  await train(page);
  const group = page.getByRole('region', { name: /in reverse\.$/ });
  await expect(group.getByText(/of 16 answers are right/)).toBeVisible({ timeout: 90_000 });
  const before = await draws();
  await page.waitForTimeout(1500);
  expect(await draws()).toBe(before);
  await page.getByRole('button', { name: '16 answers' }).click();
  await expect(group).toBeHidden();
  await expect.poll(draws).toBeGreaterThan(before);
});

test('inside the network of a policy: what a token drew from, and what each layer would have written', { tag: '@night' }, async ({
  page,
}) => {
  await open(page, '#env=t-reason&steps=400000&seeds=1');
  const strip = page.getByRole('region', { name: 'Tokens of this episode' });
  const inside = page.getByText('Inside the network', { exact: true });
  await expect(strip).toBeVisible();
  await expect(inside).toBeHidden(); // random letters
  await train(page);
  await expect(strip.getByRole('rowheader')).toHaveText(['token', 'log p', 'entropy', 'value']);
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click();
  await inside.press('Enter');
  await expect(async () => {
    await strip.getByRole('button').last().click();
    await expect(strip.getByRole('button').last()).toHaveAttribute('aria-current', 'step', { timeout: 500 });
    await expect(page.getByRole('table', { name: /^Attention before/ })).toBeVisible({ timeout: 1000 });
  }).toPass();

  // the last layer says what the strip says, and every head of every layer draws 1 in all
  const lens = page.getByRole('table', { name: /logit lens/ });
  await expect(lens.getByRole('rowheader')).toHaveText(['embedding', /layer 1/, /layer 2/]);
  const told = await strip
    .getByRole('row', { name: /^log p/ })
    .getByRole('cell')
    .last()
    .getAttribute('title');
  const p = 100 * Math.exp(Number(told?.replace('log-probability ', '')));
  const shown = Number(await lens.getByRole('row').last().getByRole('cell').last().textContent());
  expect(Math.abs(shown - p)).toBeLessThan(0.6);
  const attention = strip.getByRole('row', { name: /^attention/ });
  const drawn = async (): Promise<number[]> => (await attention.getByRole('cell').allTextContents()).map(Number);
  const all = await drawn();
  expect(all.at(-1)).toBe(0); // the token itself was not there yet
  expect(Math.abs(all.reduce((a, b) => a + b) - 1)).toBeLessThan(0.1);
  await page.getByRole('combobox', { name: 'layer' }).selectOption('1');
  await page.getByRole('combobox', { name: 'head' }).selectOption('1');
  await expect.poll(drawn).not.toEqual(all);
  await strip.getByRole('button').first().click();
  await expect(page.getByText('Select a generated token below the picture.')).toBeVisible();
  await inside.press('Enter');
  await expect(strip.getByRole('rowheader')).toHaveText(['token', 'log p', 'entropy', 'value']);
});

test('a walk in words stands beside its grid', async ({ page }) => {
  await expertToTheEnd(page, '#env=t-turns&seeds=1');
  await expect(page.getByRole('img', { name: /goal/i })).toBeVisible();
});

test('lookups and what they found stand one behind the other', { tag: '@night' }, async ({ page }) => {
  const strip = await expertToTheEnd(page, '#env=t-search&env.fields=2&seeds=1');
  const text = (await strip.getByRole('button').allTextContents()).join('');
  // the question, two lookups of two fields each, the digit
  expect(text).toMatch(/[a-d][wx]{2}\?([a-d][a-d\d]{2}){2}\d$/);
});

test('a list that is put in order shows every row it was', { tag: '@night' }, async ({ page }) => {
  const strip = await expertToTheEnd(page, '#env=t-steps&env.task=exchange&env.numbers=4&env.steps=16&seeds=1');
  const tokens = await strip.getByRole('button').allTextContents();
  // the last row is the list in order, behind its beginning and before its colon
  const last = tokens.slice(-5, -1).map(Number);
  expect(last).toEqual([...last].sort((a, b) => a - b));
  expect(tokens.filter((token) => token === ':').length).toBeGreaterThan(1);
});

test('rooms told in words stand beside the room, and a press on a token goes to where it was written', async ({ page }) => {
  const strip = await expertToTheEnd(page, '#env=t-house&env.level=GoToLocalS5N2&seeds=1');
  const text = (await strip.getByRole('button').allTextContents()).join('');
  // the mission at first and again after every turn, which is one letter
  expect(text).toMatch(/^▸(@[rgbpye][kox]):[^?]+\?([lrgpdo]▸\1:[^?]+\?)+$/);
  const scene = page.getByRole('img', { name: /the agent is at column/i });
  // The description follows the picture a moment later: at the end the agent stands before what it was sent to.
  const atGoal = /In front of it: \w+ (box|ball|key)/;
  await expect(scene).toHaveAttribute('aria-label', atGoal);
  await strip.getByRole('button').first().click();
  await expect(page.getByText('still writing')).toBeVisible();
  await expect(scene).not.toHaveAttribute('aria-label', atGoal);
});

test('commands stand beside the desk that they change', { tag: '@night' }, async ({ page }) => {
  const strip = await expertToTheEnd(page, '#env=t-tools&env.apps=1&seeds=1');
  // a file is opened and another one written: two calls, both of the plan
  const desk = page.getByRole('img', { name: /task.*files.*sent.*bought/i });
  await expect(desk).toHaveAttribute('aria-label', /calls 2.*of the plan 2/);
  await strip.getByRole('button').first().click();
  await expect(desk).toHaveAttribute('aria-label', /calls 0.*of the plan 0/);
});

test('a patient is asked until the condition is known, and keeps it face down until then', { tag: '@night' }, async ({ page }) => {
  const strip = await expertToTheEnd(page, '#env=t-talk&env.vagueness=0&seeds=1');
  // the complaint, questions answered by yes or no, the number of the condition
  const text = (await strip.getByRole('button').allTextContents()).join('');
  expect(text).toMatch(/p[a-h]:([a-h][yn])+[1-8]$/);
  const talk = page.getByRole('img', { name: /can be.*asked.*diagnosis.*has/i });
  await expect(talk).toHaveAttribute('aria-label', /still possible 1/);
  await expect(talk).not.toHaveAttribute('aria-label', /face down/);
  await strip.getByRole('button').first().click();
  await expect(talk).toHaveAttribute('aria-label', /face down.*questions 0/);
});

for (const [where, viewport, tag] of [
  ['a desk', { width: 1440, height: 900 }, []],
  ['a phone', { width: 390, height: 844 }, ['@night']],
] as const)
  test(`a new user on ${where}: one press and half a minute to sixteen answers with their bars, one more to another rule, one to a race`, {
    tag: [...tag],
  }, async ({ page }) => {
    await page.setViewportSize(viewport);
    await open(page, '#env=t-reason');
    const opened = Date.now();
    await page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true }).click();
    const group = page.getByRole('region', { name: /in reverse\.$/ });
    const rows = group.getByRole('table').locator('tbody tr');
    await expect(rows).toHaveCount(16);
    // a bar of advantage for each answer
    await expect(rows.locator('i')).toHaveCount(16);
    await expect(rows.first()).toBeInViewport();
    expect(Date.now() - opened).toBeLessThan(30_000);
    await group.getByRole('radio', { name: 'Dr. GRPO' }).check({ force: true });
    await expect(group.getByText(/not divided by anything|^$/).first()).toBeAttached();
    await group.getByRole('button', { name: 'Race of three' }).click();
    const names = ['GRPO', 'Dr. GRPO', 'RAFT'];
    await expect.poll(async () => (await runs(page)).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const racing = (await runs(page)).filter(({ name }) => names.includes(name));
    expect(new Set(racing.map(({ seeds }) => seeds.map(({ seed }) => seed).join())).size).toBe(1);
    // the run that trained makes room: all three learn at once, on two cores too, and that it waits is said
    await expect(page.getByText(/Paused for them.*: Group policy gradient/)).toBeVisible();
    await expect
      .poll(async () => (await runs(page)).filter(({ name, seeds }) => names.includes(name) && seeds[0]!.step > 0).length, {
        timeout: 30_000,
      })
      .toBe(3);
    expect((await runs(page)).find(({ name }) => !names.includes(name))?.seeds.every(({ state }) => state === 'paused')).toBe(true);
  });
