/** What a sweep found, as the command line prints it. */

import { csvCell } from '#contract/kit/csv.ts';
import type { Standing } from '#contract/sweep/comparison.ts';
import { leftOutTexts } from '#contract/sweep/differing.ts';
import {
  type ContrastedIn,
  cellOf,
  contrastsOver,
  type FieldImportance,
  importances,
  iqmText,
  type MethodIn,
  prunedText,
  tunedValues,
  tuningText,
  verdictOf,
} from '#contract/sweep/report.ts';
import type { ContrastArm, Setup, Swept } from '#contract/sweep/run.ts';
import { type Sweep, valueWord } from '#contract/sweep/sweep.ts';
import { number, table } from '../kit/output.ts';

function importanceText({ share, interval }: FieldImportance): string[] {
  const percent = (value: number): string => String(Math.round(100 * value));
  if (share === null) return ['cannot be told', 'no value has several set-ups'];
  if (interval === null) return [share <= 0 ? 'about 0 %' : `${percent(share)} %`, 'too few set-ups for an interval'];
  const low = Math.max(0, interval[0]);
  return [
    share <= 0 ? 'about 0 %' : `${percent(share)} %`,
    `${percent(low)} to ${percent(interval[1])} %${interval[0] <= 0 ? ', may be nothing' : ''}`,
  ];
}

/** The values of these fields as far as they act. */
const wordsOf = (values: Setup['values'], names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (name in values ? [`${name} ${valueWord(values[name])}`] : []));

/** The whole report as text: set-ups best first, what each field explains, and the verdict. */
export function sweepText(sweep: Sweep, swept: Swept): string {
  const sign = sweep.better === 'more' ? 1 : -1;
  const order = swept.setups.toSorted(
    (a, b) => b.steps - a.steps || (a.score === null ? 1 : 0) - (b.score === null ? 1 : 0) || sign * ((b.score ?? 0) - (a.score ?? 0)),
  );
  const lines = [
    table(
      ['set-up', ...sweep.names, sweep.quantity.title, 'lowest seed', 'highest seed', 'steps'],
      order.map(({ number: place, values, scores, score, steps, pruned }) => {
        const known = scores.filter((value) => value !== null);
        const ends = known.length === 0 ? ['-', '-'] : [number(Math.min(...known)), number(Math.max(...known))];
        return [
          String(place),
          ...sweep.names.map((name) => valueWord(values[name])),
          pruned === undefined ? number(score) : 'ended early',
          ...ends,
          number(steps),
        ];
      }),
    ),
  ];
  lines.push(...leftOutTexts(swept.left ?? []), ...[prunedText(sweep, swept.setups)].filter((text) => text !== ''));
  if (sweep.names.length > 0)
    lines.push(
      '',
      'How much of the spread each field explains by itself:',
      table(
        ['field', 'share', '95 % interval'],
        importances(sweep, swept).map((found) => [found.field, ...importanceText(found)]),
      ),
    );
  const { best, reported } = swept;
  if (best === null) lines.push('', 'No set-up was measured on all of its seeds.');
  else lines.push('', `Best on the tuning seeds: ${[`set-up ${best.number}`, ...wordsOf(best.values, sweep.names)].join(', ')}.`);
  if (reported?.arms !== undefined) lines.push(...armLines(sweep, swept, reported.arms));
  else if (reported !== null) {
    lines.push(`  best: IQM ${iqmText(reported.best)}`);
    if (reported.base !== null) lines.push(`  as it stands: IQM ${iqmText(reported.base)}`, verdictOf(sweep, reported)?.text ?? '');
  }
  return lines.join('\n');
}

/** Each contrasted value with the set-up that was best for it, on fresh seeds, and the conclusion on every two. */
function armLines(sweep: Sweep, { setups }: Swept, arms: readonly ContrastArm[]): readonly string[] {
  const others = sweep.names.filter((name) => name !== sweep.contrast);
  const words = ({ value, setup, scores }: ContrastArm): string => {
    const values = setups.find((one) => one.number === setup)?.values;
    const best = values === undefined ? 'not measured' : wordsOf(values, others).join(', ');
    return `  ${sweep.contrast} ${valueWord(value)}: IQM ${iqmText(scores)}${best === '' ? '' : `, with ${best}`}`;
  };
  const tuning = tuningText(tunedValues(sweep, arms, setups));
  return [
    `Each value by its own best set-up, on fresh seeds:`,
    ...arms.map(words),
    ...contrastLines(sweep, [{ env: '', arms }]),
    ...(tuning === '' ? [] : [`  ${tuning}`]),
  ];
}

/** The conclusions on contrasted values, over one environment or several. */
export const contrastLines = ({ contrast = '', better }: Sweep, found: readonly ContrastedIn[]): readonly string[] =>
  standingLines(contrastsOver(found, better, (value) => `${contrast} ${valueWord(value)}`));

/** The sentence about all, then one about every two where there are more than two. */
export function standingLines({ sentence, pairs, left }: Standing): readonly string[] {
  const others = pairs.length > 1 ? ['Every two:', ...pairs.map(({ text }) => `  ${text}`)] : [];
  return [`  ${sentence}`, ...others, ...(left > 0 ? [`  ${left} more pairs are not listed.`] : [])];
}

/** Every method by its best set-up on fresh seeds, environment by environment. */
export function methodsTable(parts: readonly MethodPart[]): string {
  return table(
    ['environment', 'method', 'IQM [95 %]', 'best set-up'],
    parts.map(({ env, method, best, reported }) => [
      env,
      method,
      iqmText(reported?.best ?? []),
      best === null
        ? 'not measured'
        : Object.entries(best.values)
            .map(([name, value]) => `${name} ${valueWord(value)}`)
            .join(', '),
    ]),
  );
}

/** The sweep of one method in one environment. */
export interface MethodPart extends MethodIn {
  readonly best: Setup | null;
}

/** One row an environment, contrasted value or method (`what`) and fresh seed. */
export function contrastCsv(found: readonly ContrastedIn[], seeds: readonly number[], what: 'value' | 'method'): string {
  const rows = found.flatMap(({ env, arms }) =>
    arms.flatMap(({ value, setup, scores }) => scores.map((score, i) => [env, cellOf(value), setup ?? '', seeds[i] ?? '', score ?? ''])),
  );
  const lines = [['environment', what, 'setup', 'seed', 'score'], ...rows];
  return `${lines.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}
