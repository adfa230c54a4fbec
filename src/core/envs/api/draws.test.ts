import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { misfit } from '../../testing/chi-square.ts';
import { Builder } from '../minigrid/lib/builder.ts';
import { EMPTY_CELL, WALL_CELL } from '../minigrid/lib/cells.ts';
import { Draws, scriptedDraws } from './draws.ts';

const DRAWS = 100_000;

/** Counts of what 100,000 draws give. */
function tally(bins: number, draw: () => number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let n = 0; n < DRAWS; n++) {
    const bin = draw();
    counts[bin] = counts[bin]! + 1;
  }
  return counts;
}

describe('draws: chi-square of 100,000 each', () => {
  const draws = new Draws([Rng.from(5)], undefined);

  it.each([2, 3, 5, 6, 7, 11, 18, 100])('integers below %i', (n) => {
    expect(misfit(tally(n, () => draws.int(0, n, 'k')))).toBeLessThan(1);
  });

  it('numbers from 0 to 1, alone and by pairs', () => {
    expect(misfit(tally(50, () => Math.floor(50 * draws.uniform(0, 'u'))))).toBeLessThan(1);
    expect(misfit(tally(100, () => 10 * Math.floor(10 * draws.uniform(0, 'u')) + Math.floor(10 * draws.uniform(0, 'v'))))).toBeLessThan(1);
  });

  it('normal numbers', () => {
    const bin = (z: number) => Math.min(3, Math.max(-3, z)) + 3;
    const shares = [0.02275, 0.135905, 0.341345, 0.341345, 0.135905, 0.02275]; // below -2, to -1, to 0, to 1, to 2, above
    const counts = tally(6, () => Math.min(5, Math.floor(bin(draws.normal(0, 'z')))));
    expect(misfit(counts, shares)).toBeLessThan(1);
  });

  it('a scripted draw that is missing, of another kind or out of range is an error', () => {
    const given = new Draws(
      [Rng.from(1)],
      scriptedDraws([
        ['rand', 0.25],
        ['randint', [2, 9]],
      ]),
    );
    expect(given.uniform(0, 'u')).toBe(0.25);
    expect(given.int(0, 3, 'k')).toBe(2);
    expect(() => given.int(0, 3, 'k')).toThrow(/not in 0..2/);
    expect(() => given.int(0, 3, 'k')).toThrow(/after the 3 listed/);
    expect(() => new Draws([Rng.from(1)], scriptedDraws([['rand', 0.25]])).int(0, 3, 'k')).toThrow(/listed as rand/);
  });
});

describe('what generators draw with: chi-square of 100,000 each', () => {
  const builder = (width: number, height: number) => {
    const b = new Builder(width, height, new Draws([Rng.from(9)], undefined));
    b.begin(new Uint32Array(width * height), 0, 0);
    return b;
  };

  it('orders of four', () => {
    const b = builder(3, 3);
    const counts = new Map<string, number>();
    for (let n = 0; n < DRAWS; n++) {
      const items = ['a', 'b', 'c', 'd'];
      b.shuffle(items, 'order');
      counts.set(items.join(''), (counts.get(items.join('')) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(misfit([...counts.values()])).toBeLessThan(1);
  });

  it('one of several, a range, a chance', () => {
    const b = builder(3, 3);
    expect(misfit(tally(3, () => b.pick([0, 1, 2], 'one')))).toBeLessThan(1);
    expect(misfit(tally(6, () => b.int(-1, 4, 'range') + 1))).toBeLessThan(1);
    expect(
      misfit(
        tally(2, () => (b.chance(0.3, 'chance') ? 0 : 1)),
        [0.3, 0.7],
      ),
    ).toBeLessThan(1);
  });

  it('free cells: never a wall, a thing or the agent’s, all others alike; poses in all four directions', () => {
    const b = builder(6, 5);
    b.walls(0, 0, 6, 5);
    b.set(2, 2, WALL_CELL);
    b.agent(3, 3, 0);
    const open = Array.from({ length: 30 }, (_, at) => at).filter((at) => b.get(at % 6, Math.floor(at / 6)) === EMPTY_CELL && at !== 21);
    const counts = tally(30, () => b.freeCell('cell'));
    expect(counts.flatMap((n, at) => (n > 0 ? [at] : []))).toEqual(open);
    expect(misfit(open.map((at) => counts[at]!))).toBeLessThan(1);
    const poses = tally(120, () => {
      b.placeAgent();
      return 4 * b.index(b.agentX, b.agentY) + b.agentDir;
    });
    const seen = [...open, 21].flatMap((at) => [0, 1, 2, 3].map((dir) => poses[4 * at + dir]!));
    expect(misfit(seen)).toBeLessThan(1);
    expect(seen.reduce((a, k) => a + k, 0)).toBe(DRAWS);
  });
});
