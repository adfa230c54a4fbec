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
