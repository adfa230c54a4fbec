/** The settings that bodies share: physics that may change while a run goes on, ranges, switches. */
import { z } from 'zod';
import { maxStepsField } from '../../api/limits.ts';
import type { Tuning } from './engine.ts';

const factor = (title: string, description: string) =>
  z
    .number()
    .gt(0)
    .max(100)
    .default(1)
    .meta({ title, unit: '×', description, source: '1: as published', live: true, group: 'physics', log: true, slider: [0.2, 5] });

/** Gravity, friction, masses, motors and wind of a body; `gravity` is the published one. */
export const physicsFields = (gravity: number, source: string) => ({
  gravity: z
    .number()
    .min(0)
    .max(100)
    .default(gravity)
    .meta({ title: 'gravity', unit: 'm/s²', description: 'Pull downwards.', source, live: true, group: 'physics', slider: [0, 20] }),
  friction: factor('friction', 'Scales the friction of all surfaces.'),
  mass: factor('masses', 'Scales the mass of every part.'),
  strength: factor('motor strength', 'Scales the torque of every motor.'),
  wind: z
    .number()
    .min(-100)
    .max(100)
    .default(0)
    .meta({
      title: 'wind',
      unit: 'm/s',
      description: 'Along x. Bodies without a medium of their own are in air while there is wind.',
      source: 'none in the reference',
      live: true,
      group: 'physics',
      slider: [-30, 30],
    }),
});

/** `gravity`: the published one, which leaves the model as it is compiled. */
export function tuningOf(c: Tuning, gravity: number): Tuning {
  const { friction, mass, strength, wind } = c;
  return { gravity: c.gravity === gravity ? null : c.gravity, friction, mass, strength, wind };
}

export const stepsField = (standard: number, source: string) => maxStepsField(standard, source);

/** Steps of the physics for one of the environment; `dt` of the rules follows from it. */
export const frameSkipField = (standard: number, source: string) =>
  z
    .int()
    .min(1)
    .max(50)
    .default(standard)
    .meta({
      title: 'physics steps',
      unit: 'per action',
      description: 'Steps of the physics while an action holds (frame skip).',
      source,
      group: 'rules',
      slider: [1, 10],
    });

/** How far start positions and speeds are spread. */
export const noiseField = (standard: number, source: string) =>
  z
    .number()
    .min(0)
    .max(10)
    .default(standard)
    .meta({ title: 'reset noise', description: 'Spread of the positions and speeds that an episode starts from.', source, group: 'start' });

export const switchField = (standard: boolean, title: string, description: string, source: string, live = false) =>
  z
    .boolean()
    .default(standard)
    .meta({ title, description, source, group: 'rules', ...(live && { live }) });

/** Which part of the state is part of the observation. */
export const observedField = (title: string, description: string, source: string) =>
  z.boolean().default(true).meta({ title, description, source, group: 'observation' });

/** Two numbers; null: no bound on that side. */
export const rangeField = (low: number | null, high: number | null, title: string, description: string, source: string) =>
  z
    .array(z.number().min(-1e9).max(1e9).nullable())
    .length(2)
    .default([low, high])
    .meta({ title, description: `${description} Lower and upper end; empty: none.`, source, group: 'rules', depth: 'research' });

export type Range = readonly (number | null)[];

const low = (range: Range): number => range[0] ?? -Infinity;
const high = (range: Range): number => range[1] ?? Infinity;

/** Strictly between the ends. */
export const within = (x: number, range: Range): boolean => x > low(range) && x < high(range);
/** Between the ends or on one. */
export const withinOrOn = (x: number, range: Range): boolean => x >= low(range) && x <= high(range);
export const clipped = (x: number, range: Range): number => Math.min(high(range), Math.max(low(range), x));
