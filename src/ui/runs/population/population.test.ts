import { describe, expect, it } from 'vitest';
import type { PopulationReport, SharesReport } from '#contract/game/population.ts';
import { withRatings } from '#stores/populations.ts';
import { arrowsOf, place, shapeOf } from './flow.ts';
import { pairInWords, scaleOf, shadeOf, thin } from './payoffs.ts';

const report: PopulationReport = {
  step: 10,
  members: ['a', 'b', 'c'].map((id) => ({ id, role: 'main', step: 0, elo: 0 })),
  payoffs: [
    [0, 0.5, null],
    [-0.5, 0, 0.1],
    [null, -0.1, 0],
  ],
  games: [
    [0, 64, 0],
    [64, 0, 1],
    [0, 1, 0],
  ],
  meta: [],
  metaSteps: [],
};

describe('payoffs', () => {
  it('are told both ways, with the games behind them', () => {
    expect(pairInWords(report, 0, 1)).toBe('a against b: 0.5 (64 games); the other way round −0.5.');
    expect(pairInWords(report, 1, 2)).toBe('b against c: 0.1 (one game); the other way round −0.1.');
    expect(pairInWords(report, 0, 2)).toBe('a and c have not met.');
    expect(pairInWords(report, 1, 1)).toBe('b against b: 0 (exact).');
  });
  it('are signed colours about 0, or one hue', () => {
    const signed = scaleOf(report.payoffs);
    expect(shadeOf(0.5, signed)).toEqual({ token: '--div-pos', percent: 60 });
    expect(shadeOf(-0.5, signed).token).toBe('--div-neg');
    expect(shadeOf(0, signed).percent).toBe(0);
    const one = scaleOf([
      [1, 3],
      [2, 3],
    ]);
    expect(shadeOf(1, one)).toEqual({ token: '--div-pos', percent: 8 });
    expect(shadeOf(3, one).percent).toBe(60);
  });
  it('long histories are thinned with both ends', () => {
    expect(thin(3, 5)).toEqual([0, 1, 2]);
    const some = thin(101, 11);
    expect([some[0], some.at(-1), some.length]).toEqual([0, 100, 11]);
  });
});

describe('ratings over time', () => {
  it('keep their order, replace a step and never lose the ends', () => {
    let all = withRatings([], { step: 5, elo: new Map([['a', 1]]) });
    all = withRatings(all, { step: 1, elo: new Map() });
    all = withRatings(all, { step: 5, elo: new Map([['a', 7]]) });
    expect(all.map(({ step, elo }) => [step, elo.get('a')])).toEqual([
      [1, undefined],
      [5, 7],
    ]);
    for (let step = 6; step < 1000; step++) all = withRatings(all, { step, elo: new Map() });
    expect(all.length).toBeLessThan(300);
    expect([all[0]?.step, all.at(-1)?.step]).toEqual([1, 999]);
  });
});

describe('flow', () => {
  const shares = (sizes: readonly number[]): SharesReport => ({
    populations: sizes.map((n) => ({ name: 'p', strategies: Array.from({ length: n }, (_, i) => String(i)) })),
    states: [],
    steps: [],
    flow: [],
    rest: [],
  });
  it('is a line, a triangle or a square', () => {
    expect([[2], [3], [2, 2], [4], [3, 3]].map((sizes) => shapeOf(shares(sizes)))).toEqual(['line', 'triangle', 'square', null, null]);
  });
  it('puts pure strategies in the corners and even shares in the middle', () => {
    expect(place('triangle', [0, 1, 0])).toEqual([0, 0]);
    expect(place('triangle', [0, 0, 1])).toEqual([1, 0]);
    const [x, y] = place('triangle', [1 / 3, 1 / 3, 1 / 3]);
    expect(x).toBeCloseTo(0.5, 12);
    expect(y).toBeCloseTo(Math.sqrt(3) / 6, 12);
    expect(place('square', [1, 0, 0, 1])).toEqual([1, 0]);
  });
  it('arrows point where shares go, none longer than asked', () => {
    const arrows = arrowsOf(
      'line',
      [
        { at: [0.2, 0.8], change: [0.1, -0.1] },
        { at: [0.8, 0.2], change: [-0.4, 0.4] },
        { at: [0.5, 0.5], change: [0, 0] },
      ],
      0.1,
    );
    expect(arrows[0]!.to[0]).toBeCloseTo(0.25, 12); // a quarter of the speed: half the length
    expect(arrows[1]!.to[0]).toBeCloseTo(0.7, 12);
    expect(arrows[2]!.to).toEqual([0.5, 0]);
  });
});
