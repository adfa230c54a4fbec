/** Settings that worlds of turns have in common, in tokens and without, and the changes of version that came with them. */
import { z } from 'zod';
import type { VersionChange } from '#contract/run/versions.ts';
import { badConfig } from '../../api/parse.ts';

const own = 'own choice';

export const count = (value: number, max: number, title: string, description: string, min = 1) =>
  z.int().min(min).max(max).default(value).meta({ title, description, source: own, group: 'task' });

export const paid = (title: string, description: string, max: number) =>
  z.number().min(0).max(max).default(0).meta({ title, description, source: own, group: 'reward' });

export const splitField = z.enum(['all', 'train', 'held-out']).default('all').meta({
  title: 'questions',
  description: 'Which ones are asked; some are held out.',
  source: own,
  group: 'task',
});

/** `random`: what a random turn is. */
export const mistakesField = (random: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .meta({
      title: 'mistakes of the novice',
      description: `Share of its turns that are random: ${random}.`,
      source: own,
      group: 'scripted policies',
    });

/** `words`: when it is paid. */
export const shapedField = (title: string, words: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta({
      title,
      description: `${words}; given apart from the reward, for methods that begin with it.`,
      source: own,
      group: 'reward',
    });

/** Seeds in which there must be a question. */
const SAMPLE = 128;
/** Throws LabError('config-invalid') where `split` leaves no question; `how`: what changes that. */
export function checkSome(accepts: (seed: number) => boolean, how: string): void {
  for (let seed = 0; seed < SAMPLE; seed++) if (accepts(seed)) return;
  throw badConfig('split', `These questions are none of the first ${SAMPLE}.`, how);
}

/** Held-out prompts are another tenth. */
export const drawnSplit = (version: number): VersionChange => ({
  version,
  what: 'Held-out prompts are drawn by a generator from the hash of their text: each has the same chance. Before, whole classes of prompts were never held out.',
  where: { split: ['train', 'held-out'] },
  rerun: true,
});

/** A malformed turn pays. */
export const pricedForm = (version: number): VersionChange => ({
  version,
  what: 'What is no turn takes the price of all turns that were left; it took none.',
  whereNot: { price: 0 },
  rerun: true,
});
