/** The agents of an environment by name, each with what it sees and does. */
import type { EnvCard } from '#contract/catalog.ts';
import type { ActionSpace, ObsSpace } from '#contract/spaces.ts';

export interface AgentInfo {
  readonly agent: number;
  readonly name: string;
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

export function agentsOf(env: EnvCard): readonly AgentInfo[] {
  const named = env.groups.flatMap(({ names, obs, action }) => names.map((name) => ({ name: name.replaceAll('_', ' '), obs, action })));
  return Array.from({ length: env.agents }, (_, agent) => ({
    agent,
    ...(named[agent] ?? { name: `agent ${agent}`, obs: env.obs, action: env.action }),
  }));
}
