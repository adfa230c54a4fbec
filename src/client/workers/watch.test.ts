import { expect, test } from 'vitest';
import type { PageApi } from '#contract/session/opened.ts';
import { WatchHandle } from './watch.ts';

function rig() {
  const spawned: { readonly name: string; readonly die: (why: string) => void; terminated: boolean; answer: (value: unknown) => void }[] =
    [];
  const free = new Map<string, () => void>();
  let restarts = 0;
  let ends = 0;
  const handle = new WatchHandle({
    spawn: (name, die) => {
      const entry = { name, die, terminated: false, answer: (_: unknown): void => {} };
      spawned.push(entry);
      const api = {
        catalog: () =>
          new Promise((resolve) => {
            entry.answer = resolve;
          }),
        stopPlaying: () => new Promise(() => {}), // as of a worker that computes and cannot be stopped
      } as unknown as PageApi;
      return {
        api,
        terminate: () => {
          entry.terminated = true;
        },
      };
    },
    newName: () => `w${spawned.length}`,
    watchLock: (name, onFree) => {
      free.set(name, onFree);
      return () => free.delete(name);
    },
    onRestart: (stuck) => {
      restarts++;
      if (stuck) ends++;
    },
    answerMs: 1,
  });
  return { handle, spawned, free, restarts: () => restarts, stuck: () => ends };
}

test('a question waits for what has to end before it, and is refused with it', async () => {
  const asked: unknown[] = [];
  const handle = new WatchHandle({
    spawn: () => ({ api: { describe: async (env: unknown) => asked.push(env) } as unknown as PageApi, terminate: () => {} }),
    newName: () => 'w',
    watchLock: () => () => {},
    onRestart: () => {},
    before: ([first]) => (first === 'hostile' ? Promise.reject(new Error('ended')) : null),
  });
  await expect(handle.api().describe('hostile' as never)).rejects.toThrow('ended');
  await handle.api().describe('good' as never);
  expect(asked).toEqual(['good']);
});

test('one worker answers all questions', async () => {
  const { handle, spawned } = rig();
  const question = handle.api().catalog();
  spawned[0]?.answer('catalogue');
  expect(await question).toBe('catalogue');
  void handle.api().catalog();
  expect(spawned).toHaveLength(1);
});

test('questions that a dying worker takes with it are refused, and the next one starts a new worker', async () => {
  const { handle, spawned, restarts } = rig();
  const question = handle.api().catalog();
  spawned[0]?.die('out of memory');
  await expect(question).rejects.toMatchObject({ failure: { id: 'worker-lost' } });
  expect(spawned[0]?.terminated).toBe(true);
  expect(restarts()).toBe(1);
  void handle.api().catalog();
  expect(spawned.map(({ name }) => name)).toEqual(['w0', 'w1']);
});

test('a worker killed without a word is noticed by its lock, but only once it has lived', async () => {
  const { handle, spawned, free, restarts } = rig();
  const first = handle.api().catalog();
  expect(free.size).toBe(0);
  spawned[0]?.answer('here');
  await first;
  const second = handle.api().catalog();
  free.get('w0')?.();
  await expect(second).rejects.toThrow('without a word');
  expect(restarts()).toBe(1);
});

test('a worker that cannot live is not started for ever', () => {
  const { handle, spawned, restarts } = rig();
  for (let i = 0; i < 10; i++) {
    void handle
      .api()
      .catalog()
      .catch(() => {});
    spawned.at(-1)?.die('broken');
  }
  expect(restarts()).toBe(5);
});

test('a worker that does not answer while it makes an environment is ended, however often', async () => {
  const { handle, spawned, stuck } = rig();
  for (let i = 0; i < 8; i++) {
    const first = handle.api().catalog();
    spawned[i]?.answer('here');
    await first;
    const waiting = handle.api().catalog();
    void handle
      .api()
      .stopPlaying()
      .catch(() => {});
    await expect(waiting).rejects.toThrow('takes too long to make');
    expect(spawned[i]?.terminated).toBe(true);
  }
  expect(stuck()).toBe(8);
});
