/** Two futures of a moment: the first is what really happened, the other differs by one thing; and the state is found by its picture. */
import { describe, expect, test } from 'vitest';
import { type Change, COUNTERFACTUAL } from '#contract/explain/counterfactual.ts';
import { requestOf } from '#contract/explain/explain-api.ts';
import { frameSize } from '#contract/game/frames.ts';
import { getEnv } from '../envs/all.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { builtIn } from '../run/loaded.ts';
import { playScripted } from '../run/replay.ts';
import { scriptedActor } from './api/actors.ts';
import { replacementOf } from './api/replacement.ts';
import { Scene } from './api/scene.ts';
import { compareFutures } from './counterfactual.ts';
import { actionReturns } from './lib/action-returns.ts';
import { moveThing, swapCells } from './lib/arrange.ts';

function optionsFor(id: string, config: object, policy: string) {
  const entry = getEnv(id);
  const complete = entry.parse(config);
  const meta = entry.meta(complete);
  return {
    entry,
    config: complete,
    meta,
    payoff: { kind: 'team' } as const,
    seed: 1,
    team: () => scriptedActor(entry.policies(complete)[policy]!),
    absent: (_: number, players: readonly number[]) => replacementOf({ kind: 'noop' }, meta, players, null),
  };
}

async function momentOf(id: string, config: object, policy: string, t: number) {
  const options = optionsFor(id, config, policy);
  const replay = await playScripted(policy, options.entry, options.config, 7);
  const request = requestOf(COUNTERFACTUAL, {}, { env: { id, config: options.config }, team: { scripted: policy }, moment: { replay, t } });
  const scene = await Scene.open(request, { registry: builtIn });
  const { from } = await scene.standing();
  scene.free();
  return { options, replay, from };
}

const restOf = (reward: Float32Array, agents: number, t: number): number => reward.subarray(t * agents).reduce((sum, r) => sum + r, 0);

describe('two futures', () => {
  test('the first continuation is what happened; a removed agent changes the rest', async () => {
    const { options, replay, from } = await momentOf('mpe-simple-spread', {}, 'scripted', 10);
    const got = await compareFutures({
      ...options,
      from,
      question: { change: { kind: 'remove', agent: 1 }, continuations: 64 },
    });
    expect(Array.from(got.asItWas.replay.reward)).toEqual(Array.from(replay.reward.subarray(30)));
    expect(got.asItWas.returns).toHaveLength(64);
    // nothing is left to chance here: 64 times the same
    expect(new Set(got.asItWas.returns).size).toBe(1);
    expect(got.differenceHalfWidth).toBe(0);
    expect(got.difference).toBeLessThan(0);
    expect(got.changed.returns[0]! - got.asItWas.returns[0]!).toBeCloseTo(got.difference, 12);
    // the replay that is shown is the first of the continuations
    expect(restOf(got.changed.replay.reward, 3, 0) / 3).toBeCloseTo(got.changed.returns[0]!, 4);
  });

  test('its own action changes nothing, another one does; chance is shared', async () => {
    const { options, replay, from } = await momentOf(
      'level-based-foraging',
      { players: 3 },
      firstPolicy('level-based-foraging', { players: 3 }),
      2,
    );
    const own = Array.from(replay.actions.subarray(2 * 3, 2 * 3 + 1));
    const ask = (change: Change) => compareFutures({ ...options, from, question: { change, continuations: 16 } });
    const same = await ask({ kind: 'action', agent: 0, action: own });
    expect(same.difference).toBe(0);
    expect(same.differenceHalfWidth).toBe(0);
    await expect(ask({ kind: 'action', agent: 0, action: [99] })).rejects.toMatchObject({ failure: { field: 'change' } });
    await expect(ask({ kind: 'remove', agent: 9 })).rejects.toMatchObject({ failure: { field: 'change' } });
  });

  test('where chance plays a part, pairs that share it differ less than their sides vary', async () => {
    const policy = firstPolicy('frozen-lake', {});
    const { options, from } = await momentOf('frozen-lake', {}, policy, 1);
    const got = await compareFutures({
      ...options,
      from,
      question: { change: { kind: 'action', agent: 0, action: [3] }, continuations: 64 },
    });
    expect(new Set(got.asItWas.returns).size).toBeGreaterThan(1);
    expect(got.asItWas.halfWidth).toBeGreaterThan(0);
    const returns = await actionReturns({ ...options, from }, 0, 64, undefined);
    expect(returns.mean).toHaveLength(4);
    expect(returns.mean.every((v) => v >= 0 && v <= 1)).toBe(true);
  });
});

function firstPolicy(id: string, config: object): string {
  const entry = getEnv(id);
  return entry.policyNames[0] ?? Object.keys(entry.policies(entry.parse(config)))[0]!;
}

describe('things are moved by looking', () => {
  const stateOf = (
    id: string,
    config: object,
  ): { entry: ReturnType<typeof getEnv>; config: object; state: Uint8Array; frame(state: Uint8Array): Float32Array } => {
    const entry = getEnv(id);
    const complete = entry.parse(config);
    const env = entry.create(complete, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(5), buffers);
    return {
      entry,
      config: complete,
      state: env.save(0),
      frame(state) {
        env.load(0, state, buffers);
        const out = new Float32Array(frameSize(env.meta.frame));
        env.frame(0, out);
        return out;
      },
    };
  };

  test('agents, landmarks and birds in the plane', () => {
    for (const [id, thing] of [
      ['mpe-simple-spread', 1],
      ['mpe-simple-spread', 4],
      ['mpe-simple-tag', 3],
      ['vmas-navigation', 2],
      ['boids', 17],
    ] as const) {
      const { entry, config, state, frame } = stateOf(id, {});
      const moved = frame(moveThing(entry, config, state, thing, 0.25, -0.5));
      expect(moved[thing * 6], id).toBeCloseTo(0.25, 5);
      expect(moved[thing * 6 + 1], id).toBeCloseTo(-0.5, 5);
      const before = frame(state);
      expect(moved[0], id).toBe(before[0]);
    }
  });

  test('agents of grids, on free cells only', () => {
    for (const id of [
      'minigrid-empty',
      'level-based-foraging',
      'predator-prey',
      'commons-harvest',
      'overcooked',
      'coin-game',
      'cliff-walking',
    ]) {
      const { entry, config, state, frame } = stateOf(id, {});
      const layout = entry.meta(config).frame;
      if (layout.kind !== 'grid') throw new Error(id);
      const at = layout.width * layout.height * 3;
      let moved = 0;
      for (let cell = 0; cell < layout.width * layout.height && moved === 0; cell++) {
        const [x, y] = [cell % layout.width, Math.floor(cell / layout.width)];
        const before = frame(state);
        if (before[at] === x && before[at + 1] === y) continue;
        try {
          const after = frame(moveThing(entry, config, state, 0, x, y));
          expect([after[at], after[at + 1]], id).toEqual([x, y]);
          moved++;
        } catch (error) {
          expect(error, id).toMatchObject({ failure: { field: 'change' } });
        }
      }
      expect(moved, id).toBe(1);
    }
  });

  test('a wall changes over with floor', () => {
    const { entry, config, state, frame } = stateOf('minigrid-four-rooms', {});
    const before = frame(state);
    const layout = entry.meta(config).frame;
    if (layout.kind !== 'grid') throw new Error('not a grid');
    const codeOf = (cell: number): string => layout.looks[before[cell * 3]!]!;
    const cells = Array.from({ length: layout.width * layout.height }, (_, cell) => cell);
    const wall = cells.find((cell) => codeOf(cell) === 'wall' && cell > layout.width && cell % layout.width > 0)!;
    const agent = before[cells.length * 3]! + before[cells.length * 3 + 1]! * layout.width;
    const floor = cells.find((cell) => codeOf(cell) === 'empty' && cell !== agent)!;
    const after = frame(swapCells(entry, config, state, wall, floor));
    expect(layout.looks[after[floor * 3]!]).toBe('wall');
    expect(after[wall * 3]).toBe(before[floor * 3]);
    expect(() => swapCells(entry, config, state, wall, agent)).toThrow('agent stands');
    expect(() => swapCells(entry, config, state, wall, wall)).toThrow('Two different cells');
  });

  test('what cannot be moved is refused', () => {
    const cart = stateOf('cartpole', {});
    expect(() => moveThing(cart.entry, cart.config, cart.state, 0, 0, 0)).toThrow('nothing can be moved');
    const plane = stateOf('mpe-simple-spread', {});
    expect(() => moveThing(plane.entry, plane.config, plane.state, 0, 99, 0)).toThrow('outside');
    expect(() => swapCells(plane.entry, plane.config, plane.state, 0, 1)).toThrow('grid');
  });
});
