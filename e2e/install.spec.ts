import { readFile } from 'node:fs/promises';
import { copyOfPage } from './copy.ts';
import { activeRun, configHash, curve, dropFile, expect, open, ready, runs, stepsDone, test, train, trainToEnd } from './lab.ts';

test.use({ serviceWorkers: 'allow' });

test('a new version waits while a run goes on, asks afterwards, and only a press takes it', { tag: '@night' }, async ({ browser }) => {
  const site = await copyOfPage();
  const page = await (await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' })).newPage();
  const waiting = (): Promise<boolean> =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed');
  try {
    await open(page, '#env=cartpole&algo=ppo&steps=50000000&seeds=1');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload(); // the second visit is the worker's
    await ready(page);
    await train(page);
    await expect.poll(() => stepsDone(page)).toBeGreaterThan(1000);
    site.change(/^sw\.js$/, (text) => `${text}\n// the next release`);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(waiting).toBe(true);
    const offer = page.getByText('A newer version is ready.');
    const before = await stepsDone(page);
    await expect.poll(() => stepsDone(page)).toBeGreaterThan(before + 20_000);
    await expect(offer).toHaveCount(0);

    await page.getByRole('button', { name: /Stop and keep/ }).click();
    await expect(offer).toBeVisible();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'A newer version is ready' });
    await expect(dialog).toBeVisible();
    expect(await waiting()).toBe(true); // still only asked
    await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Update and reload' }).click()]);
    await ready(page);
    await expect.poll(waiting).toBe(false);
  } finally {
    await page.context().close();
    site.close();
  }
});

test('the browser’s offer to install waits in the menu', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  const entry = page.getByRole('button', { name: 'Install as an app' });
  const menu = page.getByRole('button', { name: 'View and files' });
  await menu.click();
  await expect(entry).toHaveCount(0);
  await page.keyboard.press('Escape');
  const taken = await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => document.body.setAttribute('data-prompted', ''),
    });
    window.dispatchEvent(offer);
    return offer.defaultPrevented;
  });
  expect(taken).toBe(true); // no banner of the browser's own
  await menu.click();
  await entry.click();
  await expect(page.locator('body[data-prompted]')).toHaveCount(1);
  await menu.click();
  await expect(entry).toHaveCount(0);
});

test('a project file brings its runs back, dropped on the page or opened by the system', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=3000&seeds=2');
  await trainToEnd(page);
  const mine = await activeRun(page);
  const wanted = await curve(page, 1);
  await page.getByRole('button', { name: `Actions for ${mine?.name}` }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Project file', exact: true }).click(),
  ]);
  const bytes = await readFile(await file.path());

  const context = await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    // What an installed app is given by the system.
    Object.defineProperty(window, 'launchQueue', { value: { setConsumer: (take: unknown) => Object.assign(window, { launch: take }) } });
  });
  const other = await context.newPage();
  await open(other, '#env=frozen-lake&algo=q-learning');
  await dropFile(other, file.suggestedFilename(), bytes);
  await expect.poll(async () => (await runs(other)).map((run) => run.hash)).toEqual([mine?.hash]);
  await expect.poll(() => curve(other, 1)).toEqual(wanted);
  await expect.poll(() => configHash(other)).toBe(mine?.hash);

  await other.evaluate((base64) => {
    const lab = new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], 'again.lab');
    (window as unknown as { launch(params: unknown): void }).launch({ files: [{ getFile: async () => lab }] });
  }, bytes.toString('base64'));
  await expect.poll(async () => (await runs(other)).length).toBe(2);

  // A file that is none of ours explains itself and changes nothing.
  await dropFile(other, 'holiday.json', 'not a run');
  await expect(other.getByRole('dialog')).toBeVisible();
  await expect(other.getByText('holiday.json opened.')).toHaveCount(0);
  expect(await runs(other)).toHaveLength(2);
  await context.close();
});
