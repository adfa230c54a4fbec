/** Storage that goes while the page is open. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { activeRun, allSeeds, curve, dropFile, expect, open, outcome, ready, runs, test, train, trainToEnd } from './lab.ts';

const badge = (page: Page) => page.getByRole('status').filter({ hasText: 'Not being saved' });

test('a database that is deleted while a run trains is made anew, with what the page holds', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=50000000&seeds=1');
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
  const first = (await curve(page, 1))?.steps[0];
  const before = (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1;
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name ?? '');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      });
    }
  });
  await expect(page.getByRole('status').filter({ hasText: 'storage had been cleared' })).toBeVisible();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(before);
  await expect(badge(page)).toHaveCount(0);

  // What was measured before and after is there for the next visit.
  await page.reload();
  await ready(page);
  await expect.poll(async () => (await runs(page)).length).toBe(1);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThanOrEqual(before);
  await expect.poll(async () => (await curve(page, 1))?.steps[0]).toBe(first);
});

test('a disk that is full: the page says that nothing is saved, hands out the runs, and saves again when there is room', async ({
  page,
}) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=2000&seeds=1');
  await page.evaluate(() => {
    const own = IDBObjectStore.prototype.put;
    const full = { is: true };
    (window as unknown as { full: typeof full }).full = full;
    IDBObjectStore.prototype.put = function (...args) {
      if (full.is) throw new DOMException('no room', 'QuotaExceededError');
      return own.apply(this, args);
    };
  });
  await train(page);
  await expect(badge(page)).toBeVisible();
  await expect(badge(page)).toHaveAttribute('title', /no more room/);
  const download = page.waitForEvent('download');
  await badge(page).getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toMatch(/^rl-workbench-.*\.lab$/);
  await page.evaluate(() => {
    (window as unknown as { full: { is: boolean } }).full.is = false;
  });
  await expect(badge(page)).toHaveCount(0); // tried again by itself
});

test('a database that an older tab holds at the start: the page says so, and stores its runs once that tab is closed', {
  tag: '@night',
}, async ({ page, context }) => {
  const older = await context.newPage();
  await older.goto('online.txt');
  await older.evaluate(async () => {
    const hold = indexedDB.open('rl-workbench:/lab/', 1); // and never closes
    hold.onupgradeneeded = () => {
      for (const table of ['runs', 'curves', 'checkpoints', 'policies', 'files']) hold.result.createObjectStore(table);
    };
    await new Promise((resolve) => {
      hold.onsuccess = resolve;
    });
  });
  await open(page, '#env=cliff-walking&algo=q-learning&steps=2000&seeds=1');
  await train(page);
  await allSeeds(page, 'done');
  await expect(badge(page)).toHaveAttribute('title', /older version of this page/);
  await older.close();
  await expect(badge(page)).toHaveCount(0);
  await page.reload();
  await ready(page);
  await expect.poll(async () => (await runs(page)).length).toBe(1);
  await expect.poll(async () => (await curve(page, 1))?.steps.length ?? 0).toBeGreaterThan(0);
});

test('the storage page exports all and deletes all; imported, runs, kept states, notes and layout are as they were', {
  tag: '@night',
}, async ({ page }) => {
  await open(page, '#env=cliff-walking&algo=q-learning&steps=3000&seeds=2');
  await train(page);
  await allSeeds(page, 'done');
  await expect.poll(async () => (await activeRun(page))?.seeds.every(({ points = [] }) => points.length > 5)).toBe(true);
  const name = (await activeRun(page))?.name ?? '';
  await page.getByRole('textbox', { name: `Note on ${name}` }).fill('the slow one');
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Filter the runs' }).fill('cliff');
  const all = async () =>
    (await runs(page)).map(({ origin: _, ...run }) => ({
      ...run,
      result: outcome(run),
      points: run.seeds.map(({ points }) => points),
      seeds: [],
    }));
  const wanted = await all();
  const measured = await curve(page, 2);

  await page.getByRole('button', { name: 'View and files' }).click();
  await page.getByRole('button', { name: /^Storage/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Storage' });
  await expect(dialog.getByText(/the browser has promised it|not promised by the browser/)).toBeVisible();
  await expect(dialog.locator('dd').nth(1)).toHaveText(/^[\d.]+\s?[kM]B of [\d.]+\s?[MG]B$/);
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export all' }).click()]);
  const bytes = await readFile(await file.path());
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await dialog.getByRole('button', { name: /for good$/ }).click();
  await expect.poll(() => runs(page)).toEqual([]);
  await page.goto('about:blank');
  await open(page, '#env=cliff-walking&algo=q-learning&steps=3000&seeds=2');
  expect(await runs(page)).toEqual([]);
  await dropFile(page, file.suggestedFilename(), bytes);
  await expect.poll(all).toEqual(wanted);
  expect((await runs(page)).map(({ origin }) => origin)).toEqual([{ kind: 'file', title: file.suggestedFilename() }]);
  await expect.poll(() => curve(page, 2)).toEqual(measured);
  await expect(page.getByRole('searchbox', { name: 'Filter the runs' })).toHaveValue('cliff');
  await page.reload();
  await ready(page);
  await expect.poll(all).toEqual(wanted);
});

test('a database of the version before datasets opens with its runs', { tag: '@night' }, async ({ page, complaints }) => {
  complaints.expected.push(/404/); // a picture alone has no icon: the browser asks for one
  await open(page, '#env=cliff-walking&algo=q-learning&steps=2000&seeds=1');
  const trained = await trainToEnd(page);
  await page.goto('./icon.svg'); // same origin, nothing that holds the database
  const version = await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const [{ name = '', version: now = 0 } = {}] = await indexedDB.databases();
    const db = await done(indexedDB.open(name));
    const kept = new Map<string, [IDBValidKey, unknown][]>();
    for (const store of [...db.objectStoreNames].filter((id) => id !== 'datasets')) {
      const table = db.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([done(table.getAllKeys()), done(table.getAll())]);
      kept.set(
        store,
        keys.map((key, i) => [key, values[i]]),
      );
    }
    db.close();
    await done(indexedDB.deleteDatabase(name));
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const store of kept.keys()) request.result.createObjectStore(store);
    };
    const before = await done(request);
    for (const [store, rows] of kept) {
      const writing = before.transaction(store, 'readwrite');
      for (const [key, value] of rows) writing.objectStore(store).put(value, key);
      await new Promise<void>((resolve) => {
        writing.oncomplete = () => resolve();
      });
    }
    before.close();
    return now;
  });
  expect(version).toBeGreaterThan(1);
  await open(page);
  await expect.poll(async () => (await runs(page)).map(({ id }) => id)).toEqual([trained.id]);
  expect(await page.evaluate(async () => (await indexedDB.databases())[0]?.version)).toBe(version);
  await expect(badge(page)).toHaveCount(0);
});
