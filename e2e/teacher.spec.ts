/**
 * A teacher's hour: a lesson of one's own made from one of the course, printed as a worksheet, done by three pupils whose network is gone, their
 * codes collected on the page of the class. TEACHER_PICTURES=FOLDER keeps a picture of every moment and the worksheet as a PDF.
 */
import { statSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from './lab.ts';

test.use({ serviceWorkers: 'allow', actionTimeout: 30_000 });

const FOLDER = process.env.TEACHER_PICTURES;
/** A teacher has five minutes; presses of a script are faster, so that it has one. */
const MAKE_MS = 60_000;

let taken = 0;
/** A picture of what is in sight, and, of a long page, of the next screens. */
async function look(page: Page, what: string, screens = 1): Promise<void> {
  if (FOLDER === undefined) return;
  for (let i = 0; i < screens; i++) {
    if (i > 0) await page.mouse.wheel(0, 700);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${FOLDER}/${String(++taken).padStart(2, '0')} ${what}${i > 0 ? ` ${i + 1}` : ''}.png` });
  }
}

/** Makes a lesson from "The lever nobody pulled"; the link for a class. */
async function make(page: Page): Promise<string> {
  await page.goto('./#/lessons/new');
  await look(page, 'make, empty', 2);
  await page.getByRole('combobox', { name: 'A lesson to start from' }).selectOption('bandit');
  await page.getByRole('button', { name: 'Copy it into the form' }).click();
  await expect(page.getByText(/“The lever nobody pulled” is in the form/)).toBeVisible();
  await look(page, 'make, copied', 3);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Levers in class 8b');
  await page.getByLabel('Text of step 1').fill('Pull ten times. Write down which lever you like best, and why.');
  await look(page, 'make, own words');
  await page.getByRole('button', { name: 'For a class' }).click();
  const link = page.getByRole('textbox', { name: 'Link for the class' });
  await expect(link).toBeVisible();
  return link.inputValue();
}

interface Pupil {
  readonly page: Page;
  readonly code: string;
}

/** One pupil: opens the link once, loses the network, answers, trains, has a code. */
async function learn(browser: Browser, link: string, seat: number, settings: readonly [string, string], view: object): Promise<Pupil> {
  const context = await browser.newContext({ serviceWorkers: 'allow', reducedMotion: 'reduce', ...view });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Levers in class 8b' })).toBeVisible({ timeout: 60_000 });
  await look(page, `pupil ${seat}, arrives`);
  // What is needed is kept while the network is there: the page is opened once more under its worker.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(page.getByRole('button', { name: /^Step 5: Your own settings/ })).toBeVisible({ timeout: 60_000 });
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: /^Step 2: / }).click();
  const option = page.locator('#panel-left').getByRole('radio').first(); // not the choice of who acts
  await option.check();
  await look(page, `pupil ${seat}, predicts`);
  await page.getByRole('button', { name: 'Run it' }).click();
  await expect(option).toBeDisabled();
  await look(page, `pupil ${seat}, runs`, 2);
  await page.getByRole('button', { name: /^Step 5: / }).click();
  await page.getByLabel(/my seat number/).fill(String(seat));
  await page.getByRole('spinbutton', { name: 'epsilon start' }).fill(settings[0]);
  await page.getByRole('spinbutton', { name: 'initial value' }).fill(settings[1]);
  await look(page, `pupil ${seat}, own settings`, 2);
  await page.getByRole('button', { name: 'Train my settings' }).click();
  const code = page.getByRole('textbox', { name: 'Result code' });
  await expect(code).toBeVisible({ timeout: 90_000 });
  await code.scrollIntoViewIfNeeded();
  await look(page, `pupil ${seat}, result`);
  return { page, code: await code.inputValue() };
}

test(
  'a lesson of one’s own: made, printed, done by three without a network, collected',
  { tag: '@night' },
  async ({ page, browser, baseURL, complaints }, info) => {
    test.setTimeout(600_000);
    complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    const began = Date.now();
    const link = await make(page);
    const spent = Date.now() - began;
    info.annotations.push({ type: 'made in', description: `${(spent / 1000).toFixed(1)} s` });
    if (FOLDER === undefined) expect(spent).toBeLessThan(MAKE_MS);
    await look(page, 'class, empty', 2);

    // The worksheet: every step with its title, room for the prediction, no laboratory.
    const teacher = await page.context().newPage();
    await teacher.goto(link);
    await expect(teacher.getByRole('button', { name: 'Print as a worksheet' })).toBeVisible();
    const path = FOLDER === undefined ? info.outputPath('worksheet.pdf') : `${FOLDER}/worksheet.pdf`;
    await teacher.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const sheet = teacher.locator('body > article');
    await expect(sheet.getByRole('heading', { name: 'Your own settings', includeHidden: true })).toHaveCount(1);
    await expect(sheet).not.toContainText('lesson='); // a page of signs that are not typed from paper
    await teacher.evaluate(() => dispatchEvent(new Event('afterprint')));
    await teacher.pdf({ path, format: 'A4', margin: { top: '14mm', bottom: '14mm', left: '14mm', right: '14mm' } });
    expect(statSync(path).size).toBeGreaterThan(10_000);
    await teacher.close();

    const codes: string[] = [];
    const views = [
      { viewport: { width: 1366, height: 768 } },
      { viewport: { width: 390, height: 844 } },
      { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
    ];
    const settings = [
      ['0.1', '0'],
      ['0', '2'],
      ['0.3', '0'],
    ] as const;
    for (const [i, view] of views.entries()) {
      const pupil = await learn(browser, link, i + 1, settings[i]!, { baseURL, ...view });
      codes.push(pupil.code);
      await pupil.page.context().close();
    }
    await page.getByRole('textbox', { name: 'Result codes' }).fill(codes.join('\n'));
    await page.getByRole('button', { name: 'Add these' }).click();
    await expect(page.getByText('Every result was simulated here again; none is forged.')).toBeVisible({ timeout: 90_000 });
    for (const seat of [1, 2, 3]) await expect(page.getByRole('row', { name: new RegExp(`^${seat} `) })).toContainText('true, all');
    await page.evaluate(() => scrollTo(0, 0));
    await look(page, 'class, collected', 3);
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'class, on a phone', 2);
  },
);
