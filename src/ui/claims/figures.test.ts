import { expect, test } from 'vitest';
import { paperOf } from '#claims/index.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { ticksIn } from '#report/ticks.ts';
import { curvesOf, domainOf, estimateOf, middleOf, middlesOf, pairsOf } from './figures.ts';

test('a middle is the IQM of the known seeds inside its interval', () => {
  expect(middleOf([null, null])).toBeNull();
  expect(middleOf([null, 3])).toEqual({ value: 3, low: 3, high: 3 });
  expect(middleOf([2, 8, null, 5])).toEqual({ value: 5, low: 2, high: 8 });
  const found = middleOf([1, 2, 3, 4, 100]);
  expect(found?.value).toBe(3);
  expect(found?.low).toBeLessThan(2.5);
  expect(found?.high).toBeGreaterThan(3.5);
});

test('a curve has a middle at every step that some seed has reached', () => {
  const curve = {
    metric: 'r',
    steps: [1, 2],
    values: [
      [null, 4],
      [null, 4],
    ],
  };
  expect(middlesOf(curve)).toEqual([null, { value: 4, low: 4, high: 4 }]);
  expect(middlesOf(curve)).toBe(middlesOf(curve));
});

test('ticks are round and inside; domains have room', () => {
  expect(ticksIn(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticksIn(-0.31, 0.29, 3)).toEqual([-0.2, 0, 0.2]);
  expect(ticksIn(3, 3, 4)).toEqual([3]);
  expect(domainOf([0, 10], 0.1)).toEqual([-1, 11]);
  expect(domainOf([5, 5], 0.1)).toEqual([4.5, 5.5]);
  expect(domainOf([0], 0.1)).toEqual([-1, 1]);
});

test('few seeds give an estimate of a contrast; a missing run, or a ratio of what is not positive, gives none', () => {
  const contrast = { id: 'd', kind: 'difference', arm: 'a', over: 'b', claim: 'above' } as const;
  const b = { id: 'b', scores: [1, 3] };
  expect(estimateOf(contrast, [{ id: 'a', scores: [4, 6] }, b])).toBe(3);
  expect(estimateOf(contrast, [{ id: 'a', scores: [4, null] }, b])).toBeNull();
  expect(estimateOf({ ...contrast, kind: 'ratio' }, [{ id: 'a', scores: [-4, 6] }, b])).toBeNull();
  expect(estimateOf(contrast, [])).toBeNull();
});

test('arms that measure something else of the same runs have one curve', () => {
  const arm = (id: string, config: string, metric: string | null): ArmResult => ({
    id,
    title: id,
    config,
    env: { id: 'e', version: 1, config: {} },
    algo: null,
    trials: 1,
    steps: 1,
    parameters: 1,
    scores: [],
    parameterHashes: [],
    seconds: 1,
    curve: metric === null ? null : { metric, steps: [], values: [] },
  });
  const arms = [arm('script', 'a', null), arm('kept', 'b', 'r'), arm('learned', 'b', 'r'), arm('other', 'b', 's'), arm('rival', 'c', 'r')];
  expect(curvesOf(arms).map(({ id, k }) => [id, k])).toEqual([
    ['kept', 1],
    ['other', 3],
    ['rival', 4],
  ]);
});

test('pairs: both quantities of each run, where both were measured', () => {
  const card = paperOf('P076');
  if (card === undefined) throw new Error('P076 is not there');
  const places = pairsOf(card, [
    { id: 'cartpole', scores: [300, 400, null] },
    { id: 'early-cartpole', scores: [0.5, 0.7, 0.9] },
    { id: 'acrobot', scores: [-100] },
  ]);
  expect(places).toEqual([
    {
      id: 'CartPole, PPO',
      arm: 'cartpole',
      across: 'emergence over the first fifth of training',
      up: 'return of greedy episodes at the end',
      dots: [
        { seed: 3001, x: 0.5, y: 300 },
        { seed: 3002, x: 0.7, y: 400 },
      ],
    },
  ]);
});
