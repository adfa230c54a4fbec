/**
 * What an engine remembers, in one form for all executors, so that a run saved on one goes on on another: parameters by
 * group, the optimiser's slots and its step count. Also the hash by which two runs are called equal.
 *   arrays  `group/param` and `group/param#slot`
 *   meta    { engine: 1, groups: { group: { params: { name: shape }, kind?, t? } } }
 */
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import type { Slot } from './optimisers.ts';
import { sameShape, sizeOf } from './shapes.ts';
import type { Optimiser, ParamGroup, Shape } from './types.ts';

export interface OptimiserState {
  readonly kind: Optimiser['kind'];
  /** Steps taken. */
  readonly t: number;
  /** Per slot, per parameter in the group's order. */
  readonly slots: { readonly [S in Slot]?: readonly Float32Array[] };
}
export interface GroupState {
  readonly name: string;
  /** In the group's order. */
  readonly params: readonly { readonly name: string; readonly shape: Shape; readonly data: Float32Array }[];
  readonly optimiser?: OptimiserState;
}

export function toSaved(groups: readonly GroupState[]): Saved {
  const arrays: { [name: string]: Float32Array } = {};
  const meta: { [name: string]: Json } = {};
  for (const { name, params, optimiser } of groups) {
    const shapes: { [name: string]: Json } = {};
    params.forEach((p, i) => {
      shapes[p.name] = [...p.shape];
      arrays[`${name}/${p.name}`] = p.data;
      for (const [slot, data] of Object.entries(optimiser?.slots ?? {})) arrays[`${name}/${p.name}#${slot}`] = data[i]!;
    });
    meta[name] = { params: shapes, ...(optimiser === undefined ? {} : { kind: optimiser.kind, t: optimiser.t }) };
  }
  return { meta: { engine: 1, groups: meta }, arrays };
}

const isObject = (j: unknown): j is JsonObject => typeof j === 'object' && j !== null && !Array.isArray(j);
function broken(why: string): Error {
  return fail(
    'file-invalid',
    `The saved parameters do not fit: ${why}.`,
    'Start the run again, or open it with the version that saved it.',
  );
}

/** The states of exactly these groups; throws LabError('file-invalid') if names, shapes or sizes differ. */
export function fromSaved(saved: Saved, groups: readonly ParamGroup[]): GroupState[] {
  const stored = saved.meta.groups;
  if (!isObject(stored)) throw broken('it holds no parameter groups');
  const names = groups.map((g) => g.name);
  const [extra] = Object.keys(stored).filter((n) => !names.includes(n));
  if (extra !== undefined) throw broken(`there is no group "${extra}" here`);
  return groups.map((group) => {
    const entry = stored[group.name];
    if (!isObject(entry) || !isObject(entry.params)) throw broken(`the group "${group.name}" is missing`);
    const shapes = entry.params;
    if (Object.keys(shapes).length !== group.params.length) throw broken(`"${group.name}" has another number of parameters`);
    const take = (key: string, size: number): Float32Array => {
      const data = saved.arrays[key];
      if (!(data instanceof Float32Array) || data.length !== size) throw broken(`"${key}" is missing or has another size`);
      return data;
    };
    const params = group.params.map(({ name, shape }) => {
      const there = shapes[name];
      if (!Array.isArray(there) || !sameShape(there as number[], shape))
        throw broken(`"${group.name}/${name}" is missing or has another shape`);
      return { name, shape, data: take(`${group.name}/${name}`, sizeOf(shape)) };
    });
    if (typeof entry.kind !== 'string' || typeof entry.t !== 'number') return { name: group.name, params };
    const slots: { [S in Slot]?: Float32Array[] } = {};
    for (const slot of ['momentum', 'mean', 'square'] as const) {
      const first = group.params[0];
      if (first === undefined || saved.arrays[`${group.name}/${first.name}#${slot}`] === undefined) continue;
      slots[slot] = group.params.map((p) => take(`${group.name}/${p.name}#${slot}`, sizeOf(p.shape)));
    }
    return { name: group.name, params, optimiser: { kind: entry.kind as Optimiser['kind'], t: entry.t, slots } };
  });
}

/** FNV-1a, 64 bits in two halves. */
class Fnv {
  private high = 0xcbf29ce4;
  private low = 0x84222325;
  byte(b: number): void {
    // times 0x100000001b3 = 2^40 + 0x1b3
    const low = (this.low ^ b) >>> 0;
    const product = low * 0x1b3; // below 2^41: exact
    this.high = (Math.imul(this.high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    this.low = product >>> 0;
  }
  text(s: string): void {
    for (let i = 0; i < s.length; i++) this.byte(s.charCodeAt(i) & 0xff);
  }
  hex(): string {
    return this.high.toString(16).padStart(8, '0') + this.low.toString(16).padStart(8, '0');
  }
}

/** 16 hex digits over all parameters, groups and parameters sorted by name; every NaN counts as the same one. */
export function hashParameters(groups: readonly Pick<GroupState, 'name' | 'params'>[]): string {
  const hash = new Fnv();
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const view = new DataView(new ArrayBuffer(4));
  for (const group of [...groups].sort(byName)) {
    for (const p of [...group.params].sort(byName)) {
      hash.text(`${group.name}/${p.name};`);
      for (const x of p.data) {
        view.setUint32(0, 0x7fc00000, true);
        if (!Number.isNaN(x)) view.setFloat32(0, x, true);
        for (let i = 0; i < 4; i++) hash.byte(view.getUint8(i));
      }
    }
  }
  return hash.hex();
}
