/** How bandits look: levers in rows of at most eight, with bars that show what each pays, and the numbers that are shown before a pull. */
import type { TableLayout } from '#contract/game/frames.ts';

const PER_ROW = 8;
const APART = [1.6, 3.1] as const; // across, one row behind the other
const NUMBERS = { perRow: 5, wide: 1.9, deep: 0.6 } as const;

/**
 * One lever for each value with a bar of it, or so many without one where what they pay depends on what is shown; `sign` explains them. `shown`: names of the numbers, in
 * front of the levers and behind them in the columns of a frame.
 */
export function leverTable(
  paid: readonly number[] | { readonly levers: number },
  sign: string,
  shown: readonly string[] = [],
): TableLayout {
  const values = 'levers' in paid ? Array.from({ length: paid.levers }, () => null) : paid;
  const known = values.filter((value) => value !== null);
  const rows = Math.ceil(values.length / PER_ROW);
  const columns = Math.ceil(values.length / rows);
  const front = -(rows - 1) / 2;
  const low = Math.min(0, ...known);
  const span = Math.max(1, ...known) - low;
  const lines = Math.ceil(shown.length / NUMBERS.perRow);
  const across = Math.ceil(shown.length / Math.max(1, lines));
  const half = Math.max((columns / 2) * APART[0], (across / 2) * NUMBERS.wide) + 0.3;
  const first = (front - 0.62) * APART[1];
  return {
    kind: 'table',
    items: [
      ...values.map((value, i) => ({
        kind: 'lever' as const,
        x: ((i % columns) - (columns - 1) / 2) * APART[0],
        y: 0 - (Math.floor(i / columns) + front) * APART[1], // never -0, which JSON does not know
        name: String(i + 1),
        ...(value !== null && { worth: (value - low) / span, mean: String(Number(value.toFixed(2))) }),
      })),
      { kind: 'sign' as const, x: 0, y: (front - 0.42) * APART[1], text: sign },
      ...shown.map((label, i) => ({
        kind: 'number' as const,
        x: ((i % across) - (across - 1) / 2) * NUMBERS.wide,
        y: first - Math.floor(i / across) * NUMBERS.deep,
        label,
        digits: 2,
      })),
    ],
    bounds: [-half, shown.length === 0 ? (front - 0.55) * APART[1] : first - (lines - 0.5) * NUMBERS.deep, half, (0.3 - front) * APART[1]],
  };
}
