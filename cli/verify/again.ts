/** Stored runs that are done again: each config, seed and way once, in a folder of its own, and comparing the two. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePolicies } from '#contract/files/policies-file.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import type { Failure } from '#contract/kit/errors.ts';
import { plainJson, readJson } from '#contract/kit/json.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { type Checked, checked, differentMark, editsOf, failedHere, looseOf, type MarkOf, unverified } from '#contract/run/verify.ts';
import { readCurves } from '../kit/curves.ts';
import { Interrupted } from '../kit/failure.ts';
import { seedFolder } from '../kit/seed-folder.ts';
import { AGAIN_FILES, type Job, runSeeds, type SeedOutcome, SeedThreads } from '../train/seeds.ts';
import { policyPrint, statePrint, WATCH } from './prints.ts';
import type { StoredRun } from './stored.ts';

export interface Replay {
  readonly outcome: SeedOutcome | null;
  readonly failure: Failure | null;
  readonly folder: string;
}

export class Replays {
  private readonly root: string;
  private readonly progress: (text: string) => void;
  private readonly known = new Map<string, Replay>();
  private readonly threads = new SeedThreads();

  /** `root`: an empty folder. */
  constructor(root: string, progress: (text: string) => void) {
    this.root = root;
    this.progress = progress;
  }

  /** Runs what was not run before; those that cannot be run are left out. Throws Interrupted. */
  async run(runs: readonly StoredRun[]): Promise<void> {
    const fresh = new Map<string, Job>();
    for (const run of runs) {
      const key = keyOf(run);
      if (run.apart === null && !this.known.has(key)) fresh.set(key, { ...jobOf(run), folder: join(this.root, key) });
    }
    const [keys, jobs] = [[...fresh.keys()], [...fresh.values()]];
    for (const { folder } of jobs) mkdirSync(folder as string, { recursive: true });
    let over = 0;
    const batch = await runSeeds(
      jobs,
      (message) => {
        if (message.kind === 'done' || message.kind === 'failed') this.progress(`${++over} of ${jobs.length} runs`);
      },
      undefined,
      { keep: this.threads },
    );
    this.progress('');
    if (batch.interrupted) throw new Interrupted('Interrupted: nothing was compared.');
    jobs.forEach((job, i) => {
      const failure = batch.failures.find((one) => one.job === job)?.failure ?? null;
      this.known.set(keys[i] as string, { outcome: batch.outcomes[i] ?? null, failure, folder: job.folder as string });
    });
  }

  close(): Promise<void> {
    return this.threads.close();
  }

  /** Of a run that was run. */
  of(run: StoredRun): Replay | undefined {
    return this.known.get(keyOf(run));
  }

  /** A stored run against the same one done here. */
  compare(run: StoredRun): Checked {
    if (run.apart !== null) return unverified(run.apart);
    const replay = this.of(run);
    if (replay === undefined) return unverified('it was not run');
    if (replay.failure !== null) return run.parameterHash === null ? unverified(replay.failure.message) : failedHere(replay.failure);
    const { outcome, folder } = replay;
    const loose = looseOf(run.config, run.marks ?? []);
    const curves = run.job?.script === undefined ? upTo(readCurves(folder, run.seed), run.until) : new Map();
    const done = outcome === null ? {} : (run.measure?.(outcome, curves) ?? outcome);
    const here = run.job?.script === undefined ? readKept(folder, run) : NOTHING;
    const resumed = run.marks === null || run.marks.some(({ type }) => type === 'resume');
    const result = watched(
      checked(
        {
          parameterHash: run.parameterHash ?? '',
          numbers: { ...run.numbers, ...printsOf(run, loose !== null, resumed) },
          curves: run.curves,
        },
        {
          parameterHash: outcome?.parameterHash ?? '',
          numbers: { ...done, ...printsOf({ ...run, ...here }, loose !== null, resumed) },
          curves,
        },
        loose,
      ),
    );
    const mark = run.marks === null || loose !== null ? null : differentMark(run.marks, upToMarks(here.marks, run.until));
    if (mark === null || result.outcome === 'differs') return result;
    return mark.accused
      ? { outcome: 'differs', differences: [{ kind: 'number', name: 'marks', stored: mark.text, here: 'otherwise' }], why: '' }
      : { ...result, outcome: 'unverified', why: mark.text };
  }
}

const jobOf = ({ config, seed, job, marks, until, policies, states }: StoredRun): Job => ({
  ...job,
  config,
  seed,
  folder: null,
  again: { edits: editsOf(marks ?? []), keep: [...new Set([...policies, ...states].map(({ step }) => step))].sort((a, b) => a - b), until },
});

const keyOf = (run: StoredRun): string => sha256(utf8(canonicalJson(plainJson(jobOf(run))))).slice(0, 32);

/** The rules that watch a run may have changed since: counts of theirs alone are not held against it. */
function watched(result: Checked): Checked {
  const counts = result.differences.filter((one) => one.kind === 'number' && one.name.includes(`.${WATCH}.`));
  return result.outcome === 'differs' && counts.length === result.differences.length
    ? { ...result, outcome: 'unverified', why: 'what watched it has counted otherwise' }
    : result;
}

type Curves = ReadonlyMap<string, { readonly steps: ArrayLike<number>; readonly values: ArrayLike<number> }>;

/** Rows up to this step; null: all. */
function upTo(curves: Curves, until: number | null): Curves {
  if (until === null) return curves;
  return new Map(
    [...curves].flatMap(([metric, { steps, values }]) => {
      const count = Array.from(steps).findLastIndex((step) => step <= until) + 1;
      return count === 0
        ? []
        : [[metric, { steps: Array.from(steps).slice(0, count), values: Array.from(values).slice(0, count) }] as const];
    }),
  );
}

const upToMarks = (marks: readonly MarkOf[], until: number | null): readonly MarkOf[] =>
  until === null ? marks : marks.filter(({ step }) => step <= until);

interface Kept {
  readonly policies: StoredRun['policies'];
  readonly states: StoredRun['states'];
  readonly marks: readonly MarkOf[];
}
const NOTHING: Kept = { policies: [], states: [], marks: [] };

/** What was kept of a run that was done again, under the names of what was stored. */
function readKept(folder: string, { seed, policies, states }: StoredRun): Kept {
  const at = (name: string): string => join(seedFolder(folder, seed), name);
  const bytes = (name: string): Uint8Array | null => (existsSync(at(name)) ? new Uint8Array(readFileSync(at(name))) : null);
  const list: readonly PolicySnapshot[] = decodePolicies(bytes(AGAIN_FILES.policies) as Uint8Array);
  const stateAt = (step: number): Saved | null => {
    const data = bytes(AGAIN_FILES.state(step));
    return data === null ? null : decodeSaved(data);
  };
  return {
    policies: policies.flatMap(({ name, step }) => {
      const snapshot = list.findLast((one) => one.step === step);
      return snapshot === undefined ? [] : [{ name, step, snapshot }];
    }),
    states: states.flatMap(({ name, step }) => {
      const saved = stateAt(step);
      return saved === null ? [] : [{ name, step, saved }];
    }),
    marks: readJson(readFileSync(at(AGAIN_FILES.marks))) as unknown as readonly MarkOf[],
  };
}

/** Policies and states as values that are compared, by name. `loose`: only their sizes. */
function printsOf(
  { config, policies, states }: Pick<StoredRun, 'config' | 'policies' | 'states'>,
  loose: boolean,
  resumed: boolean,
): object {
  return Object.fromEntries([
    ...policies.map(({ name, snapshot }) => [name, policyPrint(snapshot, config, loose)]),
    ...states.map(({ name, saved }) => [name, statePrint(saved, loose, resumed)]),
  ]);
}
