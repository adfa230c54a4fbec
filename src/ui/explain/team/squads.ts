/** Squads of agents that arrive together (Owen's unions). Every explained agent is in exactly one. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';

/** To begin with: agents alike are a squad; where all are alike, two halves. Those the score leaves out are not listed. */
export function squadsOf(env: Pick<EnvCard, 'groups' | 'agents'>): readonly (readonly number[])[] {
  let first = 0;
  const groups = env.groups.map(({ names }) => {
    const members = Array.from({ length: names.length }, (_, i) => first + i);
    first += names.length;
    return members;
  });
  const all = Array.from({ length: env.agents }, (_, i) => i);
  if (groups.length > 1 && first === env.agents) return groups;
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}

/** The squads with this agent in another one; emptied squads are gone. */
export function inSquad(squads: readonly (readonly number[])[], agent: number, to: number): readonly (readonly number[])[] {
  const without = squads.map((squad) => squad.filter((member) => member !== agent));
  const moved =
    to < without.length ? without.map((squad, k) => (k === to ? [...squad, agent].sort((a, b) => a - b) : squad)) : [...without, [agent]];
  return moved.filter((squad) => squad.length > 0);
}
