/**
 * Compares golden files of methods and statistics (topic, conventions, tolerance, cases of input and expected) with the functions that the
 * product runs. A case is recognised by the names of its inputs (methods/check.ts); one that nothing implements is skipped with that reason
 * and never counts as passed, and expected values that a check does not answer are named. Programs of tensors are compared in float64 by
 * the reference interpreter, and on each given executor in float32.
 */
import { fail, present, toFailure } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import { createGraph } from '#core/engine/graph.ts';
import { hostGroup } from '#core/engine/params.ts';
import type { Engine, Param } from '#core/engine/types.ts';
import { interpret } from './engine/interpreter.ts';
import type { GoldenCase, GoldenReport } from './golden.ts';
import { type Answer, type Check, type GoldenInput, Inputs, type Machine, numberOf } from './methods/check.ts';
import { checks } from './methods/index.ts';

export interface MethodOptions {
  readonly allowSkip: boolean;
  /** Executors to compare programs on, beside float64. */
  readonly engines?: readonly Engine[];
}

/** Whether a file has the schema of methods: cases of inputs and expected values, and no `format`. */
export function isMethodFile(json: unknown): json is JsonObject {
  return (
    typeof json === 'object' && json !== null && 'topic' in json && 'cases' in json && Array.isArray(json.cases) && !('format' in json)
  );
}

/** Throws LabError('file-invalid') for what has no list of cases. */
export async function runMethodFile(json: JsonObject, options: MethodOptions): Promise<GoldenReport> {
  const { cases: list } = json;
  if (!Array.isArray(list)) throw fail('file-invalid', 'This golden file has no cases.', 'It needs a list "cases".');
  const tolerance = objectOf(json.tolerance);
  const limit = (key: string, otherwise: number): number => (tolerance[key] === undefined ? otherwise : numberOf(tolerance[key], key));
  const limits = { rel: limit('float64_rtol', 1e-9), single: limit('float32_atol', 1e-5) };
  const cases: GoldenCase[] = [];
  const before: GoldenInput[] = [];
  const topic = typeof json.topic === 'string' ? json.topic : '';
  for (const [index, one] of list.entries()) cases.push(await runCase(objectOf(one), index, before, topic, limits, options));
  const count = (status: GoldenCase['status']) => cases.filter((c) => c.status === status).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  return {
    reference: topic,
    cases,
    passed: count('passed'),
    failed,
    skipped,
    ok: failed === 0 && (skipped === 0 || options.allowSkip),
  };
}

/** The check that this case is for: all of its inputs known, none missing, and something to compare. */
export function checkFor(c: GoldenInput, expected: JsonObject): Check | undefined {
  const names = Object.keys(c.input.json);
  return checks.find(
    ({ needs, may = [], gives, only }) =>
      needs.every((name) => names.includes(name)) &&
      names.every((name) => needs.includes(name) || may.includes(name)) &&
      Object.keys(expected).some((name) => gives.includes(name)) &&
      (only === undefined || only(c)),
  );
}

/** Why a case is not computed. */
function reasonToSkip(topic: string, { input }: GoldenInput, expected: JsonObject): string {
  if (topic.includes('learning curves'))
    return 'a learning curve of another implementation: whole runs are compared with it, no function computes it';
  if (input.has('env') && input.has('controller') && 'v' in expected)
    return 'means over episodes of another simulation: unit tests of explanations compare them by their intervals';
  return `nothing here computes ${Object.keys(expected).join(', ')} from these inputs`;
}

interface Limits {
  readonly rel: number;
  readonly single: number;
}

/** `before`: the cases that came earlier; this one is added. */
async function runCase(
  json: JsonObject,
  index: number,
  before: GoldenInput[],
  topic: string,
  limits: Limits,
  options: MethodOptions,
): Promise<GoldenCase> {
  const name = typeof json.name === 'string' ? json.name : `case ${index}`;
  const input = new Inputs(objectOf(json.input));
  const expected = objectOf(json.expected);
  const asked: GoldenInput = { name, note: typeof json.note === 'string' ? json.note : '', input, before: [...before] };
  before.push(asked);
  const base = { name, env: '', kind: 'method', compared: 0, largestError: 0, where: '', unchecked: [] };
  const found = checkFor(asked, expected);
  if (found === undefined) return { ...base, status: 'skipped', message: reasonToSkip(topic, asked, expected) };
  const state = new Difference();
  try {
    const answer = await found.run(asked, hostMachine());
    for (const [key, wanted] of Object.entries(expected)) {
      if (!found.gives.includes(key)) continue;
      const got = answer[key];
      if (got === undefined) state.unchecked.add(key);
      // Constants of a program are float32 numbers wherever it runs.
      else
        state.compare(
          key,
          got,
          wanted,
          found.program || found.float32Atol ? { abs: 1e-6, rel: 1e-6 } : { abs: found.float64Atol ?? 1e-12, rel: limits.rel },
        );
    }
    for (const engine of found.program ? (options.engines ?? []) : []) {
      const single = await found.run(asked, engineMachine(engine, `${index}`));
      const most = found.float32Atol ?? limits.single;
      for (const [key, wanted] of Object.entries(expected)) {
        const got = single[key];
        if (found.gives.includes(key) && got !== undefined)
          state.compare(`${engine.executor}/${key}`, got, wanted, { abs: most, rel: most });
      }
    }
    if (state.compared === 0) throw new Error('the case compares nothing');
  } catch (error) {
    const failure = toFailure(error);
    state.failures.push(failure.id === 'internal' && error instanceof Error ? error.message : `${failure.message} ${failure.fix}`);
  }
  const { failures } = state;
  const others = Object.keys(expected).filter((key) => !found.gives.includes(key));
  return {
    ...base,
    kind: found.title,
    status: failures.length === 0 ? 'passed' : 'failed',
    compared: state.compared,
    largestError: state.largest,
    where: state.where,
    unchecked: [...others, ...state.unchecked].map((key) => `${key}, which nothing here computes`),
    message: failures.slice(0, 10).join('\n'),
  };
}

/** Runs over the values of a case. A number passes within abs + rel * |wanted|. */
class Difference {
  compared = 0;
  largest = 0;
  where = '';
  readonly failures: string[] = [];
  readonly unchecked = new Set<string>();

  compare(path: string, got: Answer, wanted: Json, within: { readonly abs: number; readonly rel: number }): void {
    if (Array.isArray(wanted)) {
      const list = listOf(got);
      if (list === null || list.length !== wanted.length) {
        this.failures.push(`${path}: ${list === null ? 'no list' : `${list.length} values`} where ${wanted.length} are expected`);
        return;
      }
      wanted.forEach((one, at) => {
        this.compare(`${path}/${at}`, list[at]!, one, within);
      });
      return;
    }
    if (isObject(wanted)) {
      const fields = typeof got === 'object' && got !== null && listOf(got) === null ? Object.entries(got) : [];
      for (const [key, one] of Object.entries(wanted)) {
        const value = fields.find(([name]) => name === key);
        if (value === undefined) this.failures.push(`${path}/${key}: missing`);
        else this.compare(`${path}/${key}`, value[1], one, within);
      }
      return;
    }
    this.compared++;
    if (wanted === null || (typeof wanted === 'string' && !['inf', '-inf', 'nan'].includes(wanted))) {
      if (got !== wanted) this.failures.push(`${path}: ${String(got)} where ${String(wanted)} is expected`);
      return;
    }
    const [value, want] = [typeof got === 'boolean' ? Number(got) : got, numberOf(wanted, path)];
    if (typeof value !== 'number') {
      this.failures.push(`${path}: ${String(value)} where ${want} is expected`);
      return;
    }
    if (Object.is(value, want) || (Number.isNaN(value) && Number.isNaN(want))) return;
    const error = Math.abs(value - want);
    if (error > this.largest) [this.largest, this.where] = [error, path];
    if (!(error <= within.abs + within.rel * Math.abs(want))) this.failures.push(`${path}: ${value} where ${want} is expected`);
  }
}

function listOf(value: Answer): readonly Answer[] | null {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<number>) : null;
}

/** Float64, node by node. */
function hostMachine(): Machine {
  const params = new Map<Param, ArrayLike<number>>();
  return {
    group(name, values) {
      const group = hostGroup(name);
      return {
        ...group,
        param(key, shape, init) {
          const param = group.param(key, shape, init);
          params.set(param, values[key] ?? init);
          return param;
        },
      };
    },
    async compute(inputs, build) {
      const g = createGraph();
      const given = keysOf(inputs);
      const outputs = build(
        fromKeys(given, (name) => g.input(name, inputs[name].shape)),
        g,
      );
      const feeds = fromKeys(given, (name) => inputs[name].data);
      const names = keysOf(outputs);
      const found = interpret(
        names.map((name) => outputs[name]),
        { inputs: feeds, params },
      );
      return fromKeys(names, (name) => Array.from(present(found.get(outputs[name]), `the value of ${name}`)));
    },
  };
}

/** Float32. `own` makes the names of groups this case's own. */
function engineMachine(engine: Engine, own: string): Machine {
  return {
    group(name, values) {
      const group = engine.group(`${name}.${own}`);
      return {
        name: group.name,
        params: group.params,
        param(key, shape, init) {
          const start = values[key];
          return group.param(key, shape, start === undefined ? init : Float32Array.from(start));
        },
      };
    },
    async compute(inputs, build) {
      const given = keysOf(inputs);
      let names: readonly (keyof ReturnType<typeof build>)[] = [];
      const program = engine.compile((g) => {
        const outputs = build(
          fromKeys(given, (name) => g.input(name, inputs[name].shape)),
          g,
        );
        names = keysOf(outputs);
        return outputs;
      });
      for (const name of given) program.in[name]?.set(inputs[name].data); // undefined: the program makes no use of it
      await program.run();
      const found = fromKeys(names, (name) => Array.from(program.out[name]));
      program.dispose();
      return found;
    },
  };
}

const keysOf = <K extends string>(of: { readonly [key in K]: unknown }): readonly K[] => Object.keys(of) as K[];

function fromKeys<K extends string, V>(keys: readonly K[], of: (key: K) => V): { readonly [key in K]: V } {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as { readonly [key in K]: V };
}
