/**
 * A sweep as a file: one run config, the fields that are searched, how set-ups are chosen, and what of a run counts. Set-ups are tried on
 * tuning seeds; the best one and the config as it stands are then run on other seeds, from FIRST_REPORTED_SEED on, so that the difference
 * that is reported was not chosen for its luck.
 */
import { z } from 'zod';
import { SOBOL_DIMENSIONS } from '#math/search/sobol.ts';
import { type Dimension, gridSize, type Point, sizeOf, type Value, valueAt } from '#math/search/space.ts';
import { FIRST_ISSUE, jsonObject, listOf, recordOf } from '../kit/bounded.ts';
import { canonicalJson } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { type JsonObject, readJson } from '../kit/json.ts';
import { FIRST_REPORTED_SEED, type Quantity } from '../papers/papers.ts';
import type { RunConfig } from '../run/config.ts';
import { expectationSchema } from '../run/expectation.ts';
import { writePath } from '../run/paths.ts';
import { pruneSchema } from './prune.ts';

/** Set-ups of one sweep. */
export const MOST_SETUPS = 1000;
const MOST_VALUES = 100;
/** Values of a field that are held against each other. */
const MOST_CONTRASTED = 6;

/** Entries of a list that is one value. */
const MOST_IN_LIST = 64;

const plain = z.union([z.number(), z.string().max(200), z.boolean()]);
/** A value of a field; a list is one value, such as the widths of layers. */
export const valueSchema = z.union([plain, z.array(plain).max(MOST_IN_LIST)]);
const field = z.union(
  [
    z.array(valueSchema).min(2).max(MOST_VALUES),
    z.strictObject({
      from: z.number(),
      to: z.number(),
      scale: z.enum(['linear', 'log']).default('linear'),
      integer: z.boolean().default(false),
    }),
  ],
  {
    error: `give 2 to ${MOST_VALUES} values in a list, such as [0.001, 0.01] or [[32], [64, 64]], or a range {"from", "to"}`,
  },
);
/** By name of the setting (`algo.lr`, `env.length`, `run.steps`): a list of values, or a range. */
export const fieldsSchema = recordOf(field, 1000, z.string().max(200));
const title = z.string().min(1).max(200);
const quantity = z.union([
  z.strictObject({ title, unit: z.string().max(40).optional(), of: expectationSchema.shape.metric }),
  z.strictObject({ title, unit: z.string().max(40).optional(), metric: z.string().max(100), take: z.enum(['last', 'best', 'mean']) }),
  z.strictObject({ title, unit: z.string().max(40).optional(), metric: z.string().max(100), reaches: z.number() }),
]);

export const sweepSchema = z.strictObject({
  kind: z.literal('sweep'),
  version: z.literal(1),
  title: title.optional(),
  /** A run config, as `--config` takes it: {env, algo, run}. */
  config: jsonObject,
  fields: fieldsSchema,
  search: z
    .strictObject({
      by: z.enum(['grid', 'random', 'sobol', 'halving', 'tpe']),
      /** Set-ups to try; a grid tries all there are. */
      setups: z.int().min(2).max(MOST_SETUPS).default(24),
      /** Of the search's own draws. */
      seed: z.int().min(0).max(0xffff_ffff).default(1),
      /** halving: one set-up in `eta` stays, for `eta` times the steps. */
      eta: z.number().min(2).max(10).default(3),
      /** tpe and `prune`: set-ups that are run together, before any of them is known. It does not follow the machine's cores, which must not change what is tried. */
      batch: z.int().min(1).max(64).default(4),
    })
    .default({ by: 'sobol', setups: 24, seed: 1, eta: 3, batch: 4 }),
  quantity: quantity.default({ title: 'greedy test return', of: 'evalReturn' }),
  better: z.enum(['more', 'less']).default('more'),
  /** Name of a field with listed values: each value is held against the others, every one by the best set-up that has it. */
  contrast: z.string().max(200).optional(),
  /**
   * In a file over several methods: the name of this one. Methods are compared by their best set-ups, so that the config as it stands is not
   * run, and a method may have no field at all.
   */
  method: z.string().min(1).max(100).optional(),
  /** Of the file over several methods: its hash, the same in the sweeps of all of them. */
  question: z.string().max(64).optional(),
  /** Runs that are behind others at a share of their budget are ended. */
  prune: pruneSchema.optional(),
  seeds: z
    .strictObject({ tuning: z.int().min(1).max(100).default(3), reporting: z.int().min(0).max(100).default(5) })
    .default({ tuning: 3, reporting: 5 }),
});

/** A sweep with all its defaults. */
export interface Sweep extends Omit<z.infer<typeof sweepSchema>, 'quantity'> {
  readonly quantity: Quantity;
  readonly names: readonly string[];
  readonly dimensions: readonly Dimension[];
  /** Also set-ups that cannot differ are run: sweeps that earlier versions began keep their rows. */
  readonly every?: boolean | undefined;
}

export const bad = (message: string, fix: string, name: string) => fail('file-invalid', message, fix, name);

function dimensionOf(name: string, given: z.infer<typeof field>): Dimension {
  const at = `fields.${name}`;
  if (Array.isArray(given)) {
    if (new Set(given.map(canonicalJson)).size < given.length) throw bad(`"${at}" names a value twice.`, 'Name each value once.', at);
    return { kind: 'choice', values: given };
  }
  const { from, to, scale, integer } = given;
  if (!(from < to)) throw bad(`"${at}" runs from ${from} to ${to}.`, 'Let "from" be below "to".', at);
  if (scale === 'log' && from <= 0) throw bad(`"${at}" begins at ${from} on a logarithmic scale.`, 'Begin above 0, or use "linear".', at);
  if (integer && !(Number.isSafeInteger(from) && Number.isSafeInteger(to)))
    throw bad(`"${at}" is of whole numbers, but its ends are not.`, 'Use whole numbers for "from" and "to".', at);
  return { kind: 'range', from, to, scale, integer };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What a schema refused, by the field's place in the file. `under`: where the checked part stands. */
export function invalid(issue: Issue | undefined, under: readonly PropertyKey[]) {
  const name = [...under, ...(issue?.path ?? [])].map(String).join('.');
  return bad(`"${name || 'The sweep'}" is not valid: ${issue?.message ?? ''}.`, 'See docs/sweeps.md for what a sweep holds.', name);
}

/** Checks a sweep and fills its defaults. Throws LabError('file-invalid') with the field and what is allowed. */
export function parseSweep(json: unknown): Sweep {
  const parsed = sweepSchema.safeParse(json, FIRST_ISSUE);
  if (!parsed.success) throw invalid(parsed.error.issues[0], []);
  const sweep = parsed.data;
  const names = Object.keys(sweep.fields);
  if (names.length === 0 && sweep.method === undefined)
    throw bad('The sweep has no fields.', 'Name at least one: {"algo.lr": [0.001, 0.01]}.', 'fields');
  if (names.length === 0 && sweep.search.by !== 'grid')
    throw bad(`${sweep.method} has no field to search.`, 'Give it "fields", or search by "grid": then it has one set-up.', 'fields');
  if (sweep.method !== undefined && sweep.contrast !== undefined)
    throw bad('"contrast" compares values, and this file compares methods.', 'Leave out "contrast" or "algos".', 'contrast');
  if (names.length > SOBOL_DIMENSIONS)
    throw bad(`${names.length} fields are searched.`, `Search at most ${SOBOL_DIMENSIONS} at a time.`, 'fields');
  const dimensions = names.map((name) => dimensionOf(name, sweep.fields[name] as z.infer<typeof field>));
  if (sweep.search.by === 'grid') {
    const open = names.find((_, d) => sizeOf(dimensions[d]!) === null);
    if (open !== undefined)
      throw bad(`A grid needs values, and "fields.${open}" is a range of fractions.`, 'List its values.', `fields.${open}`);
    const count = gridSize(dimensions);
    if (count !== null && count > MOST_SETUPS)
      throw bad(`This grid has ${count} set-ups.`, `Use at most ${MOST_SETUPS}, or another search.`, 'search.setups');
  }
  if (sweep.prune !== undefined && (sweep.search.by === 'halving' || sweep.contrast !== undefined))
    throw bad(
      sweep.search.by === 'halving'
        ? '"prune" ends runs that are behind, which a search by halving does already.'
        : '"prune" ends runs by their scores, so that it tunes one value more than another.',
      sweep.search.by === 'halving' ? 'Leave out "prune", or use another search.' : 'Leave out "prune" or "contrast".',
      'prune',
    );
  if (sweep.contrast !== undefined) checkContrast(sweep.contrast, sweep.search.by, names, dimensions);
  return { ...sweep, quantity: sweep.quantity as Quantity, names, dimensions };
}

/** Values are held against each other at equal tuning: as many set-ups of each, whatever they score. */
function checkContrast(name: string, by: Sweep['search']['by'], names: readonly string[], dimensions: readonly Dimension[]): void {
  const dimension = dimensions[names.indexOf(name)];
  if (dimension?.kind !== 'choice')
    throw bad(`"${name}" is contrasted, but is no field with listed values.`, 'Name one of "fields" that lists its values.', 'contrast');
  if (dimension.values.length > MOST_CONTRASTED)
    throw bad(`"${name}" has ${dimension.values.length} values.`, `Contrast at most ${MOST_CONTRASTED}.`, 'contrast');
  if (by === 'tpe' || by === 'halving')
    throw bad(
      `A search by ${by} follows scores, so that it tunes one value of "${name}" more than another.`,
      'Use "grid", "random" or "sobol" in search.by.',
      'contrast',
    );
}

/** The values of a point, by field. */
export function valuesOf({ names, dimensions }: Pick<Sweep, 'names' | 'dimensions'>, point: Point): { readonly [name: string]: Value } {
  return Object.fromEntries(names.map((name, d) => [name, valueAt(dimensions[d]!, point[d]!)]));
}

/** A value in a table or a sentence; lists as JSON has them, - of a field that does not act. */
export const valueWord = (value: Value | undefined): string =>
  value === undefined ? '-' : Array.isArray(value) ? JSON.stringify(value) : String(value);

/**
 * A config with the values of a set-up, in whatever order they are named: kinds are chosen last, so that a value that the chosen kind does not
 * have rests. Throws LabError('config-invalid') for a name that is no setting.
 */
export function withValues(config: RunConfig, values: { readonly [name: string]: Value }): RunConfig {
  const names = Object.keys(values);
  // `algo.bonus` beside `algo.bonus.weight` is the kind of a variant by its short name.
  const entries = Object.entries(values).map(([name, value]) =>
    typeof value === 'string' && names.some((other) => other.startsWith(`${name}.`))
      ? ([`${name}.kind`, value] as const)
      : ([name, value] as const),
  );
  const [kinds, others] = [entries.filter(([name]) => name.endsWith('.kind')), entries.filter(([name]) => !name.endsWith('.kind'))];
  return [...others, ...kinds].reduce<RunConfig>((into, [name, set]) => writePath(into, name, set), config);
}

/** How many set-ups a sweep tries in its first round. */
export const countOf = ({ search, dimensions }: Sweep): number => (search.by === 'grid' ? (gridSize(dimensions) ?? 0) : search.setups);

/** Seeds on which set-ups are compared. Throws LabError('file-invalid') where they would reach the seeds that are reported. */
export function tuningSeeds({ config, seeds }: Sweep): readonly number[] {
  const start = (config.run as JsonObject | undefined)?.seedStart;
  const first = typeof start === 'number' ? start : 1;
  if (first + seeds.tuning > FIRST_REPORTED_SEED)
    throw bad(
      `Tuning seeds run to ${first + seeds.tuning - 1}, and those from ${FIRST_REPORTED_SEED} on are kept for the report.`,
      `Begin lower: config.run.seedStart at most ${FIRST_REPORTED_SEED - seeds.tuning}.`,
      'config.run.seedStart',
    );
  return Array.from({ length: seeds.tuning }, (_, i) => first + i);
}

const keptSchema = listOf(
  z.object({
    id: z.string().max(100),
    file: jsonObject,
    over: z.boolean(),
    /** false: begun by a version that ran set-ups that cannot differ. */
    differing: z.boolean().default(false),
    asked: listOf(z.string().max(64)),
  }),
);

/** A sweep as the page keeps it between visits: its file, whether it was over, and the hashes of the runs that it had asked for. */
export type KeptSweep = z.infer<typeof keptSchema>[number];

/** What the page kept; nothing where the text is none of ours. */
export function readKeptSweeps(text: string | null): readonly KeptSweep[] {
  if (text === null) return [];
  try {
    return keptSchema.parse(readJson(text), FIRST_ISSUE);
  } catch {
    return []; // of another version, or not ours: the runs themselves are in the table
  }
}
