/**
 * A live edit acts on every seed of a run at one step, that of the seed on the stage. Its seeds that train stand still while that step is found; those
 * that are before it make the edit when they get there, those that wait too. Where a seed is past it, the run goes on without the edit, and another
 * one with all its seeds goes on from kept states with it. Loaded with the first edit.
 */
import { isGymEnv } from '#contract/game/gym-id.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { EditOf } from '#contract/run/events.ts';
import { comesAgain, editsOf, withoutMade } from '#contract/run/verify.ts';
import type { EditRequest, Held } from '#contract/session/session.ts';
import { findGroup, findSeed, forkStep } from '#stores/runs.ts';
import type { Mark, RunGroup, SeedRun } from '#stores/types.ts';
import { forkSteps, isEdit } from './forks.ts';
import type { Inbox } from './inbox.ts';
import type { Pool } from './pool.ts';
import { isUnderWay, LIVE_STATES, type Trainer } from './trainer.ts';

/** Seeds that are so far ahead of the one on the stage, in seconds of training, are waited for. */
const NEAR_S = 2;
/** How often it is looked whether a worker that was asked is still there, ms. */
const LOOK_MS = 200;
/** A state that is on the disk is told to the page within this time, ms. */
const MOST_HEARING_MS = 3000;

export interface LiveEditsOptions {
  readonly pool: Pool;
  readonly inbox: Pick<Inbox, 'tell' | 'isEnding'>;
  readonly trainer: Pick<Trainer, 'train' | 'schedule' | 'standBack' | 'save'>;
  /** Reads which states are kept; answers the step of the newest of each seed. */
  readonly readPoints: (runId: string) => Promise<ReadonlyMap<number, number>>;
  readonly shownSeed: (group: RunGroup) => number;
  readonly showSeed: (runId: string, seed: number) => void;
  /** The other tabs hear of the run as it is now. */
  readonly changed: (runId: string) => void;
  readonly wait: (ms: number) => Promise<void>;
}

export class LiveEdits {
  private readonly options: LiveEditsOptions;
  /** Edits that wait for the one that is being made, by run. */
  private readonly queues = new Map<string, EditRequest[]>();

  constructor(options: LiveEditsOptions) {
    this.options = options;
  }

  /** Resolves when this edit and those that came meanwhile are made; of one that came meanwhile at once. */
  async edit(runId: string, path: string, value: EditRequest['value']): Promise<void> {
    const queue = this.queues.get(runId);
    if (queue === undefined) await this.work(runId, [{ path, value }]);
    else queue.splice(0, queue.length, ...queue.filter((one) => one.path !== path), { path, value });
  }

  /** One after another; those of a run that another one takes over go there. */
  private async work(first: string, queue: EditRequest[]): Promise<void> {
    const ids = new Set([first]);
    this.queues.set(first, queue);
    let runId = first;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        runId = await this.make(runId, next);
        ids.add(runId);
        this.queues.set(runId, queue);
      }
    } finally {
      for (const id of ids) this.queues.delete(id);
    }
  }

  /** Answers the run that has the edit. */
  private async make(runId: string, edit: EditRequest): Promise<string> {
    const before = findGroup(runId);
    if (before === null || before.elsewhere === true || before.imported !== undefined) return runId;
    const holds = await Promise.all(before.seeds.map(({ seed }) => this.hold(runId, seed, edit)));
    const held = new Map(holds.flatMap((one) => (one.held === null ? [] : [[one.seed, one.held] as const])));
    const refused = holds.find((one) => one.refused !== undefined);
    const group = findGroup(runId);
    const goOn = async (edits: readonly EditOf[], keep = false): Promise<void> => {
      await Promise.all([...held.keys()].map((seed) => this.options.pool.apiOf(runId, seed)?.release(edits, keep)));
    };
    if (group === null || refused !== undefined) {
      await goOn(group?.edits ?? []);
      if (refused !== undefined) this.warn(runId, refused.seed, refused.refused);
      return runId;
    }
    const at = new Map(group.seeds.map((run) => [run.seed, held.get(run.seed)?.step ?? this.standsAt(group, run)]));
    const step = this.stepOf(group, at, held);
    if (step === null) {
      await goOn(group.edits ?? []);
      return runId;
    }
    const made: EditOf = { step, ...([...held.values()][0]?.edit ?? edit) };
    if ([...at.values()].every((one) => one <= step)) {
      const untouched = [...at.values()].every((one) => one < step);
      const edits = [...(group.edits ?? []).filter((one) => !(untouched && one.step === step && one.path === made.path)), made];
      this.options.trainer.schedule(runId, edits);
      await goOn(edits);
      this.options.changed(runId);
      return runId;
    }
    await goOn(group.edits ?? [], true);
    return this.branch(runId, made);
  }

  private async hold(
    runId: string,
    seed: number,
    edit: EditRequest,
  ): Promise<{ readonly seed: number; readonly held: Held | null; readonly refused?: unknown }> {
    const api = this.options.pool.apiOf(runId, seed);
    if (api === null) return { seed, held: null };
    let answered = false;
    const gone = async (): Promise<null> => {
      while (!answered && this.options.pool.apiOf(runId, seed) === api) await this.options.wait(LOOK_MS);
      return null;
    };
    try {
      return { seed, held: await Promise.race([api.hold(edit), gone()]) };
    } catch (refused) {
      return { seed, held: null, refused };
    } finally {
      answered = true;
    }
  }

  /** Where a seed that does not train stands; infinity: it is over. */
  private standsAt(group: RunGroup, { seed, state, checkpointStep }: SeedRun): number {
    const ended = state === 'done' || this.options.inbox.isEnding(group.id, seed) || LIVE_STATES.includes(state);
    return ended ? Number.POSITIVE_INFINITY : Math.max(0, checkpointStep, forkStep(group, seed) ?? 0);
  }

  /** The step at which the edit is made; null: all seeds are over. */
  private stepOf(group: RunGroup, at: ReadonlyMap<number, number>, held: ReadonlyMap<number, Held>): number | null {
    const open = [...at].filter(([, step]) => Number.isFinite(step));
    const shown = this.options.shownSeed(group);
    const [seed, step] = open.find(([one]) => one === shown) ?? open.find(([one]) => held.has(one)) ?? open[0] ?? [];
    if (seed === undefined || step === undefined) return null;
    const reach = step + NEAR_S * (findSeed(group.id, seed)?.stepsPerSecond ?? 0);
    const near = [...held.values()].map((one) => one.step).filter((one) => one <= reach);
    return Math.max(step, ...near, group.edits?.at(-1)?.step ?? 0);
  }

  /** The run of the same config and edits, and this one, from states that are kept. The run that there is goes on without, behind it. */
  private async branch(runId: string, edit: EditOf): Promise<string> {
    const { trainer, readPoints, shownSeed, showSeed, pool } = this.options;
    await trainer.save(runId);
    const newest = await readPoints(runId);
    const group = findGroup(runId);
    if (group === null) return runId;
    const edits = [...(group.edits ?? []), edit];
    const starts = isGymEnv(group.config.env.id) ? [] : group.seeds.flatMap((run) => startOf(run, edits) ?? []);
    const training = group.seeds.filter(isUnderWay);
    const id = trainer.train(group.config, group.executorReason, {
      parent: { id: runId, step: edit.step, seeds: starts.map(({ seed, step }) => ({ seed, step })), same: true },
      ...(group.stops !== undefined && { stops: group.stops }),
      ...(group.origin !== undefined && { origin: group.origin }),
      paused: training.length === 0,
      edits,
      marksOf: (seed) => starts.find((start) => start.seed === seed)?.marks ?? [],
      first: true,
      name: `${group.name}, edited`,
    });
    showSeed(id, shownSeed(group));
    const live = training.filter(({ seed }) => pool.apiOf(runId, seed) !== null);
    const heard = await Promise.all(live.map(async ({ seed }) => ((await this.hears(runId, seed, newest.get(seed) ?? -1)) ? [seed] : [])));
    trainer.standBack(
      runId,
      heard.flat().filter((seed) => pool.apiOf(runId, seed) !== null),
    );
    return id;
  }

  /** The page knows this state of the seed, and so all rows before it. */
  private async hears(runId: string, seed: number, step: number): Promise<boolean> {
    for (let ms = 0; ms < MOST_HEARING_MS; ms += LOOK_MS) {
      if ((findSeed(runId, seed)?.checkpointStep ?? -1) >= step) return true;
      await this.options.wait(LOOK_MS);
    }
    return false;
  }

  private warn(runId: string, seed: number, refused: unknown): void {
    const { message, fix } = toFailure(refused);
    const step = findSeed(runId, seed)?.step ?? 0;
    this.options.inbox.tell(runId, seed, { kind: 'mark', step, type: 'warning', text: `${message} ${fix}`, by: 'system' });
  }
}

/** The last kept state of a seed that these edits lead to, and the marks up to it; null: there is none, it begins at the start. */
export function startOf(
  run: SeedRun,
  edits: readonly EditOf[],
): { readonly seed: number; readonly step: number; readonly marks: readonly Mark[] } | null {
  const last = edits.at(-1)?.step ?? 0;
  const own = editsOf(run.marks);
  // At the step of an edit there may be a state before and one after it.
  const step = forkSteps(run).findLast((at) => {
    const [mine, due] = [own.filter((edit) => edit.step < at), edits.filter((edit) => edit.step < at)];
    return (
      at > 0 && at <= last && !own.some((edit) => edit.step === at) && mine.length === due.length && withoutMade(mine, due).length === 0
    );
  });
  if (step === undefined) return null;
  return { seed: run.seed, step, marks: run.marks.filter((mark) => mark.step < step && (isEdit(mark) || comesAgain(mark))) };
}
