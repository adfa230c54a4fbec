/** What a run is called in the language of the page: a name that the page gave ("PPO on CartPole 2") in its words, one that a person gave as it is. */
import type { Catalog } from '#contract/catalog/catalog.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { isFreeName, nameOfRun } from '#contract/run/run-names.ts';
import { t } from '#text/text.ts';

interface Named {
  readonly name: string;
  readonly config: RunConfig;
}

/** What learns on what. */
export const runTitle = (algo: string, env: string): string => t('{algo} on {env}', { algo: t(algo), env: t(env) });

/** A name that the page gave; null: a person gave it. */
export function ownName({ name, config }: Named, catalog: Catalog | null): string | null {
  if (catalog === null) return null;
  const algo = catalog.algos.find(({ id }) => id === config.algo.id)?.title ?? config.algo.id;
  const env = catalog.envs.find(({ id }) => id === config.env.id)?.title ?? config.env.id;
  const stored = nameOfRun(algo, env);
  return isFreeName(name, stored) ? runTitle(algo, env) + name.slice(stored.length) : null;
}

export const nameShown = (run: Named, catalog: Catalog | null): string => ownName(run, catalog) ?? run.name;
