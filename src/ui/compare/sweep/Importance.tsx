/** How much of the spread of scores each field explains by itself, with its 95 % interval. */

import type { FieldImportance } from '#contract/sweep/report.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import { percent as inPercent } from '#ui/kit/format/numbers.ts';
import type { FieldTitle } from './form.ts';
import styles from './Sweep.module.css';

interface Props {
  readonly found: readonly FieldImportance[];
  readonly fields: readonly FieldTitle[];
  readonly search: Sweep['search']['by'];
}

const percent = (value: number): number => Math.round(100 * value);

export function Importance({ found, fields, search }: Props) {
  if (found.length === 0) return <p className={styles.quiet}>No configuration has a score yet.</p>;
  const ordered = found.toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1));
  return (
    <div className={styles.results}>
      <ul className={styles.importance} aria-label="Importance of each field">
        {ordered.map(({ field, share, interval }) => {
          const low = Math.max(0, interval?.[0] ?? 0);
          return (
            <li key={field}>
              <span>{fields.find(({ name }) => name === field)?.title ?? field}</span>
              <svg width="100%" height="18" aria-hidden="true" focusable="false">
                <rect x="0" y="4" height="10" width={`${Math.max(0, percent(share ?? 0))}%`} />
                {interval !== null && <line x1={`${percent(low)}%`} x2={`${percent(interval[1])}%`} y1="9" y2="9" />}
              </svg>
              <b>{share === null ? '?' : share <= 0 ? 'about 0\u00a0%' : inPercent(percent(share))}</b>
              <small>
                {share === null
                  ? 'cannot be told: no value has several configurations'
                  : interval === null
                    ? 'too few configurations for an interval'
                    : `${percent(low)} to ${inPercent(Math.max(0, percent(interval[1])))}${interval[0] <= 0 ? ', may be nothing' : ''}`}
              </small>
            </li>
          );
        })}
      </ul>
      <p className={styles.quiet}>
        Share of the variance between values (or quarters of a range), corrected for chance; interval by the jackknife over configurations.
        {(search === 'tpe' || search === 'halving') &&
          ' This search looks more often where it is good: Sobol tells importance more fairly.'}
      </p>
    </div>
  );
}
