/** Runs as they were stored: those of a run folder, and those of a container with everything that is held against them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Curve } from '#claims/quantity.ts';
import { type FoundRun, type FoundSeed, SEED_FILES } from '#contract/files/container.ts';
import { decodePoints } from '#contract/files/points-file.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type Json, objectOf, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { apartOf, type MarkOf } from '#contract/run/verify.ts';
import { readCurves } from '../kit/curves.ts';
import { UsageError } from '../kit/failure.ts';
import { seedFolder, stepOf } from '../kit/seed-folder.ts';
import { completeStored, type Found } from '../own/open.ts';
import { changedRules } from '../pages/results.ts';
import { seedsIn } from '../train/run-folder.ts';
import type { Job, SeedOutcome } from '../train/seeds.ts';

/** One run as it was stored. */
export interface StoredRun {
  /** What it belongs to, for people. */
  readonly of: string;
  readonly config: RunConfig;
  readonly seed: number;
  /** CRC of what was learned; null: it is not at its end. */
  readonly parameterHash: string | null;
  /** All that was stored of its result. */
  readonly numbers: object;
  /** Its curves, where they were kept. */
  readonly curves: ReadonlyMap<string, Curve> | null;
  /** What happened to it; null: it was not noted. */
  readonly marks: readonly MarkOf[] | null;
  /** Policies and states beside it, by what they are called. */
  readonly policies: readonly { readonly name: string; readonly step: number; readonly snapshot: PolicySnapshot }[];
  readonly states: readonly { readonly name: string; readonly step: number; readonly saved: Saved }[];
  /** The step that it has come to; null: its end. */
  readonly until: number | null;
  /** Why it cannot be run again here; null: it can. */
  readonly apart: string | null;
  /** What the run does beside training its config. */
  readonly job?: Pick<Job, 'against' | 'explain' | 'script' | 'sampled'>;
  /** The same numbers of the run done again; without it they are those of its outcome. */
  readonly measure?: (outcome: SeedOutcome, curves: ReadonlyMap<string, Curve>) => object;
}

/** A run with what was stored of its result, without files beside it. */
export const storedRun = (
  of: string,
  { config, apart }: Opened,
  result: { readonly seed: number; readonly parameterHash: string },
): StoredRun => ({
  of,
  config,
  seed: result.seed,
  parameterHash: result.parameterHash,
  numbers: result,
  curves: null,
  marks: null,
  policies: [],
  states: [],
  until: null,
  apart,
});

/** A stored config with every default, and why it cannot be run as it was; null: it can. */
export interface Opened {
  readonly config: RunConfig;
  readonly apart: string | null;
}

/** Opens what it needs (own/open.ts). A config that cannot be opened here is kept as it stands. */
export async function openConfig(stored: RunConfig, found?: Found, record: Parameters<typeof apartOf>[1] = {}): Promise<Opened> {
  const apart = apartOf(stored, record);
  if (apart !== null) return { config: stored, apart };
  try {
    const config = await completeStored(stored, found);
    const changed = changedRules(stored as Parameters<typeof changedRules>[0]);
    return { config, apart: changed.length === 0 ? null : `its rules have changed since: ${changed.join(' ')}` };
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    return { config: stored, apart: `its config cannot be opened here: ${error.message}` };
  }
}

/** Curves of one seed by their metrics. */
export const curvesByMetric = (curves: FoundSeed['curves']): ReadonlyMap<string, Curve> =>
  new Map(curves.map(({ metric, steps, values }) => [metric, { steps, values }]));

/** The step that something of an unfinished seed says it has come to. */
const cameTo = ({ curves, policies, checkpoint }: FoundSeed): number =>
  Math.max(
    0,
    ...curves.map(({ steps }) => steps.at(-1) ?? 0),
    ...policies.map(({ step }) => step),
    ...(checkpoint === null ? [] : [stepOf(decodeSaved(checkpoint))]),
  );

function statesOf({ checkpoint, points }: FoundSeed): StoredRun['states'] {
  if (checkpoint === null) return [];
  const newest = decodeSaved(checkpoint);
  const step = stepOf(newest);
  const before = points === null ? [] : decodePoints(points, newest, step).points;
  return [
    ...before.map((one) => ({ name: `the state of step ${one.step} in points.rlwb`, step: one.step, saved: one.saved })),
    { name: SEED_FILES.checkpoint, step, saved: newest },
  ];
}

/** The seeds of a run of a container that have something to be held against. `listed`: its run.json notes what happened to its seeds. */
export function runsOfFound({ file, seeds }: FoundRun, opened: Opened, listed: boolean): readonly StoredRun[] {
  return seeds.flatMap((found): StoredRun[] => {
    const { seed, result, stored, curves, policies, points } = found;
    const step = result === null ? cameTo(found) : null;
    if (step === 0) return [];
    const marks = file.seeds.find((one) => one.seed === seed)?.marks ?? [];
    const lone = points !== null && found.checkpoint === null ? `${SEED_FILES.points} lies there without a state` : null;
    return [
      {
        ...storedRun(file.name, opened, { seed, parameterHash: '' }),
        parameterHash: result?.parameterHash ?? null,
        numbers: stored ?? result ?? {},
        curves: curvesByMetric(curves),
        marks: listed ? marks : null,
        policies: policies.map((snapshot) => ({ name: `the policy of step ${snapshot.step}`, step: snapshot.step, snapshot })),
        states: statesOf(found),
        until: step,
        apart: opened.apart ?? lone,
      },
    ];
  });
}

/** A seed of a run folder that is done. */
export type FolderRun = Pick<StoredRun, 'config' | 'seed' | 'curves' | 'numbers'> & { readonly parameterHash: string };

/** Seeds of a run folder whose results are there, as they stand: for comparing them, nothing is run again. */
export function runsOfFolder(folder: string, config: RunConfig): readonly FolderRun[] {
  return seedsIn(folder).flatMap((seed): FolderRun[] => {
    const file = join(seedFolder(folder, seed), SEED_FILES.result);
    if (!existsSync(file)) return [];
    const result = objectOf(readJson(readFileSync(file, 'utf8')) as Json);
    if (typeof result.parameterHash !== 'string') throw new UsageError(`"${file}" is broken: it holds no parameterHash.`);
    return [{ config, seed, parameterHash: result.parameterHash, numbers: result, curves: readCurves(folder, seed) }];
  });
}
