/**
 * Replays golden files of environments (format 2) through the public interface. Driven by each case's env, config, kind, check,
 * state, actions and tolerance alone. A case that asks for something not supported fails and says so; cases of environments that
 * are not built, and cases whose `requires` files are missing, are skipped with a reason.
 */
import { fail, toFailure } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import type { EnvEntry, GoldenExtras } from '../envs/api/types.ts';
import { Comparison, mergeOutcomes, readTolerance, type Tolerance } from './golden-compare.ts';
import { runTrajectory } from './golden-trajectory.ts';
import { envs } from './ready.ts';

export interface GoldenOptions {
  /** Skipped cases do not make the report fail. */
  readonly allowSkip: boolean;
  /** A data file that a case requires, parsed; undefined where it is not there. Missing: no file is. */
  readonly readData?: (name: string) => unknown;
}

export interface GoldenCase {
  readonly name: string;
  readonly env: string;
  readonly kind: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Values compared. */
  readonly compared: number;
  readonly largestError: number;
  readonly where: string;
  /** What the case lists and was not compared, with the reason. */
  readonly unchecked: readonly string[];
  /** Why it was skipped, or what is wrong (at most ten lines). */
  readonly message: string;
}

export interface GoldenReport {
  readonly reference: string;
  readonly cases: readonly GoldenCase[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ok: boolean;
}

/** Keys of a case that explain it to readers; nothing here is compared with them. */
const NOTES = new Set(['name', 'note']);
/** Keys that name what other numbers mean, and are not compared. */
const LABELS = new Set(['agentNames', 'cellChannels']);
const USED = new Set([
  'env',
  'config',
  'kind',
  'check',
  'tolerance',
  'requires',
  'state',
  'actions',
  'holdActions',
  'policies',
  'controller',
  'draws',
  'expected',
  'totals',
  'inputs',
  'rows',
  'sequence',
]);

/** Throws LabError('file-invalid') for what is not a golden file of format 2. */
export function runGoldenFile(json: unknown, options: GoldenOptions): GoldenReport {
  const file = asObject(json);
  if (file === null || file.format !== 2 || !Array.isArray(file.cases))
    throw fail('file-invalid', 'This is not a golden file of format 2.', 'It needs "format": 2 and a list "cases".');
  const defaults = asObject(file.tolerance) ?? {};
  const { cases: list, ...data } = file;
  const cases = (list as readonly Json[]).map((c, i) => runCase(asObject(c) ?? {}, i, defaults, data, options));
  const count = (status: GoldenCase['status']) => cases.filter((c) => c.status === status).length;
  const failed = count('failed');
  const skipped = count('skipped');
  return {
    reference: typeof file.reference === 'string' ? file.reference : '',
    cases,
    passed: count('passed'),
    failed,
    skipped,
    ok: failed === 0 && (skipped === 0 || options.allowSkip),
  };
}

function runCase(c: JsonObject, index: number, defaults: JsonObject, own: JsonObject, options: GoldenOptions): GoldenCase {
  const base = { name: typeof c.name === 'string' ? c.name : `case ${index}`, env: String(c.env), kind: String(c.kind) };
  const end = (status: GoldenCase['status'], message: string, comparison?: Comparison): GoldenCase => ({
    ...base,
    status,
    compared: comparison?.compared ?? 0,
    largestError: comparison?.largest ?? 0,
    where: comparison?.where ?? '',
    unchecked: status === 'skipped' ? [] : [...(comparison?.unchecked ?? []), ...notCompared(c, defaults)],
    message,
  });
  const entry = envs.find((e) => e.id === c.env);
  if (entry === undefined) return end('skipped', `there is no environment "${base.env}"`);
  const required = (Array.isArray(c.requires) ? (c.requires as readonly Json[]) : []).map(String);
  const files = required.map((name) => options.readData?.(name));
  const missing = required.filter((_, i) => files[i] === undefined);
  if (missing.length > 0) return end('skipped', `needs ${missing.join(', ')}`);
  const data: JsonObject = Object.assign({}, own, ...files);
  let comparison: Comparison | undefined;
  try {
    for (const key of Object.keys(c))
      if (!USED.has(key) && !NOTES.has(key) && !LABELS.has(key)) throw new Error(`the key "${key}" is not supported`);
    const tolerance = readTolerance(defaults, asObject(c.tolerance) ?? {});
    if (!tolerance.compare) return end('passed', 'for information only, nothing compared');
    comparison = new Comparison(tolerance);
    runKind(entry, c, entry.golden.extern?.(data) ?? {}, tolerance, comparison);
    if (comparison.compared === 0 && comparison.failures.length === 0) throw new Error('the case compares nothing');
  } catch (error) {
    const failure = toFailure(error);
    const text = failure.id === 'internal' && error instanceof Error ? error.message : `${failure.message} ${failure.fix}`;
    return end('failed', [...(comparison?.failures ?? []), text].slice(0, 10).join('\n'), comparison);
  }
  const { failures } = comparison;
  if (failures.length === 0) return end('passed', '', comparison);
  const more = failures.length > 10 ? [`and ${failures.length - 10} more`] : [];
  return end('failed', [...failures.slice(0, 10), ...more].join('\n'), comparison);
}

/** Whole keys of a case that are left out, with the reason. */
function notCompared(c: JsonObject, defaults: JsonObject): readonly string[] {
  const tolerance: JsonObject = { ...defaults, ...asObject(c.tolerance) };
  const labels = Object.keys(c).filter((key) => LABELS.has(key));
  const listed = (key: string): boolean => c[key] !== undefined;
  return [
    ...labels.map((key) => `${key}, which only explains`),
    ...(tolerance.compare === false ? ['everything: the case is for information only'] : []),
    ...(tolerance.totals === false && listed('totals') ? ['totals, switched off by the tolerance'] : []),
    ...('tiedStates' in (asObject(c.expected) ?? {}) ? ['tiedStates: every one of the tied actions is taken for right'] : []),
  ];
}

function runKind(entry: EnvEntry, c: JsonObject, extern: GoldenExtras, tolerance: Tolerance, comparison: Comparison): void {
  const config = asObject(c.config) ?? {};
  switch (c.kind) {
    case 'trajectory':
      runTrajectory(entry, c, config, extern, tolerance, comparison);
      return;
    case 'transition-table':
      runTransitions(entry, c, config, comparison);
      return;
    case 'rule':
      runRule(entry, c, config, extern, comparison);
      return;
    case 'value': {
      const inputs = new Inputs();
      const got = call(entry, c, config, extern, inputs.watch(asObject(c.inputs) ?? {}), {});
      inputs.checkRead(c);
      comparison.check(got, withoutTies(c.expected), { path: 'expected', longer: 'firstState' in (asObject(c.inputs) ?? {}) });
      return;
    }
    default:
      throw new Error(`kind "${String(c.kind)}" is not supported`);
  }
}

/** Watches which inputs a check reads: one that it does not know must not be dropped in silence. */
class Inputs {
  private readonly given = new Set<string>();
  private readonly read = new Set<string>();

  watch(inputs: JsonObject): JsonObject {
    for (const key of Object.keys(inputs)) this.given.add(key);
    return new Proxy(inputs, {
      get: (target, key) => {
        if (typeof key !== 'string') return undefined;
        this.read.add(key);
        return target[key];
      },
      has: (target, key) => {
        this.read.add(String(key));
        return key in target;
      },
    });
  }

  /** Throws for inputs that no call of the case has read. */
  checkRead(c: JsonObject): void {
    const unknown = [...this.given].filter((key) => !this.read.has(key));
    if (unknown.length > 0) throw new Error(`the check "${String(c.check)}" does not know the input "${unknown.join('", "')}"`);
  }
}

function call(
  entry: EnvEntry,
  c: JsonObject,
  config: JsonObject,
  extern: GoldenExtras,
  inputs: JsonObject,
  memory: { [key: string]: Json },
): Json {
  if (typeof c.check !== 'string') throw new Error('the case names no check');
  const prepared = entry.golden.config?.(config, asObject(c.state) ?? {}) ?? config;
  const got = entry.check(c.check, prepared, inputs, memory) ?? extern.checks?.[c.check]?.(inputs, memory);
  if (got === undefined) throw new Error(`${entry.id} has no check "${c.check}"`);
  return got;
}

function runRule(entry: EnvEntry, c: JsonObject, config: JsonObject, extern: GoldenExtras, comparison: Comparison): void {
  if (!Array.isArray(c.rows)) throw new Error('a rule needs rows');
  const common = asObject(c.inputs) ?? {};
  const inputs = new Inputs();
  let memory: { [key: string]: Json } = { ...asObject(c.state) };
  (c.rows as readonly Json[]).forEach((r, i) => {
    const row = asObject(r) ?? {};
    if (c.sequence !== true) memory = { ...asObject(c.state) };
    const got = call(entry, c, config, extern, inputs.watch({ ...common, ...asObject(row.inputs) }), memory);
    comparison.check(got, row.expected ?? null, { path: typeof row.name === 'string' ? row.name : `row ${i}` });
  });
  inputs.checkRead(c);
}

function runTransitions(entry: EnvEntry, c: JsonObject, config: JsonObject, comparison: Comparison): void {
  const inputs = new Inputs();
  const got = asObject(asObject(call(entry, c, config, {}, inputs.watch(asObject(c.inputs) ?? {}), {}))?.transitions) ?? {};
  inputs.checkRead(c);
  const wanted = asObject(asObject(c.expected)?.transitions);
  if (wanted === null) throw new Error('a transition table needs expected.transitions');
  for (const [state, actions] of Object.entries(wanted))
    for (const [action, outcomes] of Object.entries(asObject(actions) ?? {})) {
      const mine = asObject(got[state])?.[action];
      const path = `transitions/${state}/${action}`;
      if (mine === undefined) comparison.fail(path, 'the environment has no such pair');
      else comparison.check(mergeOutcomes(mine), mergeOutcomes(outcomes), { path });
    }
}

/** Where best actions are tied, every one of them is right: that is compared, not the list of tied states. */
function withoutTies(expected: Json | undefined): Json {
  const object = asObject(expected);
  if (object === null) return expected ?? null;
  const { tiedStates: _, ...rest } = object;
  return rest;
}

function asObject(json: unknown): JsonObject | null {
  return isObject(json) ? json : null;
}
