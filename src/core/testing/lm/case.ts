/**
 * One case of a golden file about language models (lm-*.json): its fields read with checks, tensors of any depth, and what is found
 * compared with what is listed. Results of programs are float32 and may differ by 5e-5 of max(1, |wanted|), host arithmetic is float64.
 * null in a list marks what is not compared.
 */
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { gradients } from '../../engine/autodiff.ts';
import { mul, sum } from '../../engine/ops.ts';
import { sizeOf } from '../../engine/shapes.ts';
import type { Engine, Graph, Shape, Tensor } from '../../engine/types.ts';
import { Comparison } from '../golden-compare.ts';

const tolerance = (rel: number, abs: number) => ({
  rel,
  abs,
  fields: {},
  tightUntil: Number.POSITIVE_INFINITY,
  looseFields: [],
  looseAbs: 0,
  totals: null,
  compare: true,
});

/** Numbers with a shape, row-major. */
export interface Values {
  readonly shape: Shape;
  readonly data: Float64Array;
}

/** Whatever a case lists as numbers: one number or lists of lists. */
export function valuesOf(json: Json | undefined, what: string): Values {
  const shape: number[] = [];
  for (let level = json; Array.isArray(level); level = level[0] as Json) shape.push(level.length);
  const data: number[] = [];
  const walk = (value: Json | undefined, depth: number): void => {
    if (depth === shape.length) {
      if (typeof value !== 'number') throw new Error(`"${what}" must hold numbers`);
      data.push(value);
      return;
    }
    if (!Array.isArray(value) || value.length !== shape[depth]) throw new Error(`"${what}" must have the shape [${shape}] throughout`);
    for (const part of value as readonly Json[]) walk(part, depth + 1);
  };
  walk(json, 0);
  return { shape, data: Float64Array.from(data) };
}

/** As lists of lists. */
export function nested(data: ArrayLike<number>, shape: Shape): Json {
  const [n, ...rest] = shape;
  if (n === undefined) return data[0]!;
  const step = sizeOf(rest);
  return Array.from({ length: n }, (_, i) =>
    nested(
      Array.from({ length: step }, (_v, k) => data[i * step + k]!),
      rest,
    ),
  );
}

/** `got` with null wherever `wanted` has it. */
function blanked(got: Json | undefined, wanted: Json): Json | undefined {
  if (wanted === null) return null;
  if (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length)
    return wanted.map((w, i) => blanked(got[i] as Json, w as Json) ?? null);
  return got;
}

export class LmCase {
  readonly name: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
  /** The cases of the same file, for those that refer to another. */
  readonly file: readonly JsonObject[];
  private readonly results = new Comparison(tolerance(5e-5, 5e-5));
  private readonly exact = new Comparison(tolerance(1e-8, 1e-10));
  private readonly seen = new Set<string>();

  constructor(json: JsonObject, file: readonly JsonObject[]) {
    this.name = typeof json.name === 'string' ? json.name : 'case without a name';
    this.input = objectOf(json.input, 'input');
    this.expected = objectOf(json.expected, 'expected');
    this.file = file;
  }

  /** Whether the input has this field. */
  has(key: string): boolean {
    return this.input[key] !== undefined && this.input[key] !== null;
  }

  /** Throws Error naming a field that is missing or of another kind. */
  number(key: string, otherwise?: number): number {
    const value = this.input[key] ?? otherwise;
    if (typeof value !== 'number') throw new Error(`input "${key}" must be a number`);
    return value;
  }

  text(key: string): string {
    const value = this.input[key];
    if (typeof value !== 'string') throw new Error(`input "${key}" must be a text`);
    return value;
  }

  numbers(key: string): number[] {
    return [...this.values(key).data];
  }

  matrix(key: string): number[][] {
    const { shape, data } = this.values(key);
    if (shape.length !== 2) throw new Error(`input "${key}" must be a list of lists of numbers`);
    return Array.from({ length: shape[0]! }, (_, i) => [...data.slice(i * shape[1]!, (i + 1) * shape[1]!)]);
  }

  values(key: string): Values {
    if (!this.has(key)) throw new Error(`input "${key}" is missing`);
    return valuesOf(this.input[key], key);
  }

  list(key: string): readonly Json[] {
    const value = this.input[key];
    if (!Array.isArray(value)) throw new Error(`input "${key}" must be a list`);
    return value as readonly Json[];
  }

  /** Compares what is expected under `key`, if it is: 'program' for float32 results, 'host' for float64 ones. */
  check(key: string, got: Json | undefined, by: 'program' | 'host' = 'host'): void {
    this.seen.add(key);
    const wanted = this.expected[key];
    if (wanted === undefined) return;
    this.checkValue(key, got, wanted, by);
  }

  /** What is expected under `key` is looked at elsewhere, or says nothing that can be compared. */
  known(...keys: readonly string[]): void {
    for (const key of keys) this.seen.add(key);
  }

  /** The same for a value that lies deeper. */
  checkValue(path: string, got: Json | undefined, wanted: Json, by: 'program' | 'host' = 'host'): void {
    (by === 'program' ? this.results : this.exact).check(blanked(got, wanted), wanted, { path });
  }

  fail(path: string, message: string): void {
    this.exact.fail(path, message);
  }

  outcome(): { readonly compared: number; readonly largest: number; readonly where: string; readonly failures: readonly string[] } {
    const missed = Object.keys(this.expected).filter((key) => !this.seen.has(key));
    const failures = [
      ...this.exact.failures,
      ...this.results.failures,
      ...missed.map((key) => `expected "${key}" is not known for a case of this kind`),
    ];
    const worse = this.results.largest > this.exact.largest ? this.results : this.exact;
    return { compared: this.exact.compared + this.results.compared, largest: worse.largest, where: worse.where, failures };
  }
}

export function objectOf(json: Json | undefined, what: string): JsonObject {
  if (!isObject(json)) throw new Error(`"${what}" must be an object`);
  return json;
}

/** Feeds by name; answers the outputs as lists of lists. */
export async function compute<F extends { readonly [name: string]: Values }>(
  engine: Engine,
  feeds: F,
  build: (x: { readonly [K in keyof F]: Tensor }, g: Graph) => { readonly [name: string]: Tensor },
): Promise<{ readonly [name: string]: Json }> {
  const shapes = new Map<string, Shape>();
  const inputs: { [name: string]: Shape } = Object.fromEntries(Object.entries(feeds).map(([name, { shape }]) => [name, shape]));
  const program = engine.compile(inputs, (x, g) => {
    const outputs = build(x as { readonly [K in keyof F]: Tensor }, g);
    for (const [name, t] of Object.entries(outputs)) shapes.set(name, t.shape);
    return outputs;
  });
  for (const [name, { data }] of Object.entries(feeds)) program.in[name]?.set(data);
  const pending = program.run();
  if (pending) await pending;
  const out: { [name: string]: Json } = {};
  for (const [name, shape] of shapes) out[name] = nested(program.out[name] ?? [], shape);
  program.dispose();
  return out;
}

/** A piece with the gradient that arrives at its output: `out` and d_NAME of every input named. */
export function withGradients(
  out: Tensor,
  upstream: Tensor | undefined,
  inputs: { readonly [name: string]: Tensor },
): { [name: string]: Tensor } {
  const outputs: { [name: string]: Tensor } = { out };
  if (upstream === undefined) return outputs;
  const names = Object.keys(inputs);
  gradients(sum(mul(out, upstream)), Object.values(inputs)).forEach((g, i) => {
    outputs[`d_${names[i]}`] = g;
  });
  return outputs;
}

/** Tensors of a program by name. Throws Error for one that is not there. */
export function named(x: { readonly [name: string]: Tensor | undefined }): (name: string) => Tensor {
  return (name) => {
    const found = x[name];
    if (found === undefined) throw new Error(`the case has no "${name}"`);
    return found;
  };
}
