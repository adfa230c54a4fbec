/**
 * Runs that another tab of this page trains are shown here live, read-only. A tab that comes asks what is going on; from then on the tabs
 * that train tell the others what their workers say. The lock of each seed says when its tab has gone without a word.
 */

import type { CurveColumn, RunFile } from '#contract/files/files.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { changeGroup, findGroup, runElsewhere, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { addPolicy, dropPolicies, heldPolicies } from './policies.ts';
import { curveColumns, toRunFile } from './run-persistence.ts';

type Message =
  /** A tab came: who trains? */
  | { readonly kind: 'who' }
  /** A run that the sender trains, with everything measured and kept so far. */
  | {
      readonly kind: 'run';
      readonly file: RunFile;
      readonly curves: readonly CurveColumn[];
      readonly policies: readonly { readonly snapshot: PolicySnapshot; readonly keep: boolean }[];
    }
  | { readonly kind: 'batch'; readonly runId: string; readonly seed: number; readonly batch: EventBatch };

/** States in which a worker holds the lock of its seed: one that waits or starts does not yet. */
const HOLDING: readonly SeedRun['state'][] = ['running', 'paused'];
const OVER: readonly SeedRun['state'][] = ['done', 'stopped', 'failed'];

export interface TabsOptions {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  /** Whether this tab's workers train some seed of the run. */
  readonly trains: (runId: string) => boolean;
  readonly receive: (runId: string, seed: number, batch: EventBatch) => void;
  /** Calls back when the lock of this seed is free. */
  readonly whenFree: (runId: string, seed: number, onFree: () => void) => void;
  /** The tab that trained it has gone, or has finished: what is on the disk counts. */
  readonly onGone: (runId: string) => void;
}

export class Tabs {
  private readonly options: TabsOptions;
  /** Some other tab has asked: from then on it is told. */
  private watched = false;

  constructor(options: TabsOptions) {
    this.options = options;
    options.channel.onmessage = ({ data }: MessageEvent<Message>) => this.hear(data);
  }

  /** Called once the stored runs are here: they are brought up to date by the tab that trains them. */
  ask(): void {
    this.post({ kind: 'who' });
  }

  /** A worker of this tab has begun with a seed of this run. */
  began(runId: string): void {
    // After the run is in the store, with its other seeds.
    if (this.watched) queueMicrotask(() => this.tellRun(runId));
  }

  /** A worker of this tab said something. */
  said(runId: string, seed: number, batch: EventBatch): void {
    if (this.watched && findGroup(runId) !== null) this.post({ kind: 'batch', runId, seed, batch });
  }

  private post(message: Message): void {
    this.options.channel.postMessage(message);
  }

  private hear(message: Message): void {
    switch (message.kind) {
      case 'who':
        this.watched = true;
        for (const { id } of runsStore.getState().groups) if (this.options.trains(id)) this.tellRun(id);
        break;
      case 'run':
        this.watched = true; // who trains may want to see what is trained here
        this.show(message);
        break;
      case 'batch':
        if (findGroup(message.runId)?.elsewhere !== true) return;
        this.options.receive(message.runId, message.seed, message.batch);
        if (message.batch.events.some((event) => event.kind === 'state' && event.state === 'running'))
          this.watch(message.runId, message.seed);
        this.settle(message.runId);
        break;
    }
  }

  private tellRun(runId: string): void {
    const group = findGroup(runId);
    if (group === null || group.elsewhere === true) return;
    const policies = group.seeds.flatMap(({ seed }) => heldPolicies(runId, seed));
    this.post({ kind: 'run', file: toRunFile(group), curves: curveColumns(group), policies });
  }

  private show({ file, curves: columns, policies }: Extract<Message, { kind: 'run' }>): void {
    const { id } = file;
    if (this.options.trains(id)) return;
    const { kind: _kind, version: _version, seeds, ...rest } = file;
    const group: RunGroup = { ...rest, seeds: seeds as unknown as readonly SeedRun[], elsewhere: true };
    curves.drop(id);
    dropPolicies(id);
    for (const { seed, metric, steps, values } of columns) curves.append(id, seed, [metric], rowsOf(steps, values));
    for (const { snapshot, keep } of policies) addPolicy(id, snapshot, keep);
    runElsewhere(group);
    if (runsStore.getState().activeId === null && draftStore.getState().hash === group.hash) runsStore.getState().setActive(id);
    for (const { seed, state } of group.seeds) if (HOLDING.includes(state)) this.watch(id, seed);
  }

  private watch(runId: string, seed: number): void {
    this.options.whenFree(runId, seed, () => this.lost(runId, seed));
  }

  /** All its seeds are over: it is a run like any other. */
  private settle(runId: string): void {
    const group = findGroup(runId);
    if (group?.elsewhere !== true || !group.seeds.every(({ state }) => OVER.includes(state))) return;
    changeGroup(runId, ({ elsewhere: _, ...own }) => own);
    this.options.onGone(runId);
  }

  /** Its worker let go. Where the seed is not over and none of its run goes on, the other tab has closed. */
  private lost(runId: string, seed: number): void {
    const group = findGroup(runId);
    const run = group?.seeds.find((one) => one.seed === seed);
    if (group?.elsewhere !== true || run === undefined || OVER.includes(run.state)) return;
    changeGroup(runId, ({ elsewhere: _, ...own }) => ({
      ...own,
      seeds: own.seeds.map((one) => (OVER.includes(one.state) ? one : { ...one, state: 'interrupted' })),
    }));
    this.options.onGone(runId);
  }
}

function rowsOf(steps: Float64Array, values: Float64Array): Float64Array {
  const rows = new Float64Array(2 * steps.length);
  steps.forEach((step, i) => {
    rows[2 * i] = step;
    rows[2 * i + 1] = values[i]!;
  });
  return rows;
}
