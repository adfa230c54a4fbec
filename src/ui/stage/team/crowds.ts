/** What a team that takes any size may be given more or fewer of while it plays. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';

export interface Crowd {
  /** In the draft: 'env.agents'. */
  readonly path: string;
  readonly title: string;
  readonly count: number;
  readonly range: readonly [number, number];
}

/** Numbers of agents and things among the settings of this world, those it has now. */
export function crowdsOf({ schema }: Pick<EnvCard, 'schema'>, config: JsonObject): readonly Crowd[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, { crowd, title = key, minimum = 0, maximum = minimum }]) => {
    const count = config[key];
    return crowd === true && typeof count === 'number' ? [{ path: `env.${key}`, title, count, range: [minimum, maximum] as const }] : [];
  });
}
