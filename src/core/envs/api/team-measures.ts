/**
 * What a run reports about a team beside its return, as metric columns: the return of every agent, efficiency and equality where agents
 * are paid apart (math/measures.ts), and what the environment measures itself. Counted once an episode, nothing per step.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { cellsOf } from '#contract/game/frames.ts';
import { agentMetric } from '#contract/game/metrics.ts';
import type { EnvMeta } from './types.ts';

/** More agents than this are not reported one by one. */
const MOST_AGENTS = 32;

const SHARED: readonly MetricCard[] = [
  {
    id: 'efficiency',
    title: 'efficiency',
    description: 'What all agents together earn per step; mean of the last 100 training episodes.',
    unit: 'per step',
  },
  {
    id: 'equality',
    title: 'equality',
    description:
      "1 - Gini of the agents' returns, 1: all the same; none where a return is negative. Mean of the last 100 training episodes.",
  },
];

/** Whether each agent has a return of its own. */
const apart = (meta: EnvMeta): boolean => meta.agentCount > 1 && meta.score !== 'shared';

/** Agents whose returns are columns of their own, in the order of their numbers. */
export function measuredAgents(meta: EnvMeta): readonly string[] {
  return apart(meta) && meta.agentCount <= MOST_AGENTS ? meta.agents.flatMap((group) => group.names) : [];
}

/** Efficiency and equality, where they are computed from returns: not for players that move in turn, and not where the environment does it. */
export function sharedMeasures(meta: EnvMeta): readonly MetricCard[] {
  const own = meta.measures?.some(({ id }) => SHARED.some((card) => card.id === id)) ?? false;
  return apart(meta) && meta.turns !== true && !own ? SHARED : [];
}

const COVERAGE: MetricCard = {
  id: 'cellsSeen',
  title: 'cells visited',
  description: 'Cells of the map that training has come to so far; the layer "Visits" of the scene shows which and how often.',
  unit: 'cells',
};

/** How much of a map has been seen: of worlds with cells. */
export const coverageMeasures = (meta: EnvMeta): readonly MetricCard[] => (cellsOf(meta.frame) === null ? [] : [COVERAGE]);

/** `visits`: counts by cell; empty where the world does not say in which cell an agent stands. */
export const coverageOf = (visits: Float64Array): Readonly<Record<string, number>> =>
  visits.length === 0 ? {} : { [COVERAGE.id]: visits.reduce((seen, count) => seen + (count > 0 ? 1 : 0), 0) };

/** All columns that EpisodeStats.measures() fills. */
export function teamMeasures(meta: EnvMeta): readonly MetricCard[] {
  return [
    ...sharedMeasures(meta),
    ...(meta.measures ?? []),
    ...measuredAgents(meta).map((name, agent) => ({
      id: agentMetric(agent, name),
      title: `return of ${name}`,
      description: `Mean return of ${name} in the last 100 training episodes.`,
    })),
  ];
}
