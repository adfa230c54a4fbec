/** The colour of an agent's bars, lines and badge: that of its figure on the stage, where a layout gives teams one. */
import { useStageEnv } from './useStageEnv.ts';

export function useAgentColour(): (agent: number) => string {
  const frame = useStageEnv()?.frame;
  const teams = frame?.kind === 'grid' ? frame.teams : undefined;
  // A team of several shares the colour of its figures; its members' lines must still be told apart.
  const own = teams !== undefined && new Set(teams).size === teams.length ? teams : undefined;
  return (agent) => `var(--series-${(own?.[agent] ?? agent) % 8})`;
}
