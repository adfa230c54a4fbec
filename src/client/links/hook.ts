/**
 * `window.__lab`: what tests, teachers' scripts and the curious may read of the page. Read-only, documented in docs/guide; nothing of
 * the workbench uses it.
 */
import type { Catalog } from '#contract/catalog/catalog.ts';
import type { SessionEvent } from '#contract/run/events.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { type NetworkState, networkStore } from '#stores/network.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup, Series, StageState } from '#stores/types.ts';

export interface LabHook {
  /** Hash of the draft. */
  readonly configHash: string;
  /** 'idle', or the state of the active run's first unfinished seed. */
  readonly state: string;
  /** Environments, methods and experiments, as their files declare them; null until they are loaded. */
  readonly catalog: Catalog | null;
  readonly activeRun: RunGroup | null;
  readonly runs: readonly RunGroup[];
  readonly stage: StageState;
  /** The drawn network, its weights and what it last answered, while its view is open. */
  readonly network: NetworkState;
  /** Measured rows as plain arrays. */
  curve(runId: string, seed: number, metric: string): { readonly steps: readonly number[]; readonly values: readonly number[] } | null;
  metrics(runId: string): readonly string[];
  readonly events: readonly { readonly runId: string; readonly seed: number; readonly event: SessionEvent }[];
  readonly perf: { readonly bootMs: number; readonly catalogMs: number; readonly eventsReceived: number };
}

declare global {
  interface Window {
    __lab?: LabHook;
  }
}

export interface HookSource {
  readonly events: () => LabHook['events'];
  readonly perf: () => LabHook['perf'];
}

export function installHook({ events, perf }: HookSource): void {
  const plain = (series: Series | null): ReturnType<LabHook['curve']> =>
    series === null ? null : { steps: Array.from(series.steps), values: Array.from(series.values) };
  window.__lab = Object.freeze({
    get configHash() {
      return draftStore.getState().hash;
    },
    get state() {
      const seeds = findGroup(runsStore.getState().activeId)?.seeds ?? [];
      return (seeds.find(({ state }) => state !== 'done') ?? seeds[0])?.state ?? 'idle';
    },
    get catalog() {
      return catalogStore.getState().catalog;
    },
    get activeRun() {
      return findGroup(runsStore.getState().activeId);
    },
    get runs() {
      return runsStore.getState().groups;
    },
    get stage() {
      return stageStore.getState();
    },
    get network() {
      return networkStore.getState();
    },
    curve: (runId: string, seed: number, metric: string) => plain(curves.series(runId, seed, metric)),
    metrics: (runId: string) => curves.metrics(runId),
    get events() {
      return events();
    },
    get perf() {
      return perf();
    },
  });
}
