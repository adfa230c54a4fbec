/** What stands on an agent in the scene, in the colour of its lines and bars. */

import { agentsOf } from './agents.ts';
import styles from './Badge.module.css';
import { useStageEnv } from './useStageEnv.ts';

export function Badge({ agent }: { readonly agent: number }) {
  const env = useStageEnv();
  return (
    <span className={styles.badge} style={{ background: `var(--series-${agent % 8})` }} aria-hidden="true">
      {(env === null ? undefined : agentsOf(env)[agent]?.mark) ?? agent}
    </span>
  );
}
