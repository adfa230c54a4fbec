/** What the MinAtar games have in common (Young and Tian 2019): board, actions, settings, and how golden files list draws. */
import { z } from 'zod';
import type { Source } from '#contract/catalog/catalog.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { scriptedDraws } from '../../api/draws.ts';
import type { DrawSource } from '../../api/types.ts';

export const SIZE = 10;

export const MINATAR: Source = {
  title: 'MinAtar: an Atari-inspired testbed for thorough and reproducible reinforcement learning experiments',
  authors: 'Young and Tian',
  year: 2019,
  url: 'https://arxiv.org/abs/1903.03176',
};

export const MINATAR_ACTIONS: ActionSpace = { kind: 'discrete', n: 6, labels: ['none', 'left', 'up', 'right', 'down', 'fire'] };
export const MINATAR_KEYS = [[], ['ArrowLeft', 'a'], ['ArrowUp', 'w'], ['ArrowRight', 'd'], ['ArrowDown', 's'], [' ']] as const;

export const minatarShape = {
  stickyActionProbability: z.number().min(0).max(1).default(0.1).meta({
    title: 'sticky actions',
    description: 'Chance that the action before is repeated instead of the chosen one.',
    source: 'MinAtar',
  }),
  difficultyRamping: z.boolean().default(true).meta({
    title: 'difficulty ramping',
    description: 'Games that know it become faster over time; Breakout does not.',
    source: 'MinAtar',
  }),
  maxSteps: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta({
      title: 'step limit',
      unit: 'steps',
      description: 'An episode is cut (truncated) after this many steps; 0: never.',
      source: 'MinAtar has none; gymnax cuts after 1000',
      slider: [0, 5000],
    }),
};

/** Golden draws: { reset: [...], steps: [...] }, used one after the other. `first` is the integer that our draw counts as 0. */
export function minatarDraws(draws: JsonObject, first = 0): DrawSource {
  const part = (name: string) => (Array.isArray(draws[name]) ? (draws[name] as readonly Json[]) : []);
  const lower = (entry: Json): Json => {
    const [kind, value] = (Array.isArray(entry) ? entry : []) as readonly Json[];
    if (kind !== 'randint') return entry;
    return [kind, Array.isArray(value) ? (value as readonly number[]).map((x) => x - first) : Number(value) - first];
  };
  return scriptedDraws([...part('reset'), ...part('steps')].map(lower));
}

/** Cell numbers as [row, column], in row-major order. */
export function setCells(cells: readonly number[]): Json {
  return cells.map((cell) => [Math.floor(cell / SIZE), cell % SIZE]);
}
