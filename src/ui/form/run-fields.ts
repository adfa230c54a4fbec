/**
 * The run options as a form sees them. The schema itself is zod in contract/run/config.ts; this is the same thing as plain data with
 * a depth for each field, so that the first paint needs no schema library. A test keeps the two equal.
 */
import type { FieldSchema } from '#contract/catalog/catalog.ts';

export const budgetFields: FieldSchema = {
  type: 'object',
  properties: {
    steps: {
      type: 'integer',
      minimum: 1,
      maximum: 1e10,
      default: 500_000,
      title: 'steps',
      description: 'Environment steps per seed, summed over parallel copies.',
      log: true,
      slider: [1000, 1e8],
    },
    seeds: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 5,
      title: 'seeds',
      description: 'Independent runs of the same config; from five on the page draws an interval.',
      slider: [1, 20],
    },
    seedStart: {
      type: 'integer',
      minimum: 0,
      maximum: 0xffff_ffff,
      default: 1,
      title: 'first seed',
      description: 'Seeds are this number and the ones after it.',
      depth: 'research',
    },
    executor: {
      type: 'string',
      enum: ['wasm', 'webgpu', 'webgpu-rollouts', 'tfjs-webgpu', 'tfjs-webgl', 'tfjs-wasm', 'tfjs-cpu', 'auto'],
      default: 'wasm',
      title: 'executor',
      description: 'wasm is exact on every machine; the others are within tolerance.',
      depth: 'research',
    },
  },
};

/** Training episodes that begin in stored states. */
export const startsFields: FieldSchema = {
  type: 'object',
  properties: {
    starts: {
      type: 'object',
      properties: {
        share: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 0,
          title: 'share of starts',
          description: 'Of the training episodes. Evaluation begins as usual.',
          depth: 'research',
        },
        from: {
          type: 'string',
          default: 'random',
          title: 'starts from',
          description: 'Who plays to the states: a script of the environment or "random"; or the SHA-256 of a recording.',
          depth: 'research',
        },
        steps: {
          type: 'integer',
          minimum: 0,
          maximum: 100_000,
          default: 50,
          title: 'steps to a start',
          unit: 'steps',
          description: 'At most; the number is drawn for each state.',
          slider: [0, 500],
          depth: 'research',
        },
        states: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000,
          default: 100,
          title: 'start states',
          description: 'Made once, before training; their steps are counted in a curve.',
          log: true,
          slider: [1, 1000],
          depth: 'research',
        },
        until: {
          type: 'integer',
          minimum: 1,
          maximum: 1e10,
          title: 'starts until',
          unit: 'steps',
          description: 'From this step on all episodes begin as usual. Empty: to the end.',
          depth: 'research',
        },
      },
      additionalProperties: false,
      title: 'starts',
      description: 'A share of the training episodes begins in stored states.',
      group: 'starts',
    },
  },
};

/** Only where one agent walks on cells. */
export const shapingFields: FieldSchema = {
  type: 'object',
  properties: {
    shaping: {
      type: 'object',
      properties: {
        levels: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: 64,
          title: 'levels',
          description: 'One digit for every cell, row by row.',
        },
        unit: {
          type: 'number',
          minimum: -1000,
          maximum: 1000,
          default: 0.1,
          slider: [0, 1],
          title: 'worth of a level',
          description: 'In units of reward; level 9 is worth nine times as much.',
        },
      },
      additionalProperties: false,
      title: 'painted potential',
      description: 'A step is paid the discounted potential of its cell, less that of the cell before; the best policy stays the best.',
      source: 'Ng et al. 1999',
      editor: 'potential',
      group: 'reward shaping',
    },
  },
};

export const evaluationFields: FieldSchema = {
  type: 'object',
  properties: {
    evalEvery: {
      type: 'integer',
      minimum: 0,
      maximum: 1e9,
      default: 0,
      title: 'evaluate every',
      unit: 'steps',
      description: 'Greedy evaluation on fixed seeds during training; 0: at the end only.',
    },
    evalEpisodes: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 100,
      title: 'evaluation episodes',
      description: 'Greedy episodes on fixed seeds at the end.',
    },
    emergence: {
      type: 'boolean',
      title: 'emergence',
      description: 'What two hidden units tell of their next step only together.',
      depth: 'research',
    },
  },
};
