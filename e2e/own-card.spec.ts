/** An own card: made on the page, opened from its link, judged as the command line judges it. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { decodeCard, encodeCard, type OwnCard } from '../src/contract/link/card.ts';
import { expect, open, test, trainToEnd } from './lab.ts';
import { CARD } from './own-card.ts';

const onCommandLine = (
  card: OwnCard,
): Promise<{ readonly outcome: string; readonly arms: readonly { readonly scores: readonly number[] }[] }> =>
  new Promise((done, failed) => {
    execFile(process.execPath, [resolve('tools/rl.mjs'), 'claims', '--card', encodeCard(card), '--json'], (error, stdout) => {
      if (error) failed(error);
      else done(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    });
  });

test('a card opens from its link, is run there, and comes out as on the command line', async ({ page }) => {
  test.setTimeout(150_000);
  const asked = onCommandLine(CARD);
  await page.goto(`./#/papers/card?c=${encodeCard(CARD)}`);
  await expect(page.getByRole('heading', { name: CARD.title })).toBeVisible();
  await expect(page.getByText('by A. Reader')).toBeVisible();
  await page.getByRole('button', { name: 'Full form' }).click();
  const own = page.getByRole('status', { name: 'Your runs' });
  await expect(own).toContainText('by your own runs', { timeout: 90_000 });
  const { outcome } = await asked;
  await expect(own).toContainText(outcome);
  await expect(page.getByText('Tested: a question of its author')).toBeVisible();
});

test('runs of this profile become the arms of a card, and a damaged link says so', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#env=bandit&algo=ucb1&steps=200&seeds=2');
  await trainToEnd(page);
  await open(page, '#env=bandit&algo=epsilon-greedy&steps=200&seeds=2');
  await trainToEnd(page);
  await page.goto('./#/compare');
  await page.getByText('Make a card of these runs').click();
  await page.getByLabel('Title').fill('Mine');
  await page.getByLabel('The question that the contrasts answer').fill('Which?');
  await expect(page.getByText('by how much? Without a size nothing can be refuted.')).toBeVisible();
  await page.getByLabel('size', { exact: true }).fill('0.1');
  const link = page.getByRole('link', { name: 'Open the card' });
  await expect(link).toBeVisible();
  const packed = (await link.getAttribute('href'))?.replace('#/papers/card?c=', '') ?? '';
  expect(decodeCard(packed)).toMatchObject({ title: 'Mine', firstSeed: 1001, tunedOn: [1, 2], arms: [{}, {}] });
  await link.click();
  await expect(page.getByRole('button', { name: 'Full form' })).toBeVisible();
  // what was made here stands in the list, until it is left out
  await expect(page.getByRole('button', { name: 'In my list of cards' })).toHaveAttribute('aria-pressed', 'true');
  await page.goto('./#/papers/own');
  const cards = page.getByRole('list', { name: 'Your cards' });
  await expect(cards.getByRole('link', { name: 'Mine' })).toBeVisible();
  await cards.getByRole('button', { name: 'Leave Mine out of the list' }).click();
  await expect(cards).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards.getByRole('link', { name: 'Mine' })).toBeVisible();
  await page.goto(`./#/papers/card?c=${packed.slice(0, -1)}A`);
  await expect(page.getByRole('alert')).toContainText('damaged');
});
