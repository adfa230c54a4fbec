/**
 * Trade-offs in a plane of two objectives: what the policies get (filled), what is possible (rings), what they cover together (shaded),
 * and for the chosen weights the line of points that would be worth the same. A press or a drag chooses the nearest point.
 */
import { type PointerEvent, useRef, useState } from 'react';
import type { Front } from '#contract/files/pareto.ts';
import { ticksIn } from '#report/ticks.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import type { Choice } from './front.ts';
import styles from './Pareto.module.css';

interface Props {
  readonly front: Front;
  readonly choices: readonly Choice[];
  readonly missing: Front['known'];
  readonly chosen: Choice;
  readonly weights: readonly number[];
  /** Which objectives lie along x and y. */
  readonly axes: readonly [number, number];
  readonly summary: string;
  readonly onChoose: (choice: Choice) => void;
}

const LEFT = 44;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;
const REACH = 40; // px a press may be away from the point it means

export function FrontPlot({ front, choices, missing, chosen, weights, axes, summary, onChoose }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [width, height] = useSize(host);
  const [under, setUnder] = useState<Choice | null>(null);
  const [ax, ay] = axes;
  const all = [...choices.filter((c) => !c.dominated).map((c) => c.value), ...front.known.map((k) => k.value), chosen.value];
  const [x0, x1] = span(all.map((v) => v[ax]!));
  const [y0, y1] = span(all.map((v) => v[ay]!));
  const w = Math.max(10, width - LEFT - RIGHT);
  const h = Math.max(10, height - TOP - BOTTOM);
  const px = (x: number): number => LEFT + ((x - x0) / (x1 - x0)) * w;
  const py = (y: number): number => TOP + (1 - (y - y0) / (y1 - y0)) * h;
  const inside = ({ value }: { readonly value: readonly number[] }): boolean =>
    value[ax]! >= x0 && value[ax]! <= x1 && value[ay]! >= y0 && value[ay]! <= y1;
  const shown = choices.filter(inside);

  const nearest = (event: PointerEvent): Choice | null => {
    const box = event.currentTarget.getBoundingClientRect();
    let best: Choice | null = null;
    let least = REACH * REACH;
    for (const choice of shown) {
      const far = (px(choice.value[ax]!) - event.clientX + box.left) ** 2 + (py(choice.value[ay]!) - event.clientY + box.top) ** 2;
      if (far < least) [best, least] = [choice, far];
    }
    return best;
  };
  const over = (event: PointerEvent): void => {
    const found = nearest(event);
    setUnder(found);
    if (event.buttons === 1 && found !== null && found !== chosen) onChoose(found);
  };

  const two = front.objectives.length === 2;
  const label = under ?? chosen;
  const [lx, ly] = [px(label.value[ax]!), py(label.value[ay]!)];
  const text = label.value.map((v, k) => `${front.objectives[k]} ${measure(v, 4)}`).join(', ');
  const flip = lx > LEFT + w * 0.55;
  return (
    <div
      ref={host}
      className={styles.plot}
      onPointerDown={(event) => {
        const found = nearest(event);
        if (found !== null) onChoose(found);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={over}
      onPointerLeave={() => setUnder(null)}
    >
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={summary}>
          {ticksIn(y0, y1, Math.max(2, Math.floor(h / 44))).map((y) => (
            <g key={y}>
              <line className={styles.grid} x1={LEFT} x2={LEFT + w} y1={py(y)} y2={py(y)} />
              <text className={styles.tick} x={LEFT - 6} y={py(y) + 4} textAnchor="end">
                {measure(y, 3)}
              </text>
            </g>
          ))}
          {ticksIn(x0, x1, Math.max(2, Math.floor(w / 64))).map((x) => (
            <text key={x} className={styles.tick} x={px(x)} y={TOP + h + 15} textAnchor="middle">
              {measure(x, 3)}
            </text>
          ))}
          <text className={styles.axis} x={LEFT + w} y={height - 4} textAnchor="end">{`${front.objectives[ax]} →`}</text>
          <text className={styles.axis} x={4} y={TOP - 3}>{`↑ ${front.objectives[ay]}`}</text>
          {two && <polygon className={styles.covered} points={covered(choices, axes, x0, y0, px, py)} />}
          {two && <Worth chosen={chosen} weights={[weights[ax]!, weights[ay]!]} axes={axes} box={[x0, x1, y0, y1]} px={px} py={py} />}
          {front.known.filter(inside).map((known) => (
            <circle
              key={known.value.join()}
              className={styles.known}
              data-missing={missing.includes(known)}
              data-dent={known.supported === false}
              cx={px(known.value[ax]!)}
              cy={py(known.value[ay]!)}
              r={7}
            />
          ))}
          {shown.map((choice) => (
            <circle
              key={choice.value.join()}
              className={styles.point}
              data-dominated={choice.dominated}
              cx={px(choice.value[ax]!)}
              cy={py(choice.value[ay]!)}
              r={choice.dominated ? 2.5 : 4}
            />
          ))}
          {inside(chosen) && <circle className={styles.chosen} cx={px(chosen.value[ax]!)} cy={py(chosen.value[ay]!)} r={7} />}
          {inside(label) && (
            <text
              className={styles.label}
              x={lx + (flip ? -11 : 11)}
              y={Math.min(TOP + h - 6, Math.max(TOP + 12, ly + (flip ? 18 : -9)))}
              textAnchor={flip ? 'end' : 'start'}
            >
              {text}
            </text>
          )}
        </svg>
      )}
    </div>
  );
}

/** A little air around the values; never empty. */
function span(values: readonly number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const air = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - air, high + air];
}

/** The stairs below the best points, down to the plot's corner. */
function covered(
  choices: readonly Choice[],
  [ax, ay]: readonly [number, number],
  x0: number,
  y0: number,
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  const best = choices
    .filter((c) => !c.dominated && c.value[ax]! >= x0 && c.value[ay]! >= y0)
    .map((c) => [c.value[ax]!, c.value[ay]!] as const)
    .sort((a, b) => a[0] - b[0]);
  const corners: (readonly [number, number])[] = [[x0, y0]];
  let at = x0;
  for (const [x, y] of best) {
    corners.push([at, y], [x, y]);
    at = x;
  }
  corners.push([at, y0]);
  return corners.map(([x, y]) => `${px(x)},${py(y)}`).join(' ');
}

interface WorthProps {
  readonly chosen: Choice;
  readonly weights: readonly [number, number];
  readonly axes: readonly [number, number];
  readonly box: readonly [x0: number, x1: number, y0: number, y1: number];
  readonly px: (x: number) => number;
  readonly py: (y: number) => number;
}

/** All that is worth as much as the chosen point at these weights: a straight line through it. */
function Worth({ chosen, weights: [wx, wy], axes: [ax, ay], box: [x0, x1, y0, y1], px, py }: WorthProps) {
  const [cx, cy] = [chosen.value[ax]!, chosen.value[ay]!];
  const ends: (readonly [number, number])[] = [];
  if (wy > 0) for (const x of [x0, x1]) ends.push([x, cy - (wx / wy) * (x - cx)]);
  if (wx > 0) for (const y of [y0, y1]) ends.push([cx - (wy / wx) * (y - cy), y]);
  const slack = 1e-9;
  const [a, b] = ends
    .filter(
      ([x, y]) => x >= x0 - slack * (x1 - x0) && x <= x1 + slack * (x1 - x0) && y >= y0 - slack * (y1 - y0) && y <= y1 + slack * (y1 - y0),
    )
    .sort((p, q) => p[0] - q[0] || q[1] - p[1])
    .filter((_, i, list) => i === 0 || i === list.length - 1);
  if (a === undefined || b === undefined) return null;
  return <line className={styles.worth} x1={px(a[0])} y1={py(a[1])} x2={px(b[0])} y2={py(b[1])} />;
}
