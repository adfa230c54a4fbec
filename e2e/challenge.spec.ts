/** A score to beat: made, played by the keys, handed in, proved by playing it again, and refused where it was changed. */
import { decodeAttempt, encodeAttempt } from '../src/contract/link/challenge.ts';
import { expect, open, test, train } from './lab.ts';

test('a challenge is made, played with the keys, handed in and ranked once it was played again', async ({ page }) => {
  await open(page, '#env=cartpole');
  await page.goto('./#/challenge?seed=3&score=5');
  const link = page.getByLabel('Link of the challenge');
  await expect(link).toHaveValue(/#\/challenge\?c=1\./);
  await page.goto(await link.inputValue());
  await expect(page.getByRole('heading', { level: 1, name: 'Beat 5 in CartPole' })).toBeVisible();
  await page.getByRole('button', { name: 'Play yourself' }).click();
  const handIn = page.getByRole('link', { name: 'Hand it in' });
  await expect(page.getByRole('button', { name: 'End the game' })).toBeVisible();
  await page.keyboard.down('ArrowRight'); // the pole falls
  await expect(handIn).toBeVisible();
  await page.keyboard.up('ArrowRight');
  await expect(page.getByRole('button', { name: 'Rematch' })).toBeFocused();
  await handIn.click();
  await page.getByRole('button', { name: 'Hand in' }).click();
  const rows = page.getByRole('table').locator('tbody tr');
  await expect(rows.first()).toContainText('checked: beats the score');

  // The same game with a higher score is not what it says.
  const [code] = (await page.evaluate(() => Object.values(localStorage).find((text) => /^"1\.[\w-]+\.[\w-]+"$/.test(text)) ?? '""')).match(
    /1\.[\w-]+\.[\w-]+/,
  ) ?? [''];
  const attempt = decodeAttempt(code);
  await page.getByLabel('Attempts of others').fill(encodeAttempt({ ...attempt, score: 500 }));
  await page.getByRole('button', { name: 'Add to the ranking' }).click();
  await expect(rows.last()).toContainText('wrong: its score is not the one that it names');
});

test('a training is handed in and proved by training it again; more steps than are allowed are refused', { tag: '@night' }, async ({
  page,
}) => {
  test.slow();
  await open(page, '#env=cartpole');
  await page.goto('./#/challenge?seed=3&score=5');
  await page.goto(await page.getByLabel('Link of the challenge').inputValue());
  await page.getByRole('button', { name: 'Set up a training' }).click();
  await train(page);
  const next = page.getByRole('region', { name: 'Then what?' });
  await expect(next).toBeVisible({ timeout: 90_000 });
  // On a phone the presses fold into a list: nothing is cut at the edge, and the film stands beside it.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await next.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBeLessThanOrEqual(0);
  await next.getByRole('button', { name: 'Then what?' }).click();
  await expect(
    next
      .getByRole('button', { name: 'Again with other seeds' })
      .or(next.getByRole('button', { name: /^Train longer/ }))
      .first(),
  ).toBeInViewport();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goBack();
  await page.getByRole('button', { name: 'Hand in' }).click();
  const row = page.getByRole('table').locator('tbody tr').first();
  await expect(row).toContainText('PPO');
  await expect(row).toContainText('checked', { timeout: 90_000 });
});

test('a challenge holds a seat among others: played against scripts, proved again, and refused with another score', {
  tag: '@night',
}, async ({ page }) => {
  test.slow();
  await open(page, '#env=tic-tac-toe');
  await page.goto('./#/challenge?seed=4&score=-2');
  const seat = page.getByRole('combobox', { name: 'Seat' });
  await expect(seat.getByRole('option').last()).toHaveText('all agents: by training only');
  await page.getByRole('combobox', { name: 'The others' }).selectOption({ label: 'random actions' });
  await page.goto(await page.getByLabel('Link of the challenge').inputValue());
  await expect(page.getByText('random actions', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Play yourself' }).click();
  await expect(page.getByRole('button', { name: 'End the game' })).toBeVisible();
  const handIn = page.getByRole('link', { name: 'Hand it in' });
  // every field once: what is taken is refused, and the game ends before the last
  for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
    if (await handIn.isVisible()) break;
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await handIn.click();
  await page.getByRole('button', { name: 'Hand in' }).click();
  const rows = page.getByRole('table').locator('tbody tr');
  await expect(rows.first()).toContainText('checked: beats the score');
  const text = await page.evaluate(() => Object.values(localStorage).find((kept) => /^"1\.[\w-]+\.[\w-]+"$/.test(kept)) ?? '""');
  const attempt = decodeAttempt(/1\.[\w-]+\.[\w-]+/.exec(text)?.[0] ?? '');
  await page.getByLabel('Attempts of others').fill(encodeAttempt({ ...attempt, score: 7 }));
  await page.getByRole('button', { name: 'Add to the ranking' }).click();
  await expect(rows.last()).toContainText('wrong: its score is not the one that it names');
});

test('a seat is trained for: the policy plays against the script, and is proved by training it again', { tag: '@night' }, async ({
  page,
}) => {
  test.slow();
  await open(page, '#env=tic-tac-toe');
  await page.goto('./#/challenge?seed=4&score=-2');
  await page.getByRole('combobox', { name: 'The others' }).selectOption({ label: 'random actions' });
  await page.goto(await page.getByLabel('Link of the challenge').inputValue());
  await page.getByRole('button', { name: 'Set up a training' }).click();
  await train(page);
  await expect(page.getByRole('region', { name: 'Then what?' })).toBeVisible({ timeout: 180_000 });
  await page.goBack();
  await page.getByRole('button', { name: 'Hand in' }).click();
  const row = page.getByRole('table').locator('tbody tr').first();
  await expect(row).toContainText('checked: beats the score', { timeout: 180_000 });
  const text = await page.evaluate(() => Object.values(localStorage).find((kept) => /^"1\.[\w-]+\.[\w-]+"$/.test(kept)) ?? '""');
  const attempt = decodeAttempt(/1\.[\w-]+\.[\w-]+/.exec(text)?.[0] ?? '');
  await page.getByLabel('Attempts of others').fill(encodeAttempt({ ...attempt, score: 7 }));
  await page.getByRole('button', { name: 'Add to the ranking' }).click();
  await expect(page.getByRole('table').locator('tbody tr').last()).toContainText('wrong: its score is not the one that it names', {
    timeout: 180_000,
  });
});

test('a damaged challenge is refused in words', async ({ page }) => {
  await page.goto('./#/challenge?c=1.AAAA.AAAAAA');
  await expect(page.getByRole('heading', { level: 1, name: 'This challenge cannot be opened' })).toBeVisible();
  await expect(page.getByText(/is damaged: its checksum does not match/)).toBeVisible();
});
