/**
 * The page's only door to workers, storage and files. Puts the parts of this room together: the watch worker and the stage
 * (stage controller, clock, inspector, human game), the pool of session workers and the runs (trainer, inbox), what is kept (run
 * persistence), the address bar (links) and the draft's checks. Views call `lab` and read the stores; they never need to catch.
 */

import { Explainer } from '#client/explain/explain.ts';
import { Archive } from '#client/files/archive.ts';
import type { Datasets } from '#client/files/datasets.ts';
import type { FolderFile } from '#client/files/exports.ts';
import { installHook } from '#client/links/hook.ts';
import { Links } from '#client/links/links.ts';
import { listenToPage } from '#client/links/page.ts';
import { openPage } from '#client/links/pages.ts';
import { Pins } from '#client/links/pins.ts';
import { Drafts } from '#client/runs/drafts.ts';
import { Mender } from '#client/runs/findings.ts';
import { askFitting } from '#client/runs/fitting.ts';
import { currentFork, Forks, forkProblem, parentOf } from '#client/runs/forks.ts';
import { Inbox } from '#client/runs/inbox.ts';
import { originOf } from '#client/runs/origin.ts';
import { Pool } from '#client/runs/pool.ts';
import { RunPersistence } from '#client/runs/run-persistence.ts';
import { Saving } from '#client/runs/saving.ts';
import { Simulations } from '#client/runs/simulations.ts';
import { chooseSeed, currentSubject } from '#client/runs/subject.ts';
import { Tabs } from '#client/runs/tabs.ts';
import { Trainer, type TrainOptions } from '#client/runs/trainer.ts';
import { Clips } from '#client/stage/clips.ts';
import { HumanGame } from '#client/stage/human.ts';
import { Inspector } from '#client/stage/inspector.ts';
import { NetworkReader } from '#client/stage/network.ts';
import { startClock } from '#client/stage/stage-clock.ts';
import { StageController } from '#client/stage/stage-controller.ts';
import { TokenReader } from '#client/stage/tokens.ts';
import { askToPersist, isPhone, probeGpu, probeMachine, reportStorage, workerLimit } from '#client/workers/machine.ts';
import { Measuring } from '#client/workers/measuring.ts';
import { fastestExecutor, Offers } from '#client/workers/race.ts';
import { randomUniform } from '#client/workers/random.ts';
import { WatchHandle } from '#client/workers/watch.ts';
import { whenFree } from '#client/workers/worker-lock.ts';
import { namespaceHere, spawnSession, spawnWatch, type WatchWorker } from '#client/workers/workers.ts';
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { toFailure } from '#contract/errors.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import type { Origin } from '#contract/origin.ts';
import { nameOfRun } from '#contract/run-names.ts';
import { lockName } from '#storage/locks.ts';
import { openLibrary } from '#storage/open.ts';
import { algoCard, catalogStore, envCard } from '#stores/catalog.ts';
import { countGames, datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { forkStore } from '#stores/fork.ts';
import { layoutStore } from '#stores/layout.ts';
import { machineStore } from '#stores/machine.ts';
import { preferencesStore } from '#stores/preferences.ts';
import { embedded, hashOf, inLaboratory, inLesson, routeStore } from '#stores/route.ts';
import { findGroup, runOfHash, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { stopsStore } from '#stores/stops.ts';

const OFFER_AFTER_MS = 4000;
/** Updates that clone a person's games: seconds. */
const TEACH_STEPS = 3000;

const namespace = namespaceHere();
const watchName = (): string => `rl-workbench:watch ${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
const spawnRacer = (): WatchWorker => spawnWatch(watchName(), () => {});
/** A worker that plays for one view alone, which ends it. */
const spawnPlayer = (onError: (message: string) => void): WatchWorker => spawnWatch(watchName(), onError);
const watch = new WatchHandle({
  spawn: spawnWatch,
  newName: watchName,
  onRestart: (stuck) => {
    stageController.forgetHeld();
    if (catalogStore.getState().catalog === null) void loadCatalog();
    else if (stuck) stageController.tookTooLong();
    else void stageController.nextEpisode();
    void drafts.checkAgain();
  },
});
const autoplay = (): boolean => layoutStore.getState().motion !== 'none' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
const stageController = new StageController({ watch: watch.api, autoplay, now: () => performance.now() });
const game = new HumanGame(watch.api, stageController);
const inspector = new Inspector(watch.api, () => performance.now());
const network = new NetworkReader(watch.api, stageController, () => performance.now());
const tokens = new TokenReader(watch.api);
const links = new Links(watch.api);
const measuring = new Measuring(spawnRacer);
const offers = new Offers(spawnRacer, () => !pool.busy && !document.hidden);
const drafts = new Drafts(watch.api, () => {
  void stageController.refresh();
  const { config, hash, problems } = draftStore.getState();
  void askFitting(watch.api(), config.env);
  if (problems.length === 0) setTimeout(() => void offers.consider(config, hash), OFFER_AFTER_MS);
});
const inbox = new Inbox({
  onPolicy: (runId) => {
    if (runsStore.getState().activeId !== runId) return;
    stageController.listCheckpoints();
    stageController.renew();
    if (stageStore.getState().policy?.runId !== runId && stageStore.getState().mode === 'live') void stageController.refresh();
  },
  onVisits: (runId, seed, visits) => {
    const subject = currentSubject();
    if (subject?.group?.id === runId && subject.seed === seed) stageStore.setState({ visits });
  },
  onSaved: (runId, seed, news) => {
    if (news === 'checkpoint') saving.checkpointed(runId, seed);
    else saving.workerWrote(runId, seed, news.unsaved);
  },
});
const pool = new Pool({
  spawn: (onError) => spawnSession(namespace, onError),
  limit: () => workerLimit(machineStore.getState().cores, isPhone()),
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
const trainer = new Trainer({
  pool: () => pool,
  inbox,
  envTitle: (id) => envCard(id)?.title ?? id,
  algoTitle: (id) => algoCard(id)?.title ?? id,
  now: () => Date.now(),
  random: randomUniform,
});

const tabs = new Tabs({
  channel: new BroadcastChannel(`rl-workbench:${namespace}`),
  trains: (runId) => findGroup(runId)?.seeds.some(({ seed }) => pool.apiOf(runId, seed) !== null || pool.isQueued(runId, seed)) === true,
  receive: (runId, seed, batch) => inbox.receive(runId, seed, batch),
  whenFree: (runId, seed, onFree) => void whenFree(lockName(namespace, runId, seed), onFree),
  onGone: (runId) =>
    void openPersistence.then((persistence) => persistence.catchUp(runId)).catch((error: unknown) => saving.pageWrote(error)),
});

const explaining = new WatchHandle({ spawn: spawnWatch, newName: watchName, onRestart: () => {} });
const explainer = new Explainer({
  watch: explaining.api,
  crowded: () => pool.crowded,
  show: watchPolicy,
});

const clips = new Clips(watch.api);

const simulations = new Simulations(
  (onError) => spawnSession(namespace, onError),
  () => workerLimit(machineStore.getState().cores, isPhone()),
);

const perf = { bootMs: 0, catalogMs: 0 };
const library = openLibrary(namespace, {
  lost: () => void saving.lost(),
  blocked: () => machineStore.setState({ storageBlocked: true }),
  opened: () => void storageOpened(),
});
const openPersistence = library.then((disk) => new RunPersistence(disk, namespace, (error) => saving.pageWrote(error)));
const saving = new Saving({
  persistence: openPersistence,
  trains: (runId, seed) => pool.apiOf(runId, seed) !== null,
  saveAll: () => trainer.saveAll(),
});
const archive = new Archive({
  watch: watch.api,
  library,
  persistence: openPersistence,
  kill: (runId) => pool.kill(runId),
  openRun,
  nameOf: ({ algo, env }) => nameOfRun(algoCard(algo.id)?.title ?? algo.id, envCard(env.id)?.title ?? env.id),
  showPolicy: async (policy) => {
    await drafts.check();
    await stageController.showPolicy(policy);
  },
});

/** Resolves when the stored runs are back: a file opened before would meet the reading and the sweeping of what is stored. */
let tellRestored = (): void => {};
const restored = new Promise<void>((resolve) => {
  tellRestored = resolve;
});

const pins = new Pins({
  link: (config, pin) => links.pinned(config, pin),
  exploring: () => stageController.exploring,
  readRun,
  watch: watchPolicy,
  train: async (config) => {
    const id = await trainQuietly(config, { kind: 'link', title: 'an explanation' });
    runsStore.getState().rename(id, `seed ${config.run.seedStart}, trained again for a link`);
    return id;
  },
  stop: (runId) => trainer.stop(runId),
  edit: (edits) => network.edit(edits),
});

const forks = new Forks({
  watch: watch.api,
  start: async (config, parent, name) => {
    const id = trainer.train(config, reasonOf(config), { quiet: true, parent, origin: originOf(config, location.hash) });
    runsStore.getState().toggleVisible(id);
    runsStore.getState().rename(id, name);
    await (await openPersistence).flush();
    return id;
  },
  save: async (runId) => {
    await trainer.save(runId);
    await (await openPersistence).readPoints(runId);
  },
});

const mender = new Mender({
  watch: watch.api,
  start: (config, parent) => startTraining(config, reasonOf(config), { parent }),
  stop: (runId) => trainer.stop(runId),
});

async function startTraining(config: RunConfig, reason: string, options: TrainOptions = {}): Promise<string> {
  const id = trainer.train(config, reason, { origin: originOf(config, location.hash), ...options });
  await (await openPersistence).flush();
  if (!embedded()) void askToPersist(); // a frame keeps nothing, and some browsers would ask the reader
  return id;
}

function reasonOf({ run }: RunConfig): string {
  return run.executor === 'wasm' ? 'exact, the default' : 'your choice; within tolerance';
}

async function loadCatalog(): Promise<void> {
  try {
    const worker = watch.api(); // it loads meanwhile
    // The development server asks the worker: the build's answer would lag behind what is being edited.
    const catalog = import.meta.env.DEV ? await worker.catalog() : (await import('virtual:catalog')).default;
    catalogStore.setState({ catalog, failure: null });
  } catch (error) {
    catalogStore.setState({ failure: toFailure(error) });
  }
}

async function openFirst(): Promise<void> {
  const card = catalogStore.getState().catalog?.experiments[0];
  if (card === undefined) return;
  const first = await watch.api().complete(card.config as Json);
  // A lesson may have opened its own set-up meanwhile: its page is there before the laboratory.
  if (draftStore.getState().hash === '') draftStore.getState().open(first, card.id);
}

/** After a reload the run of this draft is the active one again; on a plain visit, a run that was interrupted comes back with its config. */
async function offerUnfinished(plainVisit: boolean): Promise<void> {
  const { groups, activeId } = runsStore.getState();
  if (activeId !== null) return;
  const same = groups.find(({ hash }) => hash === draftStore.getState().hash);
  const interrupted = groups.find(({ seeds }) => seeds.some(({ state }) => state === 'interrupted'));
  const next = same ?? (plainVisit ? interrupted : undefined);
  if (next !== undefined) await (await openPersistence).readRun(next.id);
  if (same !== undefined) runsStore.getState().setActive(same.id);
  else if (plainVisit && interrupted !== undefined) openRun(interrupted.id);
  await stageController.refresh();
}

/** What a run has measured and learned may still be on the disk: the stage looks again when it is here. */
async function showActive(runId: string | null): Promise<void> {
  await stageController.refresh();
  if (runId === null) return;
  await readRun(runId);
  if (runsStore.getState().activeId === runId) await stageController.refresh();
}

/** Resumes a run; one that was interrupted first reads what the disk has of it. */
async function resume(runId: string): Promise<void> {
  if (findGroup(runId)?.seeds.some(({ state }) => state === 'interrupted') === true) {
    await openPersistence.then((persistence) => persistence.catchUp(runId)).catch(() => {}); // the worker that needs the disk reports an unreadable one
  }
  trainer.resume(runId);
}

/** Fills the catalogue, opens the link of the address bar or the first experiment, restores the run list. */
async function boot(): Promise<void> {
  const begun = performance.now();
  const asked = location.hash; // a press may lead to a page while the catalogue is on its way
  installHook({ events: () => inbox.log, perf: () => ({ ...perf, eventsReceived: inbox.received }) });
  probeMachine();
  await loadCatalog();
  if (catalogStore.getState().catalog === null) return;
  perf.catalogMs = performance.now() - begun;
  drafts.follow();
  const link = embedded() ? `#${routeStore.getState().route?.id}` : asked.startsWith('#/') ? '' : asked; // '' opens the first experiment
  const { hash } = location;
  const opened = await links.open(openPage(hash) ? link : hash);
  if (opened !== true && !embedded()) await openFirst();
  links.follow();
  startClock({
    ready: (t) => (stageStore.getState().source as { has?: (t: number) => boolean } | null)?.has?.(t) ?? true,
    onEnd: () => stageController.atEnd(),
    onPlay: (seconds) => game.tick(seconds),
  });
  stageStore.subscribe((state, before) => {
    if (state.t === before.t && state.replay === before.replay) return;
    stageController.updateReturn();
    stageController.renew();
  });
  runsStore.subscribe((state, before) => {
    if (state.activeId !== before.activeId) void showActive(state.activeId);
    else stageController.renew();
  });
  startInspecting();
  listenToPage({
    opened: hash,
    links,
    openLink,
    busy: () => pool.busy,
    wasFrozen: (ms) => trainer.wasFrozen(ms),
    leaving: () => {
      trainer.saveAll();
      void openPersistence.then((persistence) => persistence.flush());
    },
    closing: () => archive.forgetRemoved(),
  });
  perf.bootMs = performance.now() - begun;
  const persistence = await openPersistence;
  await persistence.restore().catch((error: unknown) => saving.pageWrote(error)); // the page goes on without what it cannot read
  tabs.ask();
  persistence.follow();
  // What is looked at first comes first.
  await offerUnfinished(opened === null).catch((error: unknown) => saving.pageWrote(error));
  await pins.find();
  await persistence.sweep().catch((error: unknown) => saving.pageWrote(error));
  tellRestored();
  await reportStorage(await library);
  void probeGpu();
  await persistence.readAll().catch((error: unknown) => saving.pageWrote(error));
}

/** The storage opened after the page did: what it held before this visit is shown beside what was made meanwhile. */
async function storageOpened(): Promise<void> {
  const persistence = await openPersistence;
  try {
    await persistence.restore();
    await reportStorage(await library);
    await persistence.readAll();
  } catch (error) {
    saving.pageWrote(error);
  }
}

/** Trains the draft, all its seeds, as a fork where one is being set up; nothing happens while it has problems. */
async function train(): Promise<void> {
  await drafts.check();
  const { config, problems } = draftStore.getState();
  const fork = currentFork();
  if (problems.length > 0 || (fork !== null && forkProblem(fork, config) !== null)) return;
  const parent = fork === null ? null : parentOf(fork, config);
  const { rules } = stopsStore.getState();
  if (config.run.executor !== 'auto') await startTraining(config, reasonOf(config), { parent, stops: rules });
  else {
    const { executor, reason } = await fastestExecutor(config, spawnRacer);
    draftStore.getState().set('run.executor', executor);
    await startTraining(draftStore.getState().config, reason, { parent, stops: rules });
  }
  if (forkStore.getState().fork === fork) forks.cancel();
}

/** The same config anew, with the same seeds, paused before its first step; what there was ends where it stands and is kept. */
async function startOver(runId: string): Promise<void> {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined || group.elsewhere === true) return;
  trainer.stop(runId);
  const { parent, stops, origin } = group;
  trainer.train(group.config, group.executorReason, { parent, stops, origin, paused: true });
  await (await openPersistence).flush();
}

/** Takes the offer of a faster executor. */
async function trainOnGpu(): Promise<void> {
  const { offer } = machineStore.getState();
  draftStore.getState().set('run.executor', 'webgpu');
  await drafts.check();
  const { config, problems } = draftStore.getState();
  if (problems.length > 0) return;
  const measured = offer === null ? '' : `, measured ${offer.speedup.toFixed(1)} times as fast`;
  machineStore.setState({ offer: null });
  await startTraining(config, `your choice${measured}; within tolerance`);
}

/** Its config becomes the draft; its policy comes to the stage. */
function openRun(runId: string): void {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined) return;
  runsStore.getState().setActive(runId);
  draftStore.getState().open(group.config);
  void drafts.check();
}

/** A page that lies over the laboratory makes way for what a person opened there. */
function showLab(): void {
  if (!inLaboratory(routeStore.getState())) links.backToLab();
}

/** Plays the kept policy nearest to this step, at or before it; the newest without a step. */
async function watchPolicy(runId: string, seed: number, step?: number): Promise<void> {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined) return;
  await openPersistence.then((persistence) => persistence.readRun(runId)).catch((error: unknown) => saving.pageWrote(error));
  chooseSeed(runId, seed);
  if (runsStore.getState().activeId !== runId || currentSubject()?.group?.id !== runId) {
    openRun(runId);
    await drafts.check();
  }
  await stageController.watch(runId, seed, step);
}

/** Of a run that learned a policy for every weighting of several rewards: plays the one for these weights from now on. */
async function prefer(runId: string, seed: number, weights: readonly number[]): Promise<void> {
  preferencesStore.getState().prefer(runId, weights);
  chooseSeed(runId, seed);
  await stageController.prefer();
}

/** Whether the link was opened; where it is not, the page says why. */
async function openLink(hash: string): Promise<boolean> {
  const opened = (await links.open(hash)) === true;
  if (opened) await pins.find();
  return opened;
}

/** Fills in the defaults of a config. Rejects with a LabError where it is wrong. */
const complete = (config: JsonObject): Promise<RunConfig> => watch.api().complete(config);

interface PlannedRun {
  readonly name: string;
  readonly config: RunConfig;
  /** Where the page stands where it is not said. */
  readonly origin?: Origin;
}

/**
 * Trains configs one after the other, each with all its seeds and under its name; one that has a run already gets no second one.
 * `since`: runs started before it (ms since epoch) do not count.
 */
async function trainAll(runs: readonly PlannedRun[], since = 0): Promise<void> {
  for (const { name, config, origin } of runs) {
    if (runOfHash(runsStore.getState().groups, configHash(config), since) !== null) continue;
    const id = await startTraining(config, reasonOf(config), origin === undefined ? {} : { origin });
    runsStore.getState().rename(id, name);
  }
}

/** Trains a complete config as one run of many: the run that is looked at stays the active one. Answers its id. */
async function trainQuietly(config: RunConfig, origin: Origin): Promise<string> {
  const id = trainer.train(config, reasonOf(config), { quiet: true, origin });
  await (await openPersistence).flush();
  return id;
}

/** Curves and policies of a stored run; done before where they are here. */
async function readRun(runId: string): Promise<void> {
  await openPersistence.then((persistence) => persistence.readRun(runId)).catch((error: unknown) => saving.pageWrote(error));
}

/** Runs of one seed that train at the same time. */
const parallel = (): number => workerLimit(machineStore.getState().cores, isPhone());

/** Goes to the laboratory with a complete config as the draft, and trains it; a lesson that is open stays open beside it. */
async function learn(config: RunConfig): Promise<void> {
  draftStore.getState().open(config);
  if (!inLesson(routeStore.getState())) links.backToLab();
  await train();
}

/** The same with a world and what is recommended for it. */
async function learnIn(envId: string): Promise<void> {
  draftStore.getState().setEnv(envId);
  links.backToLab();
  await train();
}

/** Recorded datasets; their code comes when it is first needed. */
let recorded: Promise<Datasets> | null = null;
function datasets(): Promise<Datasets> {
  recorded ??= import('#client/files/datasets.ts').then(
    (late) => new late.Datasets({ watch: explaining.api, library, now: () => Date.now(), complete }),
  );
  return recorded;
}

/** Learns from a dataset in the world it was recorded in. Answers whether it began; what cannot is told in the datasets' store. */
async function learnFrom(hash: string, algo: string, steps: number): Promise<boolean> {
  const data = await datasets();
  await data.refresh();
  const card = datasetsStore.getState().entries?.find((entry) => entry.hash === hash);
  if (card === undefined) return false;
  try {
    await learn(await data.runOf(card, algo, steps));
    return true;
  } catch (error) {
    datasetsStore.setState({ failure: toFailure(error) });
    return false;
  }
}

/** Clones all that a person played in this visit, whole games and what they did where they took over: a new copy each time. */
async function teach(): Promise<void> {
  const { games } = datasetsStore.getState();
  const [game] = games;
  if (game === undefined) return;
  const before = runsStore.getState().activeId;
  const hash = await (await datasets()).keepGames(envCard(game.env.id)?.title ?? game.env.id);
  const began = hash !== null && (await learnFrom(hash, 'behaviour-cloning', TEACH_STEPS));
  const runId = runsStore.getState().activeId;
  if (began && runId !== null && runId !== before) {
    const { copies } = datasetsStore.getState();
    datasetsStore.setState({ copies: [...copies, { runId, ...countGames(games) }] });
    runsStore.getState().rename(runId, `copy ${copies.length + 1} of you`);
  }
  const { failure } = datasetsStore.getState();
  if (failure !== null) stageStore.setState({ message: `${failure.message} ${failure.fix}` });
}

/** Goes to the laboratory, where the policy of a file plays. */
async function watchFile(file: Blob): Promise<void> {
  links.backToLab();
  await importFile(file);
}

/** What a scripted policy gets in the world of a complete config; see WatchApi. Rejects with a LabError for one that is not there. */
const scripted = (config: RunConfig, seed: number, script: string) => explaining.api().scripted(config, seed, script);

/** Opens a file of runs, a policy, a config or a dataset. */
async function importFile(file: Blob): Promise<void> {
  await restored;
  if (file instanceof File && /\.(rlds|npz)$/i.test(file.name)) {
    location.hash = hashOf({ page: 'data', id: null, query: {} });
    const { env } = draftStore.getState().config;
    await (await datasets()).importFile(file, { id: env.id, config: env.config });
  } else await archive.import(file);
}

/** Opens the runs of a folder of results. `title`: its name. */
async function importFolder(title: string, files: readonly FolderFile[]): Promise<void> {
  await restored;
  await archive.importFolder(title, files);
}

/**
 * What views call: what needs several parts of this room, and the parts themselves. Nothing here throws: failures go into the stores
 * (draft.problems, seed.failure, layout.dialog).
 */
export const lab = {
  boot,
  train,
  startOver,
  trainAll,
  trainQuietly,
  readRun,
  parallel,
  restored: (): Promise<void> => restored,
  learn,
  learnIn,
  watchFile,
  importFolder,
  complete,
  scripted,
  spawnPlayer,
  datasets,
  learnFrom,
  teach,
  trainOnGpu,
  resume: (runId: string): void => void resume(runId),
  openRun: (runId: string): void => {
    openRun(runId);
    showLab();
  },
  watch: (runId: string, seed: number, step?: number): Promise<void> => {
    showLab();
    return watchPolicy(runId, seed, step);
  },
  /** What is open in the laboratory, in sight. */
  show: showLab,
  prefer,
  openLink,
  importFile,
  trainer,
  archive,
  stage: stageController,
  game,
  links,
  explain: explainer,
  simulations,
  tokens,
  network,
  pins,
  clips,
  forks,
  mender,
  measuring,
};

function startInspecting(): void {
  stageStore.subscribe(() => inspector.tick());
  inspector.tick();
}
