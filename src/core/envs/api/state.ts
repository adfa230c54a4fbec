/**
 * The complete state of one row as bytes and as JSON, and the arrays that hold B rows of it.
 * Bytes: u32 version, 4 bytes padding, all f64 fields, all u32 and i32 fields, then the generator's 4 words (field `rng`, added to every
 * spec). JSON: { version, field: number or nested arrays, ... }. Throws LabError('state-invalid') naming the field.
 */
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import type { StateField, StateSpec } from './types.ts';

const RNG_FIELD: StateField = {
  name: 'rng',
  type: 'u32',
  shape: [4],
  doc: 'generator: key (2 words) and position (2 words) of the Philox stream',
};

/** Fields that a hand-written state may leave out; they start at zero. */
const OPTIONAL = new Set(['rng', 'steps']);

export function fieldLength(field: StateField): number {
  return field.shape.reduce((a, b) => a * b, 1);
}

/** `optional` names more fields that fromJSON may fill with zeros. */
export function defineState(version: number, fields: readonly StateField[], optional: readonly string[] = []): StateSpec {
  const all = [...fields, RNG_FIELD];
  const ordered = [...all.filter((f) => f.type === 'f64'), ...all.filter((f) => f.type !== 'f64')];
  const bytes = ordered.reduce((sum, f) => sum + fieldLength(f) * (f.type === 'f64' ? 8 : 4), 8);
  const mayMiss = new Set([...OPTIONAL, ...optional]);
  const spec: StateSpec = {
    version,
    fields: ordered,
    bytes,
    toJSON(state) {
      const view = viewOf(spec, state);
      const out: { [key: string]: Json } = { version };
      let at = 8;
      for (const field of ordered) {
        const width = field.type === 'f64' ? 8 : 4;
        const values = Array.from({ length: fieldLength(field) }, (_, i) =>
          field.type === 'f64'
            ? view.getFloat64(at + i * width, true)
            : field.type === 'i32'
              ? view.getInt32(at + i * width, true)
              : view.getUint32(at + i * width, true),
        );
        out[field.name] = nest(values, field.shape);
        at += width * values.length;
      }
      return out;
    },
    fromJSON(json) {
      const source = asObject(json);
      checkKeys(source, ordered, version);
      const state = new Uint8Array(bytes);
      const view = new DataView(state.buffer);
      view.setUint32(0, version, true);
      let at = 8;
      for (const field of ordered) {
        const width = field.type === 'f64' ? 8 : 4;
        const length = fieldLength(field);
        const value = source[field.name];
        if (value === undefined && !mayMiss.has(field.name)) throw invalid(field.name, 'is missing', describe(field));
        const flat = value === undefined ? new Array<number>(length).fill(0) : flatten(value);
        if (flat.length !== length) throw invalid(field.name, `has ${flat.length} numbers`, describe(field));
        flat.forEach((x, i) => {
          if (typeof x !== 'number' || !Number.isFinite(x)) throw invalid(field.name, 'is not a finite number', describe(field));
          if (field.type === 'u32') {
            if (!Number.isInteger(x) || x < 0 || x > 0xffff_ffff) throw invalid(field.name, `is ${x}`, describe(field));
            view.setUint32(at + i * width, x, true);
          } else if (field.type === 'i32') {
            if (!Number.isInteger(x) || Math.abs(x) > 0x7fff_ffff) throw invalid(field.name, `is ${x}`, describe(field));
            view.setInt32(at + i * width, x, true);
          } else view.setFloat64(at + i * width, x, true);
        });
        at += width * length;
      }
      return state;
    },
  };
  return spec;
}

/** Checks length and version; throws LabError('state-invalid'). */
export function viewOf(spec: StateSpec, state: Uint8Array): DataView {
  if (state.byteLength !== spec.bytes)
    throw fail('state-invalid', `This state has ${state.byteLength} bytes.`, `This environment with this config needs ${spec.bytes}.`);
  const view = new DataView(state.buffer, state.byteOffset, state.byteLength);
  const version = view.getUint32(0, true);
  if (version !== spec.version)
    throw fail('state-invalid', `This state has version ${version}.`, `Version ${spec.version} is needed.`, 'version');
  return view;
}

/** Flat numbers in a shape; [] is one number. */
export function nest(flat: readonly number[], shape: readonly number[]): Json {
  if (shape.length === 0) return flat[0]!;
  if (shape.length === 1) return flat;
  const size = flat.length / shape[0]!;
  return Array.from({ length: shape[0]! }, (_, i) => nest(flat.slice(i * size, (i + 1) * size), shape.slice(1)));
}

function invalid(field: string, what: string, allowed: string): Error {
  return fail('state-invalid', `State field "${field}" ${what}.`, allowed, field);
}

function describe(field: StateField): string {
  const kind = { f64: 'number', u32: 'integer from 0 to 4294967295', i32: 'integer' }[field.type];
  const length = fieldLength(field);
  const many = field.shape.length === 0 ? `Give one ${kind}` : `Give ${length} numbers, each a ${kind}`;
  return `${many}${field.unit === undefined ? '' : ` in ${field.unit}`}: ${field.doc}.`;
}

function asObject(json: unknown): JsonObject {
  if (!isObject(json)) throw fail('state-invalid', 'A state is a JSON object.', 'Give an object with the fields of the state.');
  return json;
}

function checkKeys(source: JsonObject, fields: readonly StateField[], version: number): void {
  const known = new Set(fields.map((f) => f.name));
  for (const key of Object.keys(source)) {
    if (key === 'version') {
      if (source[key] !== version) throw invalid('version', `is ${JSON.stringify(source[key])}`, `Version ${version} is needed.`);
    } else if (!known.has(key)) throw invalid(key, 'is not known here', `Fields: ${[...known].join(', ')}.`);
  }
}

function flatten(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]).flatMap((v) => flatten(v)) : [value];
}

/**
 * B rows of state in two arrays, in the order of `spec.fields`: a row's f64 fields stand together in `floats`, its u32 fields in
 * `words` (the generator's four last), so that a row is two plain copies and a step touches few arrays.
 */
export interface StateRows {
  readonly floats: Float64Array; // [B, floatStride]
  readonly words: Uint32Array; // [B, wordStride]
  readonly floatStride: number;
  readonly wordStride: number;
  readonly rng: readonly Rng[]; // [B], views into `words`
  /** Where a field begins within a row of its array. */
  offset(name: string): number;
  save(row: number): Uint8Array;
  load(row: number, state: Uint8Array): void;
}

export function allocateRows(spec: StateSpec, batch: number): StateRows {
  const offsets = new Map<string, number>();
  const stride = { f64: 0, u32: 0 };
  for (const field of spec.fields) {
    const array = field.type === 'f64' ? 'f64' : 'u32';
    offsets.set(field.name, stride[array]);
    stride[array] += fieldLength(field);
  }
  const floats = new Float64Array(batch * stride.f64);
  const words = new Uint32Array(batch * stride.u32);
  const rng = Array.from({ length: batch }, (_, row) => new Rng(words.subarray((row + 1) * stride.u32 - 4, (row + 1) * stride.u32)));
  const wordsFrom = 8 + 8 * stride.f64;
  return {
    floats,
    words,
    floatStride: stride.f64,
    wordStride: stride.u32,
    rng,
    offset(name) {
      const at = offsets.get(name);
      if (at === undefined) throw new Error(`no state field ${name}`);
      return at;
    },
    save(row) {
      const state = new Uint8Array(spec.bytes);
      const all = new Uint32Array(state.buffer);
      all[0] = spec.version;
      for (let i = 0, from = row * stride.u32, to = wordsFrom / 4; i < stride.u32; i++) all[to + i] = words[from + i]!;
      if (stride.f64 > 0) new Float64Array(state.buffer, 8, stride.f64).set(floats.subarray(row * stride.f64, (row + 1) * stride.f64));
      return state;
    },
    load(row, state) {
      const own = state.byteOffset % 8 === 0 && state.byteLength % 4 === 0 ? state : state.slice(); // aligned, whatever it was cut from
      const all = new Uint32Array(own.buffer, own.byteOffset, Math.floor(own.byteLength / 4));
      if (own.byteLength !== spec.bytes || all[0] !== spec.version) viewOf(spec, state); // refuses it
      for (let i = 0, from = wordsFrom / 4, to = row * stride.u32; i < stride.u32; i++) words[to + i] = all[from + i]!;
      if (stride.f64 > 0) floats.set(new Float64Array(own.buffer, own.byteOffset + 8, stride.f64), row * stride.f64);
      (rng[row] as Rng).refresh();
    },
  };
}

/** The same state with its generator at the start of the stream of a seed: another future from the same moment. */
export function withSeed(state: Uint8Array, seed: number): Uint8Array {
  const copy = state.slice();
  const words = Rng.from(seed).state;
  const view = new DataView(copy.buffer);
  words.forEach((word, i) => {
    view.setUint32(copy.byteLength - 16 + 4 * i, word, true);
  });
  return copy;
}
