/** Learning curves of compared groups as one SVG: a panel for each environment, interquartile means with 95 % intervals, and the conclusions. */
import { curveOf, decimate } from '#claims/quantity.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { compact, measure } from '#contract/kit/numbers.ts';
import { algos } from '#core/algos/all.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { ticksIn } from '#report/ticks.ts';
import { type Cell, type Compared, scaleText } from './report.ts';

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#a3387a', '#b8860b', '#56a5d8', '#8c8c00', '#666666'];
const DASHES = ['', '7 3', '2 3', '8 3 2 3'];
const PANEL = { width: 360, height: 250, left: 66, top: 26, bottom: 44, right: 18 };
const EDGE = 20;
const LINE = 18;
/** Characters of a line of 11 px in one pixel of width. */
const CHARS = 1 / 5.8;

/** Text in XML, without what XML forbids. */
const inXml = (text: string): string =>
  text.replace(/\p{C}/gu, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Of a curve; several methods may report it. */
const metricTitle = (id: string): string => algos.flatMap(({ metrics }) => metrics).find((metric) => metric.id === id)?.title ?? id;

const words = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${more}>${inXml(text)}</text>`;

interface Point {
  readonly step: number;
  readonly middle: number;
  readonly interval: readonly [number, number];
}

/** The curve of a cell: where some run measured nothing yet there is no point. */
function pointsOf({ runs }: Cell, metric: string): readonly Point[] {
  const budget = Math.max(...runs.map(({ config }) => config.run.steps));
  const { steps, values } = decimate(
    runs.map(({ curves }) => curves.get(metric)),
    budget,
  );
  return steps.flatMap((step, i): Point[] => {
    const own = values.map((curve) => curve[i] ?? null);
    if (own.some((value) => value === null)) return [];
    const { iqm, ci95 } = summariseSeeds(own);
    return iqm === null ? [] : [{ step, middle: iqm, interval: ci95 ?? [iqm, iqm] }];
  });
}

interface Drawn {
  /** Place of its group, which has its colour and dashes. */
  readonly place: number;
  readonly points: readonly { readonly x: number; readonly middle: number; readonly interval: readonly [number, number] }[];
  /** What is compared, at the end, where it is another number than the curve's; null: it is the curve's. */
  readonly end: { readonly middle: number; readonly interval: readonly [number, number] } | null;
}

interface Axes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly write: (x: number) => string;
  /** Where nothing is drawn. */
  readonly none: string;
}

function panel({ title, x, y, write, none }: Axes, drawn: readonly Drawn[]): string {
  const head = words(0, 14, title, ' font-size="13" font-weight="600"');
  const all = drawn.flatMap(({ points }) => points);
  if (all.length === 0) return `${head}${words(PANEL.left, 60, none)}`;
  const values = [...all.flatMap(({ interval }) => interval), ...drawn.flatMap(({ end }) => end?.interval ?? [])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [Math.min(0, ...all.map((point) => point.x)), Math.max(...all.map((point) => point.x))];
  const [width, height] = [PANEL.width - PANEL.left - PANEL.right, PANEL.height - PANEL.top - PANEL.bottom];
  const px = (at: number): string => (PANEL.left + (width * (at - from)) / (to - from || 1)).toFixed(1);
  const py = (value: number): string => (PANEL.top + height * (1 - (value - low) / (high - low || 1))).toFixed(1);
  const base = PANEL.top + height;
  const across = ticksIn(low, high, 6).map(
    (value) =>
      `<path d="M${PANEL.left} ${py(value)}h${width}" stroke="#ddd"/>${words(PANEL.left - 6, Number(py(value)) + 4, measure(value, 3), ' text-anchor="end" fill="#555"')}`,
  );
  const along = ticksIn(from, to, 6).map(
    (at) =>
      `<path d="M${px(at)} ${base}v4" stroke="#999"/>${words(Number(px(at)), base + 15, write(at), ' text-anchor="middle" fill="#555"')}`,
  );
  const titles = [
    words(PANEL.left + width / 2, base + 32, x, ' text-anchor="middle" fill="#333"'),
    `<g transform="translate(12 ${PANEL.top + height / 2}) rotate(-90)">${words(0, 0, y, ' text-anchor="middle" fill="#333"')}</g>`,
  ];
  const lines = drawn.map(({ place, points, end }, i) => {
    const colour = COLOURS[place % COLOURS.length];
    const line = points.map((point) => `${px(point.x)} ${py(point.middle)}`).join('L');
    const band = [
      ...points.map((point) => `${px(point.x)} ${py(point.interval[1])}`),
      ...points.toReversed().map((point) => `${px(point.x)} ${py(point.interval[0])}`),
    ];
    const at = PANEL.left + width + 3 + (i % 3) * 5; // marks beside each other
    const mark =
      end === null
        ? ''
        : `<path d="M${at} ${py(end.interval[0])}V${py(end.interval[1])}" stroke="${colour}" stroke-width="1.4"/><circle cx="${at}" cy="${py(end.middle)}" r="3" fill="${colour}"/>`;
    return points.length === 0
      ? ''
      : `<path d="M${band.join('L')}Z" fill="${colour}" opacity=".18"/><path d="M${line}" fill="none" stroke="${colour}" stroke-width="1.8" stroke-dasharray="${DASHES[place % DASHES.length]}"/>${mark}`;
  });
  return [head, ...across, `<path d="M${PANEL.left} ${base}h${width}" stroke="#999"/>`, ...along, ...titles, ...lines].join('');
}

/** What is compared of a cell, as a mark. */
function endOf({ scores }: Cell): Drawn['end'] {
  const { iqm, ci95 } = summariseSeeds(scores);
  return iqm === null ? null : { middle: iqm, interval: ci95 ?? [iqm, iqm] };
}

/** Whether a curve and what is compared are the same number, so that its end needs no mark. */
const isCompared = ({ quantity }: Compared['counted'], metric: string): boolean =>
  ('of' in quantity && quantity.of === metric) || ('metric' in quantity && quantity.metric === metric) || 'reaches' in quantity;

/** The curve of what is compared, where every run has it; else the one that stands for it in pictures. */
export function drawnCurve({ cells, counted: { quantity } }: Compared): string {
  const own = 'of' in quantity ? quantity.of : null;
  const everywhere = own !== null && cells.every(({ runs }) => runs.every(({ curves }) => (curves.get(own)?.steps.length ?? 0) > 1));
  return everywhere ? own : curveOf(quantity);
}

/** Lines of at most this many characters. */
function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The figure; `metric`: the curve that is drawn. */
export function comparedSvg(compared: Compared, metric: string): string {
  const { cells, standing, counted, overall, notes } = compared;
  const groups = [...new Set(cells.map(({ group }) => group))];
  const marked = !isCompared(counted, metric);
  const curves = [...groupBy(cells, ({ task }) => task)].map(([task, own]) =>
    panel(
      { title: task, x: 'environment steps', y: metricTitle(metric), write: (at) => compact(at), none: `No run has a curve of ${metric}.` },
      own.map((cell) => ({
        place: groups.indexOf(cell.group),
        points: pointsOf(cell, metric).map(({ step, ...point }) => ({ ...point, x: step })),
        end: marked ? endOf(cell) : null,
      })),
    ),
  );
  const profiles =
    overall === null
      ? []
      : [
          panel(
            { title: 'Performance profile', x: 'normalised score', y: 'share of runs above', write: (at) => measure(at, 3), none: '' },
            overall.groups.map(({ group, profile: { share, band } }) => ({
              place: groups.indexOf(group),
              points: overall.thresholds.map((x, k) => {
                const middle = share[k] ?? 0;
                return { x, middle, interval: [band?.low[k] ?? middle, band?.high[k] ?? middle] as const };
              }),
              end: null,
            })),
          ),
        ];
  const panels = [...curves, ...profiles];
  const columns = Math.min(3, Math.max(1, panels.length));
  const width = Math.max(600, 2 * EDGE + columns * PANEL.width);
  const keys = groups.map((group, i) => {
    const y = 52 + LINE * i;
    return `<path d="M${EDGE} ${y - 4}h24" stroke="${COLOURS[i % COLOURS.length]}" stroke-width="2" stroke-dasharray="${DASHES[i % DASHES.length]}"/>${words(EDGE + 32, y, group)}`;
  });
  const top = 60 + LINE * groups.length;
  const drawn = panels.map((content, i) => {
    const [x, y] = [EDGE + (i % columns) * PANEL.width, top + Math.floor(i / columns) * PANEL.height];
    return `<g transform="translate(${x} ${y})">${content}</g>`;
  });
  const below = top + Math.ceil(panels.length / columns) * PANEL.height + LINE;
  const said = [
    standing.sentence,
    marked
      ? `Lines: ${metricTitle(metric)}. Marks at the end: ${counted.quantity.title}, which is what is compared.`
      : `Compared by ${counted.quantity.title}.`,
    'Interquartile means with 95 % intervals from five seeds on.',
    ...(overall === null ? [] : [scaleText(overall)]),
    ...notes,
  ];
  const text = said.flatMap((sentence) => wrapped(sentence, (width - 2 * EDGE) * CHARS));
  const height = below + LINE * text.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#111">
<rect width="${width}" height="${height}" fill="#fff"/>${words(EDGE, 28, metricTitle(metric), ' font-size="16" font-weight="600"')}
${[...keys, ...drawn, ...text.map((line, i) => words(EDGE, below + LINE * i, line, ' fill="#444"'))].join('\n')}
</svg>
`;
}
