import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { type EpisodeBatch, EpisodeMemory, type EpisodeShape } from './replay-episodes.ts';

const sealedNames = (saved: { readonly meta: object }) => (saved.meta as { sealed: string[] }).sealed;
const shape: EpisodeShape = { capacity: 1000, rows: 2, length: 3, obsSize: 2, actionSize: 2, rewardSize: 2, maskSize: 4 };

/** Copy 0 terminates every 2 steps, copy 1 is cut off every 5; numbers say copy, step and column. */
function filled(steps: number, from = 0, memory = new EpisodeMemory(shape)): EpisodeMemory {
  for (let t = from; t < steps; t++) {
    const wide = (base: number) => Float32Array.from({ length: 4 }, (_, i) => base + 1000 * Math.floor(i / 2) + 10 * t + (i % 2));
    memory.add({
      obs: wide(0),
      nextObs: wide(5),
      action: wide(10_000),
      reward: wide(20_000),
      terminated: Uint8Array.of(t % 2, 0),
      truncated: Uint8Array.of(0, t % 5 === 4 ? 1 : 0),
      mask: Uint8Array.of(1, t % 2, 1, 0, 1, 1, 1, 1),
      nextMask: Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 1),
    });
  }
  return memory;
}

function batch(M: number): Required<EpisodeBatch> {
  const f = (n: number) => new Float32Array(n);
  return { obs: f(4 * M * 2), action: f(3 * M * 2), reward: f(3 * M * 2), filled: f(3 * M), goesOn: f(3 * M), mask: f(4 * M * 4) };
}
const column = (data: Float32Array, m: number, M: number, width: number) =>
  Array.from({ length: data.length / M / width }, (_, t) => [...data.subarray((t * M + m) * width, (t * M + m + 1) * width)]);

it('pieces end with the episode or after L steps, are padded, and say where the future counts', () => {
  const memory = filled(10);
  // In order of their ends: copy 0 at 1, copy 1 cut at 2, copy 0 at 3, copy 1 over at 4, ...
  const out = batch(2);
  memory.read(0, 0, 2, out);
  memory.read(1, 1, 2, out);
  expect(column(out.filled, 0, 2, 1).flat()).toEqual([1, 1, 0]);
  expect(column(out.goesOn, 0, 2, 1).flat()).toEqual([1, 0, 1]);
  expect(column(out.obs, 0, 2, 2)).toEqual([
    [0, 1],
    [10, 11],
    [15, 16], // what was seen before the reset, and again where there is nothing more
    [15, 16],
  ]);
  expect(column(out.mask ?? new Float32Array(0), 0, 2, 4).slice(0, 3)).toEqual([
    [1, 0, 1, 0],
    [1, 1, 1, 0],
    [0, 0, 0, 1],
  ]);
  expect(column(out.action, 0, 2, 2).slice(0, 2)).toEqual([
    [10_000, 10_001],
    [10_010, 10_011],
  ]);
  expect(column(out.filled, 1, 2, 1).flat()).toEqual([1, 1, 1]);
  expect(column(out.goesOn, 1, 2, 1).flat()).toEqual([1, 1, 1]); // only cut: the last observation is bootstrapped from
  expect(column(out.obs, 1, 2, 2)[3]).toEqual([1025, 1026]);
  expect(column(out.reward, 1, 2, 2)[2]).toEqual([21_020, 21_021]);
  memory.read(3, 0, 2, out); // steps 3 and 4 of copy 1: truncated, so bootstrapped
  expect(column(out.filled, 0, 2, 1).flat()).toEqual([1, 1, 0]);
  expect(column(out.goesOn, 0, 2, 1).flat()).toEqual([1, 1, 1]);
  expect(column(out.obs, 0, 2, 2).slice(0, 3)).toEqual([
    [1030, 1031],
    [1040, 1041],
    [1045, 1046],
  ]);
});

it('draws the newest pieces only and forgets the others', () => {
  const memory = filled(6000);
  expect(memory.size).toBe(1000);
  const rng = Rng.from(1);
  const ids = Array.from({ length: 20_000 }, () => memory.draw(rng));
  expect(Math.min(...ids)).toBe(memory.oldest);
  expect(Math.max(...ids)).toBe(memory.total - 1);
  expect(() => memory.read(0, 0, 1, batch(1))).toThrow(RangeError);
});

it('goes on after load as if nothing had happened, and full chunks never change', () => {
  const whole = filled(4001);
  const half = filled(3001);
  const saved = half.save();
  expect(sealedNames(saved).length).toBeGreaterThan(0);
  const rest = new EpisodeMemory(shape);
  rest.load(saved);
  filled(4001, 3001, rest);
  expect(rest.save()).toEqual(whole.save());
  const later = whole.save().arrays;
  for (const name of sealedNames(saved)) if (name in later) expect(later[name]).toEqual(saved.arrays[name]);
});
