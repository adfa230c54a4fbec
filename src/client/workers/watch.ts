/**
 * The watch worker: started at the first question, started anew if it dies. Questions that it took with it are refused with
 * LabError('worker-lost'), so that no caller waits for ever. A living worker answers `stopPlaying` between two parts of what it computes. One that does
 * not answer in time may be inside a computation that nothing can stop, such as the making of an environment, and is ended. What "in time" means depends
 * on what it was asked: a world that has been played or trained in before can be made, and its parts are merely slow where trainers take the cores; only
 * of a world that is new may the making never end.
 */
import { canonicalJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import type { PageApi } from '#contract/session/opened.ts';
import { whenFree } from './worker-lock.ts';
import type { WatchWorker } from './workers.ts';

const MOST_RESTARTS = 5;
/** How long an answer to `stopPlaying` may take on cores that nothing else uses, ms. */
const ANSWER_MS = 3000;
/** And where every world that is asked about has been made before. */
const KNOWN_MS = 30_000;
/** Worlds that are known to be made: the newest. */
const MOST_KNOWN = 16;
/** Who answers these has made the world and played in it. */
const PLAYED: readonly string[] = ['play', 'playTeam', 'preview', 'openPlay', 'sampleAnswers', 'scripted', 'score'];

export interface WatchOptions {
  /** `name` is also the lock that the worker holds as long as it lives. */
  readonly spawn: (name: string, onError: (message: string) => void) => WatchWorker;
  /** A new worker has taken over and knows nothing of the old one's policies and games. `stuck`: the old one was ended because it did not answer. */
  readonly onRestart: (stuck: boolean) => void;
  readonly newName: () => string;
  /** How long an answer to `stopPlaying` may take on cores that nothing else uses, ms. */
  readonly answerMs?: number;
  /** And where every world that is asked about has been made before. */
  readonly knownMs?: number;
  /** How many workers train now: with each of them a core is shared. */
  readonly training?: () => number;
  /** What has to end well before the worker gets a question with these arguments, and shows that their world can be made; null: nothing. */
  readonly before?: (args: readonly unknown[]) => Promise<void> | null;
  /** Who answers a question in place of the worker; null: the worker does. */
  readonly elsewhere?: (method: string, args: readonly unknown[]) => Promise<unknown> | null;
  readonly watchLock?: (name: string, onFree: () => void) => () => void;
}

interface World {
  readonly id: string;
  readonly config: JsonObject;
}

interface Current {
  readonly worker: WatchWorker;
  readonly api: PageApi;
  readonly end: (why: string) => void;
}

export class WatchHandle {
  private readonly options: WatchOptions;
  private current: Current | null = null;
  private restarts = 0;
  /** Worlds that a worker has played in, or a run has trained in, the newest last. */
  private readonly known = new Set<string>();

  constructor(options: WatchOptions) {
    this.options = options;
  }

  readonly api = (): PageApi => {
    this.current ??= this.open();
    return this.current.api;
  };

  private open(): Current {
    const {
      spawn,
      newName,
      watchLock = whenFree,
      answerMs = ANSWER_MS,
      knownMs = Math.max(answerMs, KNOWN_MS),
      training = () => 0,
      before = () => null,
      elsewhere = () => null,
    } = this.options;
    const name = newName();
    let reject: (error: unknown) => void = () => {};
    const death = new Promise<never>((_, no) => {
      reject = no;
    });
    death.catch(() => {}); // it may die while no call is open
    let unwatch = (): void => {};
    let over = false;
    const end = (why: string, stuck = false): void => {
      if (over) return;
      over = true;
      unwatch();
      reject(
        stuck
          ? fail('worker-lost', 'This environment takes too long to make with these settings.', 'Choose smaller ones.')
          : fail(
              'worker-lost',
              `The worker that plays episodes was lost (${why}).`,
              'It is started again by itself; if not, reload the page.',
            ),
      );
      worker.terminate();
      this.current = null;
      if (stuck || this.restarts++ < MOST_RESTARTS) this.options.onRestart(stuck);
    };
    const worker = spawn(name, end);
    let answered = false;
    /** Worlds of the questions that wait for an answer. */
    const asked = new Set<{ readonly world: World | null }>();
    const patience = (): number => {
      const worlds = [...asked].flatMap(({ world }) => world ?? []);
      const known = worlds.length > 0 && worlds.every((world) => this.known.has(nameOf(world)));
      return (known ? knownMs : answerMs) * (1 + training());
    };
    const api = new Proxy({} as PageApi, {
      get:
        (_, method: keyof PageApi) =>
        async (...args: unknown[]) => {
          const other = elsewhere(method, args);
          if (other !== null) return other;
          const first = before(args);
          if (first !== null) await first;
          const call = worker.api[method] as (...given: unknown[]) => Promise<unknown>;
          const world = worldOf(args);
          if (first !== null && world !== null) this.remember(world);
          if (method === 'setPolicy' && world !== null) this.remember(world); // it was learned there
          const late = method === 'stopPlaying' && answered ? setTimeout(() => end('no answer', true), patience()) : undefined;
          const question = { world };
          asked.add(question);
          const answer = await Promise.race([call(...args), death]).finally(() => {
            clearTimeout(late);
            asked.delete(question);
          });
          if (world !== null && PLAYED.includes(method)) this.remember(world);
          if (!answered) {
            answered = true; // it lives, so it holds its lock: from now on a free lock means that it is gone
            unwatch = watchLock(name, () => end('it ended without a word'));
          }
          return answer;
        },
    });
    return { worker, api, end };
  }

  private remember(world: World): void {
    const name = nameOf(world);
    this.known.delete(name);
    this.known.add(name);
    for (const old of [...this.known].slice(0, -MOST_KNOWN)) this.known.delete(old);
  }
}

const nameOf = ({ id, config }: World): string => canonicalJson([id, config]);

/** The world that a question is about; null: about none. Questions name it themselves, or by a config, a replay, a policy or a player. */
function worldOf(args: readonly unknown[]): World | null {
  for (const arg of args) {
    if (!isObject(arg)) continue;
    const { env, config, of } = arg;
    for (const one of [env, isObject(config) ? config.env : null, isObject(of) ? (of.env ?? of) : null, arg])
      if (isObject(one) && typeof one.id === 'string' && isObject(one.config)) return { id: one.id, config: one.config };
  }
  return null;
}
