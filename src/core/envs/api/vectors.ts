/** Settings of several numbers that belong together, each a field of its own in a form; a plain list is understood as well. */
import { z } from 'zod';

export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** [1, 2, 3] for { x: 1, y: 2, z: 3 }; anything else stays as it is, and the object's schema says what is wrong with it. */
export function named(keys: readonly string[], value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== keys.length) return value;
  return Object.fromEntries(keys.map((key, i) => [key, value[i] as unknown]));
}

/** A wind along the three axes, calm by default. */
export function windField(most: number, description: string) {
  const along = (axis: string) =>
    z
      .number()
      .min(-most)
      .max(most)
      .default(0)
      .meta({ title: `wind along ${axis}`, unit: 'm/s', description, live: true, slider: [-most / 2, most / 2] as const });
  return z
    .preprocess((value) => named(['x', 'y', 'z'], value), z.strictObject({ x: along('x'), y: along('y'), z: along('z') }))
    .prefault({})
    .meta({ title: 'wind', description, group: 'physics' });
}

export function isWindy({ x, y, z }: Vector): boolean {
  return x !== 0 || y !== 0 || z !== 0;
}
