/**
 * What a method for vectors of rewards says about the policies it has: it travels inside the policy snapshot (`saved.meta.front`), so
 * that every kept point of a run has its own. The config field `preference` of such a method says which of them acts.
 */
import { z } from 'zod';
import { FIRST_ISSUE, listOf } from '../kit/bounded.ts';
import type { JsonObject } from '../kit/json.ts';
import type { PolicySnapshot } from '../run/events.ts';

const vector = z.array(z.number()).max(1000);

export const frontSchema = z.object({
  objectives: z.array(z.string()).min(2).max(1000),
  /** One per weight vector that was learned for: its greedy policy and what that gets, mean sum of rewards of an episode, not discounted. */
  points: listOf(z.object({ weights: vector, value: vector })),
  /** Best trade-offs that are possible, where the environment knows them. */
  known: listOf(
    z.object({
      value: vector,
      /** Some weighted sum likes it at least as much as any other; null: not worked out (only for two objectives). */
      supported: z.boolean().nullable(),
    }),
  ),
  /** Hypervolumes count against this point. */
  reference: vector,
});
export type Front = z.infer<typeof frontSchema>;

/** The front inside a snapshot; null: of another kind of method. */
export function frontOf(snapshot: PolicySnapshot): Front | null {
  const parsed = frontSchema.safeParse(snapshot.saved.meta.front, FIRST_ISSUE);
  return parsed.success ? parsed.data : null;
}

/** The same policies, with another one of them acting. */
export function withPreference(snapshot: PolicySnapshot, weights: readonly number[]): PolicySnapshot {
  const config: JsonObject = { ...snapshot.algo.config, preference: [...weights] };
  return { ...snapshot, algo: { ...snapshot.algo, config } };
}

/** Index of the vector that is nearest to the wish in direction: shares of the sum are compared. Ties go to the first. */
export function nearestWeights(list: readonly (readonly number[])[], wish: readonly number[]): number {
  const share = (w: readonly number[]): readonly number[] => {
    const sum = w.reduce((a, b) => a + b, 0);
    return sum > 0 ? w.map((x) => x / sum) : w.map(() => 1 / w.length);
  };
  const wanted = share(wish);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, w] of list.entries()) {
    const far = share(w).reduce((sum, x, k) => sum + Math.abs(x - wanted[k]!), 0);
    if (far < least - 1e-12) [best, least] = [i, far];
  }
  return best;
}
