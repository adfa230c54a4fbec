/** The setting of a world that says how often one player sees another, who may be watched. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';

export interface Watched {
  /** In the draft: 'env.visible'. */
  readonly path: string;
  readonly chance: number;
}

/** null: there is no such seat. */
export function watchedBy({ schema, agents }: Pick<EnvCard, 'schema' | 'agents'>, config: JsonObject): Watched | null {
  if (agents < 2) return null;
  for (const [key, { watching }] of Object.entries(schema.properties ?? {})) {
    const chance = config[key];
    if (watching === true && typeof chance === 'number') return { path: `env.${key}`, chance };
  }
  return null;
}
