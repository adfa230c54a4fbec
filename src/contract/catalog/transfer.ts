/**
 * Trained on one setting, tested on others: a grid. A row is trained with a value, or with a range that is drawn for each episode
 * (contexts.ts), of one field of the environment; a column is a value in which each trained policy is tested. All else is the same.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject, listOf } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { RunConfig } from '../run/config.ts';
import { setAt } from '../run/paths.ts';
import { type ContextDraw, type Contexts, contextsIn, isRange, rangeAsText, readRange, withDraw } from './contexts.ts';

export const MOST_ROWS = 20;
export const MOST_COLUMNS = 50;

const value = z.union([z.number(), z.string().max(200), z.boolean()]);

export const transferSchema = z.strictObject({
  kind: z.literal('transfer'),
  version: z.literal(1),
  title: z.string().min(1).max(200).exactOptional(),
  /** A run config, as `--config` takes it: {env, algo, run}. Its seeds are those of each row. */
  config: jsonObject,
  /** `env.KEY`, further dots go into objects. */
  field: z.string().max(200),
  /** Values, and ranges as text: "0.5..2". */
  train: z.array(value).min(1).max(MOST_ROWS),
  test: z.array(value).min(1).max(MOST_COLUMNS),
  /** Greedy episodes of each cell and seed. */
  episodes: z.int().min(1).max(1000).default(50),
});
export type Transfer = z.infer<typeof transferSchema>;
type Value = z.infer<typeof value>;

const bad = (message: string, fix: string, field: string) => fail('file-invalid', message, fix, field);

/** Checks a grid and fills its defaults; the configs of its rows are checked where they are completed. Throws LabError('file-invalid'). */
export function parseTransfer(given: unknown): Transfer {
  const parsed = transferSchema.safeParse(given, FIRST_ISSUE);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw bad(`"${field || 'The grid'}" is not valid: ${issue?.message ?? ''}.`, 'See docs/cli.md for what a grid holds.', field);
  }
  const { field, train, test } = parsed.data;
  if (!field.startsWith('env.') || field.startsWith('env.contexts') || field.split('.').includes(''))
    throw bad(`"${field}" is no setting of the environment.`, 'Name one as env.KEY.', 'field');
  for (const [name, list] of Object.entries({ train, test }))
    if (new Set(list).size < list.length) throw bad(`"${name}" names a setting twice.`, 'Name each once.', name);
  const range = test.find((one) => typeof one === 'string' && readRange(one) !== null);
  if (range !== undefined) throw bad(`"test" has the range ${String(range)}.`, 'Test on single values.', 'test');
  return parsed.data;
}

/** What a row draws for each episode. */
const drawOf = (row: Value): ContextDraw => (typeof row === 'string' ? readRange(row) : null) ?? [row];

/** A row or column as a person reads it: "0.5", "0.5 to 2". */
export function settingText(row: Value): string {
  const draw = drawOf(row);
  if (!isRange(draw)) return String(row);
  return rangeAsText(draw).replace('..', ' to ').replace(' log', ' (log)');
}

/** The field set so in the config of an environment. Where other fields are drawn, or agents are told, it stays a drawn one of one value. */
function withSetting(config: JsonObject, field: string, draw: ContextDraw): JsonObject {
  const key = field.slice('env.'.length);
  const before = contextsIn(config);
  const others: Contexts | undefined = withDraw(before, key, null);
  if (!isRange(draw) && draw.length === 1 && before?.tell !== true) {
    const plain = setAt(config, key.split('.'), draw[0]);
    return others === undefined ? without(plain) : ({ ...plain, contexts: others } as unknown as JsonObject);
  }
  return { ...config, contexts: withDraw(before, key, draw) } as unknown as JsonObject;
}

function without({ contexts: _, ...config }: JsonObject): JsonObject {
  return config;
}

/** The config that row trains, from the complete config of the grid. */
export function rowConfig(config: RunConfig, { field, train }: Pick<Transfer, 'field' | 'train'>, row: number): RunConfig {
  const env = withSetting(config.env.config as JsonObject, field, drawOf(train[row]!));
  return { ...config, env: { ...config.env, config: env as RunConfig['env']['config'] } };
}

/** The environment in which a column tests. */
export function columnConfig(config: RunConfig, { field, test }: Pick<Transfer, 'field' | 'test'>, column: number): JsonObject {
  return withSetting(config.env.config as JsonObject, field, [test[column]!]);
}

/** A run whose episodes draw one of the columns: it completes only where one policy can act in all of them. */
export function anyColumn(config: RunConfig, { field, test }: Pick<Transfer, 'field' | 'test'>): RunConfig {
  const env = withSetting(config.env.config as JsonObject, field, test);
  return { ...config, env: { ...config.env, config: env as RunConfig['env']['config'] } };
}

/** Policies, each trained with a seed in a row, tested in a column: the mean return; null: the run failed. */
export const testedSchema = listOf(
  z.strictObject({ row: z.int().min(0), column: z.int().min(0), seed: z.int().min(0), score: z.number().nullable() }),
);
export type Tested = z.infer<typeof testedSchema>[number];

/** What is known of a cell: scores in the order of the seeds. */
export function cellScores(tested: readonly Tested[], row: number, column: number): readonly number[] {
  return tested.flatMap((one) => (one.row === row && one.column === column && one.score !== null ? [one.score] : []));
}

/** How many runs, environment steps and test episodes a grid takes. */
export function transferSize({ train, test, episodes }: Transfer, { run }: RunConfig): { runs: number; steps: number; tests: number } {
  const runs = train.length * run.seeds;
  return { runs, steps: runs * run.steps, tests: runs * test.length * episodes };
}

/** Values evenly apart from one end to the other, in powers where `decades`; whole numbers where `whole`, each once. */
export function spread(from: number, to: number, count: number, { decades = false, whole = false } = {}): readonly number[] {
  const at = (part: number): number => (decades ? from * (to / from) ** part : from + part * (to - from));
  const values = Array.from({ length: count }, (_, i) => at(count < 2 ? 0 : i / (count - 1)));
  return [...new Set(values.map((one) => (whole ? Math.round(one) : Number(one.toPrecision(3)))))];
}
