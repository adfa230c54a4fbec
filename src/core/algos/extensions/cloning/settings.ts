/** Settings of a cloned start: a variant, or a number of updates alone at the method's own learning rate. */
import { z } from 'zod';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const measured = 'own measurements at 0.1 M parameters';
const group = 'warm start';

/** `more`: fields beside its updates and their step size. */
const started = <const S extends z.core.$ZodShape>(
  usual: 'on' | 'off',
  { description, source, optimiser }: { readonly description: string; readonly source: string; readonly optimiser: 'Adam' | 'AdamW' },
  more: S,
) =>
  variant(
    usual as never, // the kinds are generic in `more`
    [
      kind('off', {}),
      kind('on', {
        steps: fields.integer(60, { min: 1, max: 5000, title: 'cloning updates', description, source, group, depth: 'teach' }),
        lr: fields.lr(1e-3, source, {
          title: 'learning rate of cloning',
          description: `Step size of ${optimiser} on demonstrations.`,
          group,
          live: false,
        }),
        ...more,
      }),
    ],
    { title: 'cloned start', description: 'Copies a script of the environment before anything else.', group, depth: 'teach' },
  );

const onTokens = {
  until: fields.real(1, {
    above: 0,
    max: 1,
    title: 'cloning ends at',
    description:
      'Cloning ends before its last update once this share of new demonstrations is what the policy would write greedily, a running mean; 1: never.',
    source: 'own choice',
    group,
    depth: 'research',
  }),
  apart: z.boolean().default(true).meta({
    title: 'demonstrations apart',
    description: 'Every row copies a demonstration of its own; off: rows of a group copy the same one.',
    source: 'own choice',
    group,
    depth: 'stored',
  }),
  teacher: z.enum(['novice', 'expert']).default('novice').meta({
    title: 'teacher',
    description: 'The scripted policy that is copied; the environment says how many mistakes its novice makes.',
    source: measured,
    group,
  }),
};
const ofTokens = { description: 'Updates on demonstrations before any reward.', source: measured, optimiser: 'AdamW' } as const;

/** What of it a config may leave out: worlds have steps and step size alone. */
export type Setting =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      readonly steps: number;
      readonly lr: number;
      readonly until?: number;
      readonly apart?: boolean;
      readonly teacher?: 'novice' | 'expert';
    };

export const tokenStarts = { on: started('on', ofTokens, onTokens), off: started('off', ofTokens, onTokens) };
export const worldStart = started(
  'off',
  { description: 'Updates on episodes of the world’s scripted novice before any reward.', source: 'own choice', optimiser: 'Adam' },
  {},
);
export const stepsAlone = fields.integer(0, {
  min: 0,
  max: 5000,
  title: 'cloning updates',
  description: 'Updates on demonstrations of the novice before any reward.',
  source: measured,
  group,
  depth: 'teach',
});
