/** What stands on an agent in the scene, in the colour of its lines and bars. */

import { agentsOf } from './agents.ts';
import styles from './Badge.module.css';
import { useAgentColour } from './useAgentColour.ts';
import { useStageEnv } from './useStageEnv.ts';

export function Badge({ agent }: { readonly agent: number }) {
  const env = useStageEnv();
  const colourOf = useAgentColour();
  return (
    <span className={styles.badge} style={{ background: colourOf(agent) }} aria-hidden="true">
      {(env === null ? undefined : agentsOf(env)[agent]?.mark) ?? agent + 1}
    </span>
  );
}
