/**
 * Small, static and teaching charts as data: lines over x with bands, intervals and markers, and histograms. recharts draws them
 * (recharts.tsx, loaded with the first chart); live and long curves are drawn by uPlot (ui/curves).
 * Limits of recharts as measured: 300 points x 5 series, two updates a second, no animation. Callers thin with `mostPoints`.
 * Drawn by hand, because recharts here has neither pointer nor focus and redraws slowly: charts that are read off, pressed or dragged (papers,
 * trade-offs, ratings, lanes of explanations, sketches of lessons), that grow with every update of three runs (own code), pages of reports
 * without React, and pictures without axes (flows, heat, networks, parallel coordinates).
 */

const MOST_POINTS = 300;
const MOST_VALUES = 5 * MOST_POINTS;

/** Points that each of so many series may have. */
export function mostPoints(series: number): number {
  return Math.max(2, Math.min(MOST_POINTS, Math.floor(MOST_VALUES / Math.max(1, series))));
}

/** One place on the x axis: a number per series, [low, high] per band, [below, above] per interval. NaN leaves a gap. */
export interface ChartRow {
  readonly x: number;
  readonly [key: string]: number | readonly [number, number];
}

export interface LineSeries {
  /** Column of the rows. */
  readonly key: string;
  readonly colour: string;
  /** As in SVG; '' is a full line. */
  readonly dash?: string;
  readonly width?: number;
  /** Column of [low, high]: a shaded band. */
  readonly band?: string;
  /** Column of [below, above], distances from the value: a vertical line through each point, which gets a dot. */
  readonly interval?: string;
  /** A figure (curves/shapes.ts) at these rows, so that colour is not all that tells series apart. */
  readonly marker?: { readonly shape: number; readonly rows: readonly number[] };
  /** Stands behind the last point. */
  readonly name?: string;
}

export interface ChartAxis {
  /** data: from the least to the greatest value; round: the same, widened to round numbers. */
  readonly domain: readonly [number, number] | 'data' | 'round';
  readonly log?: boolean;
  readonly ticks?: readonly number[];
  /** How many ticks are drawn, about, where `ticks` are not given. */
  readonly tickCount?: number;
  readonly format?: (value: number) => string;
  /** px kept for the axis; 0: not drawn. */
  readonly size: number;
}

export interface LineChartProps {
  /** What the picture shows, for those who do not see it; '' where words beside it say so already. */
  readonly label: string;
  readonly height: number;
  readonly rows: readonly ChartRow[];
  readonly series: readonly LineSeries[];
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  /** Lines across the chart at a value of x or y. */
  readonly rules?: readonly { readonly axis: 'x' | 'y'; readonly at: number }[];
  /** Horizontal lines at the ticks of y. */
  readonly grid?: boolean;
  /** px kept at the right, for names. */
  readonly right?: number;
}

export interface HistogramProps {
  readonly label: string;
  readonly height: number;
  readonly low: number;
  readonly high: number;
  /** Of equally wide bins from `low` to `high`. */
  readonly counts: readonly number[];
  /** Count at full height, so that histograms can be compared. */
  readonly most: number;
  readonly colour: string;
  /** A line at the mean, with its interval above. */
  readonly mean: number;
  readonly halfWidth: number;
  /** What a bar says when pointed at. */
  readonly title: (count: number) => string;
}
