import { expect, test } from 'vitest';
import type { Slot } from '#client/stage/side.ts';
import { FIRST_START, queryOf, viewOf } from './query.ts';

const learned = (step: number | null): Slot['actor'] => ({ kind: 'learned', runId: 'abc-cartpole-ppo-1234', seed: 2, step, name: '' });
const script: Slot['actor'] = { kind: 'script', runId: 'abc-cartpole-ppo-1234', seed: 2, step: null, name: 'chase the ball' };

test('what is shown side by side comes back from its address', () => {
  const slots: readonly Slot[] = [
    { actor: learned(1200), rival: null, world: 'own' },
    { actor: learned(null), rival: script, world: 'set-up' },
    { actor: { ...learned(null), kind: 'random' }, rival: null, world: 'set-up' },
  ];
  const query = Object.fromEntries(new URLSearchParams(queryOf({ slots, start: 77 })));
  expect(viewOf(query)).toEqual({ slots, start: 77 });
  expect(queryOf({ slots: [], start: FIRST_START })).toEqual({ start: '' });
});

test('what cannot be read of an address is left out', () => {
  const good = queryOf({ slots: [{ actor: learned(5), rival: null, world: 'own' }], start: FIRST_START });
  const bad = { a: 'learned~../x~1~2~', b: 'learned~r~-1~2~', c: 'script~r~1~~<b>', d: `${good.a}|nobody~r~1~~`, start: '-3' };
  expect(viewOf(bad)).toEqual({ slots: [{ actor: learned(5), rival: null, world: 'own' }], start: FIRST_START });
});

test('four scenes at most', () => {
  const slot: Slot = { actor: learned(5), rival: null, world: 'own' };
  expect(viewOf(queryOf({ slots: [slot, slot, slot, slot, slot], start: 2 })).slots).toHaveLength(4);
});
