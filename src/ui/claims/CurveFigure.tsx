/** Curves of all arms over environment steps: interquartile means over seeds with 95 % intervals. The pointer reads them off at a step. */
import { type PointerEvent, useRef, useState } from 'react';
import type { ArmResult } from '#contract/papers/results.ts';
import { ticksIn } from '#report/ticks.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { curvesOf, domainOf, FEWEST, middlesOf } from './figures.ts';
import { dashOf, Swatch, seriesOf } from './look.tsx';
import styles from './Paper.module.css';

const HEIGHT = 280;
const LEFT = 56;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 40;

interface Props {
  readonly arms: readonly ArmResult[];
  /** The metric's title. */
  readonly title: string;
}

type Curve = NonNullable<ArmResult['curve']>;

export function CurveFigure({ arms, title }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [measured] = useSize(box);
  const width = Math.max(280, measured);
  const [at, setAt] = useState<number | null>(null);
  const drawn = curvesOf(arms).map((one) => ({ ...one, middles: middlesOf(one.curve) }));
  const longest = drawn.reduce<Curve | null>((most, { curve }) => (lastStep(curve) > lastStep(most) ? curve : most), null);
  const values = drawn.flatMap(({ middles }) => middles.flatMap((middle) => (middle === null ? [] : [middle.low, middle.high])));
  const few = drawn.some(({ curve }) => curve.values.length < FEWEST);
  const empty = longest === null || values.length === 0;
  const [low, high] = domainOf(empty ? [0, 1] : values, 0.06);
  const last = Math.max(1, lastStep(longest));
  const x = (step: number): number => LEFT + (step / last) * (width - LEFT - RIGHT);
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const read = (event: PointerEvent): void => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect();
    const step = ((((event.clientX - left) / shown) * width - LEFT) / (width - LEFT - RIGHT)) * last;
    setAt(step < 0 || step > last ? null : step);
  };
  const ends = drawn.map(({ name, middles }) => `${name} ends at ${measure(middles.findLast((middle) => middle !== null)?.value)}`);

  return (
    <figure className={styles.figure}>
      <figcaption>
        {title}, IQM over seeds with {few ? 'their range (too few for an interval)' : 'its 95\u00a0% interval'}, by environment steps
      </figcaption>
      <div ref={box} className={styles.plot}>
        {empty && <p className={styles.quiet}>No data yet.</p>}
        {measured > 0 && !empty && (
          <svg
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={`Curves: ${ends.join('; ')}.`}
            onPointerMove={read}
            onPointerLeave={() => setAt(null)}
          >
            {ticksIn(low, high, 5).map((value) => (
              <g key={value} className={styles.grid}>
                <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
                <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                  {measure(value)}
                </text>
              </g>
            ))}
            {ticksIn(0, last, width < 480 ? 3 : 6).map((step) => (
              <text key={step} x={x(step)} y={HEIGHT - BOTTOM + 18} textAnchor="middle">
                {compact(step)}
              </text>
            ))}
            <text x={width - RIGHT} y={HEIGHT - 4} textAnchor="end">
              environment steps
            </text>
            {drawn.map(({ id, k, curve, middles }) => (
              <g key={id} className={seriesOf(k)}>
                <path className={styles.band} d={bandOf(curve, middles, x, y)} />
                <path className={styles.curve} strokeDasharray={dashOf(k)} d={lineOf(curve, middles, x, y)} />
              </g>
            ))}
            {at !== null && <line className={styles.cursor} x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />}
          </svg>
        )}
      </div>
      <ul className={styles.legend}>
        {drawn.map(({ id, name, k, curve, middles }) => {
          const i = at === null ? -1 : nearest(curve.steps, at);
          const middle = i < 0 ? null : (middles[i] ?? null);
          return (
            <li key={id}>
              <Swatch arm={k} /> {name}
              {at !== null && (
                <b>{middle === null ? ' –' : ` ${measure(middle.value)} (${measure(middle.low)} to ${measure(middle.high)})`}</b>
              )}
            </li>
          );
        })}
        {at !== null && <li className={styles.quiet}>at {compact(at)} steps</li>}
      </ul>
    </figure>
  );
}

type Middles = ReturnType<typeof middlesOf>;
type Scale = (value: number) => number;

const short = (value: number): string => value.toFixed(1);

function lineOf({ steps }: Curve, middles: Middles, x: Scale, y: Scale): string {
  const points = middles.flatMap((middle, i) => (middle === null ? [] : [`${short(x(steps[i]!))} ${short(y(middle.value))}`]));
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

function bandOf({ steps }: Curve, middles: Middles, x: Scale, y: Scale): string {
  const known = middles.flatMap((middle, i) => (middle === null ? [] : [{ at: short(x(steps[i]!)), ...middle }]));
  if (known.length === 0) return '';
  const upper = known.map(({ at, high }) => `${at} ${short(y(high))}`);
  const lower = known.toReversed().map(({ at, low }) => `${at} ${short(y(low))}`);
  return `M${[...upper, ...lower].join('L')}Z`;
}

const lastStep = (curve: Curve | null): number => curve?.steps.at(-1) ?? 0;

function nearest(steps: readonly number[], step: number): number {
  let best = 0;
  for (let i = 1; i < steps.length; i++) if (Math.abs(steps[i]! - step) < Math.abs(steps[best]! - step)) best = i;
  return best;
}
