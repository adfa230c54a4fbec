/**
 * Reads command-line arguments against a small table, so that every wrong one gets a line saying what is allowed.
 * `--name value` and `--name=value` are the same. Throws UsageError.
 */
import { parseArgs } from 'node:util';
import { nearest } from '#contract/kit/nearest.ts';
import { UsageError } from './failure.ts';

interface OptionSpec {
  /** 'flag': takes no value. 'text', 'count' (integer >= min), 'list' (may be given several times). */
  readonly kind: 'flag' | 'text' | 'count' | 'list';
  /** What stands for the value in the usage line. */
  readonly value?: string;
  readonly help: string;
  readonly min?: number;
  readonly choices?: readonly string[];
}
export type OptionTable = { readonly [name: string]: OptionSpec };

type ValueOf<S extends OptionSpec> = S['kind'] extends 'flag'
  ? boolean
  : S['kind'] extends 'count'
    ? number | undefined
    : S['kind'] extends 'list'
      ? readonly string[]
      : string | undefined;

export interface Parsed<T extends OptionTable> {
  readonly options: { readonly [K in keyof T]: ValueOf<T[K]> };
  readonly rest: readonly string[];
}

function count(name: string, text: string, min: number): number {
  // 5e5 and 500_000 are how people write budgets.
  const value = Number(text.replaceAll('_', ''));
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < min) {
    throw new UsageError(`--${name} must be an integer of at least ${min}, not "${text}".`);
  }
  return value;
}

/** Settings by their own name, where a command takes `--set`: `--env.mass 0.5..2`. */
const settingsIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg) => /^--((?:env|algo|run)\.[^=]+)/.exec(arg)?.[1] ?? []);

export function parseOptions<const T extends OptionTable>(args: readonly string[], table: T): Parsed<T> {
  const values: Record<string, boolean | number | string | string[] | undefined> = {};
  for (const [name, spec] of Object.entries(table)) values[name] = spec.kind === 'flag' ? false : spec.kind === 'list' ? [] : undefined;
  const settings = table.set?.kind === 'list' ? settingsIn(args) : [];
  // Not strict: node:util would answer a wrong argument in words of its own, without saying what is allowed.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries([
      ...Object.entries(table).map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string', multiple: true }] as const),
      ...settings.map((name) => [name, { type: 'string', multiple: true }] as const),
    ]),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value: text } = token;
    const { set } = values;
    if (settings.includes(name) && Array.isArray(set)) {
      if (text === undefined) throw new UsageError(`--${name} needs a value: --${name} VALUE.`);
      set.push(`${name}=${text}`);
      continue;
    }
    const spec = token.rawName.startsWith('--') && Object.hasOwn(table, name) ? table[name] : undefined;
    if (!spec) {
      const known = Object.keys(table).map((option) => `--${option}`);
      const like = nearest(token.rawName, known);
      throw new UsageError(
        `There is no option ${token.rawName.slice(0, 80)} here. ${like.length > 0 ? `Did you mean ${like.join(' or ')}?` : `Use any of: ${known.join(', ')}.`}`,
      );
    }
    if (spec.kind === 'flag') {
      if (text !== undefined) throw new UsageError(`--${name} takes no value.`);
      values[name] = true;
      continue;
    }
    if (text === undefined) throw new UsageError(`--${name} needs a value: --${name} ${spec.value ?? 'VALUE'}.`);
    if (spec.choices && !spec.choices.includes(text))
      throw new UsageError(`--${name} must be one of ${spec.choices.join(', ')}, not "${text}".`);
    const before = values[name];
    if (Array.isArray(before)) before.push(text);
    else if (before !== undefined) throw new UsageError(`--${name} was given twice.`);
    else values[name] = spec.kind === 'count' ? count(name, text, spec.min ?? 0) : text;
  }
  return { options: values as Parsed<T>['options'], rest };
}

/** The options of a command, one line each. */
export function describeOptions(table: OptionTable): string {
  const left = Object.entries(table).map(([name, spec]) => `  --${name}${spec.kind === 'flag' ? '' : ` ${spec.value ?? 'VALUE'}`}`);
  const width = Math.max(0, ...left.map((text) => text.length));
  return Object.values(table)
    .map((spec, i) => `${(left[i] as string).padEnd(width)}  ${spec.help}`)
    .join('\n');
}
