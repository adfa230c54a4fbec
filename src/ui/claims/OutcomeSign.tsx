/** An outcome in words with a shape of its own, so that colour is not all that tells them apart. */
import type { Tested } from '#contract/papers/labels.ts';
import { type Group, titleOfGroup } from './filter.ts';
import styles from './Papers.module.css';

interface Props {
  readonly outcome: Group;
  /** Of whom a negative outcome is said; missing: of none in particular. */
  readonly tested?: Tested | null;
}

export function OutcomeSign({ outcome, tested = null }: Props) {
  return (
    <span className={styles.verdict} data-outcome={outcome}>
      {titleOfGroup(outcome, tested)}
    </span>
  );
}
