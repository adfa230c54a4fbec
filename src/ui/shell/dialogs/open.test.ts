// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '#contract/kit/errors.ts';
import type { FolderFile } from '#contract/session/opened.ts';
import { layoutStore } from '#stores/layout.ts';
import { toastStore } from '#ui/kit/toasts.ts';
import { openDropped, openFile } from './open.ts';

const refusal: Failure = { id: 'file-invalid', message: 'w is missing', fix: '' };
const opened: string[] = [];
// What client/files/archive.ts does: it leaves why a file is refused in the store, and throws nothing.
vi.mock('#client/files/service.ts', () => ({
  files: {
    open: async (file: File) => {
      opened.push(file.name);
      layoutStore.getState().set('linkFailure', file.name === 'bad.json' ? refusal : null);
      return file.name === 'torn.csv' ? ['1 run opened: "torn".', '1 line left out.'] : [];
    },
    openFolder: async (home: string, files: readonly FolderFile[]) => {
      opened.push(`${home}: ${files.map(({ name }) => name).join(' ')}`);
      layoutStore.getState().set('linkFailure', null);
      return [];
    },
  },
}));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // notes go by themselves
  toastStore.setState({ toasts: [] });
  opened.length = 0;
});
afterEach(() => vi.useRealTimers());
const said = () => toastStore.getState().toasts.map(({ text, tone }) => [text, tone]);
const file = (name: string) => new File(['{}'], name);

test('only a file that opened is called opened, and what was left out of it is said', async () => {
  await openFile(file('bad.json'));
  expect(said()).toEqual([]);
  await openFile(file('good.json'));
  await openFile(file('torn.csv'));
  expect(said()).toEqual([
    ['good.json opened.', 'plain'],
    ['1 run opened: "torn". 1 line left out.', 'caution'],
  ]);
});

/** A folder as a browser gives one that was dropped: at most two entries at a time. */
function folder(name: string, entries: readonly FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    let at = 0;
    return { readEntries: (done: (some: readonly FileSystemEntry[]) => void) => done(entries.slice(at, (at += 2))) };
  };
  return { name, isDirectory: true, createReader } as unknown as FileSystemEntry;
}
const entry = (name: string): FileSystemEntry =>
  ({ name, isDirectory: false, file: (done: (file: File) => void) => done(file(name)) }) as unknown as FileSystemEntry;
const seed = (n: number): FileSystemEntry => folder(`CartPole-v1__ppo__${n}__1700000000`, [entry(`events.out.tfevents.${n}.h`)]);

test('all of several dropped files and folders are taken, logs together', async () => {
  await openDropped([file('a.json'), file('b.json'), file('1.csv'), file('2.csv')]);
  expect(opened).toEqual(['a.json', 'b.json', ': 1.csv 2.csv']);
  opened.length = 0;
  await openDropped([1, 2, 3, 4, 5].map(seed));
  expect(opened).toEqual([`: ${[1, 2, 3, 4, 5].map((n) => `CartPole-v1__ppo__${n}__1700000000/events.out.tfevents.${n}.h`).join(' ')}`]);
  opened.length = 0;
  await openDropped([folder('runs', [1, 2, 3].map(seed))]);
  expect(opened[0]).toMatch(/^runs: CartPole-v1__ppo__1__1700000000\/events.*CartPole-v1__ppo__3__1700000000\/events/);
  opened.length = 0;
  await openDropped([folder('empty', [])]);
  expect(said().at(-1)).toEqual(['There is no file in what was dropped.', 'caution']);
  expect(opened).toEqual([]);
});
