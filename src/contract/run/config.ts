/**
 * A run is a pure function of this object and a seed. `env.config` and `algo.config` hold every field, defaults included,
 * once `completeConfig` has filled them; links keep only what differs.
 */
import { z } from 'zod';
import { jsonObject } from '../kit/bounded.ts';

export const executorSchema = z.enum(['wasm', 'webgpu', 'webgpu-rollouts', 'tfjs-webgpu', 'tfjs-webgl', 'tfjs-wasm', 'tfjs-cpu', 'auto']);
/** `webgpu-rollouts`: rollouts too stay on the graphics device (core/rollouts/). `auto` is resolved to one of the others before step 0; a stored run never says `auto`. `tfjs` on the command line means the best tfjs backend there is. */
export type ExecutorId = z.infer<typeof executorSchema>;

export const refSchema = z.object({
  id: z.string().min(1),
  version: z.int().min(1).default(1),
  config: jsonObject.default({}),
});
export type Ref = z.infer<typeof refSchema>;

export const runOptionsSchema = z.object({
  steps: z
    .int()
    .min(1)
    .max(1e10)
    .default(500_000)
    .meta({ title: 'steps', description: 'Environment steps per seed, summed over parallel copies.', log: true, slider: [1000, 1e8] }),
  seeds: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .meta({
      title: 'seeds',
      description: 'Independent runs of the same config; from five on the page draws an interval.',
      slider: [1, 20],
    }),
  seedStart: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .meta({ title: 'first seed', description: 'Seeds are this number and the ones after it.' }),
  executor: executorSchema
    .default('wasm')
    .meta({ title: 'executor', description: 'wasm is exact on every machine; the others are within tolerance.' }),
  evalEvery: z.int().min(0).max(1e9).default(0).meta({
    title: 'evaluate every',
    unit: 'steps',
    description: 'Greedy evaluation on fixed seeds during training; 0: at the end only.',
  }),
  evalEpisodes: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ title: 'evaluation episodes', description: 'Greedy episodes on fixed seeds at the end.' }),
  emergence: z.boolean().exactOptional().meta({
    title: 'emergence',
    description: 'What two hidden units tell of their next step only together.',
  }),
  shaping: z
    .strictObject({
      levels: z.array(z.string()).min(1).max(64).meta({ title: 'levels', description: 'One digit for every cell, row by row.' }),
      unit: z
        .number()
        .min(-1000)
        .max(1000)
        .default(0.1)
        .meta({ title: 'worth of a level', description: 'In units of reward; level 9 is worth nine times as much.', slider: [0, 1] }),
    })
    .exactOptional()
    .meta({
      title: 'painted potential',
      description: 'A step is paid the discounted potential of its cell, less that of the cell before; the best policy stays the best.',
      source: 'Ng et al. 1999',
      editor: 'potential',
      group: 'reward shaping',
    }),
  starts: z
    .strictObject({
      share: z.number().min(0).max(1).default(0).meta({
        title: 'share of starts',
        description: 'Of the training episodes. Evaluation begins as usual.',
      }),
      from: z.string().default('random').meta({
        title: 'starts from',
        description: 'Who plays to the states: a script of the environment or "random"; or the SHA-256 of a recording.',
      }),
      steps: z
        .int()
        .min(0)
        .max(100_000)
        .default(50)
        .meta({
          title: 'steps to a start',
          unit: 'steps',
          description: 'At most; the number is drawn for each state.',
          slider: [0, 500],
        }),
      states: z
        .int()
        .min(1)
        .max(10_000)
        .default(100)
        .meta({
          title: 'start states',
          description: 'Made once, before training; their steps are counted in a curve.',
          log: true,
          slider: [1, 1000],
        }),
      until: z.int().min(1).max(1e10).exactOptional().meta({
        title: 'starts until',
        unit: 'steps',
        description: 'From this step on all episodes begin as usual. Empty: to the end.',
      }),
    })
    .exactOptional()
    .meta({ title: 'starts', description: 'A share of the training episodes begins in stored states.', group: 'starts' }),
});
export type RunOptions = z.infer<typeof runOptionsSchema>;

export const runConfigSchema = z.object({
  v: z.literal(1).default(1),
  env: refSchema,
  algo: refSchema,
  run: runOptionsSchema.prefault({}),
});
export type RunConfig = z.infer<typeof runConfigSchema>;

declare const complete: unique symbol;
/** A run that was checked whole, with every default filled. Only completeRun makes one, so functions that take it do not check again. */
export type CompleteConfig = RunConfig & { readonly [complete]: true };
