/** Little stories: the weights are fetched when a run begins with them, answers are English from the first policy on. */
import { activeRun, expect, mainButton, open, runs, test, train } from './lab.ts';

test('from the link to answers in English at one press', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/stories-2.bin')) fetched.push(request.url());
  });
  await open(page, '#env=w-stories&seeds=2');
  expect(fetched).toEqual([]);
  await mainButton(page, 'Train').click();
  const group = page.getByRole('region', { name: /^Go on with the story/ });
  await expect(group.getByRole('row')).toHaveCount(17, { timeout: 90_000 });
  // both learners have begun: one of them fetched the file, the other found it
  await expect.poll(async () => (await activeRun(page))?.seeds.filter(({ step }) => step > 0).length, { timeout: 90_000 }).toBe(2);
  expect(fetched).toHaveLength(1);
});

for (const [where, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`ten marks make a judge that is learned from, and proxy and truth are drawn apart, on ${where}`, { tag: '@night' }, async ({
    page,
  }) => {
    test.setTimeout(300_000); // two runs and 128 answers, where others use the machine, too
    await page.setViewportSize(viewport);
    await open(page, '#env=w-stories&seeds=1');
    await train(page);
    const stage = page.locator('section[aria-labelledby="group-title"]');
    await expect(stage.getByRole('row')).toHaveCount(17, { timeout: 90_000 });
    await stage.getByRole('button', { name: 'Mark answers' }).click();
    const learn = stage.getByRole('button', { name: 'Learn by this judge' });
    await expect(learn).toBeDisabled();
    const status = stage.getByRole('status');
    await expect(status).toContainText('0 of 10 answers marked');
    // by keys: what is marked stays while the run goes on, the same press takes a mark away
    const good = stage.getByRole('button', { name: /^good: / });
    const bad = stage.getByRole('button', { name: /^bad: / });
    await expect(good).toHaveCount(16);
    const first = await good.first().getAttribute('aria-label');
    await good.first().press('Enter');
    await expect(status).toContainText('1 of 10');
    await good.first().press('Enter');
    await expect(status).toContainText('0 of 10');
    for (let i = 0; i < 5; i++) {
      await good.nth(i).click();
      await bad.nth(15 - i).click();
    }
    await expect(status).toContainText(/^A judge fitted to 10 marks agrees with (9|10) of them\./);
    await expect(good.first()).toHaveAttribute('aria-label', first ?? '');
    await expect(stage.getByText('You call 5 of 10 marked answers of this run good')).toBeVisible();
    await learn.click();
    await expect.poll(async () => (await runs(page)).length).toBe(2);
    const env = (await activeRun(page))?.config.env.config as Readonly<Record<string, unknown>>;
    expect(env).toMatchObject({ own: 1, friendly: 0, grammar: 0 });
    expect(String(env.taste)).toMatch(/^\*:-?\d/);
    // the best of N and the curves of the run, what is paid beside an exact judge
    await expect(stage.getByRole('button', { name: 'Best of N' })).toHaveAttribute('aria-pressed', 'true');
    await expect(stage.getByText(/^Best of 16: paid \d\.\d\d, grammar \d\.\d\d; at most 1\.84 nats/)).toBeVisible({ timeout: 90_000 });
    await expect(stage.getByText(/^After .* tokens: paid \d\.\d\d, grammar \d\.\d\d\.$/)).toBeVisible({ timeout: 150_000 });
    await stage.getByRole('combobox', { name: 'true score' }).selectOption('judge-truth');
    await expect(stage.getByText(/^Best of 16: paid \d\.\d\d, truth/)).toBeVisible();
  });

test('without a KL a judge of ten marks is fooled: it pays nearly 1 for what holds together less and less', { tag: '@night' }, async ({
  page,
}) => {
  test.setTimeout(600_000);
  await open(page, '#env=w-stories&seeds=1');
  await train(page);
  const stage = page.locator('section[aria-labelledby="group-title"]');
  await expect(stage.getByRole('row')).toHaveCount(17, { timeout: 90_000 });
  await stage.getByRole('button', { name: 'Mark answers' }).click();
  for (let i = 0; i < 5; i++) {
    await stage
      .getByRole('button', { name: /^good: / })
      .nth(i)
      .click();
    await stage
      .getByRole('button', { name: /^bad: / })
      .nth(15 - i)
      .click();
  }
  await stage.getByRole('button', { name: 'The same without a KL' }).click();
  await expect.poll(async () => (await runs(page)).length).toBe(2);
  expect((await activeRun(page))?.config).toMatchObject({ algo: { config: { reference: { kind: 'off' } } } });
  await stage.getByRole('combobox', { name: 'true score' }).selectOption('judge-truth');
  // of the new run: the old one, paid by friendly words, is nowhere near
  await expect(stage.getByText(/^Best of 16: paid (0\.[5-9]\d|1\.00), truth/)).toBeVisible({ timeout: 120_000 });
  const told = stage.getByText(/^After .* tokens: paid \d\.\d\d, truth \d\.\d\d\.$/);
  const numbers = async (): Promise<readonly number[]> =>
    [...((await told.textContent()) ?? '').matchAll(/(?:paid|truth) (\d\.\d\d)/g)].map(([, number]) => Number(number));
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0, { timeout: 500_000 }).toBeGreaterThan(90_000);
  const [paid = 0, truth = 1] = await numbers();
  expect(paid).toBeGreaterThan(0.9);
  expect(truth).toBeLessThan(paid - 0.2);
});
