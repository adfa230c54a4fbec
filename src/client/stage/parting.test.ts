import { expect, test } from 'vitest';
import type { Replay } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { parting, partsAt } from './parting.ts';

test.each([
  [[0, 1, 2, 3], [0, 1, 2, 3], 1, 0, null],
  [[0, 1, 2, 3], [0, 1, 5, 3], 1, 0, 2],
  [[0, 1, 2, 3], [0, 1, 2, 5], 2, 0, 1],
  [[0, 1, 2], [0, 1], 1, 0, null],
  [[0.5, 0.52], [0.51, 0.7], 1, 0.1, 1],
  [[0.5, 0.52], [0.51, 0.55], 1, 0.1, null],
] as const)('%j beside %j, %d numbers a step, reach %d: they part at %s', (one, other, width, reach, step) => {
  expect(partsAt(one, other, width, reach)).toBe(step);
});

/** A world of one number that shows which step it is; the actions of each player and start are given. */
function played(actions: (policy: string, seed: number) => readonly number[], kind: 'discrete' | 'box' = 'discrete') {
  const kept: string[] = [];
  const api = {
    describe: async () => ({
      agents: 1,
      fps: 2,
      frame: { kind: 'table', bounds: [0, 0, 1, 1], items: [{ kind: 'number', label: '', x: 0, y: 0 }] },
      action: { kind },
      groups: [],
    }),
    setPolicy: async (key: string) => void kept.push(key),
    dropPolicy: async (key: string) => void kept.splice(kept.indexOf(key), 1),
    play: async (_: unknown, policy: string, { seed }: { seed: number }) => {
      const list = actions(policy, seed);
      return { actions: Float32Array.from(list), reward: Float32Array.from(list, () => 1), ended: 'terminated', seed } as unknown as Replay;
    },
    frames: async (replay: Replay, from: number) => ({
      frames: Float32Array.from({ length: replay.reward.length + 1 - from }, (__, i) => from + i),
    }),
  };
  return { kept, api: api as unknown as WatchApi };
}

const env = { id: 'x', config: {} };
const sides = [
  { env, player: 'one' },
  { env, player: 'other' },
] as const;
const ofOne = (policy: string): boolean => policy.endsWith('one');

test('the first start in which they part is shown from some steps before, with what was earned before', async () => {
  const same = [0, 0, 0, 0, 0, 0, 0, 0];
  const { api } = played((policy, seed) => (seed < 1003 || ofOne(policy) ? same : [0, 0, 0, 0, 0, 0, 1, 1]));
  const found = await parting(api, 'x', sides);
  expect(found).toMatchObject({ step: 6, from: 3, start: 3, scaled: false });
  const [clip] = found.clips;
  expect([clip.stepAt(0), clip.returnAt(0), clip.returnAt(1)]).toEqual([3, 3, 4]);
});

test('an episode that ends earlier has parted at its end; players that never part are shown from the first start', async () => {
  const { api } = played((policy) => (ofOne(policy) ? [0, 0, 0, 0, 0] : [0, 0, 0]));
  expect(await parting(api, 'x', sides)).toMatchObject({ step: 3, from: 0, start: 1 });
  const alike = played(() => [0, 1, 0]);
  expect(await parting(alike.api, 'x', sides)).toMatchObject({ step: null, from: 0, start: 1 });
});

test('actions on a scale part at a tenth of it', async () => {
  const { api } = played((policy) => (ofOne(policy) ? [1, 0.5, 0.5] : [1, 0.55, 0.9]), 'box');
  expect(await parting(api, 'x', sides)).toMatchObject({ step: 2, scaled: true });
});

test('policies leave the worker again, also where playing fails', async () => {
  const snapshot = {} as Parameters<WatchApi['setPolicy']>[1];
  const { api, kept } = played(() => {
    throw new Error('cannot act');
  });
  await expect(parting(api, 'x', [{ env, player: snapshot }, sides[1]])).rejects.toThrow('cannot act');
  expect(kept).toEqual([]);
});
