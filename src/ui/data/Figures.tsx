/** What a dataset holds, at a glance: how its returns are spread, and where it has been. */
import type { Coverage } from '#contract/session/data-api.ts';
import { t } from '#text/text.ts';
import { Histogram } from '#ui/kit/charts/Chart.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import styles from './Data.module.css';
import { histogram } from './words.ts';

const MOST_BARS = 32;
const HEIGHT = 180; // px

export function Returns({ returns }: { readonly returns: Float64Array }) {
  const { low, high, counts } = histogram(returns, MOST_BARS);
  const most = Math.max(1, ...counts);
  const mean = returns.reduce((sum, value) => sum + value, 0) / Math.max(1, returns.length);
  const alone = low === high; // a single bar stands between two empty ones
  const room = alone ? 1.5 : 0;
  const given = { episodes: returns.length, low: measure(low), high: measure(high), mean: measure(mean), most };
  return (
    <figure className={styles.figure}>
      <figcaption>{t('Episode returns')}</figcaption>
      <Histogram
        label={t('{episodes} episodes with returns from {low} to {high}, {mean} on average; the fullest bar has {most}.', given)}
        height={HEIGHT}
        low={low - room}
        high={high + room}
        counts={alone ? [0, ...counts, 0] : counts}
        most={most}
        colour="var(--series-0)"
        mean={mean}
        halfWidth={0}
        title={(count) => t('{count} of {episodes} episodes', { count, episodes: returns.length })}
      />
      <p className={styles.axis}>
        <span className="figures">{measure(low)}</span>
        <span>{t('return, the line at its mean: {mean}', { mean: measure(mean) })}</span>
        <span className="figures">{measure(high)}</span>
      </p>
    </figure>
  );
}

export function CoverageMap({ coverage }: { readonly coverage: Coverage | null }) {
  if (coverage === null) return null;
  const { width, height, counts, axes } = coverage;
  const most = Math.max(1, ...counts);
  const seen = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const share = Math.round((100 * seen) / counts.length);
  const cells = Array.from(counts, (count, at) => {
    const depth = count === 0 ? 0 : 0.15 + (0.85 * Math.log1p(count)) / Math.log1p(most);
    return { at, x: at % width, y: Math.floor(at / width), depth };
  }).filter(({ depth }) => depth > 0);
  const seenOf =
    axes === null
      ? t('{share} of the cells of the map were seen.', { share: percent(share) })
      : t('{share} of the fields of {one} and {other} were seen.', { share: percent(share), one: axes[0].label, other: axes[1].label });
  return (
    <figure className={styles.figure}>
      <figcaption>{t('State visits')}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio={axes === null ? 'xMidYMid meet' : 'none'} role="img" aria-label={seenOf}>
        <rect className={styles.unseen} width={width} height={height} />
        {cells.map(({ at, x, y, depth }) => (
          <rect key={at} x={x} y={y} width={1.02} height={1.02} fillOpacity={depth} />
        ))}
      </svg>
      <p className={styles.axis}>
        {axes === null ? (
          <span>{t('{share} of the cells, the darkest {most} times', { share: percent(share), most: compact(most) })}</span>
        ) : (
          <>
            <span className="figures">{measure(axes[0].low)}</span>
            <span>
              {t('{one} →, {other} ↑ ({low} to {high})', {
                one: axes[0].label,
                other: axes[1].label,
                low: measure(axes[1].low),
                high: measure(axes[1].high),
              })}
            </span>
            <span className="figures">{measure(axes[0].high)}</span>
          </>
        )}
      </p>
    </figure>
  );
}
