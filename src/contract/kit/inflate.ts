/** Inflating what came from outside: never more than is allowed, however small the packed bytes are. */
import { Inflate } from 'fflate';

/** Bytes inflate to at most about this many times as many. */
const MOST_TIMES = 1032;
/** Bytes fed at a time: few where little is allowed, so that never much more comes out; many where much is, because each call copies the last 32 kB. */
const [LEAST_SLICE, MOST_SLICE] = [512, 1 << 16];

/** Stops when more than `largest` bytes have come out, at most about twice as many (half a megabyte where less is allowed). Throws for what cannot be inflated. */
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
  const slice = Math.min(Math.max(Math.floor(largest / MOST_TIMES), LEAST_SLICE), MOST_SLICE);
  for (let at = 0; at < packed.length; at += slice) stream.push(packed.subarray(at, at + slice), at + slice >= packed.length);
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
