/**
 * Versions of environments and algorithms. A rule or a default that changes raises the version and is described by a VersionChange, so that
 * every version keeps its own table of defaults: configs name the version they were made with and store only what differed from its defaults.
 */
import { fail } from '../kit/errors.ts';
import { isObject, type Json, type JsonObject } from '../kit/json.ts';
import { flatConfig } from './flat-settings.ts';

export interface VersionChange {
  /** The version that this change made. */
  readonly version: number;
  /** Which rule or default changed, in one sentence for a person who opens an older link. */
  readonly what: string;
  /**
   * Fields whose values of the version before are no longer the defaults, or that did not exist then: an older config is completed with
   * these. They are the switch that makes the older version run on, bit for bit.
   */
  readonly before?: JsonObject;
  /** Only configs are affected in which each of these fields has one of its values; absent: all. */
  readonly where?: { readonly [field: string]: readonly Json[] };
  /** Only configs are affected in which each of these fields is set to something else than this, a variant to another kind; absent: all. */
  readonly whereNot?: JsonObject;
  /** Only configs are affected in which the first of these fields is larger than the second; absent: all. */
  readonly whereLarger?: readonly [string, string];
  /** Only runs in environments with action masks are affected; absent: all. */
  readonly whereMasked?: true;
  /** Only runs in environments are affected whose episodes may be longer than evaluation plays them; absent: all. */
  readonly whereEndless?: true;
  /** Only runs in environments of several agents are affected; absent: all. */
  readonly whereMany?: true;
  /** The older rule is gone: results of older versions are not computed again by the same config, and a run follows the new rule. */
  readonly rerun: boolean;
}

export interface Versioned {
  readonly id: string;
  readonly version: number;
  /** One for each version after the first. */
  readonly changes: readonly VersionChange[];
}

/** What an environment is at a config, as far as changes of an algorithm depend on it. What is left out counts as affected. */
export interface RunsIn {
  /** Some actions may be illegal. */
  readonly masked?: boolean;
  readonly agentCount?: number;
  /** Its own time limit in steps; 0: none. */
  readonly maxSteps?: number;
  /** Steps after which an evaluation cuts an episode. */
  readonly evalMaxSteps?: number;
}

const kindIn = (value: Json | undefined): Json | undefined => (isObject(value) ? value.kind : value);
const endless = ({ maxSteps = 0, evalMaxSteps = 0 }: RunsIn): boolean => maxSteps === 0 || evalMaxSteps < maxSteps;

export interface Upgrade {
  /** In the fields of the newest version. What an older config left to its defaults has the defaults of its own time. */
  readonly config: JsonObject;
  /** Rules that hold no longer for this config, oldest first: its stored results follow the older ones, a new run the newest. */
  readonly changed: readonly VersionChange[];
}

/**
 * A config that was made with `version` (undefined: the newest is meant). `runsIn`: the environment of an algorithm's run. Throws
 * LabError('config-invalid') naming `path` for versions that never were.
 */
export function upgrade(entry: Versioned, version: Json | undefined, config: JsonObject, path: string, runsIn: RunsIn = {}): Upgrade {
  if (version === undefined || version === entry.version) return { config, changed: [] };
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > entry.version) {
    throw fail(
      'config-invalid',
      `"${entry.id}" is at version ${entry.version} here; this config was made with version ${String(version)}.`,
      typeof version === 'number' && version > entry.version
        ? 'Update the workbench, or reload its page.'
        : `Use a version from 1 to ${entry.version}.`,
      path,
    );
  }
  const since = entry.changes.filter((change) => change.version > version).sort((a, b) => a.version - b.version);
  // the oldest change says what a default was in the version that is asked for; changes speak of flat settings by their flat names
  const complete: JsonObject = Object.assign({}, ...since.toReversed().map(({ before }) => before), flatConfig(entry.id, config));
  const affected = ({ where = {}, whereNot = {}, whereLarger, whereMasked, whereEndless, whereMany }: VersionChange): boolean =>
    (whereMasked === undefined || runsIn.masked !== false) &&
    (whereEndless === undefined || endless(runsIn)) &&
    (whereMany === undefined || (runsIn.agentCount ?? 2) > 1) &&
    (whereLarger === undefined || Number(complete[whereLarger[0]]) > Number(complete[whereLarger[1]])) &&
    Object.entries(whereNot).every(([key, value]) => complete[key] !== undefined && kindIn(complete[key]) !== value) &&
    Object.entries(where).every(([key, values]) => values.includes(complete[key] ?? null));
  return { config: complete, changed: since.filter((change) => change.rerun && affected(change)) };
}
