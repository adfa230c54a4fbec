/**
 * Numbers as this page writes them: four significant figures, k and M after a thin space, powers of ten for the very small and
 * the very large, m:ss for time. And the way back: what a person types, "3e-4", "1.2 M", "50k".
 */
import { compact as plainCompact, measure as plainMeasure, significant } from '#contract/kit/numbers.ts';
import { locale } from '#text/text.ts';

const NARROW = '\u202f';

export { significant };

/** By language: making a formatter takes a hundred times as long as using it, and tables write numbers in every frame. */
const marks: { [language: string]: string } = {};

/** The decimal mark of the language that is shown. Groups and powers look the same in all. */
const decimalMark = (): string =>
  (marks[locale()] ??= new Intl.NumberFormat(locale()).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.');

/** A written number with that mark; no digit changes. */
export const marked = (text: string): string => (locale() === 'en' ? text : text.replace(/(\d)\.(\d)/g, `$1${decimalMark()}$2`));

export const compact = (...given: Parameters<typeof plainCompact>): string => marked(plainCompact(...given));
export const measure = (...given: Parameters<typeof plainMeasure>): string => marked(plainMeasure(...given));

/**
 * How numbers that stand beside each other are written: all with the decimals that the one of them with most has, so that the largest keeps
 * four significant figures. Very small and very large ones are written as `measure` does.
 */
export function alike(values: readonly number[]): (value: number) => string {
  const largest = Math.max(0, ...values.map(Math.abs));
  const most = largest < 1 ? 4 : Math.max(0, 4 - String(Math.trunc(largest)).length);
  const places = Math.max(0, ...values.map((value) => significant(value, 4).split('.')[1]?.length ?? 0));
  const decimals = Math.min(places, most);
  return (value) =>
    largest < 1e-3 || largest >= 1e7
      ? measure(value)
      : marked(
          value
            .toFixed(decimals)
            .replace(/^-(?=.*[1-9])/, '−')
            .replace(/^-/, ''),
        );
}

/** Hundredths with their sign, which stays with them at the end of a line; Chinese writes no space between them. */
export const percent = (hundredths: number | string): string =>
  `${marked(String(hundredths))}${locale().startsWith('zh') ? '' : '\u00a0'}%`;

/** What stands in a field: the shortest text that reads back as the same number. */
export function editable(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e15)) return value.toExponential().replace('e+', 'e');
  return String(value);
}

/** Seconds as "0:06", "12:40", "3:02:10". */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  const whole = Math.round(seconds);
  const s = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${s}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${s}`;
}

export function bytes(count: number): string {
  if (!Number.isFinite(count)) return '–';
  if (count < 1000) return `${Math.round(count)}${NARROW}B`;
  if (count < 999_500) return `${significant(count / 1e3, 3)}${NARROW}kB`;
  if (count < 999_500_000) return `${significant(count / 1e6, 3)}${NARROW}MB`;
  return `${significant(count / 1e9, 3)}${NARROW}GB`;
}

const SCALE: { readonly [suffix: string]: number } = { k: 1e3, m: 1e6, g: 1e9, b: 1e9, '%': 0.01 };

/** "3e-4", "1.2 M", "50k", "−5", "1,000,000" -> number; anything else -> NaN. */
export function parseNumber(text: string): number {
  // Where the decimal mark is a comma a single one is that; several, or one in English, group thousands.
  const decimal = decimalMark() === ',' && /^[^,]*,[^,]*$/.test(text) ? text.replace(',', '.') : text;
  const plain = decimal
    .trim()
    .replaceAll('−', '-')
    .replace(/[\s_\u202f']/g, '')
    .replace(/,(?=\d{3}(\D|$))/g, '');
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kmgb%]?)$/i.exec(plain);
  if (found === null) return Number.NaN;
  const scale = found[2] === undefined || found[2] === '' ? 1 : SCALE[found[2].toLowerCase()]!;
  return Number(found[1]) * scale;
}
