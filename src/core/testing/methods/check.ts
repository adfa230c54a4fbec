/**
 * What one kind of golden case of methods asks for, and how it is answered by the public functions. A case is recognised by the names of its
 * inputs, so that new files of the same schema work unchanged.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Graph, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';

/** What a check answers under the name of an expected value: numbers in any nesting; typed arrays count as lists. */
export type Answer = number | boolean | string | null | ArrayLike<number> | readonly Answer[] | { readonly [name: string]: Answer };

/** A named input of a program. */
export interface Feed {
  readonly shape: Shape;
  readonly data: readonly number[];
}

/** One executor of programs, as checks use it. */
export interface Machine {
  /** Parameters of networks; those named here start from these numbers. To be asked for before `compute`. */
  group(name: string, values: { readonly [param: string]: readonly number[] }): ParamGroup;
  /** Values of tensors: `build` gets the named inputs, with these numbers in them, and gives what to compute. */
  compute<In extends string, Out extends string>(
    inputs: { readonly [K in In]: Feed },
    build: (x: { readonly [K in In]: Tensor }, g: Graph) => { readonly [K in Out]: Tensor },
  ): Promise<{ readonly [K in Out]: readonly number[] }>;
}

export interface GoldenInput {
  readonly name: string;
  readonly note: string;
  readonly input: Inputs;
  /** The cases before it in its file, in their order: some mean the numbers of an earlier one. */
  readonly before: readonly GoldenInput[];
}

export interface Check {
  /** What is compared, in words. */
  readonly title: string;
  /** All of these inputs are needed. */
  readonly needs: readonly string[];
  /** These may be there too; a case with any other is not this one. */
  readonly may?: readonly string[];
  /** Expected values that this check answers; others that a case lists are named as not compared. */
  readonly gives: readonly string[];
  /** Where inputs alone do not tell. */
  readonly only?: (c: GoldenInput) => boolean;
  /** A program of tensors: checked on every executor, in the tolerance of float32. */
  readonly program?: true;
  /** Largest difference in float32, where it is not the file's. */
  readonly float32Atol?: number;
  /** Largest difference of a number near 0 in float64, where it is not 1e-12. */
  readonly float64Atol?: number;
  run(c: GoldenInput, machine: Machine): { readonly [name: string]: Answer } | Promise<{ readonly [name: string]: Answer }>;
}

/** A check whose result is computed without tensors. */
export const check = (of: Check): Check => of;
/** A check that compiles a program. */
export const program = (of: Omit<Check, 'program'>): Check => ({ ...of, program: true });

/** The inputs of a case, read by type. Every method throws an Error that names the input. */
export class Inputs {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  /** null counts as missing: the files write it for "off". */
  has(name: string): boolean {
    return this.json[name] !== undefined && this.json[name] !== null;
  }

  raw(name: string): Json {
    const value = this.json[name];
    if (value === undefined) throw new Error(`the input "${name}" is missing`);
    return value;
  }

  number(name: string): number {
    return numberOf(this.raw(name), name);
  }

  flag(name: string): boolean {
    const value = this.raw(name);
    return value === true || value === 1;
  }

  text(name: string): string {
    const value = this.raw(name);
    if (typeof value !== 'string') throw new Error(`the input "${name}" is no text`);
    return value;
  }

  /** All numbers in order, whatever the nesting; one number is a list of one. */
  flat(name: string): number[] {
    return flatten(this.raw(name), name);
  }

  floats(name: string): Float64Array {
    return Float64Array.from(this.flat(name));
  }

  bytes(name: string): Uint8Array {
    return Uint8Array.from(this.flat(name));
  }

  texts(name: string): string[] {
    return this.list(name).map(String);
  }

  list(name: string): readonly Json[] {
    const value = this.raw(name);
    if (!isList(value)) throw new Error(`the input "${name}" is no list`);
    return value;
  }

  /** Rows of numbers. */
  rows(name: string): number[][] {
    return this.list(name).map((row) => flatten(row, name));
  }

  /** An object of inputs. */
  inner(name: string): Inputs {
    const value = this.raw(name);
    if (typeof value !== 'object' || value === null || isList(value)) throw new Error(`the input "${name}" is no object`);
    return new Inputs(value);
  }

  /** Rows in the first axis and the product of the others. */
  shape(name: string): [number, number] {
    const rows = this.rows(name);
    return [rows.length, rows[0]?.length ?? 0];
  }

  /** A named input of a program: a list as [n], rows as [n, m]. */
  tensor(name: string, shape?: Shape): Feed {
    const value = this.raw(name);
    const data = this.flat(name);
    if (shape !== undefined) return { shape, data };
    const nested = Array.isArray(value) && Array.isArray(value[0]);
    return { shape: nested ? this.shape(name) : [data.length], data };
  }
}

/** Array.isArray does not narrow read-only lists. */
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export function numberOf(value: Json, name: string): number {
  if (typeof value === 'boolean') return Number(value);
  if (value === 'inf') return Number.POSITIVE_INFINITY;
  if (value === '-inf') return Number.NEGATIVE_INFINITY;
  if (value === 'nan') return Number.NaN;
  if (typeof value !== 'number') throw new Error(`"${name}" is no number`);
  return value;
}

function flatten(value: Json, name: string): number[] {
  return Array.isArray(value) ? value.flatMap((one: Json) => flatten(one, name)) : [numberOf(value, name)];
}

/** [rows, n] as nested lists. */
export const nested = (values: ArrayLike<number>, width: number): number[][] =>
  Array.from({ length: values.length / width }, (_, row) => Array.from({ length: width }, (_, i) => values[row * width + i]!));
