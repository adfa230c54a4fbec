/**
 * The state of a training loop, registered once for checkpoint and resume. A layout names what there is: counters, JSON values, parts with
 * save and load of their own, arrays, generators and running statistics. save() copies all of it into one flat Saved (joinSaved);
 * load() checks presence, kind and length of every entry before it changes anything of its own, then loads the parts.
 *
 *   const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { order, sampling, moments } });
 *   if (resume === undefined) env.reset(); else state.load(resume);
 *   state.counters.step += batch;
 */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { joinSaved, partOf } from './saved.ts';

type StoredArray = Saved['arrays'][string];

/** Something that saves and restores itself: environments, an engine, a replay buffer, another registered state. */
export interface Part {
  save(): Saved | Promise<Saved>;
  load(saved: Saved): void;
}

/** Running statistics, as numbers in an array of fixed length. */
export interface Packed {
  pack(): Float64Array;
  unpack(data: Float64Array): void;
}

/** A value that JSON holds and that is replaced rather than changed. */
export interface JsonEntry {
  save(): Json;
  load(value: Json): void;
}

export interface Counters {
  [name: string]: number;
}

/** Entries that are null are left out: `normaliseObs ? new RunningMoments(O) : null`. */
export interface StateLayout<C = Counters> {
  /** Numbers under their names in meta: step, updates. Read and written in place. */
  readonly counters?: C;
  /** Other values in meta. */
  readonly json?: { readonly [name: string]: JsonEntry };
  readonly parts?: { readonly [name: string]: Part | null };
  /** Arrays, which are written in place and keep kind and length; generators (their state); running statistics. */
  readonly arrays?: { readonly [name: string]: StoredArray | Rng | Packed | null };
}

export interface RegisteredState<C = Counters> extends Part {
  readonly counters: C;
  save(): Promise<Saved>;
  /** Throws LabError('file-invalid') naming the entry that is missing or of another kind or length. */
  load(saved: Saved): void;
}

const broken = (what: string): Error =>
  fail('file-invalid', `This checkpoint does not fit this run: ${what}.`, 'Resume it with the config it was saved with.');

function copyOf(entry: StoredArray | Rng | Packed): StoredArray {
  if (entry instanceof Rng) return entry.state.slice();
  return 'pack' in entry ? entry.pack() : entry.slice();
}

/** Checks the saved array against the live one; the answer puts it in place. */
function restoring(name: string, entry: StoredArray | Rng | Packed, saved: StoredArray | undefined): () => void {
  const live = entry instanceof Rng ? entry.state : 'pack' in entry ? entry.pack() : entry;
  if (saved === undefined) throw broken(`"${name}" is missing`);
  if (saved.constructor !== live.constructor) throw broken(`"${name}" is ${saved.constructor.name}, not ${live.constructor.name}`);
  if (saved.length !== live.length) throw broken(`"${name}" holds ${saved.length} numbers, not ${live.length}`);
  return () => {
    if (!(entry instanceof Rng) && 'pack' in entry) entry.unpack(saved as Float64Array);
    else live.set(saved);
    if (entry instanceof Rng) entry.refresh();
  };
}

/** Entries of all layouts by name. Throws Error if two have the same. */
function merged<T>(layouts: readonly (Readonly<Record<string, T | null>> | undefined)[]): Map<string, T> {
  const all = new Map<string, T>();
  for (const layout of layouts) {
    for (const [name, entry] of Object.entries(layout ?? {})) {
      if (all.has(name)) throw new Error(`registerState: there are two entries "${name}"`);
      if (entry !== null) all.set(name, entry);
    }
  }
  return all;
}

/** One state of the entries of all layouts; `counters` are those of the first. Throws Error if two entries have the same name. */
export function registerState<C extends object = Counters>(layout: StateLayout<C>, ...others: readonly StateLayout[]): RegisteredState<C> {
  const layouts = [layout as StateLayout, ...others];
  const parts = merged(layouts.map((l) => l.parts));
  const arrays = merged(layouts.map((l) => l.arrays));
  const json = merged(layouts.map((l) => l.json));
  const owners = merged(layouts.map(({ counters = {} }) => Object.fromEntries(Object.keys(counters).map((name) => [name, counters]))));
  for (const name of json.keys()) if (owners.has(name)) throw new Error(`registerState: there are two entries "${name}"`);
  return {
    counters: layout.counters ?? ({} as C),
    async save() {
      const meta: { [name: string]: Json } = {};
      for (const [name, counters] of owners) meta[name] = counters[name]!;
      for (const [name, entry] of json) meta[name] = entry.save();
      const own: Record<string, StoredArray> = {};
      for (const [name, entry] of arrays) own[name] = copyOf(entry);
      const saved: Record<string, Saved> = {};
      for (const [name, part] of parts) saved[name] = await part.save();
      return joinSaved(meta, saved, own);
    },
    load(saved) {
      const restores: (() => void)[] = [];
      for (const [name, counters] of owners) {
        const value = savedNumber(saved, name);
        restores.push(() => {
          counters[name] = value;
        });
      }
      for (const [name, entry] of json) {
        const value = saved.meta[name];
        if (value === undefined) throw broken(`"${name}" is missing`);
        restores.push(() => entry.load(value));
      }
      for (const [name, entry] of arrays) restores.push(restoring(name, entry, saved.arrays[name]));
      const metas = saved.meta.parts as JsonObject | undefined;
      for (const name of parts.keys()) if (metas?.[name] === undefined) throw broken(`"${name}" is missing`);
      for (const restore of restores) restore();
      for (const [name, part] of parts) part.load(partOf(saved, name));
    },
  };
}

/** A number of meta. Throws LabError('file-invalid') if there is none of that name. */
export function savedNumber({ meta }: Saved, name: string): number {
  const value = meta[name];
  if (value === undefined) throw broken(`"${name}" is missing`);
  if (typeof value !== 'number') throw broken(`"${name}" is no number`);
  return value;
}

/** An array of this kind and any length, for parts that grow. Throws LabError('file-invalid') if there is none of that name. */
export function savedArray<A extends StoredArray>({ arrays }: Saved, name: string, kind: new () => A): A {
  const data = arrays[name];
  if (data === undefined) throw broken(`"${name}" is missing`);
  if (!(data instanceof kind)) throw broken(`"${name}" is ${data.constructor.name}, not ${kind.name}`);
  return data;
}
