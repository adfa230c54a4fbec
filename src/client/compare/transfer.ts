/**
 * Grids in the page (contract/catalog/transfer.ts): the rows are runs like all others, trained a few at a time by the page's workers; each policy
 * is tested in every column by a worker of its own as soon as its run is over. Stopping pauses the runs; going on trains no run twice.
 */

import { laboratory } from '#client/address/laboratory.ts';
import { files } from '#client/files/service.ts';
import { newestPolicy, policyKey } from '#client/runs/policies.ts';
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import { namespaceHere } from '#client/workers/workers.ts';
import { anyColumn, columnConfig, parseTransfer, rowConfig, type Transfer, testedSchema } from '#contract/catalog/transfer.ts';
import { FIRST_ISSUE } from '#contract/kit/bounded.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, readJson } from '#contract/kit/json.ts';
import { takesAnyTeam } from '#contract/run/any-team.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { runsStore } from '#stores/runs.ts';
import {
  openTransfer,
  type TransferState,
  transferEnded,
  transferRuns,
  transferStore,
  transferTested,
  transferTrained,
} from '#stores/transfer.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';

const OVER: readonly SeedRun['state'][] = ['done', 'failed', 'stopped'];
const isOver = ({ seeds }: RunGroup): boolean => seeds.every(({ state }) => OVER.includes(state));
const groupOf = (hash: string): RunGroup | undefined => runsStore.getState().groups.find((group) => group.hash === hash);

/** Thrown inside a grid that was stopped. */
class Stopped extends Error {}

let going: AbortController | null = null;
/** Hashes of its rows; none until they are known, before which it begins no run. */
let rows: readonly string[] = [];

/** Resolves with the run of a config once all its seeds are over; starts it, or lets it go on. Rejects with Stopped. */
function whenOver(config: RunConfig, hash: string, signal: AbortSignal): Promise<RunGroup> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      off();
      signal.removeEventListener('abort', look);
      settle();
    };
    const look = (): void => {
      const group = groupOf(hash);
      if (signal.aborted) end(() => reject(new Stopped()));
      else if (group !== undefined && isOver(group)) end(() => resolve(group));
    };
    const off = runsStore.subscribe(look);
    signal.addEventListener('abort', look);
    const group = groupOf(hash);
    if (group === undefined)
      runs
        .trainQuietly(config, { kind: 'sweep', title: 'trained here, tested there', address: '#/transfer' })
        .then(look, (error: unknown) => end(() => reject(error)));
    else {
      if (!isOver(group)) runs.resume(group.id);
      look();
    }
  });
}

/** A row as a run of the page. */
async function rowRun(config: RunConfig, plan: Transfer, row: number): Promise<{ config: RunConfig; hash: string }> {
  const complete = await workers.complete(rowConfig(config, plan, row) as unknown as JsonObject);
  const { executor } = complete.run;
  const run = { ...complete.run, executor: executor === 'auto' ? ('wasm' as const) : executor };
  const own = { ...complete, run };
  return { config: own, hash: configHash(own) };
}

async function testRow(api: WatchApi, group: RunGroup, row: number, signal: AbortSignal): Promise<void> {
  const { plan, config } = transferStore.getState();
  if (plan === null || config === null) return;
  await runs.read(group.id);
  for (const { seed } of group.seeds) {
    const snapshot = newestPolicy(group.id, seed);
    const key = snapshot === null ? null : policyKey(group.id, seed, snapshot.step);
    if (snapshot !== null && key !== null) await api.setPolicy(key, snapshot);
    for (let column = 0; column < plan.test.length; column++) {
      if (transferStore.getState().tested.some((one) => one.row === row && one.column === column && one.seed === seed)) continue;
      const env = { id: config.env.id, config: columnConfig(config, plan, column) };
      const score = key === null ? null : await api.score(env, key, plan.episodes);
      if (signal.aborted) throw new Stopped();
      transferTested({ row, column, seed, score });
    }
    if (key !== null) await api.dropPolicy(key);
  }
}

/** Trains and tests what is missing. */
async function drive(plan: Transfer, config: RunConfig, signal: AbortSignal): Promise<void> {
  const runs = await Promise.all(plan.train.map((_, row) => rowRun(config, plan, row)));
  if (signal.aborted) throw new Stopped();
  rows = runs.map(({ hash }) => hash);
  const count = (): void => {
    // of each at most what was asked for, which the last update may go past
    const steps = runs.flatMap(({ hash }) => groupOf(hash)?.seeds.map(({ step }) => Math.min(step, config.run.steps)) ?? []);
    transferTrained(steps.reduce((sum, step) => sum + step, 0));
  };
  const player = workers.spawnPlayer((why) => fail(new Error(`The worker that tested was lost (${why}).`)));
  const off = runsStore.subscribe(count);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < runs.length && !signal.aborted) {
      const row = next++;
      const run = runs[row]!;
      await testRow(player.api, await whenOver(run.config, run.hash, signal), row, signal);
    }
  };
  let fail: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    fail = reject;
  });
  try {
    const lanes = Math.ceil(workers.parallel() / config.run.seeds) + 1;
    await Promise.race([Promise.all(Array.from({ length: lanes }, lane)), lost]);
    count();
  } finally {
    off();
    player.terminate();
  }
}

function go(): void {
  const { plan, config } = transferStore.getState();
  if (plan === null || config === null) return;
  going?.abort();
  const own = new AbortController();
  going = own;
  rows = [];
  transferRuns();
  const end = (...how: Parameters<typeof transferEnded>): void => {
    if (going !== own) return;
    going = null;
    transferEnded(...how);
  };
  drive(plan, config, own.signal).then(
    () => end('done'),
    (error: unknown) => {
      own.abort(); // what else goes on ends as well
      const { message, fix } = toFailure(error);
      if (error instanceof Stopped) end('stopped');
      else end('failed', `${message} ${fix}`);
    },
  );
}

/** The grid with its config, complete, once every row and column can be trained. Throws what `transfer.start` throws. */
async function checked(file: Json): Promise<{ readonly plan: Transfer; readonly config: RunConfig }> {
  const plan = parseTransfer(file);
  const config = await workers.complete(plan.config as JsonObject);
  for (let row = 0; row < plan.train.length; row++) await rowRun(config, plan, row);
  for (let column = 0; column < plan.test.length; column++) {
    const env = { ...config.env, config: columnConfig(config, plan, column) };
    await workers.complete({ ...config, env } as unknown as JsonObject);
  }
  return { plan, config };
}

export const transfer = {
  /** Throws what `start` throws, and LabError where one policy cannot act in all columns: what is observed, or the actions, differ. */
  async check(file: Json): Promise<void> {
    const { plan, config } = await checked(file);
    if (!takesAnyTeam(config.algo.config as JsonObject)) await workers.complete(anyColumn(config, plan) as unknown as JsonObject);
  },

  /** Checks a grid and starts it in place of the one before. Throws LabError('file-invalid' | 'config-invalid' | 'incompatible'). */
  async start(file: Json): Promise<void> {
    const { plan, config } = await checked(file);
    transfer.stop();
    openTransfer(plan, config);
    go();
  },

  /** Keeps what there is. Pauses the runs at once: a grid that is started next lets those that it shares go on. */
  stop(): void {
    if (transferStore.getState().state !== 'running') return;
    going?.abort();
    going = null;
    transferEnded('stopped');
    for (const group of rows.map(groupOf)) if (group !== undefined && !isOver(group)) runs.pause(group.id);
  },

  resume: go,

  /** The policy of a cell, the first seed's, on the stage of the laboratory, in the setting of its column. */
  async show(row: number, column: number): Promise<void> {
    const { plan, config } = transferStore.getState();
    if (plan === null || config === null) return;
    const group = groupOf((await rowRun(config, plan, row)).hash);
    const [first] = group?.seeds ?? [];
    if (group === undefined || first === undefined) return;
    await runs.read(group.id);
    const snapshot = newestPolicy(group.id, first.seed);
    if (snapshot === null) return;
    const env: PolicySnapshot['env'] = { ...snapshot.env, config: columnConfig(config, plan, column) };
    await files.openPolicy({ ...snapshot, env });
    if (!group.visible) runsStore.getState().toggleVisible(group.id); // its curve stands beside the scene
    laboratory.back();
  },
};

const KEY = `rl-workbench:transfer:${namespaceHere()}`;

/** What was tested, for the next visit: its runs stand in the table. */
function remember({ plan, config, tested }: TransferState): void {
  try {
    if (plan === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ plan, config, tested }));
  } catch {
    // Storage is blocked or full: the grid lasts for this visit.
  }
}

async function recall(): Promise<void> {
  await runs.restored();
  if (transferStore.getState().plan !== null) return;
  try {
    const text = localStorage.getItem(KEY);
    const kept = text === null ? null : readJson(text);
    if (!isObject(kept)) return;
    const { plan: file, config: given, tested: rows } = kept;
    const plan = parseTransfer(file);
    const config = await workers.complete(given as JsonObject);
    openTransfer(plan, config, testedSchema.parse(rows, FIRST_ISSUE));
  } catch {
    // Of another version, or blocked: the runs themselves are in the table.
  }
}

void recall().then(() => transferStore.subscribe(remember));
