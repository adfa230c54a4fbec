/**
 * The saved state of a row with contexts: the numbers of its draw and their generator stand behind the first eight bytes, before the
 * environment's own fields, so that fields follow each other as everywhere and the environment's generator stays the last.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import type { StateSpec } from './types.ts';

const FIRST = 8; // version and padding
const RNG_BYTES = 16;
const DRAWN = 'contexts';
const GENERATOR = 'contextRng';

/** Bytes that contexts of so many numbers add. */
const headBytes = (count: number): number => 8 * count + RNG_BYTES;

/** The state with a draw of these numbers in front. */
export function contextState(inner: StateSpec, names: readonly string[]): StateSpec {
  const count = names.length;
  return {
    version: inner.version,
    fields: [
      { name: DRAWN, type: 'f64', shape: [count], doc: `what was drawn for this episode: ${names.join(', ')}; of a list its place` },
      { name: GENERATOR, type: 'u32', shape: [4], doc: 'generator of the draws: key (2 words) and position (2 words)' },
      ...inner.fields,
    ],
    bytes: inner.bytes + headBytes(count),
    toJSON(state) {
      const { own, drawn, rng } = split(state, count);
      return { ...inner.toJSON(own), [DRAWN]: [...drawn], [GENERATOR]: [...rng] };
    },
    fromJSON(json) {
      const { [DRAWN]: drawn, [GENERATOR]: rng, ...rest } = json as { readonly [field: string]: Json };
      const numbers = (value: Json | undefined, length: number, field: string): readonly number[] => {
        if (Array.isArray(value) && value.length === length && value.every((x) => typeof x === 'number')) return value as readonly number[];
        throw fail('state-invalid', `State field "${field}" is no list of ${length} numbers.`, `Give ${length} numbers.`, field);
      };
      const values = Float64Array.from(numbers(drawn, count, DRAWN));
      return join(inner.fromJSON(rest), values, Uint32Array.from(rng === undefined ? [0, 0, 0, 0] : numbers(rng, 4, GENERATOR)));
    },
  };
}

/** A state of the environment with its draw in front. */
export function join(own: Uint8Array, drawn: Float64Array, rng: Uint32Array): Uint8Array {
  const head = headBytes(drawn.length);
  const saved = new Uint8Array(own.byteLength + head);
  saved.set(own.subarray(0, FIRST));
  const view = new DataView(saved.buffer, FIRST, head);
  for (let i = 0; i < drawn.length; i++) view.setFloat64(8 * i, drawn[i]!, true);
  for (let i = 0; i < 4; i++) view.setUint32(8 * drawn.length + 4 * i, rng[i]!, true);
  saved.set(own.subarray(FIRST), FIRST + head);
  return saved;
}

/** The environment's own state, and what stood in front. Throws LabError('state-invalid') for a state that is too short. */
export function split(saved: Uint8Array, count: number): { own: Uint8Array; drawn: Float64Array; rng: Uint32Array } {
  const head = headBytes(count);
  if (saved.byteLength < FIRST + head)
    throw fail('state-invalid', `This state has ${saved.byteLength} bytes.`, `With these contexts it has at least ${FIRST + head}.`);
  const view = new DataView(saved.buffer, saved.byteOffset + FIRST, head);
  const own = new Uint8Array(saved.byteLength - head);
  own.set(saved.subarray(0, FIRST));
  own.set(saved.subarray(FIRST + head), FIRST);
  return {
    own,
    drawn: Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true)),
    rng: Uint32Array.from({ length: 4 }, (_, i) => view.getUint32(8 * count + 4 * i, true)),
  };
}
