/** Charts of a report as SVG text: lines with intervals, bars with intervals. Okabe and Ito's colours, with dashes for grey prints. */
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { compact, measure } from '#contract/kit/numbers.ts';
import { nameOf } from './explain-words.ts';

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#a3387a', '#b8860b', '#56a5d8', '#8c8c00', '#666666'];
const DASHES = ['', '7 3', '2 3', '8 3 2 3', '4 2', '1 3', '10 4', '3 6'];
const W = 720;
const H = 220;
const LEFT = 56;
const BOTTOM = 28;

export interface Line {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Half of the interval at each point; null: none. */
  readonly half: ArrayLike<number> | null;
  /** Index into the colours. */
  readonly colour: number;
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end' = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;

/** '' where there is nothing to draw. */
export function chart(lines: readonly Line[], xTitle: string): string {
  const half = (line: Line, k: number): number => (line.half !== null && Number.isFinite(line.half[k]!) ? line.half[k]! : 0);
  const points = lines.flatMap((line) =>
    Array.from({ length: line.x.length }, (_, k) => ({
      x: line.x[k]!,
      low: line.y[k]! - half(line, k),
      high: line.y[k]! + half(line, k),
    })).filter(({ low }) => Number.isFinite(low)),
  );
  if (points.length === 0) return '';
  let [x0, x1, y0, y1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const { x, low, high } of points) {
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    y0 = Math.min(y0, low);
    y1 = Math.max(y1, high);
  }
  const px = (x: number): number => LEFT + ((W - LEFT - 12) * (x - x0)) / (x1 - x0 || 1);
  const py = (y: number): number => 10 + (H - BOTTOM - 10) * (1 - (y - y0) / (y1 - y0 || 1));
  const marks = [y0, 0, y1].filter((v, i, all) => all.indexOf(v) === i);
  const grid = marks.map(
    (v) => `<path d="M${LEFT} ${py(v).toFixed(1)}H${W - 12}" stroke="var(--line)"/>${text(LEFT - 6, py(v) + 4, measure(v, 3), 'end')}`,
  );
  const drawn = lines.map((line) => {
    const colour = COLOURS[line.colour % COLOURS.length]!;
    const path = Array.from({ length: line.x.length }, (_, k) => [line.x[k]!, line.y[k]!] as const)
      .filter(([, v]) => Number.isFinite(v))
      .map(([x, v], k) => `${k === 0 ? 'M' : 'L'}${px(x).toFixed(1)} ${py(v).toFixed(1)}`)
      .join('');
    const whiskers =
      line.half === null
        ? ''
        : Array.from({ length: line.x.length }, (_, k) =>
            half(line, k) === 0
              ? ''
              : `M${px(line.x[k]!).toFixed(1)} ${py(line.y[k]! - half(line, k)).toFixed(1)}V${py(line.y[k]! + half(line, k)).toFixed(1)}`,
          ).join('');
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-dasharray="${DASHES[line.colour % DASHES.length]}"/><path d="${whiskers}" stroke="${colour}" opacity=".6"/>`;
  });
  const keys = lines.map((line, i) => {
    const x = LEFT + (i % 6) * 110;
    const y = H + 14 + Math.floor(i / 6) * 16;
    return `<path d="M${x} ${y - 4}h18" stroke="${COLOURS[line.colour % COLOURS.length]}" stroke-width="2" stroke-dasharray="${DASHES[line.colour % DASHES.length]}"/>${text(x + 24, y, line.name)}`;
  });
  const height = H + 8 + 16 * Math.ceil(lines.length / 6);
  return `<svg viewBox="0 0 ${W} ${height}" role="img" aria-label="${lines.length} lines over ${xTitle}">${grid.join('')}${drawn.join('')}${text(LEFT, H - 8, compact(x0))}${text(W - 12, H - 8, compact(x1), 'end')}${text((LEFT + W) / 2, H - 8, xTitle, 'middle')}${keys.join('')}</svg>`;
}

export function valueBars({ players, value, halfWidth }: AgentAttribution): string {
  const half = (i: number): number => (Number.isFinite(halfWidth[i]!) ? halfWidth[i]! : 0);
  const low = Math.min(0, ...value.map((v, i) => v - half(i)));
  const high = Math.max(0, ...value.map((v, i) => v + half(i)));
  const x = (v: number): number => 140 + ((W - 160) * (v - low)) / (high - low || 1);
  const rows = players.map((player, i) => {
    const y = 8 + i * 26;
    const from = Math.min(x(0), x(value[i]!));
    const colour = COLOURS[player.agent % COLOURS.length];
    const [a, b] = [x(value[i]! - half(i)).toFixed(1), x(value[i]! + half(i)).toFixed(1)];
    return `${text(0, y + 13, nameOf(player))}<rect x="${from.toFixed(1)}" y="${y}" width="${Math.abs(x(value[i]!) - x(0)).toFixed(1)}" height="18" fill="${colour}" opacity=".8"/><path d="M${a} ${y + 9}H${b}M${a} ${y + 4}v10M${b} ${y + 4}v10" stroke="var(--ink)" fill="none"/>`;
  });
  const height = 12 + players.length * 26;
  return `<svg viewBox="0 0 ${W} ${height}" role="img" aria-label="Value of each agent with its interval">${rows.join('')}<path d="M${x(0).toFixed(1)} 0V${height}" stroke="var(--line)"/></svg>`;
}
