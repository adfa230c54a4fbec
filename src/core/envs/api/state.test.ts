import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { allocateRows, defineState } from './state.ts';

const spec = defineState(
  3,
  [
    { name: 'count', type: 'u32', shape: [], doc: 'how many' },
    { name: 'speed', type: 'f64', shape: [2], unit: 'm/s', doc: 'two speeds' },
    { name: 'board', type: 'u32', shape: [2, 3], doc: 'cells' },
    { name: 'extra', type: 'u32', shape: [], doc: 'may be left out' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done' },
  ],
  ['extra'],
);
const good = {
  count: 7,
  speed: [0.1, -3e-200],
  board: [
    [1, 2, 3],
    [4, 5, 0xffffffff],
  ],
};

function failure(json: unknown): { field?: string; message: string } {
  try {
    spec.fromJSON(json);
  } catch (error) {
    expect(error).toBeInstanceOf(LabError);
    expect((error as LabError).failure.id).toBe('state-invalid');
    return (error as LabError).failure;
  }
  throw new Error('it was accepted');
}

describe('a state', () => {
  it('lies in memory as version, padding, f64 fields, u32 fields, generator', () => {
    const bytes = spec.fromJSON({ ...good, rng: [9, 8, 7, 6] });
    const view = new DataView(bytes.buffer);
    expect(bytes.length).toBe(8 + 2 * 8 + (1 + 6 + 1 + 1) * 4 + 16);
    expect(spec.bytes).toBe(bytes.length);
    expect(view.getUint32(0, true)).toBe(3);
    expect(view.getFloat64(8, true)).toBe(0.1);
    expect(view.getUint32(24, true)).toBe(7);
    expect(view.getUint32(28 + 20, true)).toBe(0xffffffff);
    expect(view.getUint32(bytes.length - 4, true)).toBe(6);
  });

  it('comes back from JSON, nested or flat, with what may be missing as zero', () => {
    const bytes = spec.fromJSON(good);
    expect(spec.toJSON(bytes)).toEqual({ version: 3, ...good, extra: 0, steps: 0, rng: [0, 0, 0, 0] });
    expect(spec.fromJSON({ ...good, board: [1, 2, 3, 4, 5, 0xffffffff] })).toEqual(bytes);
  });

  it('names the field that is wrong', () => {
    const { count: _, ...without } = good;
    expect(failure(without).field).toBe('count');
    expect(failure({ ...good, colour: 1 }).field).toBe('colour');
    expect(failure({ ...good, speed: [1] }).field).toBe('speed');
    expect(failure({ ...good, speed: [1, Number.NaN] }).field).toBe('speed');
    expect(failure({ ...good, count: -1 }).field).toBe('count');
    expect(failure({ ...good, count: 1.5 }).field).toBe('count');
    expect(failure({ ...good, count: 2 ** 32 }).field).toBe('count');
    expect(failure({ ...good, count: '1' }).field).toBe('count');
    expect(failure({ ...good, version: 2 }).field).toBe('version');
    expect(failure([1]).message).toContain('object');
  });

  it('moves between rows without touching the others', () => {
    const rows = allocateRows(spec, 3);
    const bytes = spec.fromJSON({ ...good, rng: [1, 2, 5, 0] });
    rows.load(1, bytes);
    expect(rows.save(1)).toEqual(bytes);
    expect(spec.toJSON(rows.save(0)).version).toBe(3);
    expect(Array.from(rows.words.subarray(0, rows.wordStride))).toEqual(new Array(rows.wordStride).fill(0));
    const before = rows.rng[1]?.next();
    rows.load(1, bytes);
    expect(rows.rng[1]?.next()).toBe(before);
    expect(() => rows.load(1, bytes.subarray(1))).toThrow(LabError);
    const other = bytes.slice();
    other[0] = 4;
    expect(() => rows.load(1, other)).toThrow(/version 4/);
    expect(() => rows.offset('nothing')).toThrow();
  });
});
