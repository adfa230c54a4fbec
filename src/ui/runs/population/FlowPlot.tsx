/** How shares of strategies move: arrows where they would go from anywhere, the way they went, where they rest. */

import { useRef } from 'react';
import type { SharesReport } from '#contract/game/population.ts';
import { present } from '#contract/kit/errors.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { arrowsOf, place, type Shape, shapeOf } from './flow.ts';
import styles from './Population.module.css';
import { SharesChart } from './SharesChart.tsx';

const LONGEST = 0.075; // of the side
const PAD = 26; // px, for names
const MOST_STATES = 600;
const FAR = 0.12; // of the side: two states this far apart are not joined
const RUN = 20; // states of one shade

const FRAME: { readonly [S in Shape]: readonly (readonly [number, number])[] } = {
  line: [
    [0, 0],
    [1, 0],
  ],
  triangle: [
    [0, 0],
    [1, 0],
    [0.5, Math.sqrt(3) / 2],
  ],
  square: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
};
const TALL: { readonly [S in Shape]: number } = { line: 0.12, triangle: Math.sqrt(3) / 2, square: 1 };

export function FlowPlot({ shares }: { readonly shares: SharesReport }) {
  const shape = shapeOf(shares);
  const names = shares.populations.flatMap(({ name, strategies }) =>
    strategies.map((s) => (shares.populations.length > 1 ? `${name}: ${s}` : s)),
  );
  return (
    <>
      {shape !== null && <Picture shape={shape} shares={shares} />}
      {shape !== 'triangle' && <SharesChart names={names} states={shares.states} steps={shares.steps} />}
    </>
  );
}

function Picture({ shape, shares }: { readonly shape: Shape; readonly shares: SharesReport }) {
  const host = useRef<HTMLDivElement>(null);
  const [width] = useSize(host);
  const side = Math.max(60, Math.min(width - 2 * PAD - 20, shape === 'line' ? 520 : 300));
  const left = (width - side) / 2;
  const height = side * TALL[shape] + 2 * PAD;
  const at = ([x, y]: readonly [number, number]): readonly [number, number] => [left + x * side, height - PAD - y * side];
  const path = shares.states.map((state) => at(place(shape, state)));
  const now = path.at(-1);
  const start = path[0];
  return (
    <div ref={host} className={styles.flow} style={{ blockSize: `${height}px` }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={describe(shares)}>
          <polygon className={styles.frame} points={FRAME[shape].map((p) => at(p).join()).join(' ')} />
          {arrowsOf(shape, shares.flow, LONGEST).map(({ from, to, speed }) => (
            <Arrow key={from.join()} from={at(from)} to={at(to)} speed={speed} />
          ))}
          <Way points={path} side={side} />
          {shares.rest.map((state) => {
            const [x, y] = at(place(shape, state));
            return <rect key={state.join()} className={styles.rest} x={x - 4.5} y={y - 4.5} width={9} height={9} />;
          })}
          {start !== undefined && <circle className={styles.start} cx={start[0]} cy={start[1]} r={4} />}
          {now !== undefined && <circle className={styles.here} cx={now[0]} cy={now[1]} r={5.5} />}
          <Names shape={shape} shares={shares} at={at} />
        </svg>
      )}
    </div>
  );
}

/**
 * The way so far, older parts fainter. Kept states may lie far apart in time: those that are far apart in the picture too are only
 * dots, since a straight line between them would show a path that was not taken.
 */
function Way({ points, side }: { readonly points: readonly (readonly [number, number])[]; readonly side: number }) {
  const shown = points.slice(-MOST_STATES);
  const runs: { readonly from: number; readonly points: (readonly [number, number])[] }[] = [];
  shown.forEach((point, i) => {
    const last = runs.at(-1);
    const before = last?.points.at(-1);
    const near = before !== undefined && Math.hypot(point[0] - before[0], point[1] - before[1]) < FAR * side;
    if (last !== undefined && near && last.points.length < RUN) last.points.push(point);
    else runs.push({ from: i, points: near && before !== undefined ? [before, point] : [point] });
  });
  return (
    <g className={styles.path}>
      {runs.map(({ from, points: run }) => {
        const opacity = 0.2 + (0.8 * (from + run.length)) / shown.length;
        return run.length > 1 ? (
          <polyline key={from} points={run.map((p) => p.join()).join(' ')} opacity={opacity} />
        ) : (
          <circle key={from} cx={run[0]![0]} cy={run[0]![1]} r={1.4} opacity={opacity} />
        );
      })}
    </g>
  );
}

function Names({
  shape,
  shares,
  at,
}: {
  readonly shape: Shape;
  readonly shares: SharesReport;
  readonly at: (p: readonly [number, number]) => readonly [number, number];
}) {
  const [first, second] = shares.populations;
  const { name, strategies: s } = present(first, 'population');
  const label = (x: number, y: number, dx: number, dy: number, text: string, anchor: 'start' | 'middle' | 'end') => {
    const [px, py] = at([x, y]);
    return (
      <text key={`${x}/${y}/${text}`} className={styles.corner} x={px + dx} y={py + dy} textAnchor={anchor}>
        {text}
      </text>
    );
  };
  if (shape === 'line') return [label(0, 0, 0, 22, `only ${s[1]}`, 'middle'), label(1, 0, 0, 22, `only ${s[0]}`, 'middle')];
  if (shape === 'triangle') {
    return [
      label(0.5, Math.sqrt(3) / 2, 0, -8, s[0]!, 'middle'),
      label(0, 0, -2, 18, s[1]!, 'middle'),
      label(1, 0, 2, 18, s[2]!, 'middle'),
    ];
  }
  const { name: mate, strategies: t } = present(second, 'second population'); // a square is of two
  return [
    label(0, 0, 0, 18, s[1]!, 'start'),
    label(1, 0, 0, 18, s[0]!, 'end'),
    label(0.5, 0, 0, 18, `${name} →`, 'middle'),
    label(0, 1, 0, -8, t[0]!, 'start'),
    label(0, 0, -6, -4, t[1]!, 'end'),
    label(0.5, 1, 0, -8, `↑ ${mate}`, 'middle'),
  ];
}

function Arrow({
  from,
  to,
  speed,
}: {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly speed: number;
}) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 1) return <circle className={styles.still} cx={from[0]} cy={from[1]} r={1} />;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(5, 0.5 * length);
  const wing = (turn: number): string => `${to[0] - head * ux + turn * head * 0.6 * uy},${to[1] - head * uy - turn * head * 0.6 * ux}`;
  return (
    <g className={styles.arrow} opacity={0.35 + 0.65 * speed}>
      <line x1={from[0]} y1={from[1]} x2={to[0] - head * ux} y2={to[1] - head * uy} />
      <polygon points={`${to.join()} ${wing(1)} ${wing(-1)}`} />
    </g>
  );
}

function describe({ populations, states }: SharesReport): string {
  const now = states.at(-1) ?? [];
  let at = 0;
  const parts = populations.map(({ name, strategies }) => {
    const words = strategies.map((s) => `${s} ${percent(Math.round(100 * (now[at++] ?? 0)))}`).join(', ');
    return populations.length > 1 ? `${name}: ${words}` : words;
  });
  return `Shares now: ${parts.join('; ')}.`;
}
