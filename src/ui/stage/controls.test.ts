import { expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { buildCatalog } from '#core/catalog.ts';
import { controlsOf, isPlayable, whyNotPlayable } from './controls.ts';
import { readPad } from './gamepad.ts';

const keyed = {
  keys: [[], ['ArrowLeft', 'a'], ['ArrowUp'], ['ArrowUp+ArrowLeft']],
  action: { kind: 'discrete', n: 4, labels: ['stay', 'left', 'jump', 'jump left'] },
} as unknown as EnvCard;

const flown = {
  keys: [],
  action: { kind: 'box', size: 4, low: [], high: [], labels: [] },
  axes: [
    { name: 'ahead', component: 0, less: ['ArrowDown'], more: ['ArrowUp'], low: -1, high: 1, rest: 0, stick: 'rightY' },
    { name: 'sideways', component: 1, less: ['ArrowRight'], more: ['ArrowLeft'], low: -1, high: 1, rest: 0, stick: 'rightX' },
    { name: 'up', component: 2, less: ['s'], more: ['w'], low: -1, high: 1, rest: 0 },
    { name: 'speed', component: 3, less: [], more: [], low: -1, high: 1, rest: 1 },
  ],
} as unknown as EnvCard;

const pad = (axes: readonly number[], down: readonly number[]): Pick<Gamepad, 'axes' | 'buttons'> => ({
  axes,
  buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: down.includes(i), touched: false, value: 0 })),
});

test('buttons for actions with a key of their own, none for combinations', () => {
  expect(controlsOf(keyed).holds.map(({ name, key, action }) => [name, key, action])).toEqual([
    ['left', 'ArrowLeft', 1],
    ['jump', 'ArrowUp', 2],
  ]);
});

test('two axes of one hand are one stick, whose right may be less; an axis without keys has no control', () => {
  const { sticks, holds } = controlsOf(flown);
  expect(sticks).toEqual([{ name: 'ahead, sideways', x: 1, y: 0, signX: -1, keys: ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight'] }]);
  expect(holds.map(({ key }) => key)).toEqual(['s', 'w']);
});

test('what can be played: keys, or axes of continuous actions', () => {
  expect(isPlayable(keyed)).toBe(true);
  expect(isPlayable(flown)).toBe(true);
  expect(isPlayable({ ...flown, axes: [] })).toBe(false);
  expect(isPlayable(null)).toBe(false);
});

test('a gamepad pushes the axes by its sticks, away from oneself is up', () => {
  const read = readPad(flown, pad([0, 0, 0.8, -0.5], []));
  expect(read.sticks[0]).toBeCloseTo(0.5);
  expect(read.sticks[1]).toBeCloseTo(-0.8);
  expect(read.sticks[2]).toBe(0);
  expect(readPad(flown, pad([0, 0, 0.05, 0.05], [])).sticks).toEqual([0, 0, 0, 0]);
});

test('a gamepad holds arrow keys by cross and left stick, and the others by its buttons', () => {
  expect(readPad(keyed, pad([0, 0], [14])).held).toEqual(['ArrowLeft']);
  expect(readPad(keyed, pad([-0.9, -0.9], [])).held).toEqual(['ArrowLeft', 'ArrowUp']);
  const shoots = { ...keyed, keys: [[], ['ArrowLeft'], [' ']] } as EnvCard;
  expect(readPad(shoots, pad([0, 0], [0])).held).toEqual([' ']);
  expect(readPad(keyed, pad([0, 0], [0])).held).toEqual(['ArrowUp']);
});

test('at least 85 environments can be played by hand; every other says in a sentence why not', () => {
  const { envs } = buildCatalog([]);
  const closed = envs.filter((env) => !isPlayable(env));
  expect(envs.length - closed.length).toBeGreaterThanOrEqual(85);
  for (const env of closed) expect(whyNotPlayable(env), env.id).toMatch(/^[A-Z].{30,}\.$/);
});
