/** The form of a grid and its file: the field, what is trained, what is tested. */

import { type ContextDraw, contextsIn, isRange, rangeAsText, readRange } from '#contract/catalog/contexts.ts';
import { spread } from '#contract/catalog/transfer.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { readPath } from '#contract/run/paths.ts';
import { type Leaf, limitsOf, read } from '#ui/form/leaves.ts';
import { editable } from '#ui/kit/format/numbers.ts';

export interface GridForm {
  readonly field: string;
  /** "0.1, 0.5, 0.1..0.5". */
  readonly train: string;
  readonly test: string;
  readonly seeds: string;
  readonly episodes: string;
}

const COLUMNS = 7;

/** Settings of the environment that a grid can vary. */
export const canVary = ({ kind, path }: Leaf): boolean =>
  path.startsWith('env.') && (kind === 'number' || kind === 'switch' || kind === 'choice');

const drawnIn = (config: RunConfig): Readonly<Record<string, ContextDraw>> => contextsIn(config.env.config as JsonObject)?.draw ?? {};

/**
 * The settings in the order in which a grid would vary them: the one that is asked for, then what the set-up draws from a range, the physics, other
 * numbers but the step limit, which changes what a return is more than what is learned, and the rest.
 */
export function fieldsInOrder(leaves: readonly Leaf[], config: RunConfig, asked?: string): readonly Leaf[] {
  const numbers = leaves.filter(({ kind }) => kind === 'number');
  const drawn = drawnIn(config);
  return [
    ...new Set([
      ...leaves.filter(({ path }) => path === asked),
      ...numbers.filter(({ path }) => Object.hasOwn(drawn, path.slice('env.'.length))),
      ...numbers.filter(({ group }) => group === 'physics'),
      ...numbers.filter(({ path }) => path !== 'env.maxSteps'),
      ...numbers,
      ...leaves,
    ]),
  ];
}

/** The first of them that `check` lets pass as it is proposed; undefined: none. */
export async function firstThatWorks(
  fields: readonly Leaf[],
  config: RunConfig,
  check: (file: JsonObject) => Promise<void>,
): Promise<Leaf | undefined> {
  for (const leaf of fields) {
    const made = fileOf({ field: leaf.path, ...proposed(leaf, config), ...FEW }, leaf, config);
    if (!('values' in made)) continue;
    const passed = await check(made.values).then(
      () => true,
      () => false,
    );
    if (passed) return leaf;
  }
  return undefined;
}

/** As the form begins. */
export const FEW = { seeds: '2', episodes: '30' } as const;

/** What is proposed for a field: both ends and the middle of its range, the range itself, and tests from half its low end to twice its high one. */
export function proposed(leaf: Leaf, config: RunConfig): Pick<GridForm, 'train' | 'test'> {
  const { schema, kind, path } = leaf;
  if (kind !== 'number') {
    const all = (kind === 'switch' ? ['on', 'off'] : (schema.enum ?? []).slice(0, 8).map(String)).join(', ');
    return { train: all, test: all };
  }
  const { min, max } = limitsOf(schema);
  const whole = schema.type === 'integer';
  const within = (x: number): number =>
    Math.min(max, Math.max(min > 0 || schema.exclusiveMinimum === undefined ? min : 1e-6, whole ? Math.round(x) : x));
  const draw = drawnIn(config)[path.slice('env.'.length)];
  const value = readPath(config, path) ?? schema.default; // a draft may not be complete yet
  const now = typeof value === 'number' ? value : 1;
  const range =
    draw !== undefined && isRange(draw)
      ? draw
      : now > 0
        ? { from: within(now / 2), to: within(now * 2) }
        : { from: within(now - 1), to: within(now + 1) };
  const { from, to } = range;
  const decades = from > 0;
  const trained = spread(from, to, 3, { decades, whole }).map(editable);
  const wide = from > 0 ? [within(from / 2), within(to * 2)] : [within(from - (to - from) / 2), within(to + (to - from) / 2)];
  const tested = spread(wide[0]!, wide[1]!, COLUMNS, { decades: wide[0]! > 0, whole }).map(editable);
  return { train: [...trained, rangeAsText(range)].join(', '), test: tested.join(', ') };
}

/** One thing that is wrong with the form. */
type Read<T> = { readonly values: T } | { readonly problem: string };

function valuesIn(leaf: Leaf, text: string, ranges: boolean): Read<readonly Json[]> {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const values: Json[] = [];
  for (const part of parts) {
    if (ranges && leaf.kind === 'number' && readRange(part) !== null) values.push(part);
    else if (leaf.kind === 'switch') {
      if (!/^(on|off|yes|no|true|false)$/i.test(part)) return { problem: `"${part}" is neither on nor off.` };
      values.push(/^(on|yes|true)$/i.test(part));
    } else if (leaf.kind === 'choice') {
      const choice = leaf.schema.enum?.find((known) => String(known) === part);
      if (choice === undefined) return { problem: `"${part}" is none of ${(leaf.schema.enum ?? []).map(String).join(', ')}.` };
      values.push(choice);
    } else {
      const reading = read(leaf, part);
      if (!reading.ok) return { problem: `"${part}": ${reading.message}` };
      values.push(reading.value);
    }
  }
  return values.length === 0 ? { problem: 'Give at least one setting.' } : { values };
}

/** The file of a grid over a complete config, or what is wrong with the form. */
export function fileOf(form: GridForm, leaf: Leaf, config: RunConfig): Read<JsonObject> {
  const train = valuesIn(leaf, form.train, true);
  if ('problem' in train) return { problem: `Train on: ${train.problem}` };
  const test = valuesIn(leaf, form.test, false);
  if ('problem' in test) return { problem: `Test on: ${test.problem}` };
  const [seeds, episodes] = [Number(form.seeds), Number(form.episodes)];
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > 20) return { problem: 'Seeds: a whole number from 1 to 20.' };
  if (!Number.isInteger(episodes) || episodes < 1 || episodes > 1000) return { problem: 'Episodes: a whole number from 1 to 1000.' };
  const run = { ...config.run, seeds };
  return {
    values: {
      kind: 'transfer',
      version: 1,
      config: { ...config, run } as unknown as JsonObject,
      field: leaf.path,
      train: train.values,
      test: test.values,
      episodes,
    },
  };
}
