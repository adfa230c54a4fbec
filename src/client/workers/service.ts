/**
 * The workers beside those that train: one plays episodes for the stage and checks set-ups, one answers longer questions (explanations, data, scripts), and
 * views may start players of their own. Each is started at its first question.
 */

import type { Catalog } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { unpack } from '#contract/kit/packed.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PageApi } from '#contract/session/opened.ts';
import { catalogCame, catalogFailed } from '#stores/catalog.ts';
import { machineStore } from '#stores/machine.ts';
import { runsStore } from '#stores/runs.ts';
import { isPhone, workerLimit } from './machine.ts';
import { servedEnv } from './served.ts';
import { Signal } from './signal.ts';
import { WatchHandle } from './watch.ts';
import { type Beside, namespaceHere, type SessionWorker, spawnSession, spawnWatch, type WatchWorker } from './workers.ts';

export interface Workers {
  /** The part of the storage that is this page's. */
  readonly namespace: string;
  /** Plays episodes for the stage, checks set-ups. */
  readonly player: () => PageApi;
  /** Answers what takes longer, so that the stage does not wait for it. */
  readonly answerer: () => PageApi;
  /** The player was lost and started again, without its policies and games. `stuck`: it was ended because it did not answer. */
  readonly restarted: Signal<[stuck: boolean]>;
  /** Fills in the defaults of a config. Rejects with a LabError where it is wrong. */
  complete(config: JsonObject): Promise<RunConfig>;
  /** What a scripted policy gets in the world of a complete config; see PageApi. Rejects with a LabError for one that is not there. */
  scripted: PageApi['scripted'];
  /** A worker that plays for one view alone, which ends it. */
  spawnPlayer(onError: (message: string) => void): WatchWorker;
  /** A worker that times executors, ended by the caller. */
  spawnRacer(): WatchWorker;
  spawnSession(onError: (message: string) => void): SessionWorker;
  /** Runs of one seed that train at the same time. */
  parallel(): number;
  /** Fills the catalogue's store: with the cards, or with why there are none. */
  loadCatalog(): Promise<void>;
}

/** Who asks: the stage and the set-up, or what takes longer. */
export type Lane = 'player' | 'answerer';

/** Who does what the workers here cannot: set by own/elsewhere.ts. null: the worker does it. */
export const elsewhere: {
  watch: (lane: Lane, method: string, args: readonly unknown[]) => Promise<unknown> | null;
  session: Beside;
} = { watch: () => null, session: () => null };

const watchName = (): string => `rl-workbench:watch ${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
const namespace = namespaceHere();
const restarted = new Signal<[stuck: boolean]>();
/** Python with its libraries may take this long to start, ms; meanwhile its worker answers nothing. */
const PYTHON_STARTS_MS = 60_000;
/** Seeds that train now, each in a worker of its own. */
const training = (): number =>
  runsStore.getState().groups.reduce((n, { seeds }) => n + seeds.filter(({ state }) => state === 'running').length, 0);
const shared = {
  spawn: spawnWatch,
  newName: watchName,
  training,
  before: robotsFirst,
  ...(servedEnv() !== null && { answerMs: PYTHON_STARTS_MS }),
};
const player = new WatchHandle({
  ...shared,
  onRestart: restarted.emit,
  elsewhere: (method, args) => elsewhere.watch('player', method, args),
});
const answerer = new WatchHandle({
  ...shared,
  onRestart: () => {},
  elsewhere: (method, args) => elsewhere.watch('answerer', method, args),
});

const part = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined);

/** An own model is compiled in a worker of its own before a shared one compiles it (robots.ts). Its code is loaded then. */
function robotsFirst(args: readonly unknown[]): Promise<void> | null {
  const robots = args.map((arg) => part(part(part(arg, 'env') ?? arg, 'config'), 'robot'));
  const found = robots.find((robot) => typeof robot === 'object' && robot !== null);
  return found === undefined ? null : import('./robots.ts').then(({ lookedAt }) => lookedAt(found));
}

/** The worker's answers, and in place of them those of who answers elsewhere. */
const besides = (api: PageApi): PageApi =>
  new Proxy({} as PageApi, {
    get:
      (_, method: keyof PageApi) =>
      (...args: unknown[]) =>
        elsewhere.watch('answerer', method, args) ?? (api[method] as (...given: unknown[]) => Promise<unknown>)(...args),
  });

export const workers: Workers = {
  namespace,
  player: player.api,
  answerer: answerer.api,
  restarted,
  complete: (config) => player.api().complete(config),
  scripted: (config, seed, script) => answerer.api().scripted(config, seed, script),
  spawnPlayer(onError) {
    const { api, terminate } = spawnWatch(watchName(), onError);
    return { api: besides(api), terminate };
  },
  spawnRacer: () => spawnWatch(watchName(), () => {}),
  spawnSession: (onError) => spawnSession(namespace, onError, (config) => elsewhere.session(config)),
  parallel: () => workerLimit(machineStore.getState().cores, isPhone()),
  async loadCatalog() {
    try {
      const worker = player.api(); // it loads meanwhile
      // The development server asks the worker: the build's answer would lag behind what is being edited.
      const built = import.meta.env.DEV ? await worker.catalog() : await builtCatalog();
      const served = servedEnv();
      const catalog = served === null ? built : { ...built, envs: [...built.envs, await worker.describe({ id: served, config: {} })] };
      catalogCame(catalog);
    } catch (error) {
      catalogFailed(toFailure(error));
    }
  },
};

async function builtCatalog(): Promise<Catalog> {
  return unpack((await import('virtual:catalog')).default) as unknown as Catalog;
}
