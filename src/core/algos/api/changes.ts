/** Corrections of a rule that several methods share, as changes of their versions. */
import type { VersionChange } from '#contract/run/versions.ts';

/** The value of the last state counts actions that are legal in it; before, those of the next episode's first state. */
export const finalMasks = (version: number): VersionChange => ({
  version,
  what: 'At a time limit the next action is chosen among those that are legal in the last state, not in the next episode’s first.',
  whereMasked: true,
  rerun: true,
});

/** A convolution may stand in front of the hidden layers (`fields.filters`). */
export const convolution = (version: number): VersionChange => ({
  version,
  what: 'Images and grids may pass through a convolution.',
  before: { filters: 0 },
  rerun: false,
});

/** Before, a step of more environments than `trainEvery` was followed by as many updates as a step of one. */
export const allUpdatesDue = (version: number): VersionChange => ({
  version,
  what: 'All updates that fall due in a step of the parallel environments are made, not one round of them.',
  whereLarger: ['envs', 'trainEvery'],
  rerun: true,
});

/** Before, what dead agents were shown, did and were paid was learned from as if they lived. */
export const livingRows = (version: number): VersionChange => ({
  version,
  what: 'Rows of dead agents are not learned from, and an agent’s own episode ends with its death.',
  whereMany: true,
  rerun: true,
});
