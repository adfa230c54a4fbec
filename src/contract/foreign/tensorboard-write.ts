/**
 * TensorBoard's event files, written: the mirror of tensorboard.ts. A file is records (TFRecord) of Events (tensorflow/core/util/event.proto);
 * the first names the file's version, each of the others holds the scalars of one step as simple_value (float32), or a text.
 */
import { utf8 } from '../kit/canonical.ts';
import { maskedCrc } from './tensorboard.ts';

/** Bytes of one field of a message. */
type Part = Uint8Array;

function joined(parts: readonly Part[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A whole number from 0 to 2^53 in groups of seven bits, the lowest first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.of(...bytes, rest);
}

/** Wire types of protocol buffers. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const key = (field: number, wire: number): Uint8Array => varint(field * 8 + wire);
const whole = (field: number, value: number): Part => joined([key(field, VARINT), varint(value)]);
const bytes = (field: number, content: Uint8Array): Part => joined([key(field, BYTES), varint(content.length), content]);
const text = (field: number, words: string): Part => bytes(field, utf8(words));

function double(field: number, value: number): Part {
  const content = new Uint8Array(8);
  new DataView(content.buffer).setFloat64(0, value, true);
  return joined([key(field, FIXED64), content]);
}

function float(field: number, value: number): Part {
  const content = new Uint8Array(4);
  new DataView(content.buffer).setFloat32(0, value, true);
  return joined([key(field, FIXED32), content]);
}

/** One record: length, its checksum, data, its checksum. */
function record(data: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(data.length), true);
  const sum = (of: Uint8Array): Uint8Array => {
    const out = new Uint8Array(4);
    new DataView(out.buffer).setUint32(0, maskedCrc(of), true);
    return out;
  };
  return joined([length, sum(length), data, sum(data)]);
}

/** Event: wall_time 1, step 2, file_version 3, summary 5. Summary.Value: tag 1, simple_value 2, tensor 8, metadata 9. */
const event = (seconds: number, parts: readonly Part[]): Uint8Array => record(joined([double(1, seconds), ...parts]));

/** The record that a file begins with. `seconds`: since 1970, as in all of them. */
export const versionRecord = (seconds: number): Uint8Array => event(seconds, [text(3, 'brain.Event:2')]);

/** Scalars of one environment step, from 0. Numbers that are not finite are left out, and a record without any is empty. */
export function scalarRecord(seconds: number, step: number, scalars: Iterable<readonly [tag: string, value: number]>): Uint8Array {
  const values = [...scalars]
    .filter(([, value]) => Number.isFinite(value))
    .map(([tag, value]) => bytes(1, joined([text(1, tag), float(2, value)])));
  return values.length === 0 ? new Uint8Array(0) : event(seconds, [whole(2, step), bytes(5, joined(values))]);
}

/** DT_STRING of tensorflow/core/framework/types.proto. */
const STRING = 7;

/** A text at step 0, for the plugin of that name: a TensorProto of one string without dimensions. */
export function textRecord(seconds: number, tag: string, words: string): Uint8Array {
  const tensor = joined([whole(1, STRING), bytes(2, new Uint8Array(0)), text(8, words)]);
  const metadata = bytes(1, text(1, 'text'));
  return event(seconds, [whole(2, 0), bytes(5, bytes(1, joined([text(1, tag), bytes(8, tensor), bytes(9, metadata)])))]);
}
