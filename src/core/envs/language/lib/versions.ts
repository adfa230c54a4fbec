/** Changes that several worlds on tokens share. */
import type { VersionChange } from '#contract/versions.ts';

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
