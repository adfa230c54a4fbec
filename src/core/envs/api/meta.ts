/** The meta of a single-agent environment with one reward: what follows from the spaces is filled in. */
import type { FrameLayout } from '#contract/game/frames.ts';
import { type ActionSpace, actionSize, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
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

/** Names such as `predator 1`; agents of a group with one name are numbered. */
export function agentNames({ agents }: Pick<EnvMeta, 'agents'>): string[] {
  return agents.flatMap(({ count, names }) => Array.from({ length: count }, (_, i) => names[i] ?? `${names[0] ?? 'agent'} ${i + 1}`));
}
