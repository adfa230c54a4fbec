/**
 * Reads command-line arguments against a small table, so that every wrong one gets a line saying what is allowed.
 * `--name value` and `--name=value` are the same. Throws UsageError.
 */
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

export function parseOptions<const T extends OptionTable>(args: readonly string[], table: T): Parsed<T> {
  const values: Record<string, boolean | number | string | string[] | undefined> = {};
  for (const [name, spec] of Object.entries(table)) values[name] = spec.kind === 'flag' ? false : spec.kind === 'list' ? [] : undefined;
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (!arg.startsWith('--') || arg === '--') {
      if (arg !== '--') rest.push(arg);
      continue;
    }
    const at = arg.indexOf('=');
    const name = at < 0 ? arg.slice(2) : arg.slice(2, at);
    const spec = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!spec)
      throw new UsageError(
        `There is no option --${name} here. Use any of: ${Object.keys(table)
          .map((known) => `--${known}`)
          .join(', ')}.`,
      );
    if (spec.kind === 'flag') {
      if (at >= 0) throw new UsageError(`--${name} takes no value.`);
      values[name] = true;
      continue;
    }
    const text = at >= 0 ? arg.slice(at + 1) : args[++i];
    if (text === undefined) throw new UsageError(`--${name} needs a value: --${name} ${spec.value ?? 'VALUE'}.`);
    if (spec.choices && !spec.choices.includes(text))
      throw new UsageError(`--${name} must be one of ${spec.choices.join(', ')}, not "${text}".`);
    if (spec.kind === 'list') (values[name] as string[]).push(text);
    else if (values[name] !== undefined) throw new UsageError(`--${name} was given twice.`);
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
