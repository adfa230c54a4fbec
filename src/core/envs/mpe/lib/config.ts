/** Settings that all particle scenarios share: kind of action, length of an episode, and the physics, whose defaults are the reference's. */
import { z } from 'zod';
import { maxStepsField } from '../../api/limits.ts';

const SOURCE = 'MPE2 1.1.0';

/** A physical quantity with its unit; the reference's value is the default. */
export function quantity(
  standard: number,
  at: {
    readonly title: string;
    readonly unit: string;
    readonly description: string;
    readonly min: number;
    readonly max: number;
    readonly slider?: readonly [number, number];
    readonly log?: boolean;
    /** May change while an episode goes on; sizes may not, since the picture is made of them. */
    readonly live?: boolean;
  },
) {
  const { min, max, live = true, ...rest } = at;
  return z
    .number()
    .min(min)
    .max(max)
    .default(standard)
    .meta({ ...rest, ...(live && { live }), source: SOURCE, group: 'physics' });
}

export const shared = {
  continuousActions: z.boolean().default(false).meta({
    title: 'continuous actions',
    description: 'Five numbers from 0 to 1 per agent (unused, left, right, down, up; then the message) instead of one choice.',
    source: SOURCE,
  }),
  maxCycles: maxStepsField(25, SOURCE),
};

export const physics = {
  dt: quantity(0.1, { title: 'time step', unit: 's', description: 'Time that one step covers.', min: 0.001, max: 1, slider: [0.01, 0.3] }),
  damping: quantity(0.25, { title: 'damping', unit: 'per step', description: 'Share of the velocity lost in a step.', min: 0, max: 1 }),
  contactForce: quantity(100, {
    title: 'contact force',
    unit: 'N/m',
    description: 'How hard bodies that overlap push each other apart.',
    min: 0,
    max: 10_000,
    slider: [0, 500],
  }),
  contactMargin: quantity(0.001, {
    title: 'contact margin',
    unit: 'm',
    description: 'How soft the edge of a body is.',
    min: 1e-5,
    max: 0.1,
    slider: [1e-4, 0.05],
    log: true,
  }),
};

export function massField() {
  return quantity(1, { title: 'mass', unit: 'kg', description: 'Mass of each agent.', min: 0.01, max: 1000, slider: [0.1, 10], log: true });
}
export function forceField(standard: number, who = 'each agent') {
  return quantity(standard, {
    title: `force of ${who}`,
    unit: 'N',
    description: 'Force of a full action.',
    min: 0,
    max: 100,
    slider: [0, 20],
  });
}
export function sizeField(standard: number, who = 'each agent') {
  return quantity(standard, {
    title: `radius of ${who}`,
    unit: 'm',
    description: 'Radius of the disc.',
    live: false,
    min: 0.001,
    max: 1,
    slider: [0.01, 0.3],
  });
}
export function speedField(standard: number, who: string) {
  return quantity(standard, {
    title: `top speed of ${who}`,
    unit: 'm/s',
    description: 'Speeds above are cut.',
    min: 0,
    max: 100,
    slider: [0, 3],
  });
}

/** A count of agents or things. */
export function countField(standard: number, min: number, max: number, title: string, description: string) {
  return z.int().min(min).max(max).default(standard).meta({ title, description, source: SOURCE, crowd: true });
}

export type Physics = { readonly dt: number; readonly damping: number; readonly contactForce: number; readonly contactMargin: number };
/** Without movement there is no physics to set. */
export type Shared = Partial<Physics> & { readonly continuousActions: boolean; readonly maxCycles: number };

export const STANDARD_PHYSICS: Physics = z.strictObject(physics).parse({});

export const MPE_SOURCE = {
  title: 'Multi-agent actor-critic for mixed cooperative-competitive environments',
  authors: 'Lowe et al.',
  year: 2017,
  url: 'https://arxiv.org/abs/1706.02275',
} as const;
