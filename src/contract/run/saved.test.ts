import zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32, fromBase64, fromBase64Url, textOf, toBase64, toBase64Url } from '../kit/bytes.ts';
import { utf8 } from '../kit/canonical.ts';
import type { Saved } from './events.ts';
import { decodeSaved, encodeSaved, isSaved } from './saved.ts';

test('base64 agrees with Node both ways and refuses what is not base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }),
  );
  for (const bad of ['a', 'ab*d', 'äbcd', 'ab=cd']) expect(fromBase64(bad)).toBeNull();
});

test('a file that Node read, a Buffer, gives the arrays that were saved', () => {
  const saved: Saved = { meta: { kind: 'numbers' }, arrays: { first: Float32Array.of(1, 2, 3), second: Uint8Array.of(4) } };
  const { arrays } = decodeSaved(Buffer.from(encodeSaved(saved)));
  expect(arrays).toEqual(saved.arrays);
});

test('the checksum is the usual CRC-32, and UTF-8 comes back as it went', () => {
  expect(crc32(utf8('123456789'))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(5), (bytes, from) => {
      const part = bytes.subarray(from);
      expect(crc32(part)).toBe(zlib.crc32(part));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(textOf(utf8(text))).toBe(Buffer.from(text).toString());
    }),
  );
});

const saved: Saved = {
  meta: { step: 7, name: 'é', list: [1, null, true] },
  arrays: {
    a: Float32Array.of(1.5, Number.NaN, -0),
    b: Float64Array.of(Math.PI),
    c: Uint32Array.of(0xffff_ffff),
    d: Int32Array.of(-1, 2),
    e: Uint8Array.of(1, 2, 3),
    empty: new Float32Array(0),
  },
};

test('a saved state survives the trip bit for bit, also as a view into other bytes', () => {
  const bytes = encodeSaved(saved);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  for (const copy of [bytes, shifted.subarray(3)]) {
    const back = decodeSaved(copy);
    expect(back.meta).toEqual(saved.meta);
    expect(Object.keys(back.arrays)).toEqual(Object.keys(saved.arrays));
    for (const [name, array] of Object.entries(saved.arrays)) {
      expect(back.arrays[name]?.constructor).toBe(array.constructor);
      expect(back.arrays[name]).toEqual(array);
    }
  }
});

test('any cut and any flipped bit is refused', () => {
  const bytes = encodeSaved(saved);
  for (let length = 0; length < bytes.length; length++) expect(() => decodeSaved(bytes.subarray(0, length))).toThrow();
  for (let i = 0; i < bytes.length; i++) {
    const flipped = bytes.slice();
    flipped[i] = flipped[i]! ^ (1 << (i % 8));
    expect(() => decodeSaved(flipped)).toThrow();
  }
});

test('text is decoded the same in slices of any length', () => {
  const text = 'aé€😀'.repeat(5000);
  for (const cut of [0, 1, 2, 3]) expect(textOf(utf8('x'.repeat(cut) + text))).toBe('x'.repeat(cut) + text);
  expect(textOf(Uint8Array.of(0xf0, 0x9f, 0x98))).toBe('\ufffd');
});

test('a long header is refused before it is decoded, and never written', () => {
  const bytes = encodeSaved(saved);
  const view = new DataView(bytes.buffer);
  view.setUint32(12, 100_000_000, true);
  view.setUint32(8, crc32(bytes.subarray(12)), true);
  expect(() => decodeSaved(bytes)).toThrow('takes 100000000 bytes');
  expect(isSaved(bytes)).toBe(false);
  expect(() => decodeSaved(encodeSaved(saved), 100)).toThrow('at most 100 are read');
  expect(() => encodeSaved({ meta: { text: 'x'.repeat(9_000_000) }, arrays: {} })).toThrow('9000');
});

test('a header that is broken under a right checksum is refused by name', () => {
  const bytes = encodeSaved(saved);
  const length = new DataView(bytes.buffer).getUint32(12, true);
  const withHeader = (header: string): Uint8Array => {
    const out = bytes.slice();
    out.set(utf8(header.padEnd(length, ' ').slice(0, length)), 16);
    new DataView(out.buffer).setUint32(8, crc32(out.subarray(12)), true);
    return out;
  };
  for (const header of [
    '',
    '{',
    'null',
    '[]',
    '{"meta":{}}',
    '{"meta":{},"arrays":{}}',
    '{"meta":{},"arrays":[null]}',
    '{"meta":{},"arrays":[{"name":1}]}',
    ...[
      '{"name":"a","type":"u8","offset":0,"length":8},{"name":"b","type":"u8","offset":0,"length":8}', // a byte twice
      '{"name":"a","type":"u8","offset":-8,"length":8}',
      '{"name":"a","type":"u8","offset":0,"length":-1}',
      '{"name":"a","type":"u8","offset":0,"length":9999}',
      '{"name":"__proto__","type":"u8","offset":0,"length":8}',
    ].map((arrays) => `{"meta":{},"arrays":[${arrays}]}`),
  ])
    expect(() => decodeSaved(withHeader(header)), header).toThrow('This is not a whole saved state');
});
