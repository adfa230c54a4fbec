/** Curves of several seeds against steps, one picture for each thing that is measured. */
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import type { Seed } from './useTraining.ts';
import styles from './Write.module.css';

interface Props {
  readonly title: string;
  readonly seeds: readonly Seed[];
  readonly steps: number;
  readonly value: (point: Seed['points'][number]) => number | null | undefined;
}

type Point = readonly [step: number, value: number];

export function Curves({ title, seeds, steps, value }: Props) {
  const curves = seeds.map(({ seed, points }) => ({
    seed,
    points: points.flatMap((point): Point[] => {
      const y = value(point);
      return y == null ? [] : [[point.step, y]];
    }),
  }));
  const values = curves.flatMap(({ points }) => points.map(([, y]) => y));
  const low = Math.min(...values);
  const high = Math.max(...values);
  const height = high > low ? high - low : 1;
  const path = (points: readonly Point[]): string =>
    points
      .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${((100 * x) / steps).toFixed(2)} ${(96 - (92 * (y - low)) / height).toFixed(2)}`)
      .join('');
  return (
    <figure className={styles.figure}>
      <figcaption>{title}</figcaption>
      {values.length === 0 ? (
        <p className={styles.waiting}>{t('The first episodes are under way.')}</p>
      ) : (
        <div className={styles.plot}>
          <span className={styles.high}>{measure(high)}</span>
          <span className={styles.low}>{measure(low)}</span>
          <svg
            className={styles.curve}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: from ${measure(low)} to ${measure(high)}, now ${curves
              .flatMap(({ seed, points }) => (points.length === 0 ? [] : [`${measure(points.at(-1)?.[1] ?? 0)} in seed ${seed}`]))
              .join(', ')}`}
          >
            {curves.map(({ seed, points }, i) => (
              <path key={seed} d={path(points)} stroke={`var(--series-${i % 8})`} />
            ))}
          </svg>
          <span className={styles.end}>{t('{steps} steps', { steps: compact(steps) })}</span>
        </div>
      )}
    </figure>
  );
}
