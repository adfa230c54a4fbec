/**
 * Which seeds of a run were trained alike. A live edit acts on all seeds of a run at one step; runs of earlier builds have edits that reached some of
 * their seeds alone. Over seeds that are not alike nothing is averaged.
 */
import { canonicalJson } from '#contract/kit/canonical.ts';
import { plainJson } from '#contract/kit/json.ts';
import type { EditOf } from '#contract/run/events.ts';
import { editsOf, withoutMade } from '#contract/run/verify.ts';
import type { RunGroup, SeedRun } from './types.ts';

/** Seeds of one run that had the same live edits beside those of the run. */
export interface Part {
  readonly seeds: readonly SeedRun[];
  readonly edits: readonly EditOf[];
}

/** Live edits of a seed that are not the run's own, at the steps at which they were made. */
const ownEdits = ({ edits = [] }: RunGroup, { marks }: SeedRun): readonly EditOf[] => withoutMade(editsOf(marks), edits);

const known = new WeakMap<RunGroup, readonly Part[]>();

/** The largest first, of equal ones the one with fewer edits; one part: all seeds are alike. */
export function partsOf(group: RunGroup): readonly Part[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const parts = new Map<string, { seeds: SeedRun[]; edits: readonly EditOf[] }>();
  for (const run of group.seeds) {
    const edits = ownEdits(group, run);
    const key = canonicalJson(plainJson(edits));
    const part = parts.get(key) ?? { seeds: [], edits };
    parts.set(key, part);
    part.seeds.push(run);
  }
  const sorted = [...parts.values()].sort((a, b) => b.seeds.length - a.seeds.length || a.edits.length - b.edits.length);
  known.set(group, sorted);
  return sorted;
}

/** The seeds over which the means of a run are taken: the largest part of them that was trained alike. */
export const alikeSeeds = (group: RunGroup): readonly SeedRun[] => partsOf(group)[0]?.seeds ?? [];

/** What all live edits of a seed are, beside its config; '': it had none. */
export function editsKey(group: RunGroup, run: SeedRun): string {
  const own = ownEdits(group, run);
  const all = [...(group.edits ?? []), ...own];
  return all.length === 0 ? '' : canonicalJson(plainJson(all));
}
