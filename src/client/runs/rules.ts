/**
 * What has changed since a link was made: its versions say which rules its numbers followed, and a run of that time that is stored here
 * still has them.
 */
import { sameJson } from '#contract/kit/canonical.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { type RunsIn, upgrade, type Versioned } from '#contract/run/versions.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import type { RuleChange, RunGroup } from '#stores/types.ts';

interface Asked {
  readonly id?: string;
  readonly version?: number;
  readonly config?: JsonObject;
}
type Card = Versioned & { readonly title: string; readonly defaults: JsonObject };

/** As the newest version has it, with every default, and the rules that no longer hold for it. */
function since(card: Card, { version, config = {} }: Asked, runsIn: RunsIn) {
  const newest = { ...card.defaults, ...upgrade(card, version, config, '').config };
  return { config: newest, changed: upgrade(card, version, newest, '', runsIn).changed };
}

/** `asked`: env and algo of a config as it was written. Null where its rules are those of today. */
export function ruleChange(asked: JsonObject): RuleChange | null {
  const { env = {}, algo = {} } = asked as { readonly env?: Asked; readonly algo?: Asked };
  const cards = { env: envCard(env.id ?? ''), algo: algoCard(algo.id ?? '') };
  if (cards.env === null) return null;
  const runsIn = { ...cards.env, agentCount: cards.env.agents };
  const world = since(cards.env, env, runsIn);
  const learner = cards.algo === null ? null : since(cards.algo, algo, runsIn);
  const rules = [
    ...world.changed.map(({ what }) => `${cards.env?.title}: ${what}`),
    ...(learner?.changed ?? []).map(({ what }) => `${cards.algo?.title}: ${what}`),
  ];
  return rules.length === 0 ? null : { rules, env: { id: cards.env.id, version: env.version ?? 1 }, config: asked };
}

/** A run that is stored here and followed the older rules with this very config; the newest of several. */
export function runOfThen(change: RuleChange, groups: readonly RunGroup[]): RunGroup | null {
  const { env = {}, algo = {}, run = {} } = change.config as { readonly env?: Asked; readonly algo?: Asked; readonly run?: JsonObject };
  const same = (card: Card | null, then: Asked, stored: RunConfig['env']): boolean =>
    card !== null &&
    stored.id === card.id &&
    stored.version === (then.version ?? card.version) &&
    sameJson(since(card, then, {}).config, since(card, { ...stored, config: stored.config as JsonObject }, {}).config);
  const runs = groups.filter(
    ({ config }) =>
      same(envCard(config.env.id), env, config.env) &&
      same(algoCard(config.algo.id), algo, config.algo) &&
      Object.entries(run).every(([key, value]) => sameJson((config.run as unknown as JsonObject)[key] ?? null, value)),
  );
  return runs.toSorted((a, b) => b.createdAt - a.createdAt)[0] ?? null;
}
