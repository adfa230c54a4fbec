/** What a sweep found, the same in every room: how much each field explains, the verdict on fresh seeds, and its table as CSV. */
import { importance } from '#math/search/importance.ts';
import type { Value } from '#math/search/space.ts';
import { interval95, summariseSeeds } from '#math/seeds.ts';
import { mean } from '#math/stats.ts';
import { csvCell } from '../kit/csv.ts';
import { groupBy } from '../kit/group-by.ts';
import { objectOf } from '../kit/json.ts';
import { listed } from '../kit/listed.ts';
import { number } from '../kit/numbers.ts';
import { judgeGroups, type Sample, type Standing } from './comparison.ts';
import type { ContrastArm, Reported, Setup, Swept } from './run.ts';
import { type Sweep, valueWord } from './sweep.ts';

export interface FieldImportance {
  readonly field: string;
  /** null: it cannot be told. */
  readonly share: number | null;
  readonly interval: readonly [number, number] | null;
}

/** Of each field, over all set-ups after the first round in which it acts. */
export function importances(sweep: Sweep, { setups }: Pick<Swept, 'setups'>): readonly FieldImportance[] {
  const comparable = setups.filter((setup): setup is Setup & { first: number } => setup.first !== null);
  return sweep.names.map((field, d) => {
    const acting = comparable.filter(({ values }) => field in values);
    const [found = { share: null, interval: null }] = importance(
      sweep.dimensions.slice(d, d + 1),
      acting.map(({ point }) => point.slice(d, d + 1)),
      acting.map(({ first }) => first),
    );
    return { field, ...found };
  });
}

/** How many set-ups stand behind each of several that are compared, where these are not as many; "" where all are tuned alike. */
export function tuningText(tuned: readonly { readonly name: string; readonly setups: number }[]): string {
  if (new Set(tuned.map(({ setups }) => setups)).size < 2) return '';
  const each = tuned.map(({ name, setups }) => `${name} the best of ${setups}`);
  return `Not tuned alike, because set-ups that cannot differ are run once: ${listed(each)}.`;
}

/** The contrasted values with the number of set-ups that have each. */
export const tunedValues = (
  { contrast = '' }: Pick<Sweep, 'contrast'>,
  arms: readonly ContrastArm[],
  setups: readonly Pick<Setup, 'values'>[],
  text: (value: Value) => string = valueWord,
) => arms.map(({ value }) => ({ name: text(value), setups: setups.filter(({ values }) => values[contrast] === value).length }));

/** How many runs were ended early, in a sentence; "" where none was. */
export function prunedText(
  { prune, seeds }: Pick<Sweep, 'prune' | 'seeds'>,
  setups: readonly Pick<Setup, 'pruned'>[],
  setup = 'set-ups',
): string {
  const behind = setups.filter(({ pruned = [] }) => pruned.length > 0);
  if (prune === undefined || behind.length === 0) return '';
  const count = behind.reduce((sum, { pruned = [] }) => sum + pruned.length, 0);
  const shares = listed(prune.at.map((share) => `${number(100 * share)} %`));
  const runs = `${count} of ${setups.length * seeds.tuning} runs`;
  return `Ended early: ${runs}, of ${behind.length} of ${setups.length} ${setup}, at ${shares} of the steps, where ${prune.metric} was not among the best ${number(100 * prune.keep)} % on its seed. They have no score, and shares of fields are over the others.`;
}

export interface Verdict {
  readonly text: string;
  /** Mean of the paired differences, best less base, and its 95 % interval; null below five pairs. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly pairs: number;
}

/**
 * The best set-up against the config as it stands, on seeds that neither was chosen on. No winner where the interval holds 0. null where
 * values were contrasted instead.
 */
export function verdictOf(sweep: Sweep, { seeds, best, base }: Reported): Verdict | null {
  if (base === null) return null;
  const differences = seeds.flatMap((_, i) => {
    const [a, b] = [best[i] ?? null, base[i] ?? null];
    return a === null || b === null ? [] : [a - b];
  });
  const pairs = differences.length;
  const difference = pairs === 0 ? null : mean(differences);
  const interval = interval95(differences);
  const title = sweep.quantity.title;
  if (difference === null) return { text: 'No pair of runs measured it.', difference, interval: null, pairs };
  if (interval === null)
    return {
      text: `${title}: ${number(difference)} apart on ${pairs} seeds; an interval needs five (seeds.reporting).`,
      difference,
      interval,
      pairs,
    };
  const range = `${number(difference)} [${number(interval[0])}, ${number(interval[1])}], ${pairs} fresh seeds`;
  if (interval[0] <= 0 && interval[1] >= 0)
    return { text: `The best set-up cannot be told from the config as it stands: ${title} ${range}.`, difference, interval, pairs };
  const wins = difference > 0 === (sweep.better === 'more');
  return {
    text: `The best set-up is ${wins ? 'better' : 'worse'} than the config as it stands: ${title} ${range}.`,
    difference,
    interval,
    pairs,
  };
}

/** What was found in one environment: of each contrasted value, or of each method. */
export interface ContrastedIn {
  /** Title or name of the environment. */
  readonly env: string;
  readonly arms: readonly ContrastArm[];
}

/** Contrasted values, or methods, on the same fresh seeds, over one environment or several (comparison.ts). `text`: how a value is called. */
export function contrastsOver(
  found: readonly ContrastedIn[],
  better: Sweep['better'],
  text: (value: Value) => string = valueWord,
): Standing {
  const samples = new Map<string, Map<string, readonly number[]>>();
  for (const { env, arms } of found)
    for (const { value, scores } of arms) {
      const name = text(value);
      const tasks = samples.get(name) ?? new Map<string, readonly number[]>();
      samples.set(
        name,
        tasks.set(
          env,
          scores.filter((score) => score !== null),
        ),
      );
    }
  return judgeGroups(
    [...samples].map(([name, tasks]): Sample => ({ name, tasks })),
    better,
  );
}

/** What a method is called: by title, unless its file gives it a name. */
export function methodName({ method = '', config }: Pick<Sweep, 'method' | 'config'>, titleOf: (id: string) => string): string {
  const { id } = objectOf(config.algo);
  return method === id ? titleOf(method) : method;
}

/** The sweep of one method in one environment, as far as it has come. */
export interface MethodIn {
  readonly env: string;
  readonly method: string;
  readonly best: Pick<Setup, 'number'> | null;
  readonly reported: Pick<Reported, 'best'> | null;
}

/** The methods of every environment, each by its best set-up, in the order in which they are given. */
export function methodsIn(parts: readonly MethodIn[]): readonly ContrastedIn[] {
  return [...groupBy(parts, ({ env }) => env)].map(([env, own]) => ({
    env,
    arms: own.map(({ method, best, reported }) => ({ value: method, setup: best?.number ?? null, scores: reported?.best ?? [] })),
  }));
}

/** One row a set-up and tuning seed. */
export function sweepCsv(
  sweep: Sweep,
  { setups }: { readonly setups: readonly Pick<Setup, 'number' | 'values' | 'scores' | 'steps' | 'pruned'>[] },
  seeds: readonly number[],
): string {
  const early = sweep.prune !== undefined;
  const header = ['setup', ...sweep.names, 'steps', 'seed', 'score', ...(early ? ['ended'] : [])];
  const rows = setups.flatMap(({ number: place, values, scores, steps, pruned = [] }) =>
    scores.map((score, i) => {
      const ended = early ? [pruned.find(({ seed }) => seed === seeds[i])?.step ?? ''] : [];
      return [place, ...sweep.names.map((name) => cellOf(values[name])), steps, seeds[i] ?? '', score ?? '', ...ended];
    }),
  );
  return `${[header, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}

/** A searched value as `csvCell` takes it; "" where there is none. */
export const cellOf = (value: Value | undefined): string | number =>
  value === undefined ? '' : typeof value === 'number' ? value : valueWord(value);

/** Scores of one set-up by seed as their interquartile mean and its interval, where there are enough of them for one. */
export function iqmText(scores: readonly (number | null)[]): string {
  const { iqm, ci95 } = summariseSeeds(scores);
  return `${number(iqm)}${ci95 === null ? '' : ` [${number(ci95[0])}, ${number(ci95[1])}]`}`;
}
