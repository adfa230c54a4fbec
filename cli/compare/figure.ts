/** Learning curves of compared groups as one SVG: a panel for each environment, interquartile means with 95 % intervals, and the conclusions. */
import { decimate } from '#claims/quantity.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { compact, measure } from '#contract/kit/numbers.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { metricTitle } from '../kit/titles.ts';
import type { Cell, Compared } from './report.ts';

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#a3387a', '#b8860b', '#56a5d8', '#8c8c00', '#666666'];
const DASHES = ['', '7 3', '2 3', '8 3 2 3'];
const PANEL = { width: 360, height: 230, left: 52, top: 26, bottom: 30, right: 12 };
const EDGE = 20;
const LINE = 18;
/** Characters of a line of 11 px in one pixel of width. */
const CHARS = 1 / 5.8;

/** Text in XML, without what XML forbids. */
const inXml = (text: string): string =>
  text.replace(/\p{C}/gu, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

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

function panel(task: string, cells: readonly Cell[], groups: readonly string[], metric: string): string {
  const lines = cells.map((cell) => ({ place: groups.indexOf(cell.group), points: pointsOf(cell, metric) }));
  const all = lines.flatMap(({ points }) => points);
  const head = words(0, 14, task, ' font-size="13" font-weight="600"');
  if (all.length === 0) return `${head}${words(PANEL.left, 60, `No run has a curve of ${metric}.`)}`;
  const ends = all.flatMap(({ interval }) => interval);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const most = Math.max(...all.map(({ step }) => step));
  const [width, height] = [PANEL.width - PANEL.left - PANEL.right, PANEL.height - PANEL.top - PANEL.bottom];
  const px = (step: number): string => (PANEL.left + (width * step) / most).toFixed(1);
  const py = (value: number): string => (PANEL.top + height * (1 - (value - low) / (high - low || 1))).toFixed(1);
  const axes = [low, (low + high) / 2, high].map(
    (value) =>
      `<path d="M${PANEL.left} ${py(value)}h${width}" stroke="#ddd"/>${words(PANEL.left - 6, Number(py(value)) + 4, measure(value, 3), ' text-anchor="end" fill="#555"')}`,
  );
  const drawn = lines.map(({ place, points }) => {
    const colour = COLOURS[place % COLOURS.length];
    const line = points.map(({ step, middle }) => `${px(step)} ${py(middle)}`).join('L');
    const band = [...points.map(({ step, interval }) => `${px(step)} ${py(interval[1])}`), ...points.toReversed().map(({ step, interval }) => `${px(step)} ${py(interval[0])}`)]; // biome-ignore format: up and back
    return points.length === 0
      ? ''
      : `<path d="M${band.join('L')}Z" fill="${colour}" opacity=".18"/><path d="M${line}" fill="none" stroke="${colour}" stroke-width="1.8" stroke-dasharray="${DASHES[place % DASHES.length]}"/>`;
  });
  const foot = `${words(PANEL.left, PANEL.height - 10, '0', ' fill="#555"')}${words(PANEL.width - PANEL.right, PANEL.height - 10, `${compact(most)} steps`, ' text-anchor="end" fill="#555"')}`;
  return `${head}${axes.join('')}${drawn.join('')}${foot}`;
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
export function comparedSvg({ cells, standing, counted, notes }: Compared, metric: string): string {
  const groups = [...new Set(cells.map(({ group }) => group))];
  const panels = [...groupBy(cells, ({ task }) => task)];
  const columns = Math.min(3, Math.max(1, panels.length));
  const width = Math.max(600, 2 * EDGE + columns * PANEL.width);
  const keys = groups.map((group, i) => {
    const y = 52 + LINE * i;
    return `<path d="M${EDGE} ${y - 4}h24" stroke="${COLOURS[i % COLOURS.length]}" stroke-width="2" stroke-dasharray="${DASHES[i % DASHES.length]}"/>${words(EDGE + 32, y, group)}`;
  });
  const top = 60 + LINE * groups.length;
  const drawn = panels.map(([task, own], i) => {
    const [x, y] = [EDGE + (i % columns) * PANEL.width, top + Math.floor(i / columns) * PANEL.height];
    return `<g transform="translate(${x} ${y})">${panel(task, own, groups, metric)}</g>`;
  });
  const below = top + Math.ceil(panels.length / columns) * PANEL.height + LINE;
  const said = [
    standing.sentence,
    `Compared by ${counted.quantity.title}. Lines: interquartile means with 95 % intervals from five seeds on.`,
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
