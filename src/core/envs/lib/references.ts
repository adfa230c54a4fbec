/** Measured returns of a particle scenario at its default settings. */
import type { z } from 'zod';
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';

/** Says whether a config is the default one: reference returns hold for no other. */
export function standard<C>(schema: z.ZodType<C>): (c: C) => boolean {
  const defaults = JSON.stringify(schema.parse({}));
  return (c) => JSON.stringify(c) === defaults;
}

/** `whose`: whose return, where agents get different ones. */
export function measured(random: number, scripted: number, whose = ''): ReferenceReturn[] {
  const of = whose === '' ? '' : `, ${whose}`;
  return [
    { name: 'random', value: random, source: `uniform actions, 20,000 episodes${of}` },
    { name: 'scripted', value: scripted, source: `the policy "scripted", at least 1,000 episodes${of}` },
  ];
}
