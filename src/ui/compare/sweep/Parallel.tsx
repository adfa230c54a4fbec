/** Parallel coordinates: one line a set-up through the values of its fields to its score; the best fifth stands out. */

import type { Setup } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import { choiceAt, valueAt } from '#math/search/space.ts';
import { quantile } from '#math/stats.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import type { FieldTitle } from './form.ts';
import styles from './Sweep.module.css';

const HEIGHT = 300;
const TOP = 34;
const BOTTOM = 14;
const STEP = 190; // px between two axes
const LEFT = 70;

interface Props {
  readonly sweep: Sweep;
  readonly setups: readonly Setup[];
  readonly fields: readonly FieldTitle[];
}

export function Parallel({ sweep, setups, fields }: Props) {
  const scored = setups.flatMap(({ number, point, values, first }) => (first === null ? [] : [{ number, point, values, score: first }]));
  if (scored.length === 0) return <p className={styles.quiet}>No configuration has a score yet.</p>;
  const scores = scored.map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const good = sweep.better === 'more' ? quantile(scores, 0.8) : quantile(scores, 0.2);
  const isGood = (score: number): boolean => (sweep.better === 'more' ? score >= good : score <= good);
  const y = (u: number): number => TOP + (1 - u) * (HEIGHT - TOP - BOTTOM);
  const place = (d: number, u: number): number => {
    const dimension = sweep.dimensions[d];
    if (dimension?.kind !== 'choice') return y(u);
    const count = dimension.values.length;
    return y((choiceAt(count, u) + 0.5) / count);
  };
  const width = LEFT + STEP * fields.length + 90;
  const scoreAt = (score: number): number => y(high === low ? 0.5 : (score - low) / (high - low));
  const ticks = fields.map(({ text }, d): readonly (readonly [number, string])[] => {
    const dimension = sweep.dimensions[d];
    if (dimension === undefined) return [];
    if (dimension.kind === 'choice') return dimension.values.map((value, i) => [(i + 0.5) / dimension.values.length, text(value)]);
    return [0, 0.5, 1 - 1e-9].map((u) => [u, text(valueAt(dimension, u))]);
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Parallel coordinates">
      <svg
        className={styles.parallel}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${scored.length} configurations; the best fifth in colour. The table has the numbers.`}
      >
        {scored
          .toSorted((a, b) => Number(isGood(a.score)) - Number(isGood(b.score)))
          .map(({ number, point, values, score }) => (
            <polyline
              key={number}
              data-good={isGood(score)}
              points={[
                // a line passes by the axis of a field that does not act
                ...point.flatMap((u, d) => ((fields[d]?.name ?? '') in values ? [`${LEFT + d * STEP},${place(d, u).toFixed(1)}`] : [])),
                `${LEFT + fields.length * STEP},${scoreAt(score).toFixed(1)}`,
              ].join(' ')}
            >
              <title>{`Configuration ${number}: ${measure(score)}`}</title>
            </polyline>
          ))}
        {fields.map(({ name, title }, d) => (
          <g key={name}>
            <line x1={LEFT + d * STEP} x2={LEFT + d * STEP} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text x={LEFT + d * STEP} y={16} textAnchor="middle" data-head="">
              {title}
            </text>
            {ticks[d]?.map(([u, text]) => (
              <text key={text} x={LEFT + d * STEP - 6} y={y(u) + 4} textAnchor="end">
                {text}
              </text>
            ))}
          </g>
        ))}
        <line x1={LEFT + fields.length * STEP} x2={LEFT + fields.length * STEP} y1={TOP} y2={HEIGHT - BOTTOM} />
        <text x={LEFT + fields.length * STEP} y={16} textAnchor="middle" data-head="">
          {sweep.quantity.title}
        </text>
        {[low, high].map((score) => (
          <text key={score} x={LEFT + fields.length * STEP + 6} y={scoreAt(score) + 4}>
            {measure(score)}
          </text>
        ))}
      </svg>
    </section>
  );
}
