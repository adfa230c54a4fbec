/** Numbers as pages and reports write them: four significant figures, k and M after a thin space, powers of ten for the very small and the very large. */
const NARROW = '\u202f';

/** 1234567 -> "1.23 M"; `digits` significant figures. For counts: steps, bytes excepted. */
export function compact(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 999_500_000) return `${significant(value / 1e9, digits)}${NARROW}G`;
  if (size >= 999_500) return `${significant(value / 1e6, digits)}${NARROW}M`;
  if (size >= 10_000) return `${significant(value / 1e3, digits)}${NARROW}k`;
  if (size >= 1000) return String(Math.round(value)).replace(/\d{3}$/, `${NARROW}$&`);
  return significant(value, digits);
}

/** Rounded to significant figures, without exponent and without trailing noughts. */
export function significant(value: number, digits: number): string {
  if (value === 0) return '0';
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return String(Number(value.toFixed(Math.min(places, 12))));
}

/** A measured quantity: "0.744", "−13", "487.3", "3.2e-5"; the sign is a minus, that of a power of ten is a hyphen, as it is typed. */
export function measure(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e7) ? value.toExponential(Math.max(0, digits - 2)) : significant(value, digits);
  return text.replace(/^-/, '−').replace('e+', 'e');
}

/** As the command line writes numbers: 1234567 -> "1,234,567"; a fraction gets at most four decimals; what is not a number is a dash. */
export function number(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '-';
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 100 ? 1 : 4 });
}
