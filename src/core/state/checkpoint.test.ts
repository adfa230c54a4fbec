import { expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { type Part, registerState, savedNumber } from './checkpoint.ts';
import { joinSaved } from './saved.ts';

function part(value: number): Part & { value: number } {
  return {
    value,
    save() {
      return { meta: { value: this.value, sealed: ['chunk'] }, arrays: { chunk: Float32Array.of(this.value) } };
    },
    load({ meta }) {
      this.value = meta.value as number;
    },
  };
}

function create(seed: number) {
  const moments = new RunningMoments(2);
  moments.update(Float32Array.of(seed, 2, 3, 4), 2);
  const live = {
    env: part(seed),
    order: Int32Array.of(seed, 1, 2),
    rng: Rng.from(seed),
    moments,
    front: [seed],
  };
  live.rng.uniform();
  const state = registerState({
    counters: { step: seed, updates: 2 * seed },
    json: {
      front: {
        save: () => live.front,
        load: (value) => {
          live.front = value as number[];
        },
      },
    },
    parts: { env: live.env, memory: null },
    arrays: { order: live.order, sampling: live.rng, moments, absent: null },
  });
  return { live, state };
}

it('saves what joinSaved gives of the same entries, as copies', async () => {
  const { live, state } = create(5);
  const saved = await state.save();
  const arrays = { order: live.order, sampling: live.rng.state, moments: live.moments.pack() };
  expect(saved).toEqual(joinSaved({ step: 5, updates: 10, front: [5] }, { env: live.env.save() as Saved }, arrays));
  expect(saved.meta.sealed).toEqual(['env/chunk']);
  live.order[0] = 9;
  state.counters.step++;
  expect([saved.arrays.order?.[0], saved.meta.step]).toEqual([5, 5]);
});

it('another run loaded from it goes on alike', async () => {
  const one = create(5);
  const other = create(7);
  other.state.load(await one.state.save());
  expect(await other.state.save()).toEqual(await one.state.save());
  expect(other.live.rng.uniform()).toBe(one.live.rng.uniform());
  expect(other.state.counters).toEqual({ step: 5, updates: 10 });
  expect(other.live.moments.count).toBe(one.live.moments.count);
});

const broken: [string, RegExp, (saved: Saved) => Saved][] = [
  ['a missing array', /"order" is missing/, ({ meta, arrays: { order: _, ...arrays } }) => ({ meta, arrays })],
  ['a shorter array', /"order" holds 2 numbers, not 3/, (s) => ({ ...s, arrays: { ...s.arrays, order: new Int32Array(2) } })],
  [
    'an array of another kind',
    /"order" is Float32Array, not Int32Array/,
    (s) => ({ ...s, arrays: { ...s.arrays, order: new Float32Array(3) } }),
  ],
  ['a generator of another size', /"sampling" holds 8/, (s) => ({ ...s, arrays: { ...s.arrays, sampling: new Uint32Array(8) } })],
  ['statistics of another width', /"moments" holds 9/, (s) => ({ ...s, arrays: { ...s.arrays, moments: new Float64Array(9) } })],
  ['a missing counter', /"updates" is missing/, ({ meta: { updates: _, ...meta }, arrays }) => ({ meta, arrays })],
  ['a counter that is no number', /"step" is no number/, (s) => ({ ...s, meta: { ...s.meta, step: '5' } })],
  ['a missing value', /"front" is missing/, ({ meta: { front: _, ...meta }, arrays }) => ({ meta, arrays })],
  ['a missing part', /"env" is missing/, (s) => ({ ...s, meta: { ...s.meta, parts: {} } })],
];
it.each(broken)('refuses %s and changes nothing', async (_, message, spoil) => {
  const saved = await create(5).state.save();
  const other = create(7);
  const before = await other.state.save();
  expect(() => other.state.load(spoil(saved))).toThrow(LabError);
  expect(() => other.state.load(spoil(saved))).toThrow(message);
  expect(await other.state.save()).toEqual(before);
});

it('entries of several layouts make one state; no name may stand twice', async () => {
  const learner = { counters: { updates: 3 }, arrays: { replaying: Rng.from(1) } };
  const state = registerState({ counters: { step: 1 } }, learner);
  learner.counters.updates++;
  expect((await state.save()).meta).toMatchObject({ step: 1, updates: 4 });
  expect(() => registerState({ counters: { updates: 0 } }, learner)).toThrow('two entries "updates"');
  expect(() => registerState({ arrays: { replaying: Rng.from(2) } }, learner)).toThrow('two entries "replaying"');
});

it('a number of a snapshot is checked', () => {
  expect(savedNumber({ meta: { epsilon: 0.1 }, arrays: {} }, 'epsilon')).toBe(0.1);
  expect(() => savedNumber({ meta: {}, arrays: {} }, 'epsilon')).toThrow('"epsilon" is missing');
});
