/** Which things of the picture the features of an observation are about, by their names. Pure. */
import type { EnvCard } from '#contract/catalog.ts';
import type { FeatureAttribution } from '#contract/explain.ts';
import { measure } from '../format/numbers.ts';
import { agentsOf } from '../why/agents.ts';

interface Ring {
  readonly thing: number;
  readonly strength: number;
  readonly title: string;
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', ' ').trim();

/** Points of a plane: what is said of itself goes to the agent, what names a thing to that thing. Empty where nothing can be told. */
export function thingsSeen(of: FeatureAttribution, env: EnvCard, agent: number): readonly Ring[] {
  if (env.frame.kind !== 'points') return [];
  const names = (env.frame.names.length > 0 ? env.frame.names : agentsOf(env).map(({ name }) => name)).map(plain);
  const sums = new Map<number, number>();
  of.features.forEach(({ name }, i) => {
    const said = plain(name);
    const own = /^(own|self)\b/.test(said);
    // the longest name wins: "agent 1" is not "agent 10"
    const named = names
      .map((thing, at) => ({ thing, at }))
      .filter(({ thing }) => thing !== '' && new RegExp(`\\b${thing.replace(/[^a-z0-9 ]/g, '.')}\\b`).test(said))
      .sort((a, b) => b.thing.length - a.thing.length)[0];
    const thing = own ? agent : named?.at;
    if (thing !== undefined) sums.set(thing, (sums.get(thing) ?? 0) + of.value[i]!);
  });
  return Array.from(sums, ([thing, strength]) => ({
    thing,
    strength,
    title: `${names[thing] ?? `agent ${thing}`}: ${measure(strength, 3)}`,
  }));
}
