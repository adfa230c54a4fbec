/** The charts of types.ts drawn by recharts: the only file that imports it. No animation, no tooltips, nothing to focus. */
import {
  Area,
  Bar,
  BarChart,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  ErrorBar,
  LabelList,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import { shapeAt } from './shapes.ts';
import type { ChartAxis, HistogramProps, LineChartProps, LineSeries } from './types.ts';

const AXIS = {
  stroke: 'var(--line)',
  tick: { fill: 'var(--muted)', fontSize: 11 },
  tickLine: false,
  type: 'number',
  allowDataOverflow: true,
} as const;
const STILL = { isAnimationActive: false } as const;
/** Nothing lights up under the pointer. */
const STATIC = { ...STILL, activeDot: false } as const;
/** Charts have no vertical grid lines. Without this recharts measures the labels of the x axis in the page at each drawing to place them. */
const NO_LINES = (): number[] => [];
/** px: names nearer to each other than this would lie on one another; the later ones are left out. */
const NAME = 13;

function axisProps({ domain, log, ticks, tickCount, format, size }: ChartAxis) {
  return {
    ...AXIS,
    hide: size === 0,
    domain: domain === 'data' ? ['dataMin', 'dataMax'] : domain === 'round' ? ['auto', 'auto'] : [...domain],
    ...(log === true && { scale: 'log' as const }),
    ...(ticks !== undefined && { ticks: [...ticks] }),
    ...(tickCount !== undefined && { tickCount }),
    ...(format !== undefined && { tickFormatter: format }),
  };
}

export function Lines({ height, rows, series, x, y, rules = [], grid = false, right = 8 }: LineChartProps) {
  const named: number[] = [];
  /** Where a name may stand: not on one that is there already. */
  const free = (at: number): boolean => {
    if (named.some((other) => Math.abs(other - at) < NAME)) return false;
    named.push(at);
    return true;
  };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={[...rows]} margin={{ top: 6, right, bottom: x.size === 0 ? 4 : 0, left: 0 }} accessibilityLayer={false}>
        {grid && <CartesianGrid vertical={false} verticalCoordinatesGenerator={NO_LINES} stroke="var(--line)" />}
        <XAxis dataKey="x" height={x.size} {...axisProps(x)} />
        <YAxis width={y.size} {...axisProps(y)} />
        {rules.map(({ axis, at }) => (
          <ReferenceLine key={`${axis}${at}`} {...{ [axis]: at }} stroke="var(--line-strong)" />
        ))}
        {series.flatMap(({ band, colour }) =>
          band === undefined ? [] : <Area key={band} dataKey={band} stroke="none" fill={colour} fillOpacity={0.16} {...STATIC} />,
        )}
        {series.map((one) => (
          <Line
            key={one.key}
            type="linear"
            dataKey={one.key}
            stroke={one.colour}
            strokeDasharray={one.dash ?? ''}
            strokeWidth={one.width ?? 1.5}
            dot={dotOf(one)}
            connectNulls
            {...STATIC}
          >
            {one.interval !== undefined && <ErrorBar dataKey={one.interval} width={0} stroke={one.colour} strokeOpacity={0.5} {...STILL} />}
            {one.name !== undefined && (
              <LabelList
                dataKey={one.key}
                content={({ index, x: left, y: top }) =>
                  index === rows.length - 1 && free(Number(top)) ? (
                    <text x={Number(left) + 7} y={Number(top) + 4} fill={one.colour} fontSize={11} fontWeight={600}>
                      {one.name}
                    </text>
                  ) : null
                }
              />
            )}
          </Line>
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function dotOf({ interval, marker, colour }: LineSeries) {
  if (interval !== undefined) return { r: 2.5, fill: colour, stroke: 'none' };
  if (marker === undefined) return false;
  return ({ cx, cy, index, key }: DotItemDotProps) =>
    index !== undefined && cx !== undefined && cy !== undefined && marker.rows.includes(index) ? (
      <polygon key={key} fill={colour} points={shapeAt(marker.shape, cx, cy, 4).join(' ')} />
    ) : (
      <g key={key} />
    );
}

export function Bars({ height, low, high, counts, most, colour, mean, halfWidth, title }: HistogramProps) {
  const width = (high - low) / counts.length;
  const rows = counts.map((count, i) => ({ x: low + (i + 0.5) * width, count }));
  const half = Number.isFinite(halfWidth) ? halfWidth : 0;
  const strong = { stroke: 'var(--text)', strokeWidth: 1.5 } as const;
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart data={rows} margin={{ top: 4, right: 0, bottom: 0, left: 0 }} barCategoryGap={1} accessibilityLayer={false}>
        <XAxis dataKey="x" {...axisProps({ domain: [low, high], size: 0 })} padding="no-gap" />
        <YAxis {...axisProps({ domain: [0, most], size: 0 })} />
        <Bar
          dataKey="count"
          fill={colour}
          fillOpacity={0.75}
          {...STILL}
          shape={({ x, y, width: wide, height: tall, value }) => (
            <rect x={x} y={y} width={Math.max(0.5, Number(wide))} height={tall} fill={colour} fillOpacity={0.75}>
              <title>{title(Number(Array.isArray(value) ? value[1] : value))}</title>
            </rect>
          )}
        />
        <ReferenceLine x={mean} {...strong} />
        <ReferenceLine
          segment={[
            { x: mean - half, y: most },
            { x: mean + half, y: most },
          ]}
          {...strong}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}
