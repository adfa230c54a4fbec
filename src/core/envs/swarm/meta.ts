/** The meta of a swarm: what follows from its members and learners is filled in. */
import type { HumanAxis, ReferenceReturn } from '#contract/catalog.ts';
import type { PointsLayout } from '#contract/frames.ts';
import { actionSize, obsSize } from '#contract/spaces.ts';
import type { AgentGroup, EnvMeta, StateSpec } from '../types.ts';

export interface SwarmMeta {
  readonly id: string;
  readonly agents: AgentGroup;
  readonly globalSize: number;
  readonly maxSteps: number;
  readonly state: StateSpec;
  readonly frame: PointsLayout;
  readonly references: readonly ReferenceReturn[];
  /** For the first learner. */
  readonly axes: readonly HumanAxis[];
}

export function swarmMeta({ agents, axes, ...rest }: SwarmMeta): EnvMeta {
  return {
    version: 1,
    agents: [agents],
    agentCount: agents.count,
    obsSize: obsSize(agents.obs),
    actionSize: actionSize(agents.action),
    actionCount: 0,
    rewards: ['reward'],
    costs: [],
    goalSize: 0,
    masked: false,
    score: 'mean',
    gamma: 0.99,
    evalMaxSteps: rest.maxSteps,
    keys: [],
    ...(actionSize(agents.action) > 0 && { axes }),
    idleAction: null,
    fps: 20,
    ...rest,
  };
}
