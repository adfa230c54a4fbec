import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import { Lineup, type Player, seatPlayers, together } from './lineup.ts';
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

test('policies that were trained apart play one game, each in its own seats', async () => {
  const tag = getEnv('mpe-simple-tag');
  const world = tag.meta({});
  const asked: { readonly agents: number[]; readonly width: number; readonly hidden: number[] }[] = [];
  /** Always does `action`; remembers how often each row was asked. */
  const stubborn = (action: number, width: number): Policy => ({
    initial: (rows) => new Float32Array(rows),
    act: ({ rows, obs, agent, hidden }) => {
      asked.push({ agents: [...agent], width: obs.length / rows, hidden: [...hidden] });
      expect(obs.length / rows).toBe(width);
      return { actions: new Int32Array(rows).fill(action), hidden: hidden.map((h) => h + 1) };
    },
    dispose() {},
  });
  const hunters = tag.meta({ seats: { agent: 'random' } });
  const prey = tag.meta({ seats: { adversary: 'random' } });
  const joined = together(world, [
    { policy: stubborn(1, 16), meta: hunters },
    { policy: stubborn(2, 16), meta: world }, // knows all, is left the prey
  ]);
  const rows = 8; // two copies
  const obs = Float32Array.from({ length: rows * world.obsSize }, (_, i) => i);
  const query = { obs, agent: Int32Array.from({ length: rows }, (_, i) => i % 4), rng: Rng.from(1), rows, greedy: true };
  let hidden = joined.initial(rows);
  for (let t = 0; t < 2; t++) {
    const act = await joined.act({ ...query, hidden });
    expect([...act.actions]).toEqual([1, 1, 1, 2, 1, 1, 1, 2]);
    hidden = act.hidden;
  }
  expect(asked.map(({ agents }) => agents)).toEqual([
    [0, 1, 2, 0, 1, 2],
    [0, 1, 2, 3, 0, 1, 2, 3],
    [0, 1, 2, 0, 1, 2],
    [0, 1, 2, 3, 0, 1, 2, 3],
  ]);
  expect(asked[2]!.hidden).toEqual([1, 1, 1, 1, 1, 1]);
  expect(asked[3]!.hidden).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(() => together(world, [{ policy: stubborn(1, 14), meta: prey }])).toThrow(/No policy plays adversary_0/);
  expect(() => together(spread.meta({}), [{ policy: stubborn(1, 16), meta: hunters }])).toThrow(/not here/);

  // what a policy of the prey alone sees is its own, narrower row
  let seen: number[] = [];
  const looking: Policy = {
    initial: () => new Float32Array(0),
    act: ({ rows: many, obs: rowsSeen, hidden: none }) => {
      seen = [...rowsSeen];
      return { actions: new Int32Array(many), hidden: none };
    },
    dispose() {},
  };
  const two = together(world, [
    { policy: looking, meta: prey },
    { policy: stubborn(1, 16), meta: hunters },
  ]);
  await two.act({ ...query, hidden: two.initial(rows) });
  expect(seen).toEqual([...obs.subarray(3 * 16, 3 * 16 + 14), ...obs.subarray(7 * 16, 7 * 16 + 14)]);
});
