/**
 * What a method for vectors of rewards says about the policies it has: it travels inside the policy snapshot (`saved.meta.front`), so
 * that every kept point of a run has its own. The config field `preference` of such a method says which of them acts.
 */
import { z } from 'zod';
import type { PolicySnapshot } from './events.ts';
import type { JsonObject } from './json.ts';

const vector = z.array(z.number());

export const frontSchema = z.object({
  objectives: z.array(z.string()).min(2),
  /** One per weight vector that was learned for: its greedy policy and what that gets, mean sum of rewards of an episode, not discounted. */
  points: z.array(z.object({ weights: vector, value: vector })),
  /** Best trade-offs that are possible, where the environment knows them. */
  known: z.array(
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
  const parsed = frontSchema.safeParse(snapshot.saved.meta.front);
  return parsed.success ? parsed.data : null;
}

/** The same policies, with another one of them acting. */
export function withPreference(snapshot: PolicySnapshot, weights: readonly number[]): PolicySnapshot {
  const config: JsonObject = { ...snapshot.algo.config, preference: [...weights] };
  return { ...snapshot, algo: { ...snapshot.algo, config } };
}
