import { describe, expect, it } from 'vitest';
import { getEnv } from '../all.ts';
import { createBuffers } from './buffers.ts';
import { createEpisodeStats } from './episode-stats.ts';
import { teamMeasures } from './team-measures.ts';
import type { EnvMeta, Score } from './types.ts';

const base = getEnv('cartpole').meta({});

function team(score: Score, rewards: readonly string[] = ['reward']): EnvMeta {
  return { ...base, agentCount: 3, score, rewards };
}

/** One step of two rows of three agents; row 1 ends if told. */
function step(stats: ReturnType<typeof createEpisodeStats>, meta: EnvMeta, rewards: readonly number[], ends: boolean) {
  const buffers = createBuffers(meta, 2);
  buffers.reward.set(rewards);
  buffers.terminated[1] = ends ? 1 : 0;
  const ended = new Uint8Array(2);
  expect(stats.add(buffers, ended)).toBe(ends);
  expect(Array.from(ended)).toEqual([0, ends ? 1 : 0]);
}

describe('episode statistics', () => {
  it.each([
    ['mean', 4],
    ['sum', 12],
    ['shared', 2],
    [[1, 2], 5],
  ] as readonly [Score, number][])('score %j of agents with returns 2, 4, 6 is %d', (score, wanted) => {
    const meta = team(score);
    const stats = createEpisodeStats(meta, 2);
    expect(stats.meanReturn()).toBeNaN();
    step(stats, meta, [9, 9, 9, 1, 2, 3], false);
    step(stats, meta, [9, 9, 9, 1, 2, 3], true);
    expect(stats.meanReturn()).toBe(wanted);
    expect(stats.meanLength()).toBe(2);
    expect(Array.from(stats.perAgent())).toEqual([2, 4, 6]);
    expect(stats.drain()).toEqual([{ score: wanted, length: 2 }]);
    expect(stats.drain()).toEqual([]);
    // the row that ended counts from zero again, the other goes on
    step(stats, meta, [0, 0, 0, 1, 1, 1], true);
    expect(stats.drain()[0]?.length).toBe(1);
    expect(stats.finished).toBe(2);
  });

  it('adds the components of a vector reward', () => {
    const meta = team('sum', ['treasure', 'time']);
    const stats = createEpisodeStats(meta, 2);
    step(stats, meta, [0, 0, 0, 0, 0, 0, 1, -1, 2, -1, 3, -1], true);
    expect(Array.from(stats.perAgent())).toEqual([0, 1, 2]);
  });

  it('forgets a player that was copied: means begin anew, the count goes on, also after loading', () => {
    const meta = team('shared');
    const stats = createEpisodeStats(meta, 2);
    for (let i = 0; i < 130; i++) step(stats, meta, [0, 0, 0, 1000, 0, 0], true);
    stats.forget();
    expect(stats.meanReturn()).toBeNaN();
    expect(Array.from(stats.perAgent())).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(stats.finished).toBe(130);
    const loaded = createEpisodeStats(meta, 2);
    const { meta: kept, arrays } = stats.save();
    loaded.load({ meta: kept, arrays: Object.fromEntries(Object.entries(arrays).map(([name, data]) => [`stats.${name}`, data])) });
    for (const one of [stats, loaded]) {
      for (let i = 1; i <= 90; i++) step(one, meta, [0, 0, 0, i, 0, 0], true);
      expect(one.meanReturn()).toBe(45.5);
      expect(one.perAgent()[0]).toBe(45.5);
      for (let i = 91; i <= 150; i++) step(one, meta, [0, 0, 0, i, 0, 0], true);
      expect(one.meanReturn()).toBe(100.5);
      expect(one.finished).toBe(280);
      one.clear();
      expect(one.finished).toBe(0);
      step(one, meta, [0, 0, 0, 7, 0, 0], true);
      expect(one.meanReturn()).toBe(7);
    }
  });

  it('means are of the last 100 episodes; all are drained, oldest first', () => {
    const meta = team('shared');
    const stats = createEpisodeStats(meta, 2);
    for (let i = 0; i < 700; i++) step(stats, meta, [0, 0, 0, i, 0, 0], true);
    expect(stats.finished).toBe(700);
    expect(stats.meanReturn()).toBe(649.5);
    const drained = stats.drain();
    expect(drained.map((e) => e.score)).toEqual(Array.from({ length: 700 }, (_, i) => i));
  });

  it('goes on from what was saved', () => {
    const meta = team('mean');
    const stats = createEpisodeStats(meta, 2);
    for (let i = 0; i < 130; i++) step(stats, meta, [1, 1, 1, i, i, i], i % 3 === 0);
    const { meta: kept, arrays } = stats.save();
    const named = Object.fromEntries(Object.entries(arrays).map(([name, data]) => [`stats.${name}`, data]));
    const other = createEpisodeStats(meta, 2);
    other.load({ meta: kept, arrays: named });
    for (const s of [stats, other]) step(s, meta, [5, 5, 5, 5, 5, 5], true);
    expect(other.meanReturn()).toBe(stats.meanReturn());
    expect(other.drain()).toEqual(stats.drain());
    expect(other.save()).toEqual(stats.save());
  });
});

describe('measures of a team', () => {
  it('has efficiency, equality and every return where agents are paid apart', () => {
    const meta = team('sum');
    const stats = createEpisodeStats(meta, 2);
    step(stats, meta, [9, 9, 9, 1, 2, 3], false);
    step(stats, meta, [9, 9, 9, 1, 2, 3], true);
    const found = stats.measures();
    expect(found.efficiency).toBe(6);
    expect(found.equality).toBeCloseTo(1 - 8 / (3 * 12), 12);
    expect(Object.keys(found)).toEqual([
      'efficiency',
      'equality',
      ...teamMeasures(meta)
        .slice(2)
        .map(({ id }) => id),
    ]);
    // a negative return has no equality, but the others keep theirs
    step(stats, meta, [9, 9, 9, -1, 2, 3], true);
    expect(stats.measures().equality).toBeCloseTo(found.equality as number, 12);
    expect(stats.measures().efficiency).toBe(5);
  });

  it('has none where all share one return', () => {
    const meta = team('shared');
    const stats = createEpisodeStats(meta, 2);
    step(stats, meta, [9, 9, 9, 1, 1, 1], true);
    expect(stats.measures()).toEqual({});
  });

  it('asks the environment once an episode, before the row starts again, and goes on after a save', () => {
    const meta: EnvMeta = { ...team('sum'), measures: [{ id: 'order', title: 'order', description: '' }] };
    let asked = 0;
    const measure = (row: number, out: Float64Array, at: number): void => {
      asked++;
      out[at] = asked === 2 ? Number.NaN : asked + 10 * row;
    };
    const stats = createEpisodeStats(meta, 2, measure);
    step(stats, meta, [0, 0, 0, 1, 1, 1], false);
    expect(asked).toBe(0);
    step(stats, meta, [0, 0, 0, 1, 1, 1], true);
    expect(stats.measures().order).toBe(11);
    step(stats, meta, [0, 0, 0, 1, 1, 1], true);
    step(stats, meta, [0, 0, 0, 1, 1, 1], true);
    expect(stats.measures().order).toBe(12); // of 11 and 13; the second has no meaning
    const { meta: kept, arrays } = stats.save();
    const again = createEpisodeStats(meta, 2, measure);
    again.load({ meta: kept, arrays: Object.fromEntries(Object.entries(arrays).map(([name, data]) => [`stats.${name}`, data])) });
    expect(again.measures()).toEqual(stats.measures());
  });
});
