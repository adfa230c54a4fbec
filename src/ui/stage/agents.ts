/** The agents of an environment by name, each with what it sees and does. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { agentMarks, spoken } from '#contract/game/seats.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import { sceneOf } from '#scenes/index.ts';

export interface AgentInfo {
  readonly agent: number;
  readonly name: string;
  /** Among all in the picture, those included whose seats are given to scripted players. */
  readonly place: number;
  /** What stands on it in the scene. */
  readonly mark: string;
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

interface Named {
  readonly agents: readonly AgentInfo[];
  readonly marks: readonly string[];
}

const kept = new WeakMap<EnvCard, Named>();

function namedOf(env: EnvCard): Named {
  const found = kept.get(env);
  if (found !== undefined) return found;
  const named = env.groups.flatMap(({ names, obs, action }) => names.map((name) => ({ name, obs, action })));
  const agents = Array.from({ length: env.agents }, (_, i) => named[i] ?? { name: `agent ${i + 1}`, obs: env.obs, action: env.action });
  // those whose seats are given away are not among the agents, but they stand in the picture
  const all = agents.every(({ name }) => env.roster.includes(name)) ? env.roster : agents.map(({ name }) => name);
  const marks = agentMarks(all);
  const made = {
    agents: agents.map(({ name, ...spaces }, agent) => {
      const place = all.indexOf(name);
      return { ...spaces, name: spoken(name), agent, place, mark: marks[place]! };
    }),
    marks,
  };
  kept.set(env, made);
  return made;
}

export function agentsOf(env: EnvCard): readonly AgentInfo[] {
  return namedOf(env).agents;
}

/** Labels of all agents in the scene, at their positions. */
export function marksOf(env: EnvCard): readonly string[] {
  return namedOf(env).marks;
}

/** What an agent is in the layout's numbering of things. */
export function thingOf(env: EnvCard, agent: number): number {
  return sceneOf(env.frame)
    .things(env.frame)
    .ofAgent(agentsOf(env)[agent]?.place ?? agent);
}

/** Several that gain together; the two sides of a game, which are judged against each other, are no team. */
export const isTeam = ({ agents, judged }: Pick<EnvCard, 'agents' | 'judged'>): boolean => agents > 1 && judged === undefined;
