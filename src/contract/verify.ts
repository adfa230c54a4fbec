/**
 * Comparing a stored run with the same run done again, in every room: its hash, every number of its result and every row of its curves,
 * all but those that time the machine.
 */
import type { RunConfig } from './config.ts';
import { isGymEnv } from './gym-id.ts';
import { number } from './numbers.ts';

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
    .filter((metric) => !CLOCKS.includes(metric))
    .flatMap((metric): readonly (Difference & { kind: 'row' })[] => {
      const [a, b] = [stored.get(metric) ?? NO_ROWS, here.get(metric) ?? NO_ROWS];
      for (let i = 0; i < Math.max(a.steps.length, b.steps.length); i++) {
        // Of two different steps the earlier one has a row on one side only.
        const [from, to] = [a.steps[i] ?? Number.POSITIVE_INFINITY, b.steps[i] ?? Number.POSITIVE_INFINITY];
        const value = from <= to ? (a.values[i] ?? null) : null;
        const other = to <= from ? (b.values[i] ?? null) : null;
        if (from !== to || (value !== other && !(Number.isNaN(value) && Number.isNaN(other))))
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

/** Why running it again cannot give the same bits; null: it must. */
export function excuseOf(config: RunConfig, marks: readonly { readonly type: string; readonly step: number }[]): string | null {
  const edited = marks.find(({ type }) => type === 'edit');
  if (edited !== undefined) return `a setting was changed at step ${edited.step} while it ran`;
  const moved = marks.find(({ type }) => type === 'executor');
  if (moved !== undefined) return `it changed its executor at step ${moved.step}`;
  const ended = marks.find(({ type }) => type === 'stop');
  if (ended !== undefined) return `a rule ended it at step ${ended.step}`;
  if (isGymEnv(config.env.id)) return 'its environment runs in Python, whose numbers may differ';
  return config.run.executor === 'wasm' ? null : `it ran on ${config.run.executor}, which is within tolerance only`;
}
