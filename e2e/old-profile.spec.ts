/**
 * A browser profile that the build of 23 November 2026 (commit d5cf191f) filled: finished runs, a half-trained one with settings that are
 * variants now, a sweep, a lesson and a recording. All of it is there, under the same hashes, and what was half trained ends bit for bit as
 * that build ended it. Kept of the file: databases, files and local storage; left out are policies but the last and restore points.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { activeRun, allSeeds, expect, mainButton, outcome, ready, runs, test } from './lab.ts';

interface OldRun {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly states: readonly string[];
}

interface Profile {
  readonly expected: {
    readonly done: { readonly id: string; readonly outcome: unknown };
    readonly half: { readonly hash: string; readonly outcome: unknown };
    readonly halfId: string;
    readonly lesson: string;
    readonly runs: readonly OldRun[];
  };
}

/** Fills this origin's storage before the page's own code runs: an icon is a document of the same origin without any. */
async function fill(page: Page): Promise<Profile['expected']> {
  const text = gunzipSync(await readFile(new URL('golden/old-profile.json.gz', import.meta.url))).toString();
  await page.goto('./icon.svg');
  await page.evaluate(async (json) => {
    type Tagged = { readonly $: string; readonly v: string };
    const bytes = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).buffer;
    const VIEWS = { Uint8Array, Int16Array, Int32Array, Uint32Array, Float32Array, Float64Array };
    const read = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(read);
      const { $, v } = value as Tagged;
      if ($ === undefined) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner)]));
      if ($ === 'undefined') return undefined;
      if ($ === 'number') return Number(v);
      if ($ === 'ArrayBuffer') return bytes(v);
      const View = VIEWS[$ as keyof typeof VIEWS];
      if (View === undefined) throw new Error(`No way to read a ${$}.`);
      return new View(bytes(v));
    };
    const done = (request: IDBRequest | IDBTransaction): Promise<void> =>
      new Promise((resolve, reject) => {
        if (request instanceof IDBTransaction) request.oncomplete = () => resolve();
        else request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      });
    const { databases, files, local } = JSON.parse(json);
    for (const { name, version, stores } of databases) {
      const asked = indexedDB.open(name, version);
      asked.onupgradeneeded = () => {
        for (const store of stores) asked.result.createObjectStore(store.name);
      };
      await done(asked);
      for (const store of stores) {
        const write = asked.result.transaction(store.name, 'readwrite');
        for (const [key, value] of store.rows) write.objectStore(store.name).put(read(value), read(key) as IDBValidKey);
        await done(write);
      }
      asked.result.close();
    }
    for (const { path, data } of files) {
      let folder = await navigator.storage.getDirectory();
      for (const part of path.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
      const out = await (await folder.getFileHandle(path.at(-1), { create: true })).createWritable();
      await out.write(bytes(data));
      await out.close();
    }
    for (const [key, value] of Object.entries<string>(local)) localStorage.setItem(key, value);
  }, text);
  return (JSON.parse(text) as Profile).expected;
}

test('a profile of an earlier build: runs under their hashes, a half-trained one ends bit for bit, sweep, lesson and recording', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(/Failed to load resource.*404/); // opened as a page, the icon asks for favicon.ico
  const expected = await fill(page);

  await page.goto('./#env=cartpole&algo=ppo');
  await ready(page);
  await expect.poll(async () => (await runs(page)).length).toBe(expected.runs.length);
  const found = (await runs(page)).map(({ id, hash, name, seeds }) => ({ id, hash, name, states: seeds.map(({ state }) => state) }));
  expect([...found].sort((a, b) => a.id.localeCompare(b.id))).toEqual([...expected.runs].sort((a, b) => a.id.localeCompare(b.id)));
  const done = (await runs(page)).find(({ id }) => id === expected.done.id);
  expect(done === undefined ? null : outcome(done)).toEqual(expected.done.outcome);

  await page.goto('./#/runs');
  await page.getByRole('button', { name: 'PPO on Deep sea 2', exact: true }).click();
  await expect.poll(async () => (await activeRun(page))?.id).toBe(expected.halfId);
  await mainButton(page, 'Resume').click();
  const whole = await allSeeds(page, 'done', 90_000);
  expect(whole.hash).toBe(expected.half.hash);
  expect(outcome(whole)).toEqual(expected.half.outcome);

  await page.goto('./#/sweeps');
  await expect(page.getByRole('region', { name: 'Verdict on fresh seeds' })).toContainText('987 [987, 987], 5 fresh seeds');
  await page.goto('./#/data');
  await expect(page.getByRole('region', { name: 'Datasets' }).getByRole('listitem')).toContainText('CartPole: expert');
  await page.goto(`./#${expected.lesson}`);
  await expect(page.getByLabel('about 0.5')).toBeChecked();
});
