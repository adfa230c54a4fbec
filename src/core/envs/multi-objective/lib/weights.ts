/** The setting that makes one reward of several, for learners that need one. */
import { z } from 'zod';

export function weightsField(names: readonly string[], most: number) {
  return z
    .array(z.number().min(-100).max(100))
    .min(1)
    .max(most)
    .nullable()
    .default(null)
    .meta({
      title: 'weights',
      description: `Weights of ${names.join(', ')}: the reward becomes their weighted sum; empty: a vector.`,
    });
}
