/** How much of the way from random play to the best known was come: a bar, and a dot for each seed. */
import type { ReactNode } from 'react';
import { percent } from '#ui/kit/format/numbers.ts';
import styles from './Scores.module.css';

interface Props {
  /** Part of the way of the interquartile mean, and of every seed: 0 is random play, 1 the best known. */
  readonly share: number;
  readonly shares: readonly number[];
  /** What else is to be said, below. */
  readonly children: ReactNode;
}

const inside = (value: number): number => Math.max(0, Math.min(1, value));

export function WayBar({ share, shares, children }: Props) {
  return (
    <span className={styles.share}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect className={styles.whole} width="100" height="6" rx="3" />
        <rect className={styles.part} width={100 * inside(share)} height="6" rx="3" />
      </svg>
      <strong>{percent(Math.round(100 * share))}</strong>
      <svg
        className={styles.seeds}
        width="100%"
        height="8"
        role="img"
        aria-label={`Every seed: ${shares.map((one) => percent(Math.round(100 * one))).join(', ')}`}
      >
        {shares.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: seeds stay in their order
          <circle key={i} cx={`${(2 + 96 * inside(one)).toFixed(1)}%`} cy="4" r="2.5" />
        ))}
      </svg>
      {children}
    </span>
  );
}
