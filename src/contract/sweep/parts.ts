/**
 * One question in several environments, by several methods, or both: a sweep for every cell, alike in all else. Methods are compared at equal
 * tuning: each by the best of as many set-ups, on the same seeds and with the same budget.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { type Json, type JsonObject, objectOf } from '../kit/json.ts';
import { sha256 } from '../run/config-hash.ts';
import { bad, countOf, fieldsSchema, invalid, parseSweep, type Sweep, sweepSchema } from './sweep.ts';

/** Environments of a file that asks the same question in several. */
export const MOST_ENVS = 20;
/** Methods that are compared by one file. */
export const MOST_METHODS = 12;
/** Pairs of a method and an environment. */
export const MOST_CELLS = 100;

const configSchema = jsonObject;
const envsSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(100),
      /** Of its rules; without it those of today. */
      version: z.int().min(1).optional(),
      config: configSchema.optional(),
      /** Of a run there; without it those of the config. */
      steps: z.int().min(1).optional(),
    }),
  )
  .min(2)
  .max(MOST_ENVS);
const algosSchema = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(100),
      version: z.int().min(1).optional(),
      config: configSchema.optional(),
      /** In results; without it the id. */
      name: z.string().min(1).max(100).optional(),
      /** Of this method, beside those of the file; of the same name, this one counts. */
      fields: fieldsSchema.optional(),
    }),
  )
  .min(2)
  .max(MOST_METHODS);

/** The sweep of one cell. `folder`: a name of its own among them; "" for a file of one sweep. */
export interface SweepIn {
  readonly folder: string;
  /** Name of the environment among those of the file; "" where it names one only. */
  readonly env: string;
  /** Name of the method; null where the file is about one. */
  readonly method: string | null;
  readonly file: JsonObject;
  readonly sweep: Sweep;
}

function read<T>(schema: z.ZodType<T>, value: Json, name: string): T {
  const parsed = schema.safeParse(value, FIRST_ISSUE);
  if (!parsed.success) throw invalid(parsed.error.issues[0], [name]);
  return parsed.data;
}

/** "catch", and "catch-2" where that name is taken. */
function namer(): (id: string) => string {
  const taken = new Map<string, number>();
  return (id) => {
    const count = (taken.get(id) ?? 0) + 1;
    taken.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}

type Ref = { readonly id: string; readonly version?: number | undefined; readonly config?: JsonObject | undefined };
const refOf = ({ id, version, config }: Ref): JsonObject => ({
  id,
  ...(version !== undefined && { version }),
  ...(config !== undefined && { config }),
});

/** What a cell changes in the file. */
interface Change {
  readonly key: string;
  readonly config: JsonObject;
  readonly file: JsonObject;
}

function envChanges(envs: Json | undefined): readonly Change[] {
  if (envs === undefined) return [{ key: '', config: {}, file: {} }];
  const name = namer();
  return read(envsSchema, envs, 'envs').map(({ steps, ...env }) => ({
    key: name(env.id),
    config: { env: refOf(env), ...(steps !== undefined && { run: { steps } }) },
    file: {},
  }));
}

function methodChanges(algos: Json | undefined, file: JsonObject): readonly Change[] {
  if (algos === undefined) return [{ key: '', config: {}, file: {} }];
  if (file.contrast !== undefined)
    throw bad('"contrast" compares values, and "algos" compares methods.', 'Leave out one of them.', 'contrast');
  const name = namer();
  const parsed = read(algosSchema, algos, 'algos');
  const shared = objectOf(file.fields);
  const bare = Object.keys(shared).length === 0 && parsed.every(({ fields = {} }) => Object.keys(fields).length === 0);
  const names = new Set<string>();
  return parsed.map(({ name: given, fields = {}, ...algo }, i) => {
    const foreign = Object.keys(fields).find((field) => !field.startsWith('algo.'));
    if (foreign !== undefined)
      throw bad(
        `"algos.${i}.fields" holds "${foreign}", which is no setting of a method.`,
        'Search settings of environment and run for all methods alike: in "fields" of the file.',
        `algos.${i}.fields.${foreign}`,
      );
    const key = name(algo.id);
    const method = given ?? key;
    if (names.has(method)) throw bad(`Two methods are called "${method}".`, 'Give each a "name" of its own.', `algos.${i}.name`);
    names.add(method);
    return {
      key,
      config: { algo: refOf(algo) },
      file: {
        method,
        fields: { ...shared, ...(fields as JsonObject) },
        // Methods as they stand, nothing searched: one set-up each.
        ...(bare && file.search === undefined && { search: { by: 'grid' } }),
      },
    };
  });
}

/** Every method is the best of as many set-ups. */
function checkTuning(parts: readonly SweepIn[]): void {
  const [first] = parts;
  if (first === undefined || first.method === null) return;
  const other = parts.find(({ sweep }) => countOf(sweep) !== countOf(first.sweep));
  if (other !== undefined)
    throw bad(
      `${first.method} has ${countOf(first.sweep)} set-ups and ${other.method ?? ''} ${countOf(other.sweep)}: methods are compared at equal tuning.`,
      'List as many values for each, or search by "sobol" or "random" with search.setups.',
      'algos',
    );
}

/**
 * The sweeps of a file: one, or with `envs` and `algos` one in each environment for each method, environment by environment. Throws
 * LabError('file-invalid') with the field and what is allowed.
 */
export function sweepsOf(json: Json): readonly SweepIn[] {
  const whole = objectOf(json);
  const { envs, algos, ...file } = whole;
  if (envs === undefined && algos === undefined) return [{ folder: '', env: '', method: null, file: whole, sweep: parseSweep(json) }];
  if (whole.method !== undefined) throw bad('"method" names the method of one sweep.', 'Name methods in "algos".', 'method');
  const base = read(sweepSchema.shape.config, file.config ?? {}, 'config');
  const question = algos === undefined ? {} : { question: sha256(utf8(canonicalJson(whole))).slice(0, 12) };
  const places = envChanges(envs);
  const methods = methodChanges(algos, file);
  if (places.length * methods.length > MOST_CELLS)
    throw bad(
      `${methods.length} methods in ${places.length} environments are ${places.length * methods.length} sweeps.`,
      `Ask for at most ${MOST_CELLS} in one file.`,
      'algos',
    );
  const parts = places.flatMap((env) =>
    methods.map((method): SweepIn => {
      const run = { ...objectOf(base.run), ...objectOf(env.config.run) };
      const own: JsonObject = { ...file, ...method.file, ...question, config: { ...base, ...env.config, ...method.config, run } };
      const sweep = parseSweep(own);
      return {
        folder: [env.key, method.key].filter((part) => part !== '').join('/'),
        env: env.key,
        method: sweep.method ?? null,
        file: own,
        sweep,
      };
    }),
  );
  checkTuning(parts);
  return parts;
}
