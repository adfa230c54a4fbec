import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { noisyWeights } from '../heron.ts';
import { FACTORS, factorRows, factorsOf, rankedCompare } from './factors.ts';

const meta = getEnv('pendulum').meta({});
const rollout = {
  obs: Float32Array.from([1, 0, -3, 0.5, 0, 2]),
  action: Float32Array.from([-0.5, 0.25]),
  reward: new Float32Array(2),
  ended: new Uint8Array(2),
  next: new Float32Array(3),
  steps: 2,
  rows: 1,
};

it('text names factors: numbers of observation and action, distances, less is better', () => {
  const rows = factorRows(factorsOf(meta, 'o0, -|o2|, -|a0 - 0.25|, |o2+1|, -a0'), rollout, meta);
  expect(rows.map((row) => [...row])).toEqual([
    [1, 0.5],
    [-3, -2],
    [-0.75, -0],
    [2, 3],
    [0.5, -0.25],
  ]);
});

it('text that names none is refused, and so is a number that is not there', () => {
  expect(['o0', '-|o2|,a0', ' - | o11 - 0.5 | , o3'].map((text) => FACTORS.test(text))).toEqual([true, true, true]);
  expect(['', 'x0', 'o', 'o0,', '|o0', 'o0 - 1', 'o0; a0'].map((text) => FACTORS.test(text))).toEqual(new Array(7).fill(false));
  expect(() => factorsOf(meta, 'o3')).toThrow('There is no o3 here.');
  expect(() => factorsOf(meta, 'a1')).toThrow('There is no a1 here.');
});

it('the most important factor decides where segments differ in it clearly, else the next; alike in all is a tie', () => {
  const rows = [Float32Array.of(0, 0.1, 4, 4), Float32Array.of(1, 0, 0, 0)]; // deviations 1.96 and 0.43
  const decided = new Float64Array(3);
  const compare = rankedCompare(rows, 1, 0.5, (of, [from]) => of[from]!, decided);
  expect(compare([2, 0], [0, 0])).toBe(1); // by the first
  expect(compare([0, 0], [2, 0])).toBe(0);
  expect(compare([0, 0], [1, 0])).toBe(1); // 0.1 is not clear: by the second
  expect(compare([2, 0], [3, 0])).toBe(0.5);
  expect([...decided]).toEqual([2, 1, 1]);
});

it('noise of the weights is a factor, the same draw for every amount; the last weight goes on', () => {
  expect(noisyWeights([2, 0.5], 0, 3, Rng.from(3))).toEqual([2, 0.5, 0.5]);
  const [one, two] = [1, 2].map((noise) => noisyWeights([1], noise, 4, Rng.from(3)));
  one!.forEach((weight, k) => {
    expect(Math.log(two![k]!)).toBeCloseTo(2 * Math.log(weight), 9);
  });
  expect(new Set(one).size).toBe(4);
});
