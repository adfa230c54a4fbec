/** A prediction drawn as a line: one height for each place on the x axis, by pointer or by arrow keys; afterwards what was measured beside it. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Prediction } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import styles from './Lessons.module.css';
import { figure, placeText } from './results.ts';

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;

interface Props {
  readonly of: Extract<Prediction, { kind: 'sketch' }>;
  readonly heights: readonly number[];
  /** Measured values at the same places; null: not yet. */
  readonly measured: readonly (number | null)[] | null;
  /** Missing: the sketch is kept as it is. */
  readonly onChange?: (heights: readonly number[]) => void;
}

export function Sketch({ of, heights, measured, onChange }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const { x, min, max } = of;
  const atX = (i: number): number => LEFT + ((i + 0.5) * (WIDTH - LEFT)) / x.length;
  const atY = (value: number): number => TOP + (1 - (Math.min(max, Math.max(min, value)) - min) / (max - min)) * (HEIGHT - TOP - BOTTOM);
  const set = (i: number, value: number): void => onChange?.(heights.with(i, Math.min(max, Math.max(min, Number(value.toPrecision(3))))));

  const draw = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined || onChange === undefined || event.buttons !== 1) return;
    const across = ((event.clientX - box.left) / box.width) * WIDTH;
    const down = ((event.clientY - box.top) / box.height) * HEIGHT;
    const i = Math.min(x.length - 1, Math.max(0, Math.floor(((across - LEFT) / (WIDTH - LEFT)) * x.length)));
    set(i, min + (1 - (down - TOP) / (HEIGHT - TOP - BOTTOM)) * (max - min));
  };
  const press = (event: KeyboardEvent, i: number): void => {
    const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(i, heights[i]! + (step * (max - min)) / 50);
  };
  const line = (values: readonly (number | null)[]): string =>
    values.flatMap((value, i) => (value === null ? [] : [`${atX(i)},${atY(value)}`])).join(' ');

  return (
    <svg
      ref={svg}
      className={styles.sketch}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      data-open={onChange === undefined ? undefined : ''}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        draw(event);
      }}
      onPointerMove={draw}
    >
      <title>{of.ask}</title>
      {[max, (min + max) / 2, min].map((value) => (
        <g key={value} className={styles.grid}>
          <line x1={LEFT} x2={WIDTH} y1={atY(value)} y2={atY(value)} />
          <text x={LEFT - 6} y={atY(value) + 4} textAnchor="end">
            {figure(value)}
          </text>
        </g>
      ))}
      {x.map((label, i) => (
        <text key={label} x={atX(i)} y={HEIGHT - 6} textAnchor="middle">
          {placeText(label)}
        </text>
      ))}
      <polyline className={styles.mine} points={line(heights)} />
      {heights.map((height, i) => (
        <circle
          key={x[i]}
          className={styles.handle}
          cx={atX(i)}
          cy={atY(height)}
          r={onChange === undefined ? 3 : 7}
          role="slider"
          tabIndex={onChange === undefined ? undefined : 0}
          aria-label={t('{y} at {x}', { y: of.y, x: placeText(x[i] ?? '') })}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={height}
          aria-disabled={onChange === undefined}
          onKeyDown={(event) => press(event, i)}
        />
      ))}
      {measured !== null && (
        <>
          <polyline className={styles.measured} points={line(measured)} />
          {measured.map(
            (value, i) => value !== null && <circle key={x[i]} className={styles.measuredAt} cx={atX(i)} cy={atY(value)} r={4} />,
          )}
        </>
      )}
    </svg>
  );
}
