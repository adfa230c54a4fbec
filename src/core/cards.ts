/** Environments and methods as data for forms, galleries and help. */
import type { AlgoCard, EnvCard } from '#contract/catalog/catalog.ts';
import { agentOfMetric } from '#contract/game/metrics.ts';
import { spoken } from '#contract/game/seats.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { skillMetrics } from './algos/api/metrics.ts';
import type { AlgoEntry } from './algos/api/types.ts';
import { algoFamilyTitle } from './algos/index.ts';
import { coverageMeasures, teamMeasures } from './envs/api/team-measures.ts';
import type { EnvEntry, EnvMeta } from './envs/api/types.ts';
import { envFamilyOf } from './envs/index.ts';
import { recommend } from './recommend.ts';
import { strengthIn } from './run/yardstick.ts';

/** The card of an environment with this config: spaces, layout and limits depend on it. The methods of `candidates` must be loaded. */
export function envCard(entry: EnvEntry, config: unknown = {}): EnvCard {
  const meta = entry.meta(config);
  const group = meta.agents[0];
  if (group === undefined) throw new Error(`${entry.id} declares no agents`);
  const { maxSteps, evalMaxSteps, references, keys, idleAction, fps, frame, rewards, terms, costs, gamma, masked } = meta;
  return {
    ...card(entry),
    family: envFamilyOf(entry.id).title,
    agents: meta.agentCount,
    roster: rosterOf(entry, config),
    groups: meta.agents.map(({ names, obs, action }) => ({ names, obs, action })),
    obs: group.obs,
    action: group.action,
    rewards,
    ...(terms !== undefined && { terms }),
    costs,
    score: scoreInWords(meta),
    gamma,
    masked,
    state: meta.state.fields.map(({ name, shape, unit, doc }) => ({ name, shape, ...(unit === undefined ? {} : { unit }), doc })),
    measures: [...teamMeasures(meta).filter(({ id }) => agentOfMetric(id) === null), ...coverageMeasures(meta), ...skillMetrics(meta)],
    policies: entry.policyNames,
    ...(meta.tokens === undefined ? {} : { tokens: meta.tokens }),
    ...(meta.game === undefined ? {} : { game: meta.game }),
    ...(meta.lattice === undefined ? {} : { lattice: meta.lattice }),
    frame,
    maxSteps,
    evalMaxSteps,
    references,
    keys,
    ...(meta.axes === undefined ? {} : { axes: meta.axes }),
    idleAction,
    fps,
    recommended: recommend(entry, config),
    ...(entry.learnNote !== undefined && { learnNote: entry.learnNote }),
    ...judgedBy(meta),
    ...(entry.unrewarded === true && { unrewarded: entry.unrewarded }),
    ...(entry.before !== undefined && { before: entry.before }),
  };
}

function judgedBy(meta: EnvMeta): Pick<EnvCard, 'judged'> {
  const judged = strengthIn(meta);
  return judged === 'return' ? {} : { judged };
}

function rosterOf(entry: EnvEntry, config: unknown): readonly string[] {
  const { seats: _, ...whole } = entry.parse(config);
  return entry.meta(whole).agents.flatMap((group) => group.names);
}

function scoreInWords({ score, agents }: EnvMeta): string {
  if (score === 'mean') return 'mean over agents';
  if (score === 'sum') return 'sum over agents';
  if (score === 'shared') return 'shared by all agents';
  const names = agents.flatMap((group) => group.names).map(spoken);
  const counted = score.map((agent) => names[agent] ?? `agent ${agent}`);
  return counted.length < 4 ? `mean over ${counted.join(', ')}` : `mean over ${counted[0]} … ${counted.at(-1)}`;
}

export function algoCard(entry: AlgoEntry): AlgoCard {
  const { action, learner, agents, metrics, trial } = entry;
  const family = algoFamilyTitle(entry.id);
  const { continuous, mixed, shown } = entry;
  return {
    ...card(entry),
    ...(continuous !== undefined && { continuous }),
    ...(mixed !== undefined && { mixed }),
    ...(shown !== undefined && { shown }),
    family,
    action,
    learner,
    agents,
    metrics,
    trial,
  };
}

function card(entry: EnvEntry | AlgoEntry) {
  const { id, version, changes, title, summary, source, schema, presets } = entry;
  const defaults: JsonObject = entry.parse({});
  return { id, version, changes, title, summary, source, schema, defaults, presets };
}
