import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32 } from '#contract/kit/bytes.ts';
import { readText, withText } from './png-text.ts';

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(new TextEncoder().encode(type), 4);
  out.set(data, 8);
  view.setUint32(data.length + 8, crc32(out.subarray(4, data.length + 8)));
  return out;
}

const png = new Uint8Array(
  [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0)),
    chunk('IDAT', new Uint8Array(deflateSync(Uint8Array.of(0, 7)))),
    chunk('IEND', new Uint8Array(0)),
  ].flatMap((part) => [...part]),
);

describe('text in PNG files', () => {
  it('has the standard checksum', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it('comes back as it went in, accents and all', () => {
    const text = '{"name":"Größe – 4×4"}';
    const marked = withText(png, 'config', text);
    expect(readText(marked, 'config')).toBe(text);
    expect(readText(png, 'config')).toBeNull();
    expect(marked.subarray(-12)).toEqual(png.subarray(-12));
  });
});
