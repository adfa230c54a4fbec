/** The meta of a single-agent environment with one reward: what follows from the spaces is filled in. */
import type { FrameLayout } from '#contract/game/frames.ts';
import { type ActionSpace, actionSize, type EntityKind, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { badConfig } from './parse.ts';
import type { AgentGroup, EnvMeta, StateSpec } from './types.ts';

export interface SoloMeta {
  readonly id: string;
  /** 1 without it. */
  readonly version?: number;
  readonly agent: string;
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly gamma: number;
  readonly maxSteps: number;
  readonly evalMaxSteps: number;
  readonly state: StateSpec;
  readonly terms?: NonNullable<EnvMeta['terms']>;
  readonly frame: FrameLayout;
  readonly references: EnvMeta['references'];
  readonly keys: EnvMeta['keys'];
  readonly axes?: NonNullable<EnvMeta['axes']>;
  readonly idleAction: number | null;
  readonly fps: number;
  readonly masked?: boolean;
}

export function soloMeta({ agent, obs, action, version = 1, ...rest }: SoloMeta): EnvMeta {
  return {
    version,
    agents: [{ count: 1, names: [agent], obs, action }],
    agentCount: 1,
    obsSize: obsSize(obs),
    actionSize: actionSize(action),
    actionCount: action.kind === 'discrete' ? action.n : 0,
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked: false,
    score: 'mean',
    ...rest,
  };
}

/** One entry for each agent, made from the group it belongs to. */
export function perAgent<T>({ agents }: Pick<EnvMeta, 'agents'>, of: (group: AgentGroup, index: number) => T): T[] {
  return agents.flatMap((group, index) => Array.from({ length: group.count }, () => of(group, index)));
}

/** Of all agents, in their order. */
export const namesOf = ({ agents }: Pick<EnvMeta, 'agents'>): readonly string[] => agents.flatMap(({ names }) => names);

/** Names such as `predator 1`; agents of a group with one name are numbered. */
export function agentNames({ agents }: Pick<EnvMeta, 'agents'>): string[] {
  return agents.flatMap(({ count, names }) => Array.from({ length: count }, (_, i) => names[i] ?? `${names[0] ?? 'agent'} ${i + 1}`));
}

/** Rows of things where so many numbers are told behind the others: they belong to the agent itself, the first kind. */
function toldItself([self, ...others]: readonly EntityKind[], from: number, count: number): readonly EntityKind[] {
  if (self === undefined) return [];
  const added = Array.from({ length: count }, (_, k) => from + k);
  return [{ ...self, width: self.width + count, rows: self.rows.map((row) => [...row, ...added]) }, ...others];
}

/** A group to whose observations the numbers `labels`, between `ends`, are appended. Throws LabError('config-invalid') for `field` where there is no place for numbers. */
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
