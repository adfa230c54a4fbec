/** What a dataset holds, at a glance: how its returns are spread, and where it has been. */
import type { Coverage } from '#contract/session/data-api.ts';
import { t } from '#text/text.ts';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import styles from './Data.module.css';
import { histogram } from './words.ts';

const MOST_BARS = 32;

export function Returns({ returns }: { readonly returns: Float64Array }) {
  const { low, high, counts } = histogram(returns, MOST_BARS);
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, at) => ({ at, tall: (10 * count) / most }));
  const words = `${returns.length} episodes with returns from ${measure(low)} to ${measure(high)}; the fullest bar has ${most}.`;
  return (
    <figure className={styles.figure}>
      <figcaption>{t('Episode returns')}</figcaption>
      <svg viewBox={`0 0 ${Math.max(1, counts.length)} 10`} preserveAspectRatio="none" role="img" aria-label={words}>
        {bars.map(({ at, tall }) => (
          <rect key={at} x={at + 0.06} y={10 - tall} width={0.88} height={tall} />
        ))}
      </svg>
      <p className={styles.axis}>
        <span className="figures">{measure(low)}</span>
        <span>{t('return')}</span>
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
  const what = axes === null ? 'cells of the map' : `fields of ${axes[0].label} and ${axes[1].label}`;
  return (
    <figure className={styles.figure}>
      <figcaption>{t('State visits')}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio={axes === null ? 'xMidYMid meet' : 'none'}
        role="img"
        aria-label={t('{share} of the {what} were seen.', { share: percent(share), what })}
      >
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
              {axes[0].label} →, {axes[1].label} ↑ ({measure(axes[1].low)} to {measure(axes[1].high)})
            </span>
            <span className="figures">{measure(axes[0].high)}</span>
          </>
        )}
      </p>
    </figure>
  );
}
