import { describe, expect, it } from 'vitest';
import { createBuffers } from '../envs/buffers.ts';
import { getEnv } from '../envs/index.ts';
import type { EnvMeta, Score } from '../envs/types.ts';
import { createEpisodeStats } from './episode-stats.ts';

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
