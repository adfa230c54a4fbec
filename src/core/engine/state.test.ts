import { describe, expect, test } from 'vitest';
import { hostGroup } from './params.ts';
import { fromSaved, type GroupState, hashParameters, toSaved } from './state.ts';

const group = hostGroup('net');
group.param('w', [2, 1], Float32Array.of(1, 2));
group.param('b', [1], Float32Array.of(3));
const state: GroupState = {
  name: 'net',
  params: group.params.map((p) => ({ name: p.name, shape: p.shape, data: group.initial.get(p)! })),
  optimiser: {
    kind: 'adam',
    t: 7,
    slots: { mean: [Float32Array.of(4, 5), Float32Array.of(6)], square: [Float32Array.of(7, 8), Float32Array.of(9)] },
  },
};

describe('saved form', () => {
  test('comes back whole', () => {
    const saved = toSaved([state]);
    expect(Object.keys(saved.arrays)).toContain('net/w#square');
    expect(JSON.parse(JSON.stringify(saved.meta))).toEqual(saved.meta);
    expect(fromSaved(saved, [group])).toEqual([state]);
    const { optimiser, ...bare } = state;
    expect(optimiser?.t).toBe(7);
    expect(fromSaved(toSaved([bare]), [group])).toEqual([bare]);
  });
  test('anything that does not fit is refused by name', () => {
    const saved = toSaved([state]);
    const without = (key: string) => ({ ...saved, arrays: Object.fromEntries(Object.entries(saved.arrays).filter(([k]) => k !== key)) });
    expect(() => fromSaved(without('net/b'), [group])).toThrow('net/b');
    expect(() => fromSaved(without('net/b#mean'), [group])).toThrow('net/b#mean');
    expect(() => fromSaved({ meta: {}, arrays: {} }, [group])).toThrow('no parameter groups');
    expect(() => fromSaved(saved, [])).toThrow('no group "net"');
    expect(() => fromSaved(saved, [group, hostGroup('other')])).toThrow('"other" is missing');
    const wider = hostGroup('net');
    wider.param('w', [1, 2], Float32Array.of(1, 2));
    wider.param('b', [1], Float32Array.of(3));
    expect(() => fromSaved(saved, [wider])).toThrow('another shape');
  });
});

describe('hash', () => {
  const of = (...data: number[]) =>
    hashParameters([{ name: 'g', params: [{ name: 'p', shape: [data.length], data: Float32Array.from(data) }] }]);
  test('is FNV-1a 64', () => {
    // The published value of the empty input, and the bytes 'g/p;' followed by 0.0f, by BigInt.
    expect(hashParameters([])).toBe('cbf29ce484222325');
    let h = 0xcbf29ce484222325n;
    for (const b of [...'g/p;'].map((c) => c.charCodeAt(0)).concat(0, 0, 128, 63))
      h = ((h ^ BigInt(b)) * 0x100000001b3n) & 0xffffffffffffffffn;
    expect(of(1)).toBe(h.toString(16).padStart(16, '0'));
  });
  test('tells bits apart, but not NaNs; the order of groups does not matter', () => {
    expect(of(0)).not.toBe(of(-0));
    expect(of(Number.NaN)).toBe(
      hashParameters([{ name: 'g', params: [{ name: 'p', shape: [1], data: new Float32Array(Uint32Array.of(0xffc00001).buffer) }] }]),
    );
    const a = { name: 'a', params: [] };
    const b = { ...state, name: 'b' };
    expect(hashParameters([a, b])).toBe(hashParameters([b, a]));
  });
});
