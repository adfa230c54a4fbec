/**
 * What every method needs to know of environments whose observations are normalised. How they are is normalised.ts, which runs load that need it:
 * most do not.
 */
import type { EnvMeta, StepBuffers } from '../../envs/api/types.ts';

/** The environment as methods are told of it: what reads plain observations out of theirs is left out. */
export function seenMeta({
  normalised: _,
  searchable: __,
  goals: ___,
  skills: ____,
  tasks: _____,
  plans: ______,
  cells: ________,
  ...meta
}: EnvMeta): EnvMeta {
  if (meta.partners?.some(({ told }) => told) !== true) return meta;
  const { partners: _______, ...alone } = meta;
  return alone;
}

/** Buffers with plain observations, behind those that a method reads; `view` normalises a drawn row in place. */
export interface Behind {
  readonly plain: StepBuffers;
  /** `write` as SeenMoments has it: normalises the observation x[from ..] of an agent into out[to ..]. */
  readonly moments: { write(agent: number, x: Float32Array, from: number, out: Float32Array, to: number): void };
}
export const behind = new WeakMap<StepBuffers, Behind>();

/** Where a replay memory finds plain observations, and what normalises those that were drawn; null: they are plain already. */
export const behindBuffers = (buffers: StepBuffers): Behind | null => behind.get(buffers) ?? null;
