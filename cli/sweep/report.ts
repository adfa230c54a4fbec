/** What a sweep found, for people and as files. */
import { csvCell } from '#contract/csv.ts';
import type { Sweep } from '#contract/sweep.ts';
import { importance } from '#math/search/importance.ts';
import { interval95, summariseSeeds } from '#math/seeds.ts';
import { mean } from '#math/stats.ts';
import { number, table } from '../output.ts';
import type { Reported, Setup, Swept } from './run.ts';

export interface FieldImportance {
  readonly field: string;
  readonly share: number;
  readonly interval: readonly [number, number] | null;
}

/** Of each field, over all set-ups after the first round. */
export function importances(sweep: Sweep, { setups }: Swept): readonly FieldImportance[] {
  const comparable = setups.filter((setup): setup is Setup & { first: number } => setup.first !== null);
  const found = importance(
    sweep.dimensions,
    comparable.map(({ point }) => point),
    comparable.map(({ first }) => first),
  );
  return sweep.names.map((field, d) => ({ field, ...(found[d] ?? { share: 0, interval: null }) }));
}

export interface Verdict {
  readonly text: string;
  /** Mean of the paired differences, best less base, and its 95 % interval; null below five pairs. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly pairs: number;
}

/** The best set-up against the config as it stands, on seeds that neither was chosen on. No winner where the interval holds 0. */
export function verdictOf(sweep: Sweep, { seeds, best, base }: Reported): Verdict {
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

function importanceText({ share, interval }: FieldImportance): string[] {
  const percent = (value: number): string => String(Math.round(100 * value));
  if (interval === null) return [`${percent(share)} %`, 'too few set-ups for an interval'];
  const low = Math.max(0, interval[0]);
  return [`${percent(share)} %`, `${percent(low)} to ${percent(interval[1])} %${interval[0] <= 0 ? ', may be nothing' : ''}`];
}

/** The whole report as text: set-ups best first, what each field explains, and the verdict. */
export function sweepText(sweep: Sweep, swept: Swept): string {
  const sign = sweep.better === 'more' ? 1 : -1;
  const order = swept.setups.toSorted(
    (a, b) => b.steps - a.steps || (a.score === null ? 1 : 0) - (b.score === null ? 1 : 0) || sign * ((b.score ?? 0) - (a.score ?? 0)),
  );
  const lines = [
    table(
      ['set-up', ...sweep.names, sweep.quantity.title, 'lowest seed', 'highest seed', 'steps'],
      order.map(({ number: place, values, scores, score, steps }) => {
        const known = scores.filter((value) => value !== null);
        const ends = known.length === 0 ? ['-', '-'] : [number(Math.min(...known)), number(Math.max(...known))];
        return [String(place), ...sweep.names.map((name) => String(values[name])), number(score), ...ends, number(steps)];
      }),
    ),
    '',
    'How much of the spread each field explains by itself:',
    table(
      ['field', 'share', '95 % interval'],
      importances(sweep, swept).map((found) => [found.field, ...importanceText(found)]),
    ),
  ];
  const { best, reported } = swept;
  if (best === null) lines.push('', 'No set-up was measured on all of its seeds.');
  else
    lines.push(
      '',
      `Best on the tuning seeds: set-up ${best.number}, ${sweep.names.map((name) => `${name} ${String(best.values[name])}`).join(', ')}.`,
    );
  if (reported !== null) {
    for (const [name, scores] of [
      ['best', reported.best],
      ['as it stands', reported.base],
    ] as const) {
      const { iqm, ci95 } = summariseSeeds(scores);
      lines.push(`  ${name}: IQM ${number(iqm)}${ci95 ? ` [${number(ci95[0])}, ${number(ci95[1])}]` : ''}`);
    }
    lines.push(verdictOf(sweep, reported).text);
  }
  return lines.join('\n');
}

/** One row a set-up and tuning seed. */
export function sweepCsv(sweep: Sweep, { setups }: Swept, seeds: readonly number[]): string {
  const header = ['setup', ...sweep.names, 'steps', 'seed', 'score'];
  const rows = setups.flatMap(({ number: place, values, scores, steps }) =>
    scores.map((score, i) => [place, ...sweep.names.map((name) => values[name]), steps, seeds[i], score ?? '']),
  );
  return `${[header, ...rows].map((row) => row.map((cell) => csvCell(String(cell))).join(',')).join('\n')}\n`;
}
