/**
 * Fails a file of unit tests that leaves something open: a timer, a worker thread, a server or a child process that outlives it would act in the
 * files after it, or keep the process alive. vitest runs this before every file (vite.config.ts). Fake timers end with the test that uses them.
 */
import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** A timer of at most so many ms is waited for: clocks of the page that gather what comes within an update. */
const SHORT_MS = 100;
/** What ends by itself after it was told to, and a chain of short timers, is waited for this long, ms. */
const PATIENCE_MS = 2000;

const { setTimeout: startTimeout, setInterval: startInterval } = globalThis;
const pause = (ms: number): Promise<void> => new Promise((resolve) => void startTimeout(resolve, ms));

/** One thing that was opened: what it is, where, whether it is open still. */
interface Opened {
  readonly what: string;
  readonly at: Error;
  readonly isOpen: () => boolean;
  /** ms; only timers have it. */
  readonly delay?: number;
}

/** Files that share a process share this list, as each of them runs this module. */
const KEY = Symbol.for('rl-workbench.opened');
const shared = globalThis as { [KEY]?: Set<Opened> };
let all = shared[KEY];
if (all === undefined) {
  all = new Set();
  shared[KEY] = all;
  watch(all);
}
const opened = all;

/** Notes from now on what is opened in this process. */
function watch(into: Set<Opened>): void {
  const note = (what: string, isOpen: () => boolean, delay?: number): void => {
    into.add({ what, at: new Error(what), isOpen, ...(delay !== undefined && { delay }) });
  };
  /** Node's timers say in a field without a type whether they have run or were cleared. */
  const runs = (timer: NodeJS.Timeout) => () => (timer as NodeJS.Timeout & { readonly _destroyed: boolean })._destroyed === false;
  globalThis.setTimeout = Object.assign(
    (...given: Parameters<typeof startTimeout>) => {
      const timer = startTimeout(...given);
      note(`a timer of ${given[1] ?? 0} ms`, runs(timer), Number(given[1] ?? 0));
      return timer;
    },
    startTimeout, // its promisified form
  );
  globalThis.setInterval = Object.assign((...given: Parameters<typeof startInterval>) => {
    const timer = startInterval(...given);
    note(`an interval of ${given[1] ?? 0} ms`, runs(timer), Number.POSITIVE_INFINITY);
    return timer;
  }, startInterval);
  process.on('worker', (worker: Worker) => note('a worker thread', () => worker.threadId !== -1));
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...given: unknown[]): Server {
    note('a server', () => this.listening);
    return Reflect.apply(listen, this, given) as Server;
  };
  const starts = ChildProcess.prototype as unknown as { spawn(this: ChildProcess, options: { readonly args?: readonly string[] }): number };
  const { spawn } = starts;
  starts.spawn = function (options) {
    note(
      `a child process (${options.args?.slice(0, 3).join(' ') ?? ''})`,
      () => this.pid !== undefined && this.exitCode === null && this.signalCode === null,
    );
    return spawn.call(this, options);
  };
}

function open(): readonly Opened[] {
  for (const one of opened) if (!one.isOpen()) opened.delete(one);
  return [...opened];
}

/** The lines of the stack that are the project's own, without those of this file. */
const from = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .slice(1)
    .filter((line) => line.includes(process.cwd()) && !/node_modules|tools\/leftovers\.ts/.test(line))
    .slice(0, 4)
    .map((line) => line.replace(`${process.cwd()}/`, ''))
    .join('\n');

/** What is open and will not end by itself within PATIENCE_MS: what it is, and the lines of the project that opened it. */
export async function leftOpen(): Promise<readonly string[]> {
  const mayEnd = ({ delay = 0 }: Opened): boolean => delay <= SHORT_MS;
  for (let waited = 0; waited < PATIENCE_MS && open().some(mayEnd); waited += 10) await pause(10);
  return open().map(({ what, at }) => `${what}\n${from(at)}`);
}

afterAll(async () => {
  const left = await leftOpen();
  opened.clear(); // the files after it are not to blame
  if (left.length > 0) throw new Error(`This file leaves open:\n${left.join('\n')}`);
});
