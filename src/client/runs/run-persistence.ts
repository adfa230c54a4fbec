/**
 * Brings stored runs back at the start, their records at once, the curves and policies of the run that is looked at next, then all others;
 * and writes what changes: run records a second after a change, at once when the page hides, before it is shown when a worker has ended a seed. Until a record has arrived
 * there it is in the session storage as well, which is written before the page can go: a reload loses nothing.
 */

import { type CurveColumn, type RunFile, runFileSchema } from '#contract/files/files.ts';
import { FIRST_ISSUE } from '#contract/kit/bounded.ts';
import { readJson } from '#contract/kit/json.ts';
import { type CheckpointRecord, chunksOf, type Library, type SeedChunk } from '#storage/library.ts';
import { heldLocks } from '#storage/locks.ts';
import { within } from '#storage/within.ts';
import { curves } from '#stores/curves.ts';
import { adoptRuns, changeSeed, restoreRuns, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { addPolicy, heldPolicies } from './policies.ts';

const WRITE_MS = 1000;
/** Up to so many runs are read one by one. */
const FEW = 8;
/** While the curves of all runs are read, what has come is drawn this often. */
const REDRAW_MS = 1000;
/** A disk that does not answer keeps an end from being shown for no longer than this. */
const MOST_STORING_MS = 5000;
const OVER: readonly SeedRun['state'][] = ['done', 'stopped', 'failed'];
const isOver = ({ state }: SeedRun): boolean => OVER.includes(state);

export function toRunFile(group: RunGroup): RunFile {
  const { id, name, config, hash, colour, dash, createdAt, visible, note, parent, executorReason, stops, imported, origin, seeds, edits } =
    group;
  // Which points there are the records of the checkpoints say; what engines take is over with their worker.
  const copies = seeds.map(({ points: _points, usage: _usage, ...run }) => ({
    ...run,
    marks: [...run.marks],
  })) as unknown as RunFile['seeds'];
  return {
    kind: 'run',
    version: 1,
    id,
    name,
    config,
    hash,
    colour,
    dash,
    createdAt,
    visible,
    note,
    parent: parent === null ? null : { ...parent, seeds: parent.seeds && [...parent.seeds] },
    ...(edits !== undefined && { edits: [...edits] }),
    executorReason,
    ...(stops !== undefined && { stops }),
    ...(imported !== undefined && { imported }),
    ...(origin !== undefined && { origin }),
    seeds: copies,
  };
}

/** As the page shows it after a reload: what was going on is interrupted. */
export function toGroup(file: RunFile): RunGroup {
  const { kind: _kind, version: _version, seeds, ...rest } = file;
  const runs = (seeds as unknown as readonly SeedRun[]).map((run): SeedRun => (isOver(run) ? run : { ...run, state: 'interrupted' }));
  return { ...rest, seeds: runs };
}

/** A run as stored, with the ends of its seeds that the page saw and could not store any more. */
function withEnds(stored: RunGroup, seen: RunGroup | undefined): RunGroup {
  const ended = (run: SeedRun): SeedRun | undefined =>
    isOver(run) ? undefined : seen?.seeds.find((one) => one.seed === run.seed && isOver(one) && one.step >= run.step);
  return stored.seeds.some(ended) ? { ...stored, seeds: stored.seeds.map((run) => ended(run) ?? run) } : stored;
}

/** Seeds that have ended between two states of the page, as `run/seed`. */
function ended(now: readonly RunGroup[], before: readonly RunGroup[]): string[] {
  return now.flatMap((group, i) => {
    if (group === before[i] || !group.seeds.some(isOver)) return [];
    const going = new Set(before.find(({ id }) => id === group.id)?.seeds.flatMap((run) => (isOver(run) ? [] : [run.seed])));
    return group.seeds.flatMap((run) => (isOver(run) && going.has(run.seed) ? [`${group.id}/${run.seed}`] : []));
  });
}

/** A seed that was going on stands where its checkpoint does. */
function atCheckpoint(run: SeedRun, record: CheckpointRecord | null | undefined): SeedRun {
  const { step, points = [] } = record ?? {};
  const at = { checkpointStep: step ?? -1, points: points.map((point) => point.step) };
  return { ...run, ...at, step: run.state === 'interrupted' ? (step ?? 0) : run.step };
}

function atCheckpoints(group: RunGroup, records: ReadonlyMap<string, CheckpointRecord>): RunGroup {
  return { ...group, seeds: group.seeds.map((run) => atCheckpoint(run, records.get(`${group.id}/${run.seed}`))) };
}

export function curveColumns(group: RunGroup): CurveColumn[] {
  return group.seeds.flatMap(({ seed }) =>
    curves.metrics(group.id).flatMap((metric) => {
      const series = curves.series(group.id, seed, metric);
      return series === null ? [] : [{ seed, metric, steps: series.steps, values: series.values }];
    }),
  );
}

/** Runs of this tab that had not arrived in the library when it went. */
const MOST_TAB_RUNS = 1000;

export class RunPersistence {
  private readonly library: Library;
  private readonly namespace: string;
  private written = new Map<string, RunGroup>();
  /** What of each run has reached the library; `written` may still be on its way. */
  private readonly arrived = new Map<string, RunGroup>();
  /** Ends of seeds that are stored and not yet shown, as `run/seed`. */
  private readonly storedEnds = new Set<string>();
  /** Runs as they will be once an end is stored and shown: nothing older may be written over them. */
  private readonly endings = new Map<string, RunGroup>();
  /** Runs that this page has read, not made. */
  private readonly fromDisk = new Set<string>();
  /** Curves and policies that are here or on their way, by run. */
  private readonly curvesRead = new Map<string, Promise<void>>();
  private readonly policiesRead = new Map<string, Promise<void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Called after each write: null, or the error. */
  private readonly onWrite: (error: unknown) => void;

  constructor(library: Library, namespace: string, onWrite: (error: unknown) => void) {
    this.library = library;
    this.namespace = namespace;
    this.onWrite = onWrite;
  }

  /** Puts the records of the stored runs into the store; their curves and policies follow with `readRun` and `readAll`. */
  async restore(): Promise<void> {
    const [files, records] = await Promise.all([this.library.runs(), this.library.checkpoints()]);
    const ofThisTab = new Map(this.tabRuns().map((group) => [group.id, group]));
    const stored = files.map(toGroup);
    const known = new Set(stored.map(({ id }) => id));
    const groups: RunGroup[] = [];
    for (const group of stored) {
      const complete = withEnds(group, ofThisTab.get(group.id));
      const shown = atCheckpoints(complete, records);
      groups.push(shown);
      if (complete === group)
        this.settled(shown); // what was just read is not news: another tab may be writing these very runs
      // Stored before it is shown: this tab may close, and with it goes what it remembers.
      else
        await within(
          MOST_STORING_MS,
          this.write(shown).then(() => {}),
        );
    }
    for (const [id, group] of ofThisTab) if (!known.has(id)) groups.push(atCheckpoints(group, records));
    groups.sort((a, b) => b.createdAt - a.createdAt);
    for (const { id } of groups) this.fromDisk.add(id);
    restoreRuns(groups);
  }

  /** Curves and policies of every run that was restored, curves first: they are what the page draws of runs that were not opened. */
  async readAll(): Promise<void> {
    const missing = [...this.fromDisk].filter((id) => !this.curvesRead.has(id));
    if (missing.length > FEW) await this.readManyCurves(missing);
    else for (const id of missing) await this.readCurves(id);
    for (const id of [...this.fromDisk]) await this.readPolicies(id);
  }

  /** In one passage through the table of curves; a run that was asked for meanwhile has been read by itself. */
  private async readManyCurves(missing: readonly string[]): Promise<void> {
    let release = curves.hold();
    let drawn = performance.now();
    try {
      for await (const { runId, chunks } of this.library.allCurves()) {
        await this.once(this.curvesRead, runId, async () => this.takeCurves(runId, chunks));
        if (performance.now() - drawn < REDRAW_MS) continue;
        release();
        drawn = performance.now();
        release = curves.hold();
      }
    } finally {
      release();
    }
    for (const id of missing) if (!this.curvesRead.has(id)) this.curvesRead.set(id, Promise.resolve()); // nothing is stored of these
  }

  /** Curves and policies of this run; done before for runs that were made on this page. */
  async readRun(runId: string): Promise<void> {
    await Promise.all([this.readCurves(runId), this.readPolicies(runId)]);
  }

  private readCurves(runId: string): Promise<void> {
    return this.once(this.curvesRead, runId, async () => {
      this.takeCurves(runId, await this.library.curvesOf(runId));
    });
  }

  private takeCurves(runId: string, chunks: readonly SeedChunk[]): void {
    if (this.isElsewhere(runId)) return;
    for (const { seed, chunk } of chunks) curves.append(runId, seed, chunk.columns, chunk.rows);
  }

  private readPolicies(runId: string): Promise<void> {
    return this.once(this.policiesRead, runId, async () => {
      const policies = await this.library.policiesOf(runId);
      if (this.isElsewhere(runId)) return;
      for (const { snapshot, keep } of policies) addPolicy(runId, snapshot, keep);
    });
  }

  /** Another tab has told this page all it knows, which is newer than the disk. */
  private isElsewhere(runId: string): boolean {
    return runsStore.getState().groups.find(({ id }) => id === runId)?.elsewhere === true;
  }

  /** Only of runs that come from the disk: what a run that goes on adds meanwhile must not be read on top of it. */
  private once(done: Map<string, Promise<void>>, runId: string, read: () => Promise<void>): Promise<void> {
    if (!this.fromDisk.has(runId)) return Promise.resolve();
    const before = done.get(runId);
    if (before !== undefined) return before;
    const reading = read().catch((error: unknown) => {
      done.delete(runId); // asked for again, it is tried again
      throw error;
    });
    done.set(runId, reading);
    return reading;
  }

  /** Runs that were just put into the library from a file: into the store, and the first with all that belongs to it; the others follow. */
  async adopt(files: readonly RunFile[]): Promise<void> {
    const records = await this.library.checkpoints();
    const groups = files.map((file) => atCheckpoints(toGroup(file), records));
    for (const group of groups) {
      this.fromDisk.add(group.id);
      this.curvesRead.delete(group.id); // a run of this id may have been here and deleted
      this.policiesRead.delete(group.id);
      this.settled(group);
    }
    adoptRuns(groups);
    const [first] = groups;
    if (first !== undefined) await this.readRun(first.id);
    this.readAll().catch((error: unknown) => this.onWrite(error));
  }

  private async restoreSeed(runId: string, seed: number): Promise<void> {
    const checkpoint = await this.library.checkpoint(runId, seed);
    for (const { columns, rows } of await this.library.curves(runId, seed)) curves.append(runId, seed, columns, rows);
    for (const { snapshot, keep } of await this.library.policies(runId, seed)) addPolicy(runId, snapshot, keep);
    changeSeed(runId, seed, (run) => atCheckpoint(run, checkpoint));
  }

  /**
   * The storage was cleared, or took less than it was given: writes every record again, and the curves and policies that the page holds.
   * A seed that a worker trains follows with its next checkpoint (`rewriteSeed`); one that rests has lost its checkpoint. Answers whether
   * the records could be written; throws where curves or policies could not.
   */
  async rewriteAll(trains: (runId: string, seed: number) => boolean): Promise<boolean> {
    this.written.clear();
    this.arrived.clear();
    if (!(await this.flush())) return false;
    for (const [runId, seed] of this.seeds()) if (!trains(runId, seed)) await this.rewriteSeed(runId, seed, false);
    return true;
  }

  /** `trains`: its worker goes on writing, so only what lies before its own rows is written. */
  async rewriteSeed(runId: string, seed: number, trains: boolean): Promise<void> {
    const group = runsStore.getState().groups.find(({ id }) => id === runId);
    if (group === undefined) return;
    const chunks = chunksOf(curveColumns(group).filter((column) => column.seed === seed));
    const policies = heldPolicies(runId, seed).filter(({ keep }) => keep || !trains);
    if (!trains) await this.library.putCurves(runId, seed, chunks);
    await this.library.refill(runId, seed, trains ? chunks : [], policies);
    if (trains) return;
    const step = (await this.library.checkpoint(runId, seed))?.step ?? -1;
    changeSeed(runId, seed, (run) => (run.checkpointStep === step ? run : { ...run, checkpointStep: step, points: [] }));
  }

  /** Which states of a run are kept: the disk knows before the news of its workers is here. Answers the step of the newest of each seed. */
  async readPoints(runId: string): Promise<ReadonlyMap<number, number>> {
    const newest = new Map<number, number>();
    for (const [id, seed] of this.seeds()) {
      if (id !== runId) continue;
      const { step = -1, points = [] } = (await this.library.checkpoint(id, seed)) ?? {};
      newest.set(seed, step);
      changeSeed(id, seed, (run) => ({ ...run, points: points.map((point) => point.step) }));
    }
    return newest;
  }

  /** Another tab may have trained a run further since this page read it: what is on disk then replaces what is here. */
  async catchUp(runId: string): Promise<void> {
    const group = runsStore.getState().groups.find(({ id }) => id === runId);
    if (group === undefined) return;
    await this.readRun(runId);
    for (const { seed, checkpointStep, state } of group.seeds) {
      const stored = (await this.library.checkpoint(runId, seed))?.step ?? -1;
      if (state === 'interrupted' && stored > checkpointStep) {
        curves.cut(runId, seed, -1);
        await this.restoreSeed(runId, seed);
      }
    }
  }

  /** Every seed of every run of this page. */
  seeds(): readonly (readonly [string, number])[] {
    return runsStore.getState().groups.flatMap(({ id, seeds }) => seeds.map(({ seed }) => [id, seed] as const));
  }

  /** From now on, changes are written. */
  follow(): void {
    runsStore.subscribe((state, before) => {
      // An end is not to be undone by a reload. Those of workers are stored already.
      const unstored = ended(state.groups, before.groups).filter((key) => !this.storedEnds.delete(key));
      if (unstored.length > 0) void this.flush();
      else this.timer ??= setTimeout(() => void this.flush(), WRITE_MS);
    });
  }

  /** Writes a run as it is about to be shown, with seeds that have ended. One that cannot be written is tried again once it is shown. */
  async storeEnd(group: RunGroup): Promise<void> {
    const write = async (): Promise<void> => {
      try {
        await this.library.putRun(toRunFile(group));
        for (const key of ended([group], runsStore.getState().groups)) this.storedEnds.add(key);
      } catch (error) {
        this.onWrite(error);
      }
    };
    this.endings.set(group.id, group);
    await within(MOST_STORING_MS, write());
    if (this.endings.get(group.id) === group) this.endings.delete(group.id);
  }

  /** Answers whether everything is written. */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writeTabRuns();
    for (const group of runsStore.getState().groups) {
      if (group.elsewhere === true || this.written.get(group.id) === group) continue;
      if (!(await this.write(group))) return false;
    }
    this.writeTabRuns();
    return true;
  }

  /** Answers whether this record is written. */
  private async write(group: RunGroup): Promise<boolean> {
    this.written.set(group.id, group);
    try {
      await this.library.putRun(toRunFile(this.endings.get(group.id) ?? group));
      this.arrived.set(group.id, group);
      this.onWrite(null);
      return true;
    } catch (error) {
      this.written.delete(group.id);
      this.onWrite(error);
      return false;
    }
  }

  /** The library holds this run as it is here. */
  private settled(group: RunGroup): void {
    this.written.set(group.id, group);
    this.arrived.set(group.id, group);
  }

  private get tabKey(): string {
    return `rl-workbench:tab:${this.namespace}`;
  }

  private tabRuns(): RunGroup[] {
    try {
      const stored = readJson(sessionStorage.getItem(this.tabKey) ?? '[]');
      return (Array.isArray(stored) ? stored : []).slice(0, MOST_TAB_RUNS).flatMap((row) => {
        const result = runFileSchema.safeParse(row, FIRST_ISSUE);
        return result.success ? [toGroup(result.data)] : [];
      });
    } catch {
      return []; // blocked, or not ours
    }
  }

  /** At once, unlike the library: what has not arrived there yet, should the page go now. */
  private writeTabRuns(): void {
    const groups = runsStore.getState().groups.filter((group) => group.elsewhere !== true && this.arrived.get(group.id) !== group);
    try {
      if (groups.length > 0) sessionStorage.setItem(this.tabKey, JSON.stringify(groups.map(toRunFile)));
      else sessionStorage.removeItem(this.tabKey);
    } catch {
      // Blocked or full: a reload forgets them.
    }
  }

  async remove(runId: string): Promise<void> {
    this.written.delete(runId);
    this.arrived.delete(runId);
    this.fromDisk.delete(runId);
    await this.library.removeRun(runId);
  }

  /** Removes what runs without a record have left behind, unless some tab still trains them. */
  async sweep(): Promise<void> {
    const orphans = await this.library.orphans();
    const held = [...(await heldLocks())];
    const here = new Set(runsStore.getState().groups.map(({ id }) => id));
    for (const id of orphans) {
      if (!here.has(id) && !held.some((name) => name.includes(`:${id}:`))) await this.library.removeRun(id);
    }
  }
}
