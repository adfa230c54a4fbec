/**
 * Sweeps in the page: one after the other, each as the command line does it (contract/sweep/run.ts), its runs trained by the page's own
 * workers and kept like all others. A set-up whose run is there already, from before a reload for instance, is not trained again.
 */

import { isMeasuredHere, scoreOf } from '#client/runs/outcomes.ts';
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import { namespaceHere } from '#client/workers/workers.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { atRungs } from '#contract/sweep/prune.ts';
import { runSweep, type SweepHost } from '#contract/sweep/run.ts';
import { type KeptSweep, parseSweep, readKeptSweeps, tuningSeeds } from '#contract/sweep/sweep.ts';
import { curves } from '#stores/curves.ts';
import { runsStore } from '#stores/runs.ts';
import { addSweep, changeSweep, findSweep, recallSweeps, removeSweep, type SweepEntry, sweepsStore } from '#stores/sweeps.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';

const OVER: readonly SeedRun['state'][] = ['done', 'failed', 'stopped'];
const RESTING: readonly SeedRun['state'][] = ['paused', 'interrupted'];
const isOver = ({ seeds }: RunGroup): boolean => seeds.every(({ state }) => OVER.includes(state));

/** Thrown inside a sweep that was taken from the list. */
class Removed extends Error {}

/** Sweeps whose course is under way, paused ones included. */
const driven = new Set<string>();

const byHash = (): ReadonlyMap<string, RunGroup> => new Map(runsStore.getState().groups.map((group) => [group.hash, group]));

/** The config of all seeds of a set-up as one run of the page. */
function withSeeds(config: RunConfig, seeds: readonly number[]): RunConfig {
  const { executor } = config.run;
  const run = {
    ...config.run,
    seeds: seeds.length,
    seedStart: seeds[0] ?? 1,
    executor: executor === 'auto' ? ('wasm' as const) : executor,
  };
  return { ...config, run };
}

interface Plan {
  readonly hash: string;
  readonly config: RunConfig;
}

/** Trains what has no run yet, a few set-ups at a time so that a run started by hand need not wait for all of them; resolves when all are over. */
function trainAll(id: string, title: string, plans: readonly Plan[], stops: StopRules): Promise<void> {
  return new Promise((resolve, reject) => {
    let busy = false;
    let again = false;
    const end = (settle: () => void): void => {
      offRuns();
      offSweeps();
      settle();
    };
    const step = (): void => {
      if (busy) {
        again = true;
        return;
      }
      const entry = findSweep(id);
      if (entry === null) {
        end(() => reject(new Removed()));
        return;
      }
      const groups = byHash();
      const open = plans.filter(({ hash }) => {
        const group = groups.get(hash);
        return group === undefined || !isOver(group);
      });
      if (open.length === 0) {
        end(resolve);
        return;
      }
      if (entry.state !== 'running') return;
      const going = open.filter(({ hash }) =>
        groups.get(hash)?.seeds.some(({ state }) => !OVER.includes(state) && !RESTING.includes(state)),
      );
      const seeds = plans[0]?.config.run.seeds ?? 1;
      const room = Math.ceil(workers.parallel() / seeds) + 1 - going.length;
      const next = open.filter((plan) => !going.includes(plan)).slice(0, Math.max(0, room));
      if (next.length === 0) return;
      busy = true;
      const start = async (): Promise<void> => {
        for (const { hash, config } of next) {
          if (findSweep(id)?.state !== 'running') return; // paused or removed while the one before was started
          const group = groups.get(hash);
          if (group === undefined) await runs.trainQuietly(config, { kind: 'sweep', title, address: '#/sweeps' }, stops);
          else runs.resume(group.id);
        }
      };
      start().then(
        () => {
          busy = false;
          if (again) {
            again = false;
            step();
          }
        },
        (error: unknown) => end(() => reject(error)),
      );
    };
    const offRuns = runsStore.subscribe(step);
    const offSweeps = sweepsStore.subscribe(step);
    step();
  });
}

function hostOf({ id, sweep }: SweepEntry): SweepHost {
  const tuning = tuningSeeds(sweep);
  return {
    complete: (config: Json) => workers.complete(config as JsonObject),
    async at(config, seed, metric, steps) {
      const group = byHash().get(configHash(withSeeds(config, tuning)));
      if (group === undefined) return atRungs(null, steps);
      await runs.read(group.id);
      return atRungs(curves.series(group.id, seed, metric), steps);
    },
    async run(configs, seeds, _what, early) {
      const plans = configs.map((config) => {
        const full = withSeeds(config, seeds);
        return { config: full, hash: configHash(full) };
      });
      const once = [...new Map(plans.map((plan) => [plan.hash, plan])).values()];
      changeSweep(id, { asked: [...new Set([...(findSweep(id)?.asked ?? []), ...once.map(({ hash }) => hash)])] });
      await trainAll(id, sweep.title ?? '', once, early === undefined || early.rungs.length === 0 ? {} : { rungs: [...early.rungs] });
      const groups = byHash();
      for (const { hash } of once) {
        const group = groups.get(hash);
        if (group !== undefined) await runs.read(group.id);
      }
      return plans.map(({ hash }) => {
        const group = groups.get(hash);
        return seeds.map((seed) => (group === undefined ? null : scoreOf(group, seed, sweep.quantity, sweep.better)));
      });
    },
    news: (setups, left) => changeSweep(id, { setups, left }),
  };
}

/** Starts the first that waits, if none goes on. */
function next(): void {
  const { entries } = sweepsStore.getState();
  if (entries.some(({ state }) => state === 'running')) return;
  const first = entries.find(({ state }) => state === 'waiting');
  if (first === undefined) return;
  changeSweep(first.id, { state: 'running' });
  if (driven.has(first.id)) return;
  driven.add(first.id);
  runSweep(first.sweep, hostOf(first))
    .then(
      (swept) => changeSweep(first.id, { swept, setups: swept.setups, state: 'done' }),
      (error: unknown) => {
        if (!(error instanceof Removed)) changeSweep(first.id, { state: 'failed', failure: toFailure(error) });
      },
    )
    .finally(() => {
      driven.delete(first.id);
      next();
    });
}

let made = 0;

export const sweeps = {
  /** Checks a sweep file and puts it at the end of the list. Throws LabError('file-invalid') with the field and the fix. */
  add(file: JsonObject): string {
    const sweep = parseSweep(file);
    tuningSeeds(sweep);
    if (!isMeasuredHere(sweep.quantity))
      throw fail(
        'file-invalid',
        `"${sweep.quantity.title}" is measured by the command line only.`,
        'Run this file with: npm run rl -- sweep FILE.',
        'quantity',
      );
    const id = `${Date.now().toString(36)}-${made++}`;
    const entry: SweepEntry = { id, file, sweep, state: 'waiting', setups: [], left: [], asked: [], swept: null, failure: null };
    addSweep(entry);
    next();
    return id;
  },

  pause(id: string): void {
    const asked = new Set(findSweep(id)?.asked);
    changeSweep(id, { state: 'paused' });
    for (const group of runsStore.getState().groups) if (asked.has(group.hash) && !isOver(group)) runs.pause(group.id);
    next();
  },

  /** Goes on, or waits for the one that goes on now. One that failed is tried again. */
  resume(id: string): void {
    changeSweep(id, { state: 'waiting', failure: null });
    next();
  },

  /** Takes it from the list; its runs stay, and those going on are stopped. */
  remove(id: string): void {
    const asked = new Set(findSweep(id)?.asked);
    for (const group of runsStore.getState().groups) if (asked.has(group.hash) && !isOver(group)) runs.stop(group.id);
    removeSweep(id);
    next();
  },
};

const KEY = `rl-workbench:sweeps:${namespaceHere()}`;

/** Files and places of the sweeps, for the next visit: what they found is read again from their runs. */
function remember(): void {
  try {
    const kept = sweepsStore.getState().entries.map(
      ({ id, file, sweep, state, asked }): KeptSweep => ({
        id,
        file,
        over: state === 'done',
        differing: sweep.every !== true,
        asked: [...asked],
      }),
    );
    if (kept.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is blocked or full: the list lasts for this visit.
  }
}

/**
 * Brings back the sweeps of the last visit. Those that were over read their runs again; one that was not, or of which runs were deleted,
 * rests until Resume.
 */
async function recall(): Promise<void> {
  await runs.restored();
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return; // blocked storage: there is nothing to recall
  }
  const here = byHash();
  const entries = readKeptSweeps(text).flatMap(({ id, file, over, differing, asked }): SweepEntry[] => {
    const whole = over && asked.every((hash) => here.has(hash));
    try {
      const sweep = { ...parseSweep(file), every: !differing };
      return [{ id, file, sweep, state: whole ? 'waiting' : 'paused', setups: [], left: [], asked: [], swept: null, failure: null }];
    } catch {
      return []; // of another version: its runs are still in the table
    }
  });
  recallSweeps(entries);
  next();
}

void recall().then(() => sweepsStore.subscribe(remember));
