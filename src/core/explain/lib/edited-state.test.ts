/** States changed by hand: bodies go where they can, things of grids where they may stand, observations are what was typed. */
import { expect, test } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { MOST_EDITS } from '#contract/game/network-view.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { randomPolicy } from '../../algos/lib/random-policy.ts';
import { getEnv } from '../../envs/all.ts';
import { playEpisode, ReplayReader } from '../../run/replay.ts';
import { editedState } from './edited-state.ts';

async function opened(id: string, config: JsonObject = {}) {
  const entry = getEnv(id);
  const complete = entry.parse(config);
  const replay = await playEpisode(randomPolicy(entry.meta(complete)), entry, complete, { seed: 3, greedy: false });
  const reader = new ReplayReader(replay, entry);
  reader.seek(2);
  return { entry, reader, obs: reader.buffers.obs.slice() };
}

test('a dragged pole turns on its hinge, and the cart stays; a dragged cart takes the pole with it', async () => {
  const { entry, reader, obs } = await opened('cartpole');
  const layout = reader.env.meta.frame;
  if (layout.kind !== 'bodies') throw new Error('cartpole is drawn as bodies');
  const frame = new Float32Array(frameSize(layout));
  reader.env.frame(0, frame);
  const pole = layout.parts.findIndex(({ name }) => name === 'pole');
  const cart = layout.parts.findIndex(({ name }) => name === 'cart');
  const leaned = editedState(entry, reader, 0, [{ kind: 'move', thing: pole, x: frame[pole * 7]! + 0.1, y: frame[pole * 7 + 1]! }]);
  expect(leaned.frame[pole * 7]! - frame[pole * 7]!).toBeCloseTo(0.1, 1);
  expect(leaned.frame[cart * 7]).toBeCloseTo(frame[cart * 7]!, 6);
  expect(leaned.buffers.obs[2]! - obs[2]!).toBeGreaterThan(0.1);
  expect(leaned.buffers.obs[0]).toBeCloseTo(obs[0]!, 6);
  const moved = editedState(entry, reader, 0, [{ kind: 'move', thing: cart, x: 1, y: 0 }]);
  expect(moved.buffers.obs[0]).toBeCloseTo(1, 3);
  expect(moved.buffers.obs[2]).toBeCloseTo(obs[2]!, 6);
  expect(reader.buffers.obs).toEqual(obs); // the replay stands where it stood
});

test('what the agent sees is what was typed; the changes before it stay in the picture', async () => {
  const { entry, reader } = await opened('cartpole');
  const edits = [
    { kind: 'move', thing: 1, x: 1, y: 0 },
    { kind: 'observe', obs: [0, 0, 0.25, -1] },
  ] as const;
  const { buffers, frame } = editedState(entry, reader, 0, edits);
  expect([...buffers.obs]).toEqual([0, 0, 0.25, -1]);
  expect(frame[7]).toBeCloseTo(1, 3); // the cart, behind the rail
  const tooShort = { kind: 'observe', obs: [1] } as const;
  expect(() => editedState(entry, reader, 0, [tooShort])).toThrow(/4 numbers/);
  expect(() => editedState(entry, reader, 0, [{ kind: 'observe', obs: [0, 0, 0, 1e9] }])).toThrow(/1e6/);
  expect(() =>
    editedState(
      entry,
      reader,
      0,
      Array.from({ length: MOST_EDITS + 1 }, () => tooShort),
    ),
  ).toThrow(/at most/);
  expect(() => editedState(entry, reader, 0, [{ kind: 'move', thing: 9, x: 0, y: 0 }])).toThrow(/no body 9/);
});

test('an agent of a grid stands where it was put, and not in a wall', async () => {
  const { entry, reader } = await opened('frozen-lake');
  const { buffers } = editedState(entry, reader, 0, [{ kind: 'move', thing: 0, x: 2, y: 0 }]);
  expect(buffers.obs.indexOf(1)).toBe(2);
  expect(() => editedState(entry, reader, 0, [{ kind: 'move', thing: 0, x: 99, y: 0 }])).toThrow(/not on the map/);
});
