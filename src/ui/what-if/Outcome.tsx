/** What came of a change: both futures beside each other, how their returns are spread, and the difference with its interval. */
import type { EnvCard } from '#contract/catalog.ts';
import type { Counterfactual, Future } from '#contract/counterfactual.ts';
import { withWidth } from '#report/explain-words.ts';
import { compact, measure } from '../format/numbers.ts';
import { Futures } from './Futures.tsx';
import { binsOf, verdict } from './histogram.ts';
import styles from './WhatIf.module.css';

const W = 320;
const H = 64;

interface Props {
  readonly answer: Counterfactual;
  readonly t: number;
  readonly words: string;
  readonly env: EnvCard;
}

export function Outcome({ answer, t, words, env }: Props) {
  const { asItWas, changed, steps } = answer;
  const bins = binsOf([asItWas.returns, changed.returns]);
  return (
    <div className={styles.outcome} aria-live="polite">
      <p>
        From frame {t}, if {words}: {verdict(answer)}
      </p>
      <Futures asItWas={asItWas.replay} changed={changed.replay} env={env} />
      <Histogram title="as it was" future={asItWas} counts={bins.counts[0]!} bins={bins} series={7} />
      <Histogram title="changed" future={changed} counts={bins.counts[1]!} bins={bins} series={0} />
      <p className={styles.scale}>
        <span className="figures">{measure(bins.low, 3)}</span>
        <span>{env.agents > 1 ? 'return of the team from here on' : 'return from here on'}</span>
        <span className="figures">{measure(bins.high, 3)}</span>
      </p>
      <p className={styles.small}>
        {asItWas.returns.length} continuations on each side, pairs by the same chances; {compact(steps)} steps. Intervals: 95 %. The scenes
        show the first pair.
      </p>
    </div>
  );
}

function Histogram({
  title,
  future,
  counts,
  bins,
  series,
}: {
  readonly title: string;
  readonly future: Future;
  readonly counts: readonly number[];
  readonly bins: ReturnType<typeof binsOf>;
  readonly series: number;
}) {
  const wide = W / counts.length;
  const at = (v: number): number => (W * (v - bins.low)) / (bins.high - bins.low);
  const half = Number.isFinite(future.halfWidth) ? future.halfWidth : 0;
  return (
    <figure className={styles.histogram}>
      <figcaption>
        {title} <b className="figures">{withWidth(future.mean, future.halfWidth)}</b>
      </figcaption>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={`How the returns are spread, ${title}`}>
        {counts.map((count, i) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
            key={i}
            x={i * wide + 0.5}
            width={Math.max(0.5, wide - 1)}
            y={H - 4 - (count / bins.most) * (H - 8)}
            height={4 + (count / bins.most) * (H - 8) - (count === 0 ? 4 : 0)}
            fill={`var(--series-${series})`}
            opacity={0.75}
          >
            <title>{`${count} of ${future.returns.length}`}</title>
          </rect>
        ))}
        <line x1={at(future.mean)} x2={at(future.mean)} y1={0} y2={H} className={styles.mean} />
        <line x1={at(future.mean - half)} x2={at(future.mean + half)} y1={3} y2={3} className={styles.mean} />
      </svg>
    </figure>
  );
}
