/** How bandits look: levers in rows of at most eight, with bars that show what each pays. */
import type { TableLayout } from '#contract/game/frames.ts';

const PER_ROW = 8;
const APART = [1.6, 3.1] as const; // across, one row behind the other

/** One lever for each value; `sign` explains the bars. */
export function leverTable(values: readonly number[], sign: string): TableLayout {
  const rows = Math.ceil(values.length / PER_ROW);
  const columns = Math.ceil(values.length / rows);
  const front = -(rows - 1) / 2;
  const low = Math.min(0, ...values);
  const span = Math.max(1, ...values) - low;
  return {
    kind: 'table',
    items: [
      ...values.map((value, i) => ({
        kind: 'lever' as const,
        x: ((i % columns) - (columns - 1) / 2) * APART[0],
        y: 0 - (Math.floor(i / columns) + front) * APART[1], // never -0, which JSON does not know
        name: String(i + 1),
        worth: (value - low) / span,
        mean: String(Number(value.toFixed(2))),
      })),
      { kind: 'sign' as const, x: 0, y: (front - 0.42) * APART[1], text: sign },
    ],
    bounds: [-(columns / 2) * APART[0] - 0.3, (front - 0.55) * APART[1], (columns / 2) * APART[0] + 0.3, (0.3 - front) * APART[1]],
  };
}
