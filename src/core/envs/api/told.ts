/** Observations to which numbers are added that agents are told: of contexts, of who plays a seat. */
import type { EntityKind } from '#contract/game/spaces.ts';
import { badConfig } from './parse.ts';
import type { AgentGroup } from './types.ts';

/** Rows of things where so many numbers are told behind the others: they belong to the agent itself, the first kind. */
function toldItself([self, ...others]: readonly EntityKind[], from: number, count: number): readonly EntityKind[] {
  if (self === undefined) return [];
  const added = Array.from({ length: count }, (_, k) => from + k);
  return [{ ...self, width: self.width + count, rows: self.rows.map((row) => [...row, ...added]) }, ...others];
}

/** A group whose agents see `labels` behind what they saw, numbers between `ends`. Throws LabError('config-invalid') for `field` where there is no place for numbers. */
export function told(group: AgentGroup, labels: readonly string[], ends: readonly [low: number, high: number], field: string): AgentGroup {
  const { obs } = group;
  if (obs.kind === 'discrete')
    return { ...group, obs: { kind: 'box', shape: [obs.n + labels.length], low: Math.min(0, ends[0]), high: Math.max(1, ends[1]) } };
  if (obs.kind === 'grid') return { ...group, obs: { ...obs, extra: obs.extra + labels.length } };
  if (obs.kind !== 'box' || obs.shape.length !== 1)
    throw badConfig(
      field,
      'Agents see a picture here, to which no numbers can be added.',
      'Leave "tell" off, so that agents find out by acting.',
    );
  const { labels: before, entities, low, high } = obs;
  const width = obs.shape[0]!;
  return {
    ...group,
    obs: {
      kind: 'box',
      shape: [width + labels.length],
      low: low === null ? null : Math.min(low, ends[0]),
      high: high === null ? null : Math.max(high, ends[1]),
      ...(before !== undefined && { labels: [...before, ...labels] }),
      ...(entities !== undefined && { entities: toldItself(entities, width, labels.length) }),
    },
  };
}
