/** One number of several seeds, and what it must reach. */
import { z } from 'zod';

/**
 * How the numbers of all seeds become one, and what that one must reach. `every`: each seed must pass. Per seed, `evalReturn` and
 * `finalReturn` are those of SeedResult; `bestReturn` is the highest mean over 100 training episodes that the run reached;
 * `exactScore` the greedy policy's expected return, computed from the environment's transition table at its step limit;
 * `nashConv` what both players could gain by changing alone, as the run last measured it; `againstReturn` the mean return of the greedy
 * policy in the environment that the card names in `against`; `sampledReturn` that of episodes on the evaluation's seeds in which actions
 * are drawn by the policy's own chances; `hypervolume` what all trade-offs dominate together, as the run last measured it; `netReturn` the
 * mean of the last 100 training episodes less what their calls of a central learner cost.
 */
export const expectationSchema = z.object({
  metric: z.enum([
    'evalReturn',
    'finalReturn',
    'bestReturn',
    'exactScore',
    'nashConv',
    'againstReturn',
    'sampledReturn',
    'hypervolume',
    'netReturn',
    'explained',
  ]),
  statistic: z.enum(['iqm', 'median', 'mean', 'every']),
  min: z.number().optional(),
  max: z.number().optional(),
});
export type Expectation = z.infer<typeof expectationSchema>;
