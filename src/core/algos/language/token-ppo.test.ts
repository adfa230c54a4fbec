import { expect, it } from 'vitest';
import { estimate } from './token-ppo.ts';

/** One episode of two turns, "ab" then a reply then "c": five places behind the first. */
const places = 7;
const written = Float32Array.of(0, 0, 1, 1, 0, 1, 0);
const paid = Float32Array.of(0, 0, 0, 0.5, 0, 2, 0);
const last = {
  ids: new Float32Array(places),
  written,
  count: Int32Array.of(3),
  paid,
  rewards: Float64Array.of(2.5),
  solved: Uint8Array.of(1),
};
const values = Float32Array.of(9, 1, 0.5, 9, 0.25, 9);
const rule = { turns: 1, places, gamma: 1, lambda: 1 };

function found(more: object) {
  const out = { advantages: new Float32Array(6), returns: new Float32Array(6), valued: new Float32Array(6) };
  const explained = estimate(last, { ...rule, perTurn: false, ...more }, values, out);
  return { explained, advantages: [...out.advantages], returns: [...out.returns], valued: [...out.valued] };
}

it('with lambda 1 an advantage is what still came less the value before the token; places that were not written have none', () => {
  const { advantages, returns, valued } = found({});
  expect(advantages).toEqual([0, 1.5, 2, 0, 1.75, 0]);
  expect(returns).toEqual([0, 2.5, 2.5, 0, 2, 0]);
  expect(valued).toEqual([0, 1, 1, 0, 1, 0]);
});

it('with lambda 0 only the next value counts, across the reply', () => {
  expect(found({ lambda: 0, gamma: 0.5 }).advantages).toEqual([0, 0.25 - 1, 0.5 + 0.125 - 0.5, 0, 1.75, 0]);
});

it('per turn: tokens of a turn share the advantage over the value before its first', () => {
  const { advantages, returns, valued } = found({ perTurn: true });
  expect(advantages).toEqual([0, 1.5, 1.5, 0, 1.75, 0]);
  expect(returns).toEqual([0, 2.5, 0, 0, 2, 0]);
  expect(valued).toEqual([0, 1, 0, 0, 1, 0]);
});

it('values that foresee every return explain all of their variance', () => {
  const perfect = Float32Array.of(0, 2.5, 2.5, 0, 2, 0);
  const out = { advantages: new Float32Array(6), returns: new Float32Array(6), valued: new Float32Array(6) };
  expect(estimate(last, { ...rule, perTurn: false }, perfect, out)).toBeCloseTo(1, 6);
  expect(found({}).explained).toBeLessThan(0);
});
