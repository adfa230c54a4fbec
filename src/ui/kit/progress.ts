/** One run, all its seeds, as a few figures: what the transport, the table and the live notes say. */
import { useStore } from 'zustand';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';

export type Phase = 'running' | 'paused' | 'interrupted' | 'failed' | 'stopped' | 'done';

export function phaseOf(group: RunGroup): Phase {
  const has = (...states: SeedRun['state'][]) => group.seeds.some((seed) => states.includes(seed.state));
  if (has('running', 'starting')) return 'running';
  if (has('paused')) return 'paused';
  if (has('interrupted')) return 'interrupted';
  if (has('queued')) return 'running';
  if (has('failed')) return 'failed';
  return has('stopped') ? 'stopped' : 'done';
}

/** The run that is looked at trains, or waits for its turn. */
export const useTraining = (): boolean =>
  useStore(runsStore, ({ groups, activeId }) => groups.some((group) => group.id === activeId && phaseOf(group) === 'running'));

export interface Progress {
  /** Environment steps, summed over seeds; of each at most what was asked for, which the last update may go past. */
  readonly step: number;
  readonly total: number;
  readonly perSecond: number;
  /** Seconds until the budget is used, NaN when nothing runs. */
  readonly left: number;
  /** Seconds spent, the longest seed. */
  readonly spent: number;
  readonly finished: number;
}

export function progressOf(group: RunGroup): Progress {
  let step = 0;
  let perSecond = 0;
  let spent = 0;
  let finished = 0;
  let open = 0;
  for (const seed of group.seeds) {
    step += Math.min(seed.step, group.config.run.steps);
    spent = Math.max(spent, seed.seconds);
    if (seed.state === 'running' || seed.state === 'starting') perSecond += seed.stepsPerSecond;
    if (seed.state === 'done' && seed.result !== null) finished++;
    if (seed.state === 'done' || seed.state === 'stopped' || seed.state === 'failed') continue;
    open += Math.max(0, group.config.run.steps - seed.step);
  }
  const total = group.config.run.steps * group.seeds.length;
  return { step, total, perSecond, left: perSecond > 0 ? open / perSecond : Number.NaN, spent, finished };
}

/** Of the seeds that have a worker; null: none of them has told. */
export function usageOf(
  group: RunGroup,
): { readonly bytes: number; readonly tensors: number; readonly seeds: number; readonly threads: number } | null {
  const used = group.seeds.flatMap(({ state, usage }) => (usage === undefined || OVER.includes(state) ? [] : [usage]));
  if (used.length === 0) return null;
  return {
    bytes: used.reduce((sum, { bytes }) => sum + bytes, 0),
    tensors: used.reduce((sum, { tensors }) => sum + tensors, 0),
    seeds: used.length,
    threads: used.reduce((sum, { threads = 1 }) => sum + threads, 0),
  };
}
const OVER: readonly SeedRun['state'][] = ['done', 'stopped', 'failed', 'interrupted', 'queued'];

/** Mean steps per second of a finished or stopped run; the present speed of one that goes on. */
export function speedOf(group: RunGroup): number {
  const { perSecond } = progressOf(group);
  if (perSecond > 0) return perSecond;
  const speeds = group.seeds.map((seed) => seed.result?.stepsPerSecond ?? seed.stepsPerSecond).filter((speed) => speed > 0);
  return speeds.length === 0 ? 0 : speeds.reduce((a, b) => a + b, 0) / speeds.length;
}

const WORDS: { readonly [phase in Phase]: string } = {
  running: msg('training'),
  paused: msg('paused'),
  interrupted: msg('interrupted'),
  failed: msg('failed'),
  stopped: msg('stopped'),
  done: msg('done'),
};

export function statusText(group: RunGroup): string {
  if (group.imported !== undefined) return t('imported');
  const phase = phaseOf(group);
  if (group.elsewhere === true) return t('{state} in another tab', { state: t(WORDS[phase]) });
  if (phase === 'running' && group.seeds.every((seed) => seed.state === 'queued' || seed.state === 'starting')) return t('starting');
  const failed = group.seeds.filter((seed) => seed.state === 'failed').length;
  if (phase === 'failed' && failed < group.seeds.length) return t('{n} of {all} failed', { n: failed, all: group.seeds.length });
  return t(WORDS[phase]);
}
