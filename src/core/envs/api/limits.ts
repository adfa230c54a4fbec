/** The setting that most environments have. */
import { z } from 'zod';

export function maxStepsField(
  standard: number,
  source: string,
  slider: readonly [number, number] = [Math.max(1, Math.round(standard / 10)), standard * 10],
) {
  return z
    .int()
    .min(1)
    .max(1_000_000)
    .default(standard)
    .meta({
      title: 'step limit',
      unit: 'steps',
      description: 'An episode is cut (truncated) after this many steps.',
      source,
      log: true,
      slider: [...slider],
    });
}
