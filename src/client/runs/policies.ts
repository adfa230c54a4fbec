/** Policies of all runs this page knows: per seed the kept ones by step and the newest. Outside stores: they are large. */

import { populationOf } from '#contract/files/population-file.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { policyCame } from '#stores/policies.ts';
import { populations } from '#stores/populations.ts';
import { strengths } from '#stores/strength.ts';

interface Entry {
  readonly snapshot: PolicySnapshot;
  readonly keep: boolean;
}

const shelves = new Map<string, Entry[]>();
const shelf = (runId: string, seed: number): Entry[] => shelves.get(`${runId}/${seed}`) ?? [];

/** The name a policy has in the watch worker. */
export function policyKey(runId: string, seed: number, step: number): string {
  return `${runId}/${seed}/${step}`;
}

/** A newer policy replaces the last one unless that was kept; what a resumed run makes again replaces the old. */
export function addPolicy(runId: string, snapshot: PolicySnapshot, keep: boolean): void {
  const entries = shelf(runId, snapshot.seed).filter((old) => old.keep && old.snapshot.step !== snapshot.step);
  entries.push({ snapshot, keep });
  shelves.set(
    `${runId}/${snapshot.seed}`,
    entries.sort((a, b) => a.snapshot.step - b.snapshot.step),
  );
  const report = populationOf(snapshot);
  if (report !== null) populations.add(runId, snapshot.seed, report);
  policyCame();
}

/** All of a seed, by step. */
export function heldPolicies(runId: string, seed: number): readonly Entry[] {
  return shelf(runId, seed);
}

export function newestPolicy(runId: string, seed: number): PolicySnapshot | null {
  return shelf(runId, seed).at(-1)?.snapshot ?? null;
}

/** The newest policy made at or before this step; before the first one, the first. */
export function policyAt(runId: string, seed: number, step: number): PolicySnapshot | null {
  const entries = shelf(runId, seed);
  return (entries.findLast(({ snapshot }) => snapshot.step <= step) ?? entries[0])?.snapshot ?? null;
}

export function policySteps(runId: string, seed: number): readonly number[] {
  return shelf(runId, seed).map(({ snapshot }) => snapshot.step);
}

/** Forgets what was made after this step. */
export function cutPolicies(runId: string, seed: number, afterStep: number): void {
  shelves.set(
    `${runId}/${seed}`,
    shelf(runId, seed).filter(({ snapshot }) => snapshot.step <= afterStep),
  );
  populations.cut(runId, seed, afterStep);
  strengths.cut(runId, seed, afterStep);
}

export function dropPolicies(runId: string): void {
  for (const key of [...shelves.keys()]) if (key.startsWith(`${runId}/`)) shelves.delete(key);
  populations.drop(runId);
  strengths.drop(runId);
}
