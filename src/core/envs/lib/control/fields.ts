/** The settings of physics that classic control tasks share: one number each, the reference's by default. */
import { z } from 'zod';

export interface Physical {
  readonly title: string;
  readonly unit?: string;
  readonly description: string;
  readonly source: string;
  /** May change while an episode goes on: nothing drawn, sized or observed follows from it. */
  readonly live?: boolean;
}

/** A positive number up to `most`, drawn on a logarithmic slider from a fifth to five times its default. */
export function positive(standard: number, most: number, about: Physical) {
  return z
    .number()
    .gt(0)
    .max(most)
    .default(standard)
    .meta({ ...about, group: 'physics', log: true, slider: [standard / 5, Math.min(most, standard * 5)] });
}

/** Gravity, which may be zero. */
export function gravityField(standard: number, most: number, source: string, unit = 'm/s²') {
  return z
    .number()
    .min(0)
    .max(most)
    .default(standard)
    .meta({
      title: 'gravity',
      unit,
      description: 'Pull downwards.',
      source,
      live: true,
      group: 'physics',
      slider: [0, Math.min(most, 2 * standard)],
    });
}

/** Where the goal is. */
export function goalField(standard: number, least: number, most: number, about: Physical) {
  return z
    .number()
    .min(least)
    .max(most)
    .default(standard)
    .meta({ ...about, group: 'physics' });
}

/** What a motor gives, from a fifth to five times its default on the slider; below 0 it is wired the other way round. */
export function motor(standard: number, most: number, about: Physical) {
  return z
    .number()
    .min(-most)
    .max(most)
    .default(standard)
    .meta({ ...about, group: 'physics', slider: [standard / 5, standard * 5] });
}
