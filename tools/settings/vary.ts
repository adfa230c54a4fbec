/**
 * What a test over every setting of every method needs: the fields as forms show them, other values of each, and whether training with
 * one of them differs from training without.
 */

import type { FieldSchema } from '../../src/contract/catalog/catalog.ts';
import { kindsOf, switchedTo } from '../../src/contract/catalog/variants.ts';
import { datasetMissing } from '../../src/contract/files/dataset.ts';
import { sameJson } from '../../src/contract/kit/canonical.ts';
import { LabError } from '../../src/contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../../src/contract/kit/json.ts';
import { getAt, setAt } from '../../src/contract/run/paths.ts';
import type { AlgoEntry, Progress } from '../../src/core/algos/api/types.ts';
import { createVectorEnv } from '../../src/core/envs/api/vector-env.ts';
import { loadEnv } from '../../src/core/envs/index.ts';
import { evaluate } from '../../src/core/run/evaluate.ts';
import { begun, type Task } from '../../src/core/testing/trained.ts';
import { Rng } from '../../src/math/rng.ts';
import { type Leaf, leavesOf, sliderOf } from '../../src/ui/form/leaves.ts';

/** One field; of a field of a variant, in one of the kinds that have it. */
export interface Setting {
  readonly algo: AlgoEntry;
  /** 'bonus.weight of RND', 'lr'. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly leaf: Leaf;
  /** The variants around it, outermost first, and the kind each has. */
  readonly within: readonly { readonly keys: readonly string[]; readonly schema: FieldSchema; readonly kind: string }[];
}

const keysOf = (path: string): readonly string[] => path.split('.').slice(1);

export function settingsOf(algo: AlgoEntry): readonly Setting[] {
  const leaves = leavesOf('algo', algo.schema);
  const variants = new Map(leaves.flatMap(({ path, variant }) => (variant === undefined ? [] : [[path, variant]])));
  return leaves.flatMap((leaf) => {
    const { path, within = [] } = leaf;
    const keys = keysOf(path);
    const outer = within.slice(0, -1).map((one) => ({ choice: one.path, kind: one.kinds[0] ?? '' }));
    const inner = within.at(-1);
    const ways = inner === undefined ? [[]] : inner.kinds.map((kind) => [...outer, { choice: inner.path, kind }]);
    return ways.map((way) => ({
      algo,
      name: way.reduce((name, { kind }) => `${name} of ${kind}`, keys.join('.')),
      keys,
      leaf,
      within: way.map(({ choice, kind }) => ({ keys: keysOf(choice).slice(0, -1), schema: variants.get(choice)?.schema ?? {}, kind })),
    }));
  });
}

/** Values over those of a config; objects are merged. */
export function merged(config: JsonObject, over: JsonObject): JsonObject {
  const all = Object.entries(over).map(([key, value]) => [
    key,
    isObject(value) && isObject(config[key]) ? merged(config[key], value) : value,
  ]);
  return { ...config, ...Object.fromEntries(all) };
}

/** A config in which the field acts: each variant around it has the kind that has it. */
export const inKind = ({ within }: Setting, config: JsonObject): JsonObject =>
  within.reduce<JsonObject>(
    (now, { keys, schema, kind }) => setAt(now, keys, switchedTo(schema, objectOf(getAt(now, keys)), kind)),
    config,
  );

/** Values to try in the place of one, far enough off for a short run to notice. */
function others({ type, minimum, exclusiveMinimum, maximum, ...field }: FieldSchema, value: Json | undefined): readonly Json[] {
  if (field.enum !== undefined) return field.enum;
  if (type === 'boolean') return [true, false];
  if (type === 'string') return [];
  if (type === 'array') {
    if (!Array.isArray(value)) return [[8], [4, 4]];
    const halves = value.map((one) => (typeof one === 'number' ? (Number.isInteger(one) ? Math.ceil(one / 2) : one / 2) : one));
    return [halves, value.slice(1), [...value, ...value.slice(-1)], value.map((one) => (typeof one === 'number' ? one + 1 : one))];
  }
  const low = minimum ?? exclusiveMinimum ?? 0;
  const [from, to] = sliderOf({ ...field, minimum: low, maximum: maximum ?? low + 1 }) ?? [low, low + 1];
  if (typeof value !== 'number') return type === 'integer' ? [Math.max(from, 2), 1, 4] : [(from + to) / 2, from, to];
  const near = type === 'integer' ? [Math.floor((value + low) / 2), value * 2, value + 1, value - 1] : [(value + low) / 2, value * 2];
  const far = type === 'integer' ? [] : [(value + to) / 2, to, value + 1];
  const inside = (one: number): boolean =>
    (minimum === undefined || one >= minimum) &&
    (exclusiveMinimum === undefined || one > exclusiveMinimum) &&
    (maximum === undefined || one <= maximum);
  return [...new Set([...near, ...far])].filter(inside);
}

/** A config whose variants have the fields of their kinds alone. */
const settled = (algo: AlgoEntry, config: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const schema = algo.schema.properties?.[key] ?? {};
      return [key, kindsOf(schema).length === 0 ? value : switchedTo(schema, value, String(objectOf(value).kind))];
    }),
  );

/** Configs with another value of the field: of a choice all, else at most three; first those that are `named`. */
export function variations({ algo, keys, leaf }: Setting, config: JsonObject, named: readonly Json[]): readonly JsonObject[] {
  const { variant, schema, nullable } = leaf;
  const value = getAt(config, keys);
  if (variant !== undefined) {
    const at = keys.slice(0, -1);
    const names = kindsOf(variant.schema).map(({ name }) => name);
    return names
      .filter((name) => name !== value)
      .map((name) => setAt(config, at, switchedTo(variant.schema, objectOf(getAt(config, at)), name)));
  }
  const taken = [...named, ...others(schema, value), ...(nullable ? [null] : [])]
    .filter((one) => !sameJson(one, value))
    .map((one) => setAt(config, keys, one))
    .filter((one) => isTaken(() => algo.parse(settled(algo, one))));
  return schema.enum === undefined ? taken.slice(0, 3) : taken;
}

function isTaken(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof LabError) return false;
    throw error;
  }
}

/** Parameters and metrics at a safe point. */
interface Point {
  readonly hash: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/** At every safe point, and at the end what the greedy policy earns in five episodes. */
async function* points(task: Task): AsyncGenerator<Point> {
  const { algo, env } = task;
  await env.prepare?.();
  let others = 0;
  const { training, envConfig, end } = begun({ ...task, config: settled(algo, task.config ?? {}) }, undefined, {
    async dataset(hash) {
      throw datasetMissing(hash);
    },
    async makeOther(id, batch, given) {
      const other = await loadEnv(id);
      return createVectorEnv(other, other.parse(given), batch, Rng.from(1).split('other', others++));
    },
  });
  try {
    let last: Progress | null = null;
    for await (const progress of training) {
      last = progress;
      yield { hash: await progress.hash(), metrics: { ...progress.metrics, step: progress.step } };
    }
    if (last === null) return;
    const policy = await last.policy();
    const { score } = await evaluate(policy, env, envConfig, { episodes: 5 });
    policy.dispose();
    yield { hash: await last.hash(), metrics: { evalReturn: score } };
  } finally {
    await end();
  }
}

async function all<T>(given: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of given) found.push(one);
  return found;
}

/** Metrics that repeat a setting: they change with it where training does not. */
const REPEATED = new Set(['alpha', 'epsilon', 'learningRate']);
const metricsOf = ({ metrics }: Point): string => JSON.stringify(Object.entries(metrics).filter(([name]) => !REPEATED.has(name)));

/**
 * Whether other configs train or report anything else than this one, which is trained once. Training ends where the first
 * parameters differ. A config that asks for a recording that is not stored differs.
 */
export function comparedWith(plain: Task): (config: JsonObject) => Promise<boolean> {
  let expected: Promise<readonly Point[]> | null = null;
  return async (config) => {
    expected ??= all(points(plain));
    const before = await expected;
    let at = 0;
    let reported = false;
    try {
      for await (const point of points({ ...plain, config })) {
        const known = before[at++];
        if (known === undefined || known.hash !== point.hash) return true;
        reported ||= metricsOf(known) !== metricsOf(point);
      }
    } catch (error) {
      // it asks for a file that is not there; else it does not fit there
      if (error instanceof LabError) return ['dataset-missing', 'engine-missing'].includes(error.failure.id);
      throw error;
    }
    return reported || at !== before.length;
  };
}
