/** How arms look in figures and tables: a colour of the palette, and a dash for those who do not see it. */
import styles from './Paper.module.css';

const COLOURS = [styles.s0, styles.s1, styles.s2, styles.s3, styles.s4, styles.s5, styles.s6, styles.s7];
const DASHES = ['', '7 4', '2 3', '9 3 2 3'];

export const seriesOf = (arm: number): string | undefined => COLOURS[arm % COLOURS.length];
export const dashOf = (arm: number): string => DASHES[arm % DASHES.length]!;

/** A piece of the arm's line. */
export function Swatch({ arm }: { readonly arm: number }) {
  return (
    <svg className={`${styles.swatch} ${seriesOf(arm)}`} viewBox="0 0 24 8" aria-hidden="true" focusable="false">
      <path className={styles.curve} strokeDasharray={dashOf(arm)} d="M1 4H23" />
    </svg>
  );
}
