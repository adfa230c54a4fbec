/** The meta of a swarm: what follows from its members and learners is filled in. */
import type { HumanAxis, MetricCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { PointsLayout } from '#contract/game/frames.ts';
import { actionSize, obsSize } from '#contract/game/spaces.ts';
import type { AgentGroup, EnvMeta, StateSpec } from '../../api/types.ts';

export interface SwarmMeta {
  readonly id: string;
  readonly agents: AgentGroup;
  readonly globalSize: number;
  readonly maxSteps: number;
  readonly state: StateSpec;
  readonly frame: PointsLayout;
  readonly references: readonly ReferenceReturn[];
  readonly measures?: readonly MetricCard[];
  readonly terms?: NonNullable<EnvMeta['terms']>;
  /** For the first learner. */
  readonly axes: readonly HumanAxis[];
}

/** Of what the mean over members is 1 where all are alike, and near 0 where each is on its own. */
export const ORDER: MetricCard = {
  id: 'order',
  title: 'order',
  description: 'Order parameter at the end of an episode, 0 to 1; mean of the last 100 episodes.',
};

/** 1 where all go round their centre one way. */
export const MILLING: MetricCard = {
  id: 'milling',
  title: 'milling',
  description: 'How much the members circle their centre at the end of an episode, 0 to 1; mean of the last 100 episodes.',
};

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
