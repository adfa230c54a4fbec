/**
 * How a group fares, from what its members got (Perolat et al. 2017): efficiency, equality (1 - Gini), sustainability, peace.
 * A measure that has no meaning there is null: equality where the sum is 0 or a return is negative, sustainability where no agent
 * was ever paid, peace where no agent can be out.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';

const MEAN = 'mean of the last 100 episodes.';
/** What a run shows of them. */
export const SOCIAL_MEASURES: readonly MetricCard[] = [
  { id: 'efficiency', title: 'efficiency', description: `What all agents together earn per step; ${MEAN}`, unit: 'per step' },
  {
    id: 'equality',
    title: 'equality',
    description: `1 - Gini of the agents' returns, 1: all the same; none where a return is negative; ${MEAN}`,
  },
  {
    id: 'sustainability',
    title: 'sustainability',
    description: `Mean step at which agents are paid, later is better; ${MEAN}`,
    unit: 'step',
  },
  { id: 'peace', title: 'peace', description: `Agents that are not tagged out, on an average step; ${MEAN}`, unit: 'agents' },
];

export interface Tally {
  readonly returns: readonly number[]; // [A]
  readonly paid: readonly number[]; // [A] how often a reward above 0 came
  readonly paidAt: readonly number[]; // [A] sum of the steps at which it came
  readonly out: readonly number[]; // [A] steps out of the game
  readonly steps: number;
}

export interface SocialMetrics {
  readonly efficiency: number; // sum of the returns per step
  readonly equality: number | null;
  readonly sustainability: number | null; // mean step at which rewards come, over agents that got any
  readonly peace: number | null; // agents in the game, mean over steps
}

export function socialMetrics(t: Tally, tagging: boolean): SocialMetrics {
  const sum = t.returns.reduce((a, b) => a + b, 0);
  const A = t.returns.length;
  const differences = t.returns.reduce((d, a) => d + t.returns.reduce((e, b) => e + Math.abs(a - b), 0), 0);
  const times = t.paidAt.flatMap((at, i) => (t.paid[i]! > 0 ? [at / t.paid[i]!] : []));
  return {
    efficiency: t.steps > 0 ? sum / t.steps : 0,
    equality: sum > 0 && t.returns.every((r) => r >= 0) ? 1 - differences / (2 * A * sum) : null,
    sustainability: times.length > 0 ? times.reduce((a, b) => a + b, 0) / times.length : null,
    peace: tagging && t.steps > 0 ? A - t.out.reduce((a, b) => a + b, 0) / t.steps : null,
  };
}
