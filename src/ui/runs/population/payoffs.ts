/** What the table of a population shows: colours for scores, and what one member does against another in words. */
import type { PopulationReport } from '#contract/game/population.ts';
import { measure } from '#ui/kit/format/numbers.ts';

export interface Scale {
  /** Largest size of a score; colours are signed where scores are. */
  readonly most: number;
  readonly least: number;
  readonly signed: boolean;
}

export function scaleOf(payoffs: PopulationReport['payoffs']): Scale {
  const values = payoffs.flat().filter((v): v is number => v !== null);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const signed = least < 0 && most > 0;
  return signed ? { least: -Math.max(-least, most), most: Math.max(-least, most), signed } : { least, most, signed };
}

/** Percent of the colour at the largest score: on more of it the text would no longer be read. */
const STRONGEST = 60;

/** A token colour of a score: orange below 0, blue above; one hue where all scores have one sign. In percent, for color-mix. */
export function shadeOf(value: number, { least, most, signed }: Scale): { readonly token: string; readonly percent: number } {
  if (signed) return { token: value < 0 ? '--div-neg' : '--div-pos', percent: Math.round((STRONGEST * Math.abs(value)) / (most || 1)) };
  return { token: '--div-pos', percent: most > least ? Math.round(8 + ((STRONGEST - 8) * (value - least)) / (most - least)) : 30 };
}

/** "main 3 against start: 0.42 in 64 games; the other way round -0.4." */
export function pairInWords({ members, payoffs, games }: PopulationReport, row: number, column: number): string {
  const name = (i: number): string => members[i]?.id ?? String(i + 1);
  const value = payoffs[row]?.[column] ?? null;
  if (value === null) return `${name(row)} and ${name(column)} have not met.`;
  const count = games[row]?.[column] ?? 0;
  const sure = count === 0 ? 'exact' : count === 1 ? 'one game' : `${count.toLocaleString('en')} games`;
  const back = row === column ? null : (payoffs[column]?.[row] ?? null);
  return `${name(row)} against ${name(column)}: ${measure(value, 3)} (${sure})${back === null ? '.' : `; the other way round ${measure(back, 3)}.`}`;
}

/** Columns of a long history, about `most`, first and last among them. */
export function thin(count: number, most: number): readonly number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}
