/**
 * Comparing what an environment gave with what a golden file lists: only what is listed counts. A number passes within
 * abs + rel * |wanted|; values that come through a float32 buffer may also differ by that buffer's rounding, 2^-24 * |wanted|.
 */
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';

export const FLOAT32_ROUNDING = 2 ** -24;

export interface Tolerance {
  readonly rel: number;
  readonly abs: number;
  readonly fields: { readonly [name: string]: { readonly rel?: number; readonly abs?: number } };
  readonly tightUntil: number;
  readonly looseFields: readonly string[];
  readonly looseAbs: number;
  readonly totals: false | { readonly rel?: number; readonly abs?: number } | null;
  readonly compare: boolean;
}

const KEYS = new Set(['rel', 'abs', 'fields', 'tightUntil', 'looseFields', 'looseAbs', 'totals', 'compare']);

/** A case's tolerance replaces single keys of the file's. Throws on keys it does not know. */
export function readTolerance(file: JsonObject, own: JsonObject): Tolerance {
  const all: JsonObject = { ...file, ...own };
  for (const key of Object.keys(all)) if (!KEYS.has(key)) throw new Error(`tolerance key "${key}" is not supported`);
  return {
    rel: Number(all.rel ?? 0),
    abs: Number(all.abs ?? 0),
    fields: (all.fields ?? {}) as Tolerance['fields'],
    tightUntil: (all.tightUntil ?? Infinity) as number,
    looseFields: (all.looseFields ?? []) as readonly string[],
    looseAbs: (all.looseAbs ?? 0) as number,
    totals: (all.totals ?? null) as Tolerance['totals'],
    compare: all.compare !== false,
  };
}

/** Runs over all values of one case; remembers the largest difference and everything that is out of tolerance. */
export class Comparison {
  compared = 0;
  largest = 0;
  where = '';
  readonly failures: string[] = [];
  /** Fields that the case lists and that were not compared, each with the reason. */
  readonly unchecked = new Set<string>();
  private readonly tolerance: Tolerance;

  constructor(tolerance: Tolerance) {
    this.tolerance = tolerance;
  }

  fail(path: string, message: string): void {
    this.failures.push(`${path}: ${message}`);
  }

  /**
   * `path` is like t=3/state/x. `t` decides about tightUntil. `rounding`: relative error that the interface itself may add.
   * `ignored` holds paths below this value. `longer`: lists may go on after the wanted ones (a window of a table).
   */
  check(
    got: Json | undefined,
    wanted: Json,
    at: {
      readonly path: string;
      readonly t?: number;
      readonly rounding?: number;
      readonly ignored?: ReadonlySet<string>;
      readonly below?: string;
      readonly longer?: boolean;
      readonly totals?: boolean;
    },
  ): void {
    const { path, below = '' } = at;
    if (at.ignored?.has(below)) {
      this.unchecked.add(`${below} where the case says "ignore"`);
      return;
    }
    const deeper = (key: string) => ({ ...at, path: `${path}/${key}`, below: below === '' ? key : `${below}/${key}` });
    if (!this.active(wanted, at)) {
      // the field, without the places of single numbers in it
      this.unchecked.add(`${below.replace(/(\/\d+)+$/, '')} after t=${this.tolerance.tightUntil}`);
      return;
    }
    if (got === undefined) {
      this.fail(path, 'the environment does not report this');
      return;
    }
    if (typeof wanted === 'number') {
      this.number(got, wanted, at);
      return;
    }
    if (Array.isArray(wanted)) {
      if (!Array.isArray(got)) {
        this.fail(path, `is ${show(got)}, wanted a list`);
        return;
      }
      if (got.length !== wanted.length && !(at.longer && got.length > wanted.length)) {
        this.fail(path, `has ${got.length} items, wanted ${wanted.length}`);
        return;
      }
      wanted.forEach((w, i) => {
        this.check((got as readonly Json[])[i], w as Json, deeper(String(i)));
      });
      return;
    }
    if (typeof wanted === 'object' && wanted !== null) {
      if (!isObject(got)) {
        this.fail(path, `is ${show(got)}, wanted an object`);
        return;
      }
      for (const [key, w] of Object.entries(wanted as JsonObject)) this.check((got as JsonObject)[key], w, deeper(key));
      return;
    }
    this.compared++;
    if (got !== wanted) this.fail(path, `is ${show(got)}, wanted ${show(wanted)}`);
  }

  private loose(at: { readonly t?: number; readonly below?: string }): 'tight' | 'loose' | 'off' {
    if (at.t === undefined || at.t <= this.tolerance.tightUntil) return 'tight';
    const below = at.below ?? '';
    const parts = below.split('/');
    // a loose field is a name, or a path from the top of what is expected
    const within = (field: string) => parts.includes(field) || below === field || below.startsWith(`${field}/`);
    return this.tolerance.looseFields.some(within) ? 'loose' : 'off';
  }

  /** After tightUntil, single values outside the loose fields are not compared; lists and objects are entered to find them. */
  private active(wanted: Json, at: { readonly t?: number; readonly below?: string }): boolean {
    return (typeof wanted === 'object' && wanted !== null) || this.loose(at) !== 'off';
  }

  private number(
    got: Json,
    wanted: number,
    at: { readonly path: string; readonly t?: number; readonly rounding?: number; readonly below?: string; readonly totals?: boolean },
  ): void {
    const mode = this.loose(at);
    this.compared++;
    // A check may give several equally right answers (tied best actions): one of them must be the wanted one.
    if (Array.isArray(got)) {
      if (!got.includes(wanted)) this.fail(at.path, `right answers are ${show(got)}, wanted ${wanted}`);
      return;
    }
    const value = typeof got === 'boolean' ? Number(got) : got;
    if (typeof value !== 'number') {
      this.fail(at.path, `is ${show(got)}, wanted ${wanted}`);
      return;
    }
    const field = (at.below ?? '').split('/').find((part) => part in this.tolerance.fields);
    const special = at.totals ? (this.tolerance.totals as { rel?: number; abs?: number } | null) : null;
    const own = field === undefined ? undefined : this.tolerance.fields[field];
    const rel = special?.rel ?? own?.rel ?? this.tolerance.rel;
    const abs = special?.abs ?? own?.abs ?? this.tolerance.abs;
    const error = Math.abs(value - wanted);
    const allowed = mode === 'loose' ? this.tolerance.looseAbs : abs + (rel + (at.rounding ?? 0)) * Math.abs(wanted);
    if (error > this.largest) {
      this.largest = error;
      this.where = at.path;
    }
    if (!(error <= allowed))
      this.fail(at.path, `is ${value}, wanted ${wanted} (off by ${error.toPrecision(3)}, allowed ${allowed.toPrecision(3)})`);
  }
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Equal outcomes (same next state, reward and flag) are merged and sorted, so that the order does not matter. */
export function mergeOutcomes(list: Json): Json {
  if (!Array.isArray(list)) return list;
  const merged = new Map<string, [number, Json, Json, Json]>();
  for (const outcome of list as readonly Json[]) {
    const [p, next, reward, terminated] = outcome as readonly [number, Json, Json, Json];
    const key = JSON.stringify([next, reward, terminated]);
    const known = merged.get(key);
    if (known) known[0] += p;
    else merged.set(key, [p, next, reward, terminated]);
  }
  return [...merged.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
