import { afterEach, expect, test, vi } from 'vitest';
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

/** A worker that answers what it is told to, and never `stopPlaying`: it is busy. Answers how long it is waited for, in ms of a clock that is set. */
function busy(training = 0, before: (args: readonly unknown[]) => Promise<void> | null = () => null) {
  vi.useFakeTimers();
  const answers = new Map<string, () => void>();
  let ended = false;
  const question = (method: string) => () => new Promise<void>((resolve) => void answers.set(method, resolve));
  const handle = new WatchHandle({
    spawn: () => ({
      api: Object.fromEntries(
        ['describe', 'play', 'setPolicy', 'sampleAnswers', 'stopPlaying'].map((method) => [method, question(method)]),
      ) as unknown as PageApi,
      terminate: () => {
        ended = true;
      },
    }),
    newName: () => 'w',
    watchLock: () => () => {},
    onRestart: () => {},
    training: () => training,
    before,
  });
  const refused = (): void => {};
  const ask = (method: 'describe' | 'play' | 'setPolicy' | 'sampleAnswers' | 'stopPlaying', ...args: unknown[]): void =>
    void (handle.api()[method] as (...given: unknown[]) => Promise<unknown>)(...args).catch(refused);
  const answer = async (method: string): Promise<void> => {
    answers.get(method)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const waited = async (): Promise<number> => {
    ask('stopPlaying');
    for (let ms = 0; ms <= 200_000; ms += 500) {
      if (ended) return ms;
      await vi.advanceTimersByTimeAsync(500);
    }
    return Number.POSITIVE_INFINITY;
  };
  return { ask, answer, waited };
}

const stories = { id: 'w-stories', config: { friendly: 1 } };
const large = { id: 'sokoban', config: { levels: 10_000 } };

afterEach(() => void vi.useRealTimers());

test('a worker that is busy with a world that it has played in is given time; with one that is new to it, it is soon ended', async () => {
  const played = busy();
  played.ask('play', stories, null, {});
  await played.answer('play');
  played.ask('sampleAnswers', { env: stories, policy: 'k' });
  expect(await played.waited()).toBe(30_000);
  const made = busy();
  made.ask('describe', stories);
  await made.answer('describe'); // a card says nothing of how long the making takes
  made.ask('play', stories, null, {});
  expect(await made.waited()).toBe(3000);
});

test('a world in which a run has learned can be made; one that is asked about besides and is new cannot be waited for as long', async () => {
  const learned = busy();
  learned.ask('setPolicy', 'k', { env: { ...stories, version: 1 } });
  await learned.answer('setPolicy');
  learned.ask('play', { config: { friendly: 1 }, id: 'w-stories' }, 'k', {});
  expect(await learned.waited()).toBe(30_000);
  const both = busy();
  both.ask('setPolicy', 'k', { env: stories });
  await both.answer('setPolicy');
  both.ask('sampleAnswers', { env: stories, policy: 'k' });
  both.ask('play', large, null, {});
  expect(await both.waited()).toBe(3000);
});

test('a robot that was compiled elsewhere first is given time, too', async () => {
  const robot = { id: 'mujoco-robot', config: { robot: { name: 'dog' } } };
  const looked = busy(0, (args) => (args[0] === robot ? Promise.resolve() : null));
  looked.ask('describe', stories);
  await looked.answer('describe');
  looked.ask('play', robot, null, {});
  await vi.advanceTimersByTimeAsync(0);
  expect(await looked.waited()).toBe(30_000);
});

test('while runs train, cores are shared with them and all takes as many times as long', async () => {
  const shared = busy(2);
  shared.ask('describe', stories);
  await shared.answer('describe');
  shared.ask('play', stories, null, {});
  expect(await shared.waited()).toBe(9000);
});
