/**
 * What stands in front of the dense layers of a network, chosen here for every method: nothing, a convolution over what lies in space, or an
 * encoder over things. Only the last reads observations of any number of things by the same parameters.
 */
import { entitiesOf, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import type { Activation } from '../engine/ops.ts';
import { convFront } from './conv.ts';
import type { EntityOptions, Role } from './entities.ts';
import type { Front, Init } from './mlp.ts';

/** The setting `body` of a method (algos/api/fields.ts). */
export type Body = { readonly kind: 'dense' } | ({ readonly kind: 'entities' } & EntityOptions);

export interface BodySettings {
  /** Dense layers alone if missing. */
  readonly body?: Body;
  /** Of a convolution; none if missing. */
  readonly filters?: number;
}

/** Layers in front of the dense ones once they are made; undefined: those read the encoded row as it is. */
export type BuiltFront = ReturnType<Front> | undefined;

/** Loaded where a config asks for it: most do without. */
let encoders: typeof import('./entities.ts') | undefined;

/** Whether `loadBody` has something to load. */
export const isLate = ({ body }: BodySettings): boolean => body?.kind === 'entities';

/** To be awaited before a network of these settings is made; algos/api/define.ts does it for all methods. */
export async function loadBody(settings: BodySettings): Promise<void> {
  if (isLate(settings)) encoders ??= await import('./entities.ts');
}

const loaded = () => present(encoders, 'the encoder over things, loaded');
const thingsOf = (space: ObsSpace) => present(entitiesOf(space) ?? undefined, 'a description of the things that are seen');

/** undefined: the dense layers read the encoded row as it is. Throws Error for a space that the body does not fit. */
export function bodyFront(
  space: ObsSpace,
  { body = { kind: 'dense' }, filters = 0 }: BodySettings,
  options: { readonly act: Activation; readonly init?: Init },
): Front | undefined {
  return body.kind === 'dense' ? convFront(space, filters, options) : loaded().entityFront(thingsOf(space), body);
}

/** Rows of what several agents see in a step, each of one of these roles. */
export interface TeamRows {
  readonly roles: readonly { readonly name: string; readonly obs: ObsSpace }[];
  /** The role of each agent, in the order of the columns. */
  readonly seen: readonly string[];
  /** The first agents, each of which gets a value of its own. */
  readonly valued: number;
}

/** The same in front of layers that read what a whole team sees: a row for each that is valued. */
export function teamBodyFront({ roles, ...sight }: TeamRows, { body = { kind: 'dense' } }: BodySettings): Front | undefined {
  if (body.kind === 'dense') return undefined;
  const known = roles.map(({ name, obs }): Role => ({ name, kinds: thingsOf(obs), width: obsSize(obs) }));
  return loaded().teamFront({ ...sight, roles: known }, body);
}

/** Policy and value share a body over things, which costs more than all dense layers; others they have each for themselves. */
export const sharesBody = ({ body }: BodySettings): boolean => body?.kind === 'entities';
