import { expect, test } from 'vitest';
import { MOST_EDITS } from '../game/network-view.ts';
import { pinSchema, policyHash } from './pin.ts';

const pin = {
  seed: 1,
  step: 2048,
  policy: '0123abcd',
  start: 1001,
  t: 4,
  agent: 0,
  view: 'edit',
  edits: [{ kind: 'observe', obs: [0.5, -1] }],
};

test('a pin is bounded before anything is done with it', () => {
  expect(pinSchema.parse(pin)).toEqual(pin);
  const observe = (obs: readonly number[]) => ({ ...pin, edits: [{ kind: 'observe', obs }] });
  const bad = [
    { ...pin, policy: 'xyz' },
    { ...pin, t: -1 },
    { ...pin, seed: 2 ** 33 },
    { ...pin, weights: [1] },
    observe([1e9]),
    observe(Array.from({ length: 300 }, () => 0)),
    { ...pin, edits: Array.from({ length: MOST_EDITS + 1 }, () => ({ kind: 'swap', from: 0, to: 1 })) },
  ];
  for (const each of bad) expect(pinSchema.safeParse(each).success, JSON.stringify(each).slice(0, 80)).toBe(false);
});

test('the hash of a policy follows every bit and no order', () => {
  const [w, b] = [Float32Array.of(1, 2, 3), Float32Array.of(4)];
  const hash = policyHash({ saved: { meta: {}, arrays: { w, b } } });
  expect(hash).toMatch(/^[0-9a-f]{8}$/);
  expect(policyHash({ saved: { meta: {}, arrays: { b, w } } })).toBe(hash);
  expect(policyHash({ saved: { meta: {}, arrays: { w: Float32Array.of(1, 2, 3.0000002), b } } })).not.toBe(hash);
  expect(policyHash({ saved: { meta: {}, arrays: { b: w, w: b } } })).not.toBe(hash);
});
