/** Training: starting, pausing, ending and opening runs, and forks. Nothing here throws: failures go into the stores. */
import { laboratory } from '#client/address/laboratory.ts';
import { late } from '#client/workers/late.ts';
import { askToPersist } from '#client/workers/machine.ts';
import { fastestExecutor } from '#client/workers/race.ts';
import { workers } from '#client/workers/service.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Json } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { Origin } from '#contract/run/origin.ts';
import { whenListed } from '#stores/catalog.ts';
import { draftStore, isSettled } from '#stores/draft.ts';
import { cancelFork, forkStore } from '#stores/fork.ts';
import { machineStore, withdrawOffer } from '#stores/machine.ts';
import { embedded, inLesson, routeStore } from '#stores/route.ts';
import { findGroup, runOfHash, runsStore } from '#stores/runs.ts';
import { stopsStore } from '#stores/stops.ts';
import { curveBegins } from './first-curve.ts';
import { currentFork, Forks, forkProblem, parentOf } from './forks.ts';
import { originOf } from './origin.ts';
import { drafts, persistence, pool, saving, trainer } from './parts.ts';
import type { Strengths } from './strength.ts';
import type { Trainer, TrainOptions } from './trainer.ts';

export interface PlannedRun {
  readonly name: string;
  readonly config: RunConfig;
  /** Where the page stands where it is not said. */
  readonly origin?: Origin;
}

export interface Runs extends Pick<Trainer, 'pause' | 'stop' | 'stopAt' | 'stepOnce'> {
  /** A live edit of a run: of all its seeds, at one step (live-edits.ts). */
  edit(runId: string, path: string, value: Json): void;
  /** Trains the draft, all its seeds, as a fork where one is being set up; nothing happens while it has problems. */
  train(): Promise<void>;
  /** Takes the offer of a faster executor. */
  trainOnGpu(): Promise<void>;
  /**
   * Trains configs one after the other, each with all its seeds and under its name; one that has a run already gets no second one.
   * `since`: runs started before it (ms since epoch) do not count.
   */
  trainAll(runs: readonly PlannedRun[], since?: number): Promise<void>;
  /** Trains a complete config as one run of many: the run that is looked at stays the active one. Answers its id. */
  trainQuietly(config: RunConfig, origin: Origin, stops?: StopRules): Promise<string>;
  /** Goes to the laboratory with a complete config as the draft, and trains it; a lesson that is open stays open beside it. */
  learn(config: RunConfig): Promise<void>;
  /** The same with a world and what is recommended for it. */
  learnIn(envId: string): Promise<void>;
  /** Resumes a run; one that was interrupted first reads what the disk has of it. */
  resume(runId: string): void;
  /** The same config anew, with the same seeds, paused before its first step; what there was ends where it stands and is kept. */
  startOver(runId: string): Promise<void>;
  /** Goes to the laboratory with it: its config becomes the draft; its policy comes to the stage. */
  open(runId: string): void;
  /** Curves and policies of a stored run; done before where they are here. */
  read(runId: string): Promise<void>;
  /** Resolves when the stored runs are back: a file opened before would meet the reading and the sweeping of what is stored. */
  restored(): Promise<void>;
}

const flush = async (): Promise<void> => void (await (await persistence).flush());

/** Begins a run; resolves with its id once its record is on the way to the disk. */
export async function startTraining(config: RunConfig, reason: string, options: TrainOptions = {}): Promise<string> {
  const id = trainer.train(config, reason, { origin: originOf(config, location.hash), ...options });
  await flush();
  editing().catch(() => {}); // asked for again by the first edit
  if (!embedded()) void askToPersist(); // a frame keeps nothing, and some browsers would ask the reader
  return id;
}

export function reasonOf({ env, run }: RunConfig): string {
  if (isGymEnv(env.id)) return run.executor === 'wasm' ? 'the default' : 'your choice';
  return run.executor === 'wasm' ? 'exact, the default' : 'your choice; within tolerance';
}

/** Set-ups whose run is about to begin: one that is asked for again meanwhile is the same run. */
const beginning = new Set<string>();

function setUp(): string {
  const fork = currentFork();
  return `${draftStore.getState().hash} ${fork?.runId} ${fork?.step}`;
}

async function train(): Promise<void> {
  pool.warm();
  if (beginning.has(setUp())) return;
  await drafts.check();
  const { config, hash, problems } = draftStore.getState();
  const fork = currentFork();
  const mine = setUp();
  if (beginning.has(mine) || problems.length > 0 || (fork !== null && forkProblem(fork, config) !== null)) return;
  const parent = fork === null ? null : parentOf(fork, config);
  const { rules } = stopsStore.getState();
  beginning.add(mine);
  try {
    if (config.run.executor !== 'auto') await startTraining(config, reasonOf(config), { parent, stops: rules });
    else {
      const { executor, reason } = await fastestExecutor(config, workers.spawnRacer);
      // Another set-up may have been chosen while it was measured, or be on its way.
      const draft = draftStore.getState();
      if (draft.hash === hash && isSettled(draft)) draft.set('run.executor', executor);
      await startTraining({ ...config, run: { ...config.run, executor } }, reason, { parent, stops: rules });
    }
  } finally {
    beginning.delete(mine);
  }
  if (forkStore.getState().fork === fork) cancelFork();
}

async function trainOnGpu(): Promise<void> {
  const { offer } = machineStore.getState();
  draftStore.getState().set('run.executor', 'webgpu');
  await drafts.check();
  const { config, problems } = draftStore.getState();
  if (problems.length > 0) return;
  const measured = offer === null ? '' : `, measured ${offer.speedup.toFixed(1)} times as fast`;
  withdrawOffer();
  await startTraining(config, `your choice${measured}; within tolerance`);
}

async function trainAll(planned: readonly PlannedRun[], since = 0): Promise<void> {
  for (const { name, config, origin } of planned) {
    if (runOfHash(runsStore.getState().groups, configHash(config), since) !== null) continue;
    const id = await startTraining(config, reasonOf(config), origin === undefined ? {} : { origin });
    runsStore.getState().rename(id, name);
  }
}

async function trainQuietly(config: RunConfig, origin: Origin, stops: StopRules = {}): Promise<string> {
  const id = trainer.train(config, reasonOf(config), { quiet: true, origin, stops });
  await flush();
  return id;
}

async function learn(config: RunConfig): Promise<void> {
  draftStore.getState().open(config);
  if (!inLesson(routeStore.getState())) laboratory.back();
  await train();
}

async function learnIn(envId: string): Promise<void> {
  pool.warm();
  void curveBegins().then(() => pool.fill());
  await whenListed(); // the front page shows its worlds before
  draftStore.getState().setEnv(envId);
  laboratory.back();
  await train();
}

async function resume(runId: string): Promise<void> {
  // an edit that was made just before belongs to what goes on; of a run with a worker it may wait for just this
  const still = findGroup(runId)?.seeds.every(({ seed }) => pool.apiOf(runId, seed) === null);
  if (still === true) await beingMade.get(runId)?.catch(() => {}); // who made it is told
  if (findGroup(runId)?.seeds.some(({ state }) => state === 'interrupted') === true) {
    await persistence.then((kept) => kept.catchUp(runId)).catch(() => {}); // the worker that needs the disk reports an unreadable one
  }
  trainer.resume(runId);
}

async function startOver(runId: string): Promise<void> {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined || group.elsewhere === true) return;
  trainer.stop(runId);
  const { parent, stops, origin } = group;
  trainer.train(group.config, group.executorReason, { parent, stops, origin, paused: true });
  await flush();
}

/** Its config becomes the draft; its policy comes to the stage. The page that is open stays. */
export function selectRun(runId: string): void {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined) return;
  runsStore.getState().setActive(runId);
  draftStore.getState().open(group.config);
  void drafts.check();
}

/** Loaded when a run has begun, so that an edit finds it without a network, too. */
const editing = late(() => import('./editing.ts'));

/** Edits that are being made, by run. */
const beingMade = new Map<string, Promise<unknown>>();

function edit(runId: string, path: string, value: Json): void {
  const made = Promise.all([beingMade.get(runId), editing().then(({ liveEdits }) => liveEdits.edit(runId, path, value))]);
  beingMade.set(runId, made);
  void made.finally(() => beingMade.get(runId) === made && beingMade.delete(runId));
}

const read = (runId: string): Promise<void> =>
  persistence.then((kept) => kept.readRun(runId)).catch((error: unknown) => saving.pageWrote(error));

/** The stored runs are back. */
export let runsAreBack = (): void => {};
const restored = new Promise<void>((resolve) => {
  runsAreBack = resolve;
});

export const runs: Runs = {
  train,
  trainOnGpu,
  trainAll,
  trainQuietly,
  learn,
  learnIn,
  resume: (runId) => void resume(runId),
  startOver,
  open: (runId) => {
    selectRun(runId);
    laboratory.show();
  },
  read,
  restored: () => restored,
  edit,
  pause: (runId) => trainer.pause(runId),
  stop: (runId) => trainer.stop(runId),
  stopAt: (runId, rules) => trainer.stopAt(runId, rules),
  stepOnce: (runId, size) => trainer.stepOnce(runId, size),
};

const strengths = late(() => import('./strength-tests.ts'));

/** Tests of kept policies beside a run. Loaded with the first run; where they are not on this device the curve stands without them. */
export const strengthTests: Pick<Strengths, 'wake'> = {
  async wake() {
    if (runsStore.getState().groups.length === 0) return;
    const loaded = await strengths().catch(() => null);
    await loaded?.strengthTests.wake();
  },
};

/** Runs that go on from a kept state of another one. */
export const forks: Pick<Forks, 'begin' | 'shadow'> = new Forks({
  watch: workers.player,
  start: async (config, parent, name) => {
    const id = trainer.train(config, reasonOf(config), { quiet: true, parent, origin: originOf(config, location.hash) });
    runsStore.getState().toggleVisible(id);
    runsStore.getState().rename(id, name);
    await flush();
    return id;
  },
  save: async (runId) => {
    await trainer.save(runId);
    await (await persistence).readPoints(runId);
  },
});
