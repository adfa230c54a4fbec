/**
 * When a seed is to end before its budget of steps. No part of the config, which says what is trained: a seed that a rule ended is the
 * beginning of that very run, and goes on from there when it is resumed.
 */
import { z } from 'zod';

export const LONGEST_S = 30 * 24 * 3600;
export const LARGEST_RETURN = 1e9;

/** What a seed must have reached at the first row of a metric at or after a step: a sweep ends runs that are behind others. */
const rungSchema = z.object({
  seed: z.int().min(0),
  step: z.int().min(1),
  metric: z.string().max(100),
  better: z.enum(['more', 'less']),
  bound: z.number(),
});
export type Rung = z.infer<typeof rungSchema>;

export const stopRulesSchema = z.object({
  /** Seconds of training of a seed, pauses left out. */
  seconds: z.number().gt(0).max(LONGEST_S).optional(),
  /** Mean return of the last 100 training episodes that is enough. */
  meanReturn: z.number().min(-LARGEST_RETURN).max(LARGEST_RETURN).optional(),
  /** By step, of all seeds that they name. */
  rungs: z.array(rungSchema).max(1000).optional(),
});
export type StopRules = z.infer<typeof stopRulesSchema>;
