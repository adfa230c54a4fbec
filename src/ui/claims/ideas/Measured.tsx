/** Numbers of an idea, each as a bar with its value: what was measured for each of the things that are compared. */
import { measure } from '#ui/kit/format/numbers.ts';
import { Swatch } from '../look.tsx';
import styles from './Ideas.module.css';

interface Props {
  readonly rows: readonly { readonly title: string; readonly value: number | null }[];
  /** What the number is. */
  readonly measured: string;
}

export function Measured({ rows, measured }: Props) {
  const most = Math.max(1e-9, ...rows.map(({ value }) => Math.abs(value ?? 0)));
  return (
    <figure className={styles.measured}>
      <ul>
        {rows.map(({ title, value }, k) => (
          <li key={title}>
            <span>
              <Swatch arm={k} /> {title}
            </span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect className={styles.rail} width={100} height={8} />
              <rect className={styles.bar} width={(100 * Math.abs(value ?? 0)) / most} height={8} />
            </svg>
            <b>{value === null ? '–' : measure(value, 3)}</b>
          </li>
        ))}
      </ul>
      <figcaption>{measured}</figcaption>
    </figure>
  );
}
