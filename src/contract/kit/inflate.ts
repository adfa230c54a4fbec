/** Inflating what came from outside: never more than is allowed, however small the packed bytes are. */
import { Inflate } from 'fflate';

/** Bytes fed at a time: they inflate to at most a thousand times as many. */
const SLICE = 512;

/** Stops as soon as more than `largest` bytes have come out. Throws for what cannot be inflated. */
export function inflate(packed: Uint8Array, largest: number, dictionary?: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  const stream = new Inflate(dictionary === undefined ? {} : { dictionary }, (part, final) => {
    parts.push(part);
    size += part.length;
    whole ||= final;
    if (size > largest) throw new RangeError('too large');
  });
  for (let at = 0; at < packed.length; at += SLICE) stream.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length);
  if (!whole) throw new RangeError('cut short');
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The first `bytes` of what comes out of the beginning of packed bytes; fewer where that holds fewer. */
export function inflateBeginning(packed: Uint8Array, bytes: number): Uint8Array {
  const parts: number[] = [];
  new Inflate((part) => parts.push(...part.subarray(0, bytes - parts.length))).push(packed, false);
  return Uint8Array.from(parts);
}
