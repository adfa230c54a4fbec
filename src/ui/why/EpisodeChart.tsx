/** How the shown numbers went along the episode: at most 300 points and five lines, redrawn at most twice a second, no animation. */
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { measure } from '../format/numbers.ts';

export interface ChartRow {
  readonly t: number;
  readonly [series: string]: number;
}

interface Props {
  readonly rows: readonly ChartRow[];
  readonly series: readonly { readonly key: string; readonly colour: string; readonly dash: string; readonly strong: boolean }[];
  readonly t: number;
  readonly range: readonly [number, number] | null;
}

const AXIS = { stroke: 'var(--line)', tick: { fill: 'var(--muted)', fontSize: 11 }, tickLine: false } as const;

export function EpisodeChart({ rows, series, t, range }: Props) {
  return (
    <ResponsiveContainer width="100%" height={112}>
      <LineChart data={[...rows]} margin={{ top: 6, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="t" type="number" domain={['dataMin', 'dataMax']} height={20} {...AXIS} />
        <YAxis
          width={38}
          domain={range === null ? ['auto', 'auto'] : [...range]}
          tickCount={3}
          tickFormatter={(v: number) => measure(v, 3)}
          {...AXIS}
        />
        <ReferenceLine x={t} stroke="var(--line-strong)" />
        {series.map(({ key, colour, dash, strong }) => (
          <Line
            key={key}
            dataKey={key}
            stroke={colour}
            strokeDasharray={dash}
            strokeWidth={strong ? 2 : 1.25}
            dot={false}
            isAnimationActive={false}
            connectNulls
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
