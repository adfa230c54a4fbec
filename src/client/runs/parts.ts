/**
 * The parts behind the runs, put together: the storage and what is kept in it, the pool of session workers, the trainer, the inbox of their events, other
 * tabs, and the checks of the draft. What higher services do about their news is said in client/start.ts.
 */

import { late } from '#client/workers/late.ts';
import { threadsEach } from '#client/workers/machine.ts';
import { Offers } from '#client/workers/race.ts';
import { randomUniform } from '#client/workers/random.ts';
import { workers } from '#client/workers/service.ts';
import { Signal } from '#client/workers/signal.ts';
import { whenFree } from '#client/workers/worker-lock.ts';
import { lockName } from '#storage/locks.ts';
import { openLibrary } from '#storage/open.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { fittingStore } from '#stores/fitting.ts';
import { storageBlocked } from '#stores/machine.ts';
import { findGroup } from '#stores/runs.ts';
import { Drafts } from './drafts.ts';
import { curveAwaited } from './first-curve.ts';
import { Inbox } from './inbox.ts';
import { Pool } from './pool.ts';
import { RunPersistence } from './run-persistence.ts';
import { Saving } from './saving.ts';
import { Tabs } from './tabs.ts';
import { Trainer } from './trainer.ts';

const OFFER_AFTER_MS = 4000;
const { namespace } = workers;

/** The draft has been checked. */
export const draftChecked = new Signal<[]>();
/** A newer policy of a seed is here. */
export const policyCame = new Signal<[runId: string]>();
/** What a seed has visited is here: times per cell. */
export const visitsCame = new Signal<[runId: string, seed: number, visits: Float64Array]>();
/** The storage opened after the page did. */
export const storageOpened = new Signal<[]>();

const fitting = late(() => import('./fitting.ts'));

/** Which methods fit; without a network every method is offered. */
function askFitting(): void {
  const { env } = draftStore.getState().config;
  void fitting().then(
    (loaded) => loaded.askFitting(workers.player(), env),
    () => {},
  );
}

const offers = new Offers(workers.spawnRacer, () => !pool.busy && !document.hidden);

export const drafts = new Drafts(workers.player, () => {
  draftChecked.emit();
  const { config, hash, problems } = draftStore.getState();
  if (fittingStore.getState().wanted) askFitting();
  if (problems.length === 0) setTimeout(() => void offers.consider(config, hash), OFFER_AFTER_MS);
});

fittingStore.subscribe(({ wanted }, before) => {
  if (wanted && !before.wanted) askFitting();
});

export const inbox = new Inbox({
  onPolicy: policyCame.emit,
  onVisits: visitsCame.emit,
  onSaved: (runId, seed, news) => {
    if (news === 'checkpoint') saving.checkpointed(runId, seed);
    else saving.workerWrote(runId, seed, news.unsaved);
  },
  storeEnd: async (group) => (await persistence).storeEnd(group),
});

/** Where two would share two processors with the page, the first seed has one for itself until its curve stands. */
const seedsAtOnce = (): number => (curveAwaited() && workers.parallel() <= 2 ? 1 : workers.parallel());

export const pool = new Pool({
  spawn: workers.spawnSession,
  limit: seedsAtOnce,
  threads: (seeds) => threadsEach(seedsAtOnce(), seeds),
  events: {
    started: ({ runId }) => tabs.began(runId),
    batch: (job, batch) => {
      tabs.said(job.runId, job.seed, batch); // first: the inbox may give arrays away
      inbox.receive(job.runId, job.seed, batch);
    },
    lost: (job, why, device) => trainer.lost(job, why, device),
    refused: (job, failure) => trainer.refused(job, failure),
  },
  watchLock: ({ runId, seed }, onFree) => whenFree(lockName(namespace, runId, seed), onFree),
});

export const trainer = new Trainer({
  pool: () => pool,
  inbox,
  envTitle: (id) => envCard(id)?.title ?? id,
  algoTitle: (id) => algoCard(id)?.title ?? id,
  now: () => Date.now(),
  random: randomUniform,
});

export const library = openLibrary(namespace, {
  lost: () => void saving.lost(),
  blocked: storageBlocked,
  opened: storageOpened.emit,
});

export const persistence = library.then((disk) => new RunPersistence(disk, namespace, (error) => saving.pageWrote(error)));

export const saving = new Saving({
  persistence,
  trains: (runId, seed) => pool.apiOf(runId, seed) !== null,
  saveAll: () => trainer.saveAll(),
});

export const tabs = new Tabs({
  channel: new BroadcastChannel(`rl-workbench:${namespace}`),
  trains: (runId) => findGroup(runId)?.seeds.some(({ seed }) => pool.apiOf(runId, seed) !== null || pool.isQueued(runId, seed)) === true,
  receive: (runId, seed, batch) => inbox.receive(runId, seed, batch),
  whenFree: (runId, seed, onFree) => void whenFree(lockName(namespace, runId, seed), onFree),
  onGone: (runId) => void persistence.then((kept) => kept.catchUp(runId)).catch((error: unknown) => saving.pageWrote(error)),
});
