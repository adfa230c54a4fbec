/**
 * Brings stored runs back at the start and writes what changes: run records a second after a change, and at once when the page hides.
 * Runs that are not kept live as long as their tab: their records are in its session storage, so that a reload loses nothing.
 */
import { type CurveColumn, type RunFile, runFileSchema } from '#contract/files.ts';
import type { Library } from '#storage/library.ts';
import { heldLocks, holdLock, lockName } from '#storage/locks.ts';
import { curves } from '#stores/curves.ts';
import { changeSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { addPolicy } from './policies.ts';

const WRITE_MS = 1000;
/** Not a seed: the lock of a page that holds a run which is not kept. */
const PAGE_LOCK = -1;

export function toRunFile(group: RunGroup): RunFile {
  const { id, name, config, hash, colour, dash, createdAt, visible, note, parent, executorReason, seeds } = group;
  const copies = seeds.map((run) => ({ ...run, marks: [...run.marks] })) as unknown as RunFile['seeds'];
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
    parent: parent === null ? null : { ...parent },
    executorReason,
    seeds: copies,
  };
}

/** As the page shows it after a reload: what was going on is interrupted. */
export function toGroup(file: RunFile, kept = true): RunGroup {
  const { kind: _kind, version: _version, seeds, ...rest } = file;
  const over = (state: SeedRun['state']): boolean => state === 'done' || state === 'stopped' || state === 'failed';
  const runs = (seeds as unknown as readonly SeedRun[]).map((run): SeedRun => (over(run.state) ? run : { ...run, state: 'interrupted' }));
  return { ...rest, seeds: runs, kept };
}

export function curveColumns(group: RunGroup): CurveColumn[] {
  return group.seeds.flatMap(({ seed }) =>
    curves.metrics(group.id).flatMap((metric) => {
      const series = curves.series(group.id, seed, metric);
      return series === null ? [] : [{ seed, metric, steps: series.steps, values: series.values }];
    }),
  );
}

export class RunPersistence {
  private readonly library: Library;
  private readonly namespace: string;
  private written = new Map<string, RunGroup>();
  /** Ids of kept runs whose record has reached the library at least once. */
  private readonly stored = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onFailure: (error: unknown) => void;

  constructor(library: Library, namespace: string, onFailure: (error: unknown) => void) {
    this.library = library;
    this.namespace = namespace;
    this.onFailure = onFailure;
  }

  /** Puts the stored runs into the store at once and their curves and policies as they are read. */
  async restore(): Promise<void> {
    const kept = (await this.library.runs()).map((file) => toGroup(file));
    for (const { id } of kept) this.stored.add(id);
    const ofThisTab = this.tabRuns().filter(({ id }) => !kept.some((group) => group.id === id));
    for (const { id } of ofThisTab) this.guard(id);
    const groups = [...kept, ...ofThisTab].sort((a, b) => b.createdAt - a.createdAt);
    for (const group of groups) this.written.set(group.id, group);
    runsStore.setState((state) => ({
      groups: [...state.groups, ...groups.filter(({ id }) => !state.groups.some((old) => old.id === id))],
    }));
    for (const group of groups) await this.restoreData(group);
    // What was just read is not news: another tab may be writing these very runs.
    for (const group of runsStore.getState().groups) if (this.written.has(group.id)) this.written.set(group.id, group);
    await this.sweep();
  }

  async restoreData(group: RunGroup): Promise<void> {
    for (const { seed } of group.seeds) await this.restoreSeed(group.id, seed);
  }

  private async restoreSeed(runId: string, seed: number): Promise<void> {
    const checkpoint = await this.library.checkpoint(runId, seed);
    for (const { columns, rows } of await this.library.curves(runId, seed)) curves.append(runId, seed, columns, rows);
    for (const { snapshot, keep } of await this.library.policies(runId, seed)) addPolicy(runId, snapshot, keep);
    changeSeed(runId, seed, (run) => ({
      ...run,
      checkpointStep: checkpoint?.step ?? -1,
      step: run.state === 'interrupted' ? (checkpoint?.step ?? 0) : run.step,
    }));
  }

  /** Another tab may have trained a run further since this page read it: what is on disk then replaces what is here. */
  async catchUp(runId: string): Promise<void> {
    const group = runsStore.getState().groups.find(({ id }) => id === runId);
    if (group === undefined) return;
    for (const { seed, checkpointStep, state } of group.seeds) {
      const stored = (await this.library.checkpoint(runId, seed))?.step ?? -1;
      if (state === 'interrupted' && stored > checkpointStep) {
        curves.cut(runId, seed, -1);
        await this.restoreSeed(runId, seed);
      }
    }
  }

  /** From now on, changes of kept runs are written. */
  follow(): void {
    runsStore.subscribe(() => {
      this.timer ??= setTimeout(() => void this.flush(), WRITE_MS);
    });
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { groups } = runsStore.getState();
    this.writeTabRuns(groups);
    let arrived = false;
    for (const group of groups) {
      if (!group.kept || this.written.get(group.id) === group) continue;
      this.written.set(group.id, group);
      try {
        await this.library.putRun(toRunFile(group));
        arrived ||= !this.stored.has(group.id);
        this.stored.add(group.id);
      } catch (error) {
        this.written.delete(group.id);
        this.onFailure(error);
        return;
      }
    }
    if (arrived) this.writeTabRuns(runsStore.getState().groups);
  }

  /** A run that is not kept lives as long as this page: the lock keeps other tabs from sweeping its checkpoints away. */
  guard(runId: string): void {
    holdLock(lockName(this.namespace, runId, PAGE_LOCK)).catch(() => {}); // run ids are this page's own: nobody else holds it
  }

  private get tabKey(): string {
    return `rl-workbench:tab:${this.namespace}`;
  }

  private tabRuns(): RunGroup[] {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.tabKey) ?? '[]') as unknown[];
      return stored.flatMap((row) => {
        const result = runFileSchema.safeParse(row);
        return result.success ? [toGroup(result.data, false)] : [];
      });
    } catch {
      return []; // blocked, or not ours
    }
  }

  /** At once, unlike the library: what is not kept, and what is but has not arrived there yet, should the page go now. */
  private writeTabRuns(all: readonly RunGroup[]): void {
    const groups = all.filter(({ id, kept }) => !kept || !this.stored.has(id));
    try {
      if (groups.length > 0) sessionStorage.setItem(this.tabKey, JSON.stringify(groups.map(toRunFile)));
      else sessionStorage.removeItem(this.tabKey);
    } catch {
      // Blocked: a reload forgets them.
    }
  }

  async remove(runId: string): Promise<void> {
    this.written.delete(runId);
    this.stored.delete(runId);
    await this.library.removeRun(runId);
  }

  /** Removes what runs that were never kept have left behind, unless some tab still holds them. */
  private async sweep(): Promise<void> {
    const held = [...(await heldLocks())];
    const here = new Set(runsStore.getState().groups.map(({ id }) => id));
    for (const id of await this.library.orphans()) {
      if (!here.has(id) && !held.some((name) => name.includes(`:${id}:`))) await this.library.removeRun(id);
    }
  }
}
