import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { estimate, priced, tokenPpo } from './token-ppo.ts';

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

it('every token written pays for what it leaves the reference by, and nothing else does', () => {
  const old = Float32Array.of(9, -1, -2, 9, -0.5, 9);
  const against = Float32Array.of(0, -2, -1, 0, -0.5, 0);
  const found = priced(last, places, { old, against }, 0.5);
  expect([...found.paid]).toEqual([0, 0, -0.5, 1, 0, 2, 0]);
  expect(found.startKl).toBeCloseTo(0);
});

it('a KL to the start changes what is learned, is 0 at first, and goes on after a resume', async () => {
  const config = { rows: 16, width: 16, layers: 1, heads: 2, cloneSteps: 4, klCoef: 0.5 };
  const task = { algo: tokenPpo, env: getEnv('t-turns'), config, steps: 1600 };
  const whole = await trained(task);
  const kl = whole.rows.map(([, row]) => row.startKl).filter((x) => x !== undefined);
  expect(kl[0]).toBeCloseTo(0, 5);
  expect(kl.length).toBeGreaterThan(2);
  const half = await trained(task, { stopAt: 1000 });
  expect((await trained(task, { resume: half.saved })).hash).toBe(whole.hash);
  expect((await trained({ ...task, config: { ...config, klCoef: 0 } })).hash).not.toBe(whole.hash);
});
