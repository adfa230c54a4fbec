/** FNV-1a, 64 bits, in two 32-bit halves (the prime is 2^40 + 0x1b3): whether two runs ended with the same bits. */
export class Fnv64 {
  private high = 0xcbf29ce4;
  private low = 0x84222325;

  addBytes(bytes: Uint8Array): this {
    for (let i = 0; i < bytes.length; i++) this.addByte(bytes[i]!);
    return this;
  }

  /** The bytes of float32 numbers, little-endian; every NaN counts as 7fc00000. */
  add(data: Float32Array): this {
    const words = new Uint32Array(data.slice().buffer);
    for (let i = 0; i < words.length; i++) {
      let word = Number.isNaN(data[i]!) ? 0x7fc00000 : words[i]!;
      for (let b = 0; b < 4; b++) {
        this.addByte(word & 255);
        word >>>= 8;
      }
    }
    return this;
  }

  private addByte(byte: number): void {
    const x = (this.low ^ byte) >>> 0;
    const product = x * 0x1b3;
    const carry = Math.floor(product / 0x100000000);
    this.high = (Math.imul(this.high, 0x1b3) + carry + (x << 8)) >>> 0;
    this.low = product >>> 0;
  }

  /** 16 hex digits. */
  digest(): string {
    return this.high.toString(16).padStart(8, '0') + this.low.toString(16).padStart(8, '0');
  }
}

/** Hash of the bytes of an array. */
export function hashBytes(array: { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly byteLength: number }): string {
  return new Fnv64().addBytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)).digest();
}

/** A number below 2^53 for row `row` of width `width`. */
export type KeyOf = (rows: Float32Array, row: number, width: number) => number;

const NEGATIVE_ZERO = 0x8000_0000;

/** Two 32-bit hashes of the words of a row (the mixing of MurmurHash3), 53 bits of them. */
export const exactKey: KeyOf = (rows, row, width) => {
  const words = new Uint32Array(rows.buffer, rows.byteOffset, rows.length);
  let [a, b] = [0x9747b28c, 0x3c6ef372];
  for (let i = row * width; i < (row + 1) * width; i++) {
    const word = words[i]! === NEGATIVE_ZERO ? 0 : words[i]!;
    a = Math.imul(a ^ Math.imul(word, 0xcc9e2d51), 0x85ebca6b);
    a ^= a >>> 13;
    b = Math.imul(b ^ Math.imul(word, 0x1b873593), 0xc2b2ae35);
    b ^= b >>> 16;
  }
  return (a & 0x1f_ffff) * 0x1_0000_0000 + (b >>> 0);
};
