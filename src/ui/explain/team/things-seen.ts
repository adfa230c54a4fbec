/** Which things of the picture the features of an observation are about, by their names. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { FeatureAttribution } from '#contract/explain/explain.ts';
import { cellsOf } from '#contract/game/frames.ts';
import { sceneOf } from '#scenes/index.ts';
import { agentsOf, thingOf } from '#ui/stage/agents.ts';

interface Share {
  readonly thing: number;
  readonly share: number;
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', ' ').trim();

/** Who else there is, where only two act. */
const OTHER = /^(to )?(the )?(other|opponent|mate|partner|rival)\b/;

/**
 * Points of a plane and rigid bodies: what is said of itself goes to the agent, what names a thing to that thing. Empty where fewer than two
 * things can be told apart.
 */
export function thingsSeen(of: FeatureAttribution, env: EnvCard, agent: number): readonly Share[] {
  const { frame } = env;
  const scene = sceneOf(frame);
  // of cells a map of shares is drawn instead
  if (cellsOf(frame) !== null || scene.halo === undefined) return [];
  const things = scene.things(frame);
  const agents = agentsOf(env);
  const names = (
    things.named ? Array.from({ length: things.count }, (_, thing) => things.name(thing)) : agents.map(({ name }) => name)
  ).map(plain);
  const self = thingOf(env, agent);
  const sums = new Map<number, number>();
  of.features.forEach(({ name }, i) => {
    const said = plain(name);
    // the longest name wins: "agent 1" is not "agent 10"
    const named = names
      .map((thing, at) => ({ thing, at }))
      .filter(({ thing }) => thing !== '' && new RegExp(`\\b${thing.replace(/[^a-z0-9 ]/g, '.')}\\b`).test(said))
      .sort((a, b) => b.thing.length - a.thing.length)[0];
    const other = agents.length === 2 && OTHER.test(said) ? thingOf(env, 1 - agent) : undefined;
    // a body's own numbers are called by what they measure
    const own = /^(own|self)\b/.test(said) || (scene.bareFeaturesOwn === true && named === undefined && other === undefined);
    const thing = own ? self : (named?.at ?? other);
    if (thing !== undefined) sums.set(thing, (sums.get(thing) ?? 0) + of.value[i]!);
  });
  return sums.size < 2 ? [] : Array.from(sums, ([thing, share]) => ({ thing, share }));
}
