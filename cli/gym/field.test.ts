/** Environments in Python as they are found, over the real bridge: what they print, how their pictures lie, who ends their episodes, older interfaces. */
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GymDescription, readGymDescription } from '#contract/game/gym-wire.ts';
import { upgrade } from '#contract/run/versions.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { gymEntry } from '#core/gym/entry.ts';
import { Rng } from '#math/rng.ts';
import { bundle } from '../../tools/bundle.mjs';
import { hasModules, PYTHON } from '../../tools/python.ts';
import { type OpenLink, openLink } from './link.ts';

let thread = '';
beforeAll(async () => {
  thread = join(await bundle('cli'), 'gym.mjs');
}, 120_000);
const links = new Set<OpenLink>();
afterEach(() => {
  for (const link of links) link.close();
  links.clear();
});

function opened(name: string, args: object = {}): { readonly link: OpenLink; readonly description: GymDescription } {
  const asked = { name, args: { ...args }, leave: [] };
  const link = openLink({ asked, python: PYTHON, bridge: resolve('python/rl_gym_bridge.py'), cwd: resolve('cli/gym/stand-in') }, thread);
  links.add(link);
  return { link, description: readGymDescription(link.description) };
}
const entryOf = ({ link, description }: ReturnType<typeof opened>) => gymEntry(description, 'gym-test', () => link);
function vectorOf(given: ReturnType<typeof opened>, config: object = {}): VectorEnv {
  const vector = createVectorEnv(entryOf(given), config, 1, Rng.from(3));
  vector.reset();
  return vector;
}

describe('what is printed is no answer', () => {
  test('at import, in a reset, by native code, by Python and by a program that it starts', () => {
    const vector = vectorOf(opened('chatty:Chatty'));
    for (let t = 0; t < 5; t++) vector.step(Int32Array.of(1));
    expect([vector.buffers.reward[0], vector.buffers.truncated[0]]).toEqual([1, 1]);
  });
});

describe('pictures', () => {
  test('channels first are turned, of nested lists too; bytes are divided by 255', () => {
    const given = opened('chatty:Frames');
    expect(given.description.agents[0]).toMatchObject({
      obs: { shape: [3, 4, 2], low: 0, high: 1 },
      first: { shape: [2, 3, 4], low: 0, high: 1 },
      notes: ['2 x 3 x 4 in Python, channels not last: turned to 3 x 4 x 2', 'bytes from 0 to 255: divided by 255'],
    });
    const seen = (config: object) => [...vectorOf(given, config).buffers.obs].map((x) => Math.round(255 * x));
    expect(seen({})).toEqual([0, 12, 1, 13, 2, 14, 3, 15, 4, 16, 5, 17, 6, 18, 7, 19, 8, 20, 9, 21, 10, 22, 11, 23]);
    expect(seen({ reading: 1 })).toEqual(Array.from({ length: 24 }, (_, i) => i)); // as version 1 had it
  });

  test('a config of version 1 keeps its reading and its limit', () => {
    const entry = entryOf(opened('chatty:Frames'));
    expect(entry.version).toBe(2);
    expect(upgrade(entry, 1, {}, 'env.version')).toEqual({ config: { reading: 1, maxSteps: 1000 }, changed: [] });
    expect(entry.parse({})).toMatchObject({ reading: 2, maxSteps: 0 });
  });
});

describe.skipIf(!hasModules('numpy'))('numpy (skipped where RL_TEST_PYTHON has none)', () => {
  test.each([
    ['frames of Atari', 'quiet:Stacked', {}, [84, 84, 4], [0, 1]],
    ['a colour picture with channels last', 'quiet:Channels', {}, [84, 84, 3], [0, 1]],
    ['one with channels first', 'quiet:Channels', { shape: [3, 64, 96] }, [64, 96, 3], [0, 1]],
    ['a stack of colour pictures', 'quiet:Channels', { shape: [4, 32, 48, 3] }, [32, 48, 12], [0, 1]],
    ['a stack of colour pictures with channels first', 'quiet:Channels', { shape: [4, 3, 32, 48] }, [32, 48, 12], [0, 1]],
    ['a grey picture', 'quiet:Channels', { shape: [36, 48] }, [36, 48, 1], [0, 1]],
    ['a small picture whose sides are equal', 'quiet:Channels', { shape: [7, 7, 3] }, [7, 7, 3], [0, 1]],
    ['many features of a board', 'quiet:Channels', { shape: [8, 8, 111], dtype: 'float32', high: 1 }, [8, 8, 111], [0, 1]],
    ['features first, in floats', 'quiet:Channels', { shape: [2, 9, 10], dtype: 'float32', high: 1 }, [9, 10, 2], [0, 1]],
    ['bytes of a memory', 'quiet:Channels', { shape: [128] }, [128], [0, 1]],
    ['codes that are no bytes', 'quiet:Channels', { shape: [5, 5, 2], high: 10 }, [5, 5, 2], [0, 10]],
    ['frames that are stacked late', 'quiet:Lazy', { shape: [2, 8, 9] }, [8, 9, 2], [0, 1]],
  ])('%s', (_, name, args, shape, [low, high]) => {
    const given = opened(name, args);
    expect(given.description.agents[0]?.obs).toMatchObject({ kind: 'box', shape, low, high });
    const vector = vectorOf(given);
    vector.step(Int32Array.of(0));
    expect(vector.buffers.obs).toHaveLength(shape.reduce((a, b) => a * b, 1));
  });

  test('each number of a turned picture stands where it belongs', () => {
    const seen = vectorOf(opened('quiet:Channels', { shape: [4, 2 + 4, 3 + 4, 3] })).buffers.obs; // frames, height, width, channels
    const number = (frame: number, y: number, x: number, c: number): number => (((frame * 6 + y) * 7 + x) * 3 + c) % 256;
    for (const [frame, y, x, c] of [
      [0, 0, 0, 0],
      [1, 2, 3, 1],
      [3, 5, 6, 2],
    ] as const)
      expect(Math.round(255 * seen[(y * 7 + x) * 12 + frame * 3 + c]!)).toBe(number(frame, y, x, c));
  });

  test('bytes inside a Dict are divided by 255, and were not in version 1', () => {
    const given = opened('quiet:Mini');
    expect(given.description.agents[0]?.obs).toMatchObject({ shape: [151], low: 0, high: 1 });
    expect(given.description.agents[0]?.notes).toEqual(['bytes of image from 0 to 255: divided by 255']);
    const [now, before] = [{}, { reading: 1 }].map((config) => [...vectorOf(given, config).buffers.obs]);
    expect([Math.max(...now!), Math.max(...before!)]).toEqual([1, 255]);
  });

  test('rewards and flags as arrays, item() of an action', () => {
    const rewards = vectorOf(opened('quiet:Channels', { shape: [4] }));
    for (let t = 0; t < 5; t++) rewards.step(Int32Array.of(0));
    expect([rewards.buffers.reward[0], rewards.buffers.truncated[0]]).toEqual([1, 1]);
    const items = vectorOf(opened('quiet:Items'));
    items.step(Int32Array.of(1));
    expect(items.buffers.reward[0]).toBe(1);
  });

  test.each(['NoneInfo', 'StartsAtOne', 'Outside', 'TermAndTrunc', 'NoRender'])('%s goes as it did', (name) => {
    const vector = vectorOf(opened(`quiet:${name}`));
    for (let t = 0; t < 5; t++) vector.step(Int32Array.of(0));
    expect(vector.buffers.terminated[0]! + vector.buffers.truncated[0]!).toBeGreaterThan(0);
  });
});

describe('who ends an episode', () => {
  test('no limit of ours: an episode of 1,500 steps ends by itself, after all of them', () => {
    const given = opened('chatty:Long');
    const vector = vectorOf(given);
    let length = 0;
    do {
      vector.step(Int32Array.of(0));
      length++;
    } while (vector.buffers.terminated[0] === 0 && vector.buffers.truncated[0] === 0 && length < 5000);
    expect([length, vector.buffers.terminated[0]]).toEqual([1500, 1]);
    // an evaluation cuts what never ends, and its result counts that
    expect(entryOf(given).meta({})).toMatchObject({ maxSteps: 0, evalMaxSteps: 100_000 });
    expect(entryOf(given).meta({ maxSteps: 20 })).toMatchObject({ maxSteps: 20, evalMaxSteps: 20 });
  });
});

describe('older interfaces, in words', () => {
  test.each([
    ['OldReset', 'Its reset() takes no seed: it has the interface of Gym before 0.26'],
    ['OldAnswer', 'Its reset() gives an observation without its info'],
  ])('%s', (name, message) => {
    expect(() => opened(`chatty:${name}`)).toThrow(message);
  });

  test.each([
    ['OldStep', 'Its step() gives four things (done in place of terminated and truncated)'],
    ['Goals', 'the reward of agent has 3 numbers, not one'],
  ])('%s', (name, message) => {
    const vector = vectorOf(opened(`chatty:${name}`));
    expect(() => vector.step(Int32Array.of(0))).toThrow(message);
  });
});
