/** What came of a change: both futures beside each other, how their returns are spread, and the difference with its interval. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Counterfactual, Future } from '#contract/explain/counterfactual.ts';
import { withWidth } from '#report/explain-words.ts';
import { Histogram } from '#ui/kit/charts/Chart.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Futures } from './Futures.tsx';
import { binsOf, verdict } from './histogram.ts';
import styles from './WhatIf.module.css';

const HEIGHT = 48; // px

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
      <Spread title="as it was" future={asItWas} counts={bins.counts[0]!} bins={bins} series={7} />
      <Spread title="changed" future={changed} counts={bins.counts[1]!} bins={bins} series={0} />
      <p className={styles.scale}>
        <span className="figures">{measure(bins.low, 3)}</span>
        <span>{env.agents > 1 ? 'return of the team from here on' : 'return from here on'}</span>
        <span className="figures">{measure(bins.high, 3)}</span>
      </p>
      <p className={styles.small}>
        {asItWas.returns.length} continuations on each side, pairs by the same chances; {compact(steps)} steps. Intervals: 95&nbsp;%. The
        scenes show the first pair.
      </p>
    </div>
  );
}

function Spread({
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
  return (
    <figure className={styles.histogram}>
      <figcaption>
        {title} <b className="figures">{withWidth(future.mean, future.halfWidth)}</b>
      </figcaption>
      <Histogram
        label={`How the returns are spread, ${title}`}
        height={HEIGHT}
        low={bins.low}
        high={bins.high}
        counts={counts}
        most={bins.most}
        colour={`var(--series-${series})`}
        mean={future.mean}
        halfWidth={future.halfWidth}
        title={(count) => `${count} of ${future.returns.length}`}
      />
    </figure>
  );
}
