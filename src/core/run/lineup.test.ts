import { expect, test } from 'vitest';
import { randomPolicy } from '../algos/random.ts';
import type { Policy } from '../algos/types.ts';
import { getEnv } from '../envs/index.ts';
import { Lineup, type Player, seatPlayers } from './lineup.ts';
import { playEpisode, playLineup, playScripted, ReplayReader } from './replay.ts';

const spread = getEnv('mpe-simple-spread');
const config = spread.parse({});
const scripted = (): Player => ({ kind: 'scripted', policy: spread.policies(config).scripted! });
const options = { seed: 7, greedy: true };

test('one player for all is the episode of that player', async () => {
  const three = [scripted()].flatMap((player) => [player, player, player]);
  expect(await playLineup(new Lineup(three, options), spread, config, 7)).toEqual(await playScripted('scripted', spread, config, 7));
  const random: Player = { kind: 'policy', policy: randomPolicy(spread.meta(config)) };
  const alone = await playEpisode(randomPolicy(spread.meta(config)), spread, config, options);
  expect(await playLineup(new Lineup([random, random, random], options), spread, config, 7)).toEqual(alone);
});

test('each agent follows its own player, and the replay repeats itself', async () => {
  const still: Policy = {
    initial: () => new Float32Array(0),
    act: ({ rows, hidden }) => ({ actions: new Int32Array(rows), hidden }),
    dispose() {},
  };
  const players: Player[] = [scripted(), { kind: 'policy', policy: still }, scripted()];
  const replay = await playLineup(new Lineup(players, options), spread, config, 7);
  const second = replay.actions.filter((_, i) => i % 3 === 1);
  expect([...second].every((action) => action === 0)).toBe(true);
  expect([...replay.actions].some((action) => action !== 0)).toBe(true);
  const reader = new ReplayReader(replay, spread);
  reader.seek(reader.total - 1); // throws where rewards differ
});

test('a policy with memory keeps one for each agent, and it runs along', async () => {
  const seen: number[][] = [];
  const counting: Policy = {
    initial: (rows) => new Float32Array(rows),
    act: ({ rows, hidden }) => {
      seen.push([...hidden]);
      return { actions: new Int32Array(rows), hidden: hidden.map((h) => h + 1) };
    },
    dispose() {},
  };
  const player: Player = { kind: 'policy', policy: counting };
  await playLineup(new Lineup([player, scripted(), player], options), spread, config, 7);
  expect(seen.slice(0, 3)).toEqual([
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
  ]);
});

test('names stand for one player each, and every agent needs one', async () => {
  let made = 0;
  const playerOf = async () => {
    made++;
    return scripted();
  };
  const players = await seatPlayers(['a', null, 'a'], 3, playerOf);
  expect(made).toBe(2);
  expect(players[0]).toBe(players[2]);
  await expect(seatPlayers(['a'], 3, playerOf)).rejects.toThrow(/1 players for 3 agents/);
});
