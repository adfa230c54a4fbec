/** Shares of strategies over time, a line each with its figure and its name at the end. */
import { useRef } from 'react';
import { ticks } from '../curves/figure.ts';
import { SHAPE_COUNT, shapeAt, shapePlaces } from '../curves/shapes.ts';
import { compact } from '../format/numbers.ts';
import { useSize } from '../kit/useSize.ts';
import styles from './Population.module.css';
import { thin } from './payoffs.ts';

interface Props {
  readonly names: readonly string[];
  readonly states: readonly (readonly number[])[];
  readonly steps: readonly number[];
}

const [LEFT, RIGHT, TOP, BOTTOM] = [40, 96, 8, 22];

export function SharesChart({ names, states, steps }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [width, height] = useSize(host);
  const [x0, x1] = [steps[0] ?? 0, Math.max((steps[0] ?? 0) + 1, steps.at(-1) ?? 1)];
  const w = Math.max(10, width - LEFT - RIGHT);
  const px = (x: number): number => LEFT + ((x - x0) / (x1 - x0)) * w;
  const py = (y: number): number => TOP + (1 - y) * Math.max(10, height - TOP - BOTTOM);
  const columns = thin(states.length, Math.max(2, Math.round(w)));
  const last = states.at(-1) ?? [];
  const ends: number[] = [];
  const free = (y: number): boolean => {
    if (ends.some((other) => Math.abs(other - y) < 13)) return false;
    ends.push(y);
    return true;
  };
  return (
    <div ref={host} className={styles.chart}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Shares at the end: ${names.map((name, i) => `${name} ${Math.round(100 * (last[i] ?? 0))} %`).join(', ')}.`}
        >
          {[0, 0.5, 1].map((y) => (
            <g key={y}>
              <line className={styles.grid} x1={LEFT} x2={LEFT + w} y1={py(y)} y2={py(y)} />
              <text className={styles.tick} x={LEFT - 6} y={py(y) + 4} textAnchor="end">{`${100 * y}\u202f%`}</text>
            </g>
          ))}
          {ticks(x0, x1, Math.max(2, Math.floor(w / 60))).map((x) => (
            <text key={x} className={styles.tick} x={px(x)} y={height - 5} textAnchor="middle">
              {compact(x)}
            </text>
          ))}
          {names.map((name, i) => {
            const colour = `var(--series-${i % 8})`;
            const y = py(last[i] ?? 0);
            return (
              <g key={name}>
                <polyline
                  className={styles.line}
                  stroke={colour}
                  points={columns.map((at) => `${px(steps[at]!)},${py(states[at]![i]!)}`).join(' ')}
                />
                {shapePlaces(w, i, names.length).map((place) => {
                  const at = columns.findLast((c) => px(steps[c]!) <= LEFT + place);
                  if (at === undefined) return null;
                  return (
                    <polygon
                      key={place}
                      fill={colour}
                      points={shapeAt(i % SHAPE_COUNT, px(steps[at]!), py(states[at]![i]!), 4).join(' ')}
                    />
                  );
                })}
                {free(y) && (
                  <text className={styles.name} x={LEFT + w + 7} y={y + 4} fill={colour}>
                    {name}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
