import { expect, it } from 'vitest';
import type { Replay } from '#contract/run/events.ts';
import { addGame, countGames, datasetsStore } from './datasets.ts';

const game = (map: string, human?: readonly number[]): Replay => ({
  env: { id: 'frozen-lake', version: 1, config: { map } },
  seed: 1,
  start: new Uint8Array(),
  actions: Float32Array.of(0, 1),
  reward: Float32Array.of(0, 1),
  ended: 'terminated',
  ...(human && { human: Int16Array.from(human) }),
});

it('an episode in which a policy moved too is a correction, any other a whole game', () => {
  expect(countGames([game('a', [0, 0]), game('a', [-1, 0]), game('a')])).toEqual({ games: 2, corrections: 1 });
});

it('games of one world are kept together with their copies; another world begins anew', () => {
  addGame(game('a', [0, 0]));
  datasetsStore.setState({ copies: [{ runId: 'one', games: 1, corrections: 0 }] });
  addGame(game('a', [-1, 0]));
  expect(datasetsStore.getState().games).toHaveLength(2);
  expect(datasetsStore.getState().copies).toHaveLength(1);
  addGame(game('b', [0, 0]));
  expect(datasetsStore.getState()).toMatchObject({ games: [{ env: { config: { map: 'b' } } }], copies: [] });
});
