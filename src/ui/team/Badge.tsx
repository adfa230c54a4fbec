/** An agent's number as it stands on the agent in the scene, in the colour of its lines and bars. */
import styles from './Team.module.css';

export function Badge({ agent }: { readonly agent: number }) {
  return (
    <span className={styles.badge} style={{ background: `var(--series-${agent % 8})` }} aria-hidden="true">
      {agent + 1}
    </span>
  );
}
