/** A verdict in words with a shape of its own, so that colour is not all that tells them apart. */
import { type Entry, titleOfGroup } from './filter.ts';
import styles from './Papers.module.css';

export function VerdictSign({ verdict }: { readonly verdict: Entry['verdict'] }) {
  return (
    <span className={styles.verdict} data-verdict={verdict}>
      {titleOfGroup(verdict)}
    </span>
  );
}
