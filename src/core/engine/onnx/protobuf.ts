/**
 * Writes protocol buffers (https://protobuf.dev/programming-guides/encoding/): fields in the order they are given, nothing else. Enough for
 * ONNX, whose messages hold whole numbers, floats, text, bytes and other messages.
 */
import { utf8 } from '#contract/kit/canonical.ts';

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

export class Message {
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  /** A whole number, negative ones as 64-bit two's complement. */
  int(field: number, value: number): this {
    this.varint(BigInt(field * 8 + VARINT));
    return this.varint(BigInt.asUintN(64, BigInt(value)));
  }

  ints(field: number, values: readonly number[]): this {
    for (const value of values) this.int(field, value);
    return this;
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.varint(BigInt(field * 8 + FIXED32));
    return this.push(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    this.varint(BigInt(field * 8 + BYTES));
    this.varint(BigInt(value.length));
    return this.push(value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, utf8(value));
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.finish());
  }

  finish(): Uint8Array {
    const out = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  private varint(value: bigint): this {
    const bytes: number[] = [];
    let left = value;
    do {
      const low = Number(left & 127n);
      left >>= 7n;
      bytes.push(left === 0n ? low : low | 128);
    } while (left !== 0n);
    return this.push(Uint8Array.from(bytes));
  }

  private push(bytes: Uint8Array): this {
    this.parts.push(bytes);
    this.size += bytes.length;
    return this;
  }
}
