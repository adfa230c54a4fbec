/**
 * The complete state of one row as bytes and as JSON, and the arrays that hold B rows of it.
 * Bytes: u32 version, 4 bytes padding, all f64 fields, all u32 fields, then the generator's 4 words (field `rng`, added to every
 * spec). JSON: { version, field: number | flat array ... }. Throws LabError('state-invalid') naming the field.
 */
import { fail } from '#contract/errors.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { Rng } from '../math/rng.ts';
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
  const ordered = [...all.filter((f) => f.type === 'f64'), ...all.filter((f) => f.type === 'u32')];
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
          field.type === 'f64' ? view.getFloat64(at + i * width, true) : view.getUint32(at + i * width, true),
        );
        out[field.name] = field.shape.length === 0 ? (values[0] as number) : values;
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

function invalid(field: string, what: string, allowed: string): Error {
  return fail('state-invalid', `State field "${field}" ${what}.`, allowed, field);
}

function describe(field: StateField): string {
  const kind = field.type === 'f64' ? 'number' : 'integer from 0 to 4294967295';
  const length = fieldLength(field);
  const many = field.shape.length === 0 ? `Give one ${kind}` : `Give ${length} numbers, each a ${kind}`;
  return `${many}${field.unit === undefined ? '' : ` in ${field.unit}`}: ${field.doc}.`;
}

function asObject(json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw fail('state-invalid', 'A state is a JSON object.', 'Give an object with the fields of the state.');
  return json as JsonObject;
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

/** B rows of state as one array per field, [B * length], and one generator per row. */
export interface StateRows {
  readonly rng: readonly Rng[];
  f64(name: string): Float64Array;
  u32(name: string): Uint32Array;
  save(row: number): Uint8Array;
  load(row: number, state: Uint8Array): void;
}

export function allocateRows(spec: StateSpec, batch: number): StateRows {
  const columns = spec.fields.map((field) => {
    const length = fieldLength(field);
    return { field, length, data: field.type === 'f64' ? new Float64Array(batch * length) : new Uint32Array(batch * length) };
  });
  const find = (name: string) => {
    const column = columns.find((c) => c.field.name === name);
    if (column === undefined) throw new Error(`no state field ${name}`);
    return column.data;
  };
  const words = find('rng') as Uint32Array;
  const rng = Array.from({ length: batch }, (_, row) => new Rng(words.subarray(row * 4, row * 4 + 4)));
  return {
    rng,
    f64: (name) => find(name) as Float64Array,
    u32: (name) => find(name) as Uint32Array,
    save(row) {
      const state = new Uint8Array(spec.bytes);
      const view = new DataView(state.buffer);
      view.setUint32(0, spec.version, true);
      let at = 8;
      for (const { length, data } of columns) {
        const wide = data instanceof Float64Array;
        for (let i = 0; i < length; i++) {
          const x = data[row * length + i] as number;
          if (wide) view.setFloat64(at, x, true);
          else view.setUint32(at, x, true);
          at += wide ? 8 : 4;
        }
      }
      return state;
    },
    load(row, state) {
      const view = viewOf(spec, state);
      let at = 8;
      for (const { length, data } of columns) {
        const wide = data instanceof Float64Array;
        for (let i = 0; i < length; i++) {
          data[row * length + i] = wide ? view.getFloat64(at, true) : view.getUint32(at, true);
          at += wide ? 8 : 4;
        }
      }
      (rng[row] as Rng).refresh();
    },
  };
}
