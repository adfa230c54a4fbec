/** Runs that go on from a kept state of another run: from where they can, with which settings, and why they cannot. */
import { sameJson } from '#contract/kit/canonical.ts';
import { type Failure, fail, toFailure } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { writePath } from '#contract/run/paths.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { draftStore, unlessLater } from '#stores/draft.ts';
import { beginFork, type Fork, forkOf, forkStore } from '#stores/fork.ts';
import { refuseLink } from '#stores/layout.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import type { Mark, Parent, RunGroup, SeedRun } from '#stores/types.ts';
import { isUnderWay } from './trainer.ts';

/** Steps of the states of a seed from which a run can go on, ascending. The newest one of a seed that trains is replaced before it is read. */
export function forkSteps({ points = [], checkpointStep, state }: SeedRun): readonly number[] {
  const newest = checkpointStep > (points.at(-1) ?? 0) && !isUnderWay({ state });
  return newest ? [...points, checkpointStep] : points;
}

/** The newest of them at or before this step; null: there is none. */
export function forkPoint(run: SeedRun, step: number): number | null {
  return forkSteps(run).findLast((at) => at <= step) ?? null;
}

/** The config that a seed was trained with up to a step: as it was started, with the live edits made before. */
export function configAt({ config }: RunGroup, { marks }: SeedRun, step: number): RunConfig {
  const edits = marks.filter((mark) => isEdit(mark) && mark.step < step);
  return edits.reduce((at, { path, value }) => (path === undefined ? at : writePath(at, path, value)), config);
}

export const isEdit = ({ type, path, value }: Mark): boolean => type === 'edit' && path !== undefined && value !== undefined;

/** Why this draft cannot go on from there; null: it can. */
export function forkProblem(fork: Fork, { run }: RunConfig): Failure | null {
  const group = findGroup(fork.runId);
  if (group === null) return refusal('The run to go on from is no longer here.', 'Train a new run.');
  const asked = Array.from({ length: run.seeds }, (_, i) => run.seedStart + i);
  const missing = asked.filter((seed) => {
    const own = group.seeds.find((one) => one.seed === seed);
    return own === undefined || forkPoint(own, fork.step) === null;
  });
  if (missing.length > 0) {
    const there = group.seeds.filter((own) => forkPoint(own, fork.step) !== null).map(({ seed }) => seed);
    const [field, have] = ['run.seeds', there.length === 0 ? 'None is stored there.' : `It has them for seed ${there.join(', ')}.`];
    return refusal(`The run to go on from has no checkpoint of seed ${missing.join(', ')} there.`, have, field);
  }
  if (run.steps <= fork.step) {
    return refusal(
      `This fork begins at step ${fork.step.toLocaleString('en')}, the end of its budget.`,
      'Give it more steps.',
      'run.steps',
    );
  }
  return null;
}

function refusal(message: string, fix: string, field?: string): Failure {
  return fail('config-invalid', message, fix, field).failure;
}

/** The fork that is being set up, if the draft still is one. */
export function currentFork(): Fork | null {
  return forkOf(forkStore.getState(), draftStore.getState());
}

/** Where each seed of a config goes on from. */
export function parentOf({ runId, step }: Pick<Fork, 'runId' | 'step'>, { run }: RunConfig): Parent {
  const seeds = (findGroup(runId)?.seeds ?? []).flatMap((own) => {
    const point = own.seed >= run.seedStart && own.seed < run.seedStart + run.seeds ? forkPoint(own, step) : null;
    return point === null ? [] : [{ seed: own.seed, step: point }];
  });
  return { id: runId, step, seeds };
}

export interface ForksOptions {
  readonly watch: () => WatchApi;
  /** Trains a complete config as a fork of this name; answers its id. */
  readonly start: (config: RunConfig, parent: Parent, name: string) => Promise<string>;
  /** Asks the workers of a run for a checkpoint; resolves when it is on disk, and the page knows which states are kept. */
  readonly save: (runId: string) => Promise<void>;
}

export class Forks {
  private readonly options: ForksOptions;

  constructor(options: ForksOptions) {
    this.options = options;
  }

  /** The draft becomes the config of this run as it was there; what is changed and trained from now on goes on from there. */
  async begin(runId: string, seed: number, step: number): Promise<void> {
    const group = findGroup(runId);
    const own = group?.seeds.find((run) => run.seed === seed);
    const point = own === undefined ? null : forkPoint(own, step);
    if (group === null || own === undefined || point === null) return;
    try {
      const config = await unlessLater(this.options.watch().complete(readJson(JSON.stringify(configAt(group, own, point)))));
      if (config === null) return;
      runsStore.getState().setActive(runId);
      draftStore.getState().open(config);
      beginFork({ runId, step: point, config });
    } catch (error) {
      refuseLink(toFailure(error));
    }
  }

  /**
   * Starts a run that goes on without the last live edit of this one, from the state before it. Answers its id; null: there was no edit, or no
   * state before it is kept.
   */
  async shadow(runId: string): Promise<string | null> {
    await this.options.save(runId);
    const group = findGroup(runId);
    const last = group === null ? null : lastEdit(group);
    if (group === null || last === null) return null;
    const { run, mark } = last;
    const starts = group.seeds.flatMap((own) => {
      const at = own.marks.findLast((one) => isEdit(one) && one.path === mark.path && sameJson(one.value ?? null, mark.value ?? null));
      const point = at === undefined ? null : forkPoint(own, at.step);
      return point === null ? [] : [{ seed: own.seed, step: point }];
    });
    // A config names a first seed and how many: the shadow has those that follow each other.
    const seeds = starts.filter(({ seed }, i) => seed === (starts[0]?.seed ?? 0) + i);
    const [first] = seeds;
    if (first === undefined) return null;
    const before = configAt(group, run, mark.step);
    const config = { ...before, run: { ...before.run, seedStart: first.seed, seeds: seeds.length } };
    return this.options.start(config, { id: runId, step: mark.step, seeds }, `Shadow of ${group.name}`);
  }
}

/** The newest live edit of a run, of its first seed that has one. */
export function lastEdit({ seeds }: RunGroup): { readonly run: SeedRun; readonly mark: Mark } | null {
  for (const run of seeds) {
    const mark = run.marks.findLast(isEdit);
    if (mark !== undefined) return { run, mark };
  }
  return null;
}
