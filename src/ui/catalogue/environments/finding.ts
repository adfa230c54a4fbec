/** Finding an environment among all: words and tags, what was used last, and an order with the finest first. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { FINEST, familiesOf } from '#contract/catalog/families.ts';
import { finder } from '#ui/kit/format/search.ts';

/** From this many on a crowd moves, whatever its family. */
const CROWD = 20;

/** Words that people look for and that no title or summary need hold. */
export function tagsOf(env: EnvCard): readonly string[] {
  const tags = [env.action.kind === 'box' ? 'continuous' : 'discrete'];
  if (env.frame.kind === 'bodies') tags.push('3d', 'physics');
  if (env.frame.kind === 'grid') tags.push('grid', 'map');
  if (env.frame.kind === 'points') tags.push('2d');
  if (env.agents === 1) tags.push('single', 'one agent');
  else tags.push('team', 'multi-agent', `${env.agents} agents`);
  if (env.agents >= CROWD || /swarm/i.test(env.family)) tags.push('swarm', 'crowd');
  if (env.policies.length > 0) tags.push('expert');
  if (env.rewards.length > 1) tags.push('multi-objective');
  return tags;
}

function textOf(env: EnvCard): string {
  const { id, title, summary, family, source } = env;
  return `${id} ${title} ${summary} ${family} ${source.authors} ${source.title} ${tagsOf(env).join(' ')}`;
}

/** The finest first, then in the order of the families. */
export function arranged(envs: readonly EnvCard[]): readonly EnvCard[] {
  const families = familiesOf(envs).map(({ title }) => title);
  const rank = ({ id, family }: EnvCard): number => {
    const fine = FINEST.indexOf(id);
    return fine < 0 ? FINEST.length + families.indexOf(family) : fine;
  };
  return [...envs].sort((a, b) => rank(a) - rank(b));
}

/** Every word in the text or the tags of an environment; '' for any family. */
export function find(envs: readonly EnvCard[], words: string, family: string): readonly EnvCard[] {
  const sought = finder(words);
  return arranged(envs).filter((env) => (family === '' || env.family === family) && sought(textOf(env)));
}
