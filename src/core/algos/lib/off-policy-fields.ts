/** Settings that SAC, TD3 and MADDPG have in common, with each one's own default and its source. */
import { z } from 'zod';

export const lrField = (standard: number, title: string, description: string, source: string) =>
  z
    .number()
    .gt(0)
    .max(1)
    .default(standard)
    .meta({ title, description, source, live: true, log: true, slider: [1e-5, 1e-2], depth: 'teach', group: 'optimisation' });

export const gammaField = (standard: number, source: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(standard)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source,
      live: true,
      depth: 'teach',
      slider: [0.9, 1],
      group: 'returns',
    });

export const tauField = (standard: number, source: string) =>
  z.number().gt(0).max(1).default(standard).meta({
    title: 'target step',
    description: 'How far the target networks follow after every update (Polyak).',
    source,
    live: true,
    group: 'target',
  });

export const hiddenField = (standard: readonly number[], source: string) =>
  z
    .array(z.int().min(1).max(2048))
    .min(1)
    .max(6)
    .default([...standard])
    .meta({
      title: 'hidden layers',
      description: 'Units of each layer, in actor and critics; ReLU between them.',
      source,
      group: 'network',
    });

/** `batch`, `start`, `every`, `steps`: the method's own defaults. */
export const replayFields = (
  source: string,
  own: { readonly batch: number; readonly start: number; readonly every?: number; readonly buffer?: number; readonly envs?: number },
) => ({
  envs: z
    .int()
    .min(1)
    .max(256)
    .default(own.envs ?? 1)
    .meta({ title: 'parallel copies', description: 'Environments stepped together.', source, slider: [1, 16], group: 'replay' }),
  bufferSize: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(own.buffer ?? 100_000)
    .meta({
      title: 'replay memory',
      unit: 'transitions',
      description: 'The newest transitions that are kept; published settings keep a million, which weighs on checkpoints.',
      source: 'own choice',
      log: true,
      slider: [1000, 1_000_000],
      group: 'replay',
    }),
  learningStarts: z
    .int()
    .min(1)
    .max(1e6)
    .default(own.start)
    .meta({
      title: 'learning starts',
      unit: 'steps',
      description: 'Steps with random actions before the first update.',
      source,
      log: true,
      slider: [100, 50_000],
      group: 'replay',
    }),
  batchSize: z
    .int()
    .min(1)
    .max(4096)
    .default(own.batch)
    .meta({
      title: 'batch',
      unit: 'transitions',
      description: 'Transitions per update.',
      source,
      slider: [16, 1024],
      log: true,
      group: 'replay',
    }),
  trainEvery: z
    .int()
    .min(1)
    .max(10_000)
    .default(own.every ?? 1)
    .meta({
      title: 'update every',
      unit: 'steps',
      description: 'Steps, summed over copies, between two updates.',
      source,
      slider: [1, 128],
      group: 'replay',
    }),
  gradientSteps: z
    .int()
    .min(1)
    .max(1024)
    .default(1)
    .meta({ title: 'gradient steps', description: 'Updates each time.', source, slider: [1, 128], log: true, group: 'replay' }),
});
