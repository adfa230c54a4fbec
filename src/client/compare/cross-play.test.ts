import { expect, test } from 'vitest';
import type { Replay } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { crossPlay, partnerPlay, type Table, type Tournament } from './cross-play.ts';

const plan: Tournament = {
  env: { id: 'e', config: {} },
  sides: [
    [0, 2],
    [1, 3],
  ],
  entrants: [null, 'script'],
  games: 6,
  start: 100,
};

/** Each agent gets 1 a step, of a script 2, and the seed's last digit in the first step; episodes have two steps. */
function rig(fail = false) {
  const asked: { readonly players: readonly (string | null)[]; readonly seed: number }[] = [];
  let terminated = 0;
  const playTeam: WatchApi['playTeam'] = async (_, players, { seed, greedy }) => {
    if (fail) throw new Error('no such script');
    asked.push({ players, seed });
    expect(greedy).toBe(true);
    const step = players.map((player) => (player === null ? 1 : 2));
    return { reward: Float32Array.from([...step.map((value) => value + (seed % 10)), ...step]) } as unknown as Replay;
  };
  const spawn = () => ({ api: { playTeam } as WatchApi, terminate: () => void terminated++ });
  return { asked, spawn, ended: () => terminated };
}

const whenOver = (spawn: ReturnType<typeof rig>['spawn'], onChange: (table: Table) => void = () => {}): Promise<Table> =>
  new Promise((resolve) => {
    crossPlay(plan, {
      spawn,
      onChange: (table) => {
        onChange(table);
        if (table.state !== 'playing') resolve(table);
      },
    });
  });

test('every pairing has the same starts, and both sides their mean return with an interval', async () => {
  const { asked, spawn, ended } = rig();
  const told: number[] = [];
  const table = await whenOver(spawn, ({ played }) => told.push(played));
  expect(table).toMatchObject({ state: 'done', played: 24, all: 24 });
  expect(ended()).toBe(1);
  expect(told.slice(0, 4)).toEqual([0, 5, 6, 11]);
  const script = 'scripted:script';
  expect(asked[6]?.players).toEqual([null, script, null, script]);
  for (const pairing of [0, 1, 2, 3]) {
    expect(asked.slice(6 * pairing, 6 * pairing + 6).map(({ seed }) => seed)).toEqual([100, 101, 102, 103, 104, 105]);
  }
  expect(table.cells.map(({ row, column, games }) => [row, column, games])).toEqual([
    [0, 0, 6],
    [0, 1, 6],
    [1, 0, 6],
    [1, 1, 6],
  ]);
  // Two agents of a side, two steps, and twice the mean of 0..5 by the start: 4 + 5, of the script 8 + 5.
  const [first, second] = table.cells[1]?.scores ?? [];
  expect([first?.mean, second?.mean]).toEqual([9, 13]);
  // By hand: standard deviation of 0, 2, ... 10 is sqrt(14); t(5) = 2.5706.
  const half = (2.5706 * Math.sqrt(14)) / Math.sqrt(6);
  expect(first?.interval?.[0]).toBeCloseTo(9 - half, 3);
  expect(first?.interval?.[1]).toBeCloseTo(9 + half, 3);
});

test('stopped, it keeps what was played and plays no more; what fails is said', async () => {
  const { asked, spawn, ended } = rig();
  let stop = (): void => {};
  const table = await new Promise<Table>((resolve) => {
    stop = crossPlay(plan, {
      spawn,
      onChange: (now) => {
        if (now.played === 11) stop();
        if (now.state === 'stopped') resolve(now);
      },
    });
  });
  expect(table).toMatchObject({ played: 11, cells: [{ games: 6 }, { games: 5 }] });
  expect(ended()).toBe(1);
  const before = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked.length).toBe(before);
  expect(await whenOver(rig(true).spawn)).toMatchObject({ state: 'failed', message: expect.stringContaining('no such script') });
});

test('with partners every policy meets each of them over the same starts; what fails is told', async () => {
  const asked: unknown[] = [];
  const pairing: WatchApi['pairing'] = async (env, policy, partner, options) => {
    asked.push([policy, partner, options]);
    if (partner === 'gone') throw new Error('no such script');
    return { mean: env.config.base === 3 && policy === null ? 3 : 4, interval: [2, 5] };
  };
  const play = (partners: readonly string[]): Promise<Table> =>
    new Promise((resolve) => {
      partnerPlay(
        { env: { id: 'e', config: { base: 3 } }, entrants: [null, 'script'], partners, games: 10, start: 7 },
        {
          spawn: () => ({ api: { pairing } as WatchApi, terminate: () => {} }),
          onChange: (table) => {
            if (table.state !== 'playing') resolve(table);
          },
        },
      );
    });
  const table = await play(['random', 'idle']);
  expect(table).toMatchObject({ state: 'done', played: 40, all: 40 });
  expect(table.cells.map(({ row, column, scores }) => [row, column, scores[0]?.mean])).toEqual([
    [0, 0, 3],
    [0, 1, 3],
    [1, 0, 4],
    [1, 1, 4],
  ]);
  expect(asked[3]).toEqual(['scripted:script', 'idle', { episodes: 10, firstSeed: 7 }]);
  expect(await play(['random', 'gone'])).toMatchObject({ state: 'failed', played: 10 });
});
