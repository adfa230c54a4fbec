/**
 * The watch worker: started at the first question, started anew if it dies. Questions that it took with it are refused with
 * LabError('worker-lost'), so that no caller waits for ever. A living worker answers `stopPlaying` at once, whatever it plays; one that does
 * not is inside a computation that nothing can stop, such as the making of an environment, and is ended.
 */
import { fail } from '#contract/kit/errors.ts';
import type { PageApi } from '#contract/session/opened.ts';
import { whenFree } from './worker-lock.ts';
import type { WatchWorker } from './workers.ts';

const MOST_RESTARTS = 5;
/** How long an answer to `stopPlaying` may take, ms. */
const ANSWER_MS = 3000;

export interface WatchOptions {
  /** `name` is also the lock that the worker holds as long as it lives. */
  readonly spawn: (name: string, onError: (message: string) => void) => WatchWorker;
  /** A new worker has taken over and knows nothing of the old one's policies and games. `stuck`: the old one was ended because it did not answer. */
  readonly onRestart: (stuck: boolean) => void;
  readonly newName: () => string;
  /** How long an answer to `stopPlaying` may take, ms. */
  readonly answerMs?: number;
  /** What has to end well before the worker gets a question with these arguments; null: nothing. */
  readonly before?: (args: readonly unknown[]) => Promise<void> | null;
  /** Who answers a question in place of the worker; null: the worker does. */
  readonly elsewhere?: (method: string, args: readonly unknown[]) => Promise<unknown> | null;
  readonly watchLock?: (name: string, onFree: () => void) => () => void;
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

  constructor(options: WatchOptions) {
    this.options = options;
  }

  readonly api = (): PageApi => {
    this.current ??= this.open();
    return this.current.api;
  };

  private open(): Current {
    const { spawn, newName, watchLock = whenFree, answerMs = ANSWER_MS, before = () => null, elsewhere = () => null } = this.options;
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
    const api = new Proxy({} as PageApi, {
      get:
        (_, method: keyof PageApi) =>
        async (...args: unknown[]) => {
          const other = elsewhere(method, args);
          if (other !== null) return other;
          const first = before(args);
          if (first !== null) await first;
          const call = worker.api[method] as (...given: unknown[]) => Promise<unknown>;
          const late = method === 'stopPlaying' && answered ? setTimeout(() => end('no answer', true), answerMs) : undefined;
          const answer = await Promise.race([call(...args), death]).finally(() => clearTimeout(late));
          if (!answered) {
            answered = true; // it lives, so it holds its lock: from now on a free lock means that it is gone
            unwatch = watchLock(name, () => end('it ended without a word'));
          }
          return answer;
        },
    });
    return { worker, api, end };
  }
}
