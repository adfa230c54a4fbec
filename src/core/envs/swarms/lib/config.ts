/** Settings that all swarms share: how many members a policy steers and how long an episode is. */
import { z } from 'zod';
import { maxStepsField } from '../../api/limits.ts';
import type { AgentGroup } from '../../api/types.ts';

export const MOST_MEMBERS = 10_000;

export function membersField(standard: number, title: string, description: string) {
  return z
    .int()
    .min(2)
    .max(MOST_MEMBERS)
    .default(standard)
    .meta({ title, description, log: true, slider: [2, 2000] });
}

export const swarmFields = {
  learners: z
    .number()
    .min(0)
    .max(MOST_MEMBERS)
    .default(0)
    .meta({
      title: 'learners',
      description:
        'Members that a policy steers; the others follow the rule. Below 1: a share of all; from 1 on: how many; 0: no learners.',
      source: 'own choice',
      slider: [0, 100],
    }),
  maxSteps: maxStepsField(500, 'own choice'),
};

/** A quantity of a model, with its unit. */
export function number(
  standard: number,
  at: {
    readonly title: string;
    readonly unit?: string;
    readonly description: string;
    readonly source: string;
    readonly min: number;
    readonly max: number;
    readonly slider?: readonly [number, number];
    readonly log?: boolean;
    /** May change while an episode goes on. */
    readonly live?: boolean;
  },
) {
  const { min, max, ...rest } = at;
  return z.number().min(min).max(max).default(standard).meta(rest);
}

/** How many of `members` learn; they are the first ones. */
export function learnersOf(c: { readonly learners: number }, members: number): number {
  const wanted = c.learners < 1 ? Math.round(c.learners * members) : Math.floor(c.learners);
  return Math.min(members, wanted);
}

/** The learners; without learners, one agent that watches the whole and has no effect. */
export function swarmAgents(
  learners: number,
  member: string,
  learner: Pick<AgentGroup, 'obs' | 'action'>,
  watcher: readonly string[],
): AgentGroup {
  if (learners > 0) return { count: learners, names: Array.from({ length: learners }, (_, i) => `${member} ${i}`), ...learner };
  return {
    count: 1,
    names: ['swarm'],
    obs: { kind: 'box', shape: [watcher.length], low: -1e6, high: 1e6, labels: watcher },
    action: { kind: 'box', size: 0, low: [], high: [], labels: [] },
  };
}
