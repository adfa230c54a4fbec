/**
 * Comparing a stored run with the same run done again, in every room: its hash, every number of its result and every row of its curves,
 * all but those that time the machine. A record says how a run was done (live edits, executor), never that it need not be compared.
 */

import { isGymEnv } from '../game/gym-id.ts';
import { sameJson } from '../kit/canonical.ts';
import type { Failure } from '../kit/errors.ts';
import { type Json, plainJson } from '../kit/json.ts';
import { number } from '../kit/numbers.ts';
import type { RunConfig } from './config.ts';
import type { EditOf } from './events.ts';

/** Rows of one metric of one seed. */
export interface CurveOf {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Metrics and numbers that time the machine. */
const CLOCKS = ['seconds', 'stepsPerSecond', 'coreSeconds'];

/** What is known of a run: as it was stored, or as it was done again. */
export interface Ran {
  readonly parameterHash: string;
  /** Numbers of its result by name, lists and records of them included; null and NaN: not measured. Of a stored run as many as were kept. */
  readonly numbers: object;
  /** null: no curves were kept. */
  readonly curves: ReadonlyMap<string, CurveOf> | null;
}

/** One thing that is not the same. A value that is null was not measured; one that is missing is not there at all. */
export type Difference =
  | { readonly kind: 'hash'; readonly stored: string; readonly here: string }
  | { readonly kind: 'number'; readonly name: string; readonly stored: Value; readonly here: Value }
  | {
      readonly kind: 'row';
      readonly metric: string;
      readonly step: number;
      readonly stored: number | null;
      readonly here: number | null;
    };

type Value = number | string | boolean | null | undefined;

/** Everything that differs: the hash, then numbers by name, then the first differing row of each curve by step. Empty: all is the same. */
export function differencesOf(stored: Ran, here: Ran): readonly Difference[] {
  const hashes: readonly Difference[] =
    stored.parameterHash === here.parameterHash ? [] : [{ kind: 'hash', stored: stored.parameterHash, here: here.parameterHash }];
  return [...hashes, ...differentNumbers(stored.numbers, here.numbers), ...differentRows(stored.curves, here.curves)];
}

/** Members by path: `perAgent.0`. */
function flat(value: unknown, path = ''): readonly (readonly [string, Value])[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) =>
      path === '' && (CLOCKS.includes(name) || name === 'parameterHash') ? [] : flat(member, path === '' ? name : `${path}.${name}`),
    );
  if (typeof value === 'number') return [[path, Number.isFinite(value) ? value : null]];
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? [[path, value]] : [];
}

/** Of the names that were stored: results of older versions hold fewer. */
function differentNumbers(stored: object, here: object): readonly Difference[] {
  const again = new Map(flat(here));
  return flat(stored).flatMap(([name, value]): readonly Difference[] => {
    const other = again.get(name);
    return other === value || (value === null && other === undefined) ? [] : [{ kind: 'number', name, stored: value, here: other }];
  });
}

const NO_ROWS: CurveOf = { steps: [], values: [] };

function differentRows(stored: Ran['curves'], here: Ran['curves']): readonly Difference[] {
  if (stored === null || here === null) return [];
  return [...new Set([...stored.keys(), ...here.keys()])]
    .flatMap((metric): readonly (Difference & { kind: 'row' })[] => {
      const timed = CLOCKS.includes(metric); // its rows have the same steps
      const [a, b] = [stored.get(metric) ?? NO_ROWS, here.get(metric) ?? NO_ROWS];
      for (let i = 0; i < Math.max(a.steps.length, b.steps.length); i++) {
        // Of two different steps the earlier one has a row on one side only.
        const [from, to] = [a.steps[i] ?? Number.POSITIVE_INFINITY, b.steps[i] ?? Number.POSITIVE_INFINITY];
        const value = from <= to ? (a.values[i] ?? null) : null;
        const other = to <= from ? (b.values[i] ?? null) : null;
        if (from !== to || (!timed && value !== other && !(Number.isNaN(value) && Number.isNaN(other))))
          return [{ kind: 'row', metric, step: Math.min(from, to), stored: value, here: other }];
      }
      return [];
    })
    .sort((a, b) => a.step - b.step || (a.metric < b.metric ? -1 : 1));
}

const shown = (value: Value): string => (value === undefined ? 'nothing' : value === null ? 'not measured' : String(value));

/** A difference as part of a sentence. */
export function differenceText(difference: Difference): string {
  const { stored, here } = difference;
  if (difference.kind === 'hash') return `learned ${stored} stored, ${here} here`;
  if (difference.kind === 'number') return `${difference.name} ${shown(stored)} stored, ${shown(here)} here`;
  const row = (value: Value): string => (value === null ? 'no row' : String(value));
  return `${difference.metric} at step ${number(difference.step)}: ${row(stored)} stored, ${row(here)} here`;
}

/** Differences that are named in full; the others are counted. */
const NAMED = 5;

/** All of them as one text. */
export function differencesText(differences: readonly Difference[]): string {
  const more = differences.length - NAMED;
  return [...differences.slice(0, NAMED).map(differenceText), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * What comes of a stored run. `same`: bit for bit. `close`: within the tolerance of its executor. `differs`: the record is not what the run
 * gives. `unverified`: it cannot be told here, which excuses nothing.
 */
export type Outcome = 'same' | 'close' | 'differs' | 'unverified';

export interface Checked {
  readonly outcome: Outcome;
  readonly differences: readonly Difference[];
  /** Why it cannot be told here; "" where it can. */
  readonly why: string;
}

/** A run that cannot be held against anything here. */
export const unverified = (why: string): Checked => ({ outcome: 'unverified', differences: [], why });

/** Of a mark what decides how its seed is trained again. */
export interface MarkOf {
  readonly type: string;
  readonly step: number;
  readonly path?: string | undefined;
  readonly value?: Json | undefined;
  readonly finding?: { readonly id: string } | undefined;
}

/** The live edits that marks tell of, in their order. */
export const editsOf = (marks: readonly MarkOf[]): readonly EditOf[] =>
  marks.flatMap(({ type, step, path, value }) =>
    type === 'edit' && path !== undefined && value !== undefined ? [{ step, path, value }] : [],
  );

/**
 * Of live edits as they were made those that are none of a schedule, in which each has the step at or after which it is made; in the order in which
 * they were made.
 */
export function withoutMade(made: readonly EditOf[], schedule: readonly EditOf[]): readonly EditOf[] {
  const open = [...schedule];
  return made.filter((edit) => {
    const at = open.findIndex(({ step, path, value }) => step <= edit.step && path === edit.path && sameJson(value, edit.value));
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
}

/** Why a run done again need not have the same bits, only numbers within the tolerance; null: it must have them. */
export function looseOf({ run }: Pick<RunConfig, 'run'>, marks: readonly MarkOf[]): string | null {
  if (run.executor === 'wasm' || run.executor === 'auto') return null; // an exact run never moves to another executor
  const moved = marks.find(({ type }) => type === 'executor');
  return moved === undefined
    ? `it ran on ${run.executor}, which is within tolerance only`
    : `it moved from ${run.executor} to another executor at step ${number(moved.step)}`;
}

/** Why a run cannot be done again in this way at all, whatever the room can run; null: it can. */
export function apartOf(
  config: Pick<RunConfig, 'env'>,
  record: {
    readonly parent?: { readonly id: string; readonly same?: boolean | undefined } | null | undefined;
    readonly imported?: object | undefined;
  },
): string | null {
  if (record.imported !== undefined) return 'another program logged its curves';
  // One that is the same run up to there, edits included, comes of its config and its edits alone.
  if (record.parent !== undefined && record.parent !== null && record.parent.same !== true)
    return 'it goes on from the state of another run';
  return isGymEnv(config.env.id) ? 'its environment runs in Python' : null;
}

/** Marks that the record of a seed cannot have, in words. `done`: it has a result. */
export function wrongMarks(config: Pick<RunConfig, 'run'>, marks: readonly MarkOf[], done: boolean): readonly string[] {
  return marks.flatMap((mark, i): readonly string[] => {
    const where = `its mark "${mark.type}" at step ${number(mark.step)}`;
    const resumed = marks.slice(i + 1).some(({ type, step }) => type === 'resume' && step >= mark.step);
    if (mark.type === 'edit' && editsOf([mark]).length === 0) return [`${where} names no path and value`];
    if (mark.type === 'executor' && (config.run.executor === 'wasm' || config.run.executor === 'auto'))
      return [`${where}: a run on ${config.run.executor} does not change its executor`];
    if (mark.type === 'stop' && done && !resumed) return [`${where}: a rule ended it there, and it has a result without going on`];
    return [];
  });
}

/** Marks that follow from the training alone: they come again when it is done again. */
export const comesAgain = ({ type, finding }: MarkOf): boolean =>
  type === 'edit' || type === 'recovered' || (type === 'warning' && finding !== undefined);

/** What is not alike. `accused`: no version of the workbench makes it otherwise; else words and rules of findings may have changed since. */
export interface MarkDifference {
  readonly text: string;
  readonly accused: boolean;
}

/**
 * The first mark that the same training does not make, or makes beside those that are stored; null: they are alike. Of a run that was
 * resumed only the edits are compared, because what its watch over inputs had counted is not kept.
 */
export function differentMark(stored: readonly MarkOf[], here: readonly MarkOf[]): MarkDifference | null {
  const resumed = stored.some(({ type }) => type === 'resume');
  for (const edits of [true, false]) {
    const counted = (marks: readonly MarkOf[]): readonly MarkOf[] =>
      marks.filter((mark) => (mark.type === 'edit') === edits && comesAgain(mark) && (edits || !resumed));
    const [a, b] = [counted(stored), counted(here)];
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const [mine, other] = [a[i], b[i]];
      if (mine !== undefined && other !== undefined && sameJson(plainJson(mine), plainJson(other))) continue;
      const { type, step } = (mine ?? other) as MarkOf;
      const where = `its mark "${type}" at step ${number(step)}`;
      return { text: mine === undefined ? `${where} is missing` : `${where} does not come of this training`, accused: edits };
    }
  }
  return null;
}

/** Of two numbers: at most so much of the larger one, and of 1, lies between them. */
const TOLERANCE = 0.01;

const close = (a: Value, b: Value): boolean =>
  a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b)));

/** Numbers of a result that no rounding changes: what ran, and how large it is. */
const FIXED = ['seed', 'steps', 'parameters'];

/** All steps at which some metric has a row, in order. */
const stepsOf = (curves: Ran['curves']): string =>
  [...new Set([...(curves?.values() ?? [])].flatMap(({ steps }) => Array.from(steps)))].sort((a, b) => a - b).join(' ');

/**
 * A stored run against the same one done here. `loose`: why it need not have the same bits. A run of an executor with other roundings drifts
 * apart after a while: one that is not within the tolerance is not accused, and not verified either. Steps, rows and sizes must be equal.
 */
export function checked(stored: Ran, here: Ran, loose: string | null): Checked {
  const differences = differencesOf(stored, here);
  if (differences.length === 0) return { outcome: 'same', differences, why: '' };
  if (loose === null) return { outcome: 'differs', differences, why: '' };
  const fixed = differences.filter((one) => one.kind === 'number' && (FIXED.includes(one.name) || typeof one.stored !== typeof one.here));
  const rows = stored.curves !== null && here.curves !== null && stepsOf(stored.curves) !== stepsOf(here.curves);
  if (fixed.length > 0 || rows) return { outcome: 'differs', differences, why: '' };
  const far = [
    ...differences.filter((one) => one.kind === 'number' && !close(one.stored, one.here)),
    ...farRows(stored.curves, here.curves),
  ];
  return far.length === 0
    ? { outcome: 'close', differences, why: loose }
    : { outcome: 'unverified', differences: far, why: `${loose}, and it is apart by more than ${100 * TOLERANCE} %` };
}

/** The first row of each metric that is not within the tolerance. */
function farRows(stored: Ran['curves'], here: Ran['curves']): readonly Difference[] {
  if (stored === null || here === null) return [];
  return [...stored].flatMap(([metric, { steps, values }]): readonly Difference[] => {
    if (CLOCKS.includes(metric)) return [];
    const other = here.get(metric) ?? NO_ROWS;
    const at = Array.from(steps).findIndex((step, i) => step !== other.steps[i] || !close(values[i], other.values[i]));
    return at < 0 ? [] : [{ kind: 'row', metric, step: steps[at]!, stored: values[at] ?? null, here: other.values[at] ?? null }];
  });
}

/** Failures that lie in what trains, wherever it is: a result that is claimed of such a run is not true. */
const OF_THE_RUN: readonly Failure['id'][] = ['nan-loss', 'nan-input', 'collapse', 'action-invalid', 'state-invalid'];

/** A stored result whose run fails here. */
export function failedHere({ id, message }: Failure): Checked {
  if (!OF_THE_RUN.includes(id)) return unverified(`it cannot be run here: ${message}`);
  return { outcome: 'differs', differences: [{ kind: 'number', name: 'end', stored: 'a result', here: message }], why: '' };
}
