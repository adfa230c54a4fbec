/** A class: pupils hand in codes, the teacher's page simulates them again and names the forged one; a lesson that a teacher makes. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { decodeCode, encodeCode, spelled } from '../src/contract/link/code.ts';
import { configHash, expect, open, test } from './lab.ts';
import { readQr } from './qr.ts';

test.use({ actionTimeout: 30_000 });

/** First byte of the first seed's value in a result: after lesson, version, class, seat, step, versions, config hash, seeds, runs. */
const FIRST_VALUE = 24;

/** The value of a number field of the lesson. */
const set = (page: Page, name: string, value: string): Promise<void> => page.getByRole('spinbutton', { name }).fill(value);

async function axe(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    view,
  ).toEqual([]);
}

/** Modules of the QR code with this name, without its white border. */
function modules(path: string): boolean[][] {
  const dark = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const border = Math.min(...dark.map(([x]) => x));
  const size = Math.max(...dark.map(([x]) => x)) + 1 - border;
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [x, y] of dark) rows[y - border]![x - border] = true;
  return rows;
}

async function codeOfSeat(page: Page, seat: number, epsilon: string, initial: string): Promise<string> {
  await page.getByLabel(/my seat number/).fill(String(seat));
  await set(page, 'epsilon start', epsilon);
  await set(page, 'initial value', initial);
  await page.getByRole('button', { name: 'Train my settings' }).click();
  const code = page.getByRole('textbox', { name: 'Result code' });
  await expect(code).toBeVisible({ timeout: 60_000 });
  return code.inputValue();
}

test('a pupil’s code is added to the page of the class, and simulated again it is true', { tag: '@road' }, async ({ page }) => {
  await page.goto('./#/class/bandit?class=K7Q2');
  const link = await page.getByRole('textbox', { name: 'Link for the class' }).inputValue();
  await page.goto(`${link}&step=5`);
  const code = await codeOfSeat(page, 1, '0.1', '0');
  await page.goto('./#/class/bandit?class=K7Q2');
  await page.getByRole('textbox', { name: 'Result codes' }).fill(code);
  await page.getByRole('button', { name: 'Add these' }).click();
  await expect(page.getByRole('row', { name: /^1 / })).toContainText('true, all 10 seeds', { timeout: 60_000 });
});

test('a class of three, one of them forged: the page names it; what comes in stays, and goes when it is deleted', {
  tag: '@night',
}, async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('./#/class/bandit?class=K7Q2');
  await expect(page.getByRole('heading', { name: 'The lever nobody pulled: class K7Q2' })).toBeVisible();
  const link = await page.getByRole('textbox', { name: 'Link for the class' }).inputValue();
  const drawn = await page.getByRole('img', { name: 'QR code of the lesson for the class' }).locator('path').getAttribute('d');
  expect(readQr(modules(drawn ?? '')).text).toBe(link);

  await page.goto(`${link}&step=5`);
  await expect(page.getByRole('heading', { name: 'Your own settings' })).toBeVisible();
  await expect(page.getByText('First your seat number')).toBeVisible();
  const first = await codeOfSeat(page, 1, '0', '2');
  await page.getByRole('button', { name: 'QR code' }).click();
  const qr = await page.getByRole('img', { name: 'QR code of my result' }).locator('path').getAttribute('d');
  const shown = readQr(modules(qr ?? ''));
  expect(spelled(shown.text)).toBe(first);
  expect(shown.version).toBeLessThanOrEqual(10);
  const second = await codeOfSeat(page, 2, '0.1', '0');
  const third = decodeCode(await codeOfSeat(page, 3, '0.3', '0'));
  new DataView(third.buffer, third.byteOffset).setFloat32(FIRST_VALUE, 0.999);
  const forged = spelled(encodeCode(third));

  await page.goto('./#/class/bandit?class=K7Q2');
  await page.getByRole('textbox', { name: 'Result codes' }).fill(`Anna: ${first}\n${second.toLowerCase()}\n${forged}\nRL1:ABC\n`);
  await page.getByRole('button', { name: 'Add these' }).click();
  await expect(page.getByRole('textbox', { name: 'Result codes' })).toBeFocused();
  await expect(page.getByText(/3 results added/)).toContainText('This code is damaged: its end is missing.');
  await expect(page.getByText('Forged: seat 3.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('row', { name: /^1 1 ✓ goal/ })).toContainText('true, all 10 seeds');
  await expect(page.getByRole('row', { name: /^2 / })).toContainText('true, all 10 seeds');
  await expect(page.getByRole('row', { name: /^3 / })).toContainText(/forged: seed \d+: claims 0.999, the run gives 0\.\d+/);
  await expect(page.getByRole('img', { name: /of 3 reached the goal, 1 forged/ })).toBeVisible();
  await axe(page, 'class');

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV file' }).click();
  expect((await waiting).suggestedFilename()).toBe('bandit-K7Q2.csv');

  await page.reload();
  await expect(page.getByText('Forged: seat 3.')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(page.getByRole('button', { name: 'Keep them' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete all 3 results' }).click();
  await expect(page.getByText('Everything that was collected is deleted.')).toBeVisible();
  await page.reload();
  await expect(page.getByText(/Nothing yet/)).toBeVisible();

  // A photo of a code, and a camera that is not there.
  const png = await page.evaluate(
    (dark) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = (dark.length + 8) * 6;
      const context = canvas.getContext('2d')!;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.fillStyle = '#000';
      dark.forEach((row, y) => void row.forEach((on, x) => void (on && context.fillRect((x + 4) * 6, (y + 4) * 6, 6, 6))));
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    modules(qr ?? ''),
  );
  await page
    .getByLabel('Files with result codes')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await expect(page.getByText('1 result added (seat 1).')).toBeVisible();
  await page.getByRole('button', { name: 'Camera', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Paste the codes instead');
});

test('a lesson that a teacher makes opens in a fresh profile, with only its controls, and carries its text', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  await open(page, '#env=cliff-walking&algo=q-learning&steps=3000&seeds=5&algo.alpha=0.5');
  await configHash(page); // the set-up is there
  await page.goto('./#/lessons/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('How fast to learn');
  await page.getByRole('checkbox', { name: 'step size (alpha)' }).check();
  await page.getByLabel('Title of step 1').fill('Move <b>one</b> control');
  await expect(page.getByText('Still missing: the text of step 1.')).toBeVisible();
  await page.getByLabel('Text of step 1').fill('Find a step size.\n<img src=x onerror=alert(1)>');
  await page.getByLabel('Question before the run').fill('Which is best?');
  await page.getByLabel(/Its answers/).fill('0.1\n0.9');
  await page.getByLabel('Bound').fill('-200');
  await page.getByLabel('What is measured').selectOption('finalReturn');
  await page.getByLabel('Of which seeds').selectOption('mean');
  await axe(page, 'make a lesson');
  const link = await page.getByRole('textbox', { name: 'Link of the lesson' }).inputValue();
  expect(link.length).toBeLessThan(1900);

  // The class page gives the link of a class: a result made without its word cannot be checked there.
  await page.getByRole('button', { name: 'For a class' }).click();
  const ofClass = await page.getByRole('textbox', { name: 'Link for the class' }).inputValue();
  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: { width: 390, height: 844 } });
  const pupil = await context.newPage();
  await pupil.goto(ofClass);
  await expect(pupil.getByRole('heading', { name: 'Move <b>one</b> control' })).toBeVisible();
  await expect(pupil.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  const panel = pupil.locator('#panel-left');
  await pupil.getByLabel(/my seat number/).fill('5');
  await expect(panel.getByRole('spinbutton')).toHaveCount(2); // the seat and the control
  await expect(panel.getByRole('spinbutton', { name: 'step size (alpha)' })).toHaveValue('0.5');
  await expect(panel.getByRole('combobox')).toHaveCount(0);
  await pupil.getByLabel('0.9').check();
  await pupil.getByRole('button', { name: 'Train my settings' }).click();
  await expect(pupil.getByText(/Reached: a return at the end of at least -200 as the mean/)).toBeVisible({ timeout: 60_000 });
  const code = await pupil.getByRole('textbox', { name: 'Result code' }).inputValue();
  const overflow = await pupil.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await axe(pupil, 'own lesson on a phone');
  // What was chosen stays once a run began, also where the control is set anew afterwards.
  await pupil.getByRole('spinbutton', { name: 'step size (alpha)' }).fill('0.2');
  await expect(pupil.getByRole('radio', { name: '0.1' })).toBeDisabled();
  await context.close();

  await page.getByRole('textbox', { name: 'Result codes' }).fill(code);
  await page.getByRole('button', { name: 'Add these' }).click();
  await expect(page.getByText('Every result was simulated here again; none is forged.')).toBeVisible({ timeout: 60_000 });

  await page.goto('about:blank');
  await page.goto(`${link.slice(0, -20)}`);
  await expect(page.getByText(/The link of this lesson is damaged/)).toBeVisible();
});
