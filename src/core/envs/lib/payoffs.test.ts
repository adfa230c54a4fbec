import { expect, it } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import { matrixGames } from '../games/matrix-games.ts';

function play(config: object, actions: readonly number[]) {
  const env = matrixGames.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const out = createActions(env.meta, 1);
  out.set(actions);
  env.step(out, buffers);
  return { env, buffers };
}

it('pays by the table, common payoffs alike', () => {
  expect(Array.from(play({}, [0, 1]).buffers.reward)).toEqual([-3, 0]);
  expect(Array.from(play({ game: 'climbing' }, [1, 2]).buffers.reward)).toEqual([6, 6]);
  expect(Array.from(play({ game: 'battle-of-the-sexes' }, [0, 0]).buffers.reward)).toEqual([3, 2]);
  expect(Array.from(play({ payoffs: [3, 0, 5, 1] }, [1, 0]).buffers.reward)).toEqual([5, 0]);
});

it('takes tables that are not square, each player seeing the own action first', () => {
  const { env, buffers } = play({ rowPayoffs: [[1, 2, 3]], columnPayoffs: [[4, 5, 6]], maxSteps: 1 }, [0, 2]);
  expect(env.meta.agents.map((g) => (g.action.kind === 'discrete' ? g.action.n : 0))).toEqual([1, 3]);
  expect(Array.from(buffers.reward)).toEqual([3, 6]);
  expect(Array.from(buffers.obs)).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
  expect(buffers.truncated[0]).toBe(1);
});

it('refuses tables of different shapes', () => {
  expect(() => matrixGames.meta({ rowPayoffs: [[1, 2]], columnPayoffs: [[1], [2]] })).toThrow(/shape/);
});

it('strategies answer as they should', () => {
  const { env, buffers } = play({}, [0, 1]);
  const out = createActions(env.meta, 1);
  matrixGames.policies({})['tit-for-tat']?.act(env, buffers, out);
  expect(Array.from(out)).toEqual([1, 0]);
  matrixGames.policies({})['win-stay-lose-shift']?.act(env, buffers, out);
  expect(Array.from(out)).toEqual([1, 1]);
});
