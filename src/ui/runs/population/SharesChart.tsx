/** Shares of strategies over time, a line each with its figure and its name at the end. */
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import { SHAPE_COUNT } from '#ui/kit/charts/shapes.ts';
import { type ChartRow, mostPoints } from '#ui/kit/charts/types.ts';
import { compact, percent } from '#ui/kit/format/numbers.ts';
import { thin } from './payoffs.ts';

interface Props {
  readonly names: readonly string[];
  readonly states: readonly (readonly number[])[];
  readonly steps: readonly number[];
}

const HEIGHT = 180; // px
const NAMES = 96; // px
/** Figures on a line. */
const MARKERS = 4;

export function SharesChart({ names, states, steps }: Props) {
  const rows = thin(states.length, mostPoints(names.length)).map((at): ChartRow => {
    const row: { x: number; [key: string]: number } = { x: steps[at]! };
    states[at]!.forEach((share, i) => {
      row[`s${i}`] = share;
    });
    return row;
  });
  const last = states.at(-1) ?? [];
  const from = steps[0] ?? 0;
  return (
    <LineChart
      label={`Shares at the end: ${names.map((name, i) => `${name} ${percent(Math.round(100 * (last[i] ?? 0)))}`).join(', ')}.`}
      height={HEIGHT}
      rows={rows}
      series={names.map((name, i) => ({
        key: `s${i}`,
        colour: `var(--series-${i % 8})`,
        // each line has its figures at other places, so that coinciding lines stay distinguishable
        marker: {
          shape: i % SHAPE_COUNT,
          rows: Array.from({ length: MARKERS }, (_, k) => Math.round(((k + (i + 0.5) / names.length) / MARKERS) * (rows.length - 1))),
        },
        name,
      }))}
      x={{ domain: [from, Math.max(from + 1, steps.at(-1) ?? 1)], format: compact, size: 22 }}
      y={{ domain: [0, 1], ticks: [0, 0.5, 1], format: (share) => `${100 * share}\u202f%`, size: 40 }}
      right={NAMES}
      grid
    />
  );
}
