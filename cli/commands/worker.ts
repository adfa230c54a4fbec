/** `worker --queue URL`: trains runs of `sweep --queue` until it is ended, from any machine that reaches the queue. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { CODE_OPTIONS, openGiven } from '../own/open.ts';
import { openQueue, QUEUE_OPTION, say } from '../queue/options.ts';
import { QueueWorker } from '../queue/worker.ts';

const OPTIONS = {
  queue: QUEUE_OPTION,
  jobs: { kind: 'count', value: 'N', min: 1, help: 'runs at the same time; default: as many as there are cores' },
  shared: { kind: 'text', value: 'DIR', help: 'a folder that all workers reach, for checkpoints; without it they are kept in Redis' },
  limit: { kind: 'count', value: 'MB', min: 1, help: 'largest checkpoint or result in Redis, compressed (default 64)' },
  'save-every': { kind: 'count', value: 'SECONDS', min: 1, help: 'least time between two checkpoints of a run (default 10)' },
  ...CODE_OPTIONS,
  'lost-after': { kind: 'count', value: 'SECONDS', min: 2, help: 'a worker that is silent for so long has lost its runs (default 30)' },
} as const;

/** A folder of this process for runs under way. Those of processes of this machine that were killed are removed. */
function scratchFolder(project: string): string {
  const home = join(project, 'node_modules/.cache/rl-workbench/workers');
  mkdirSync(home, { recursive: true });
  const here = `${hostname()}.`;
  for (const name of readdirSync(home)) {
    const pid = name.startsWith(here) ? Number(name.slice(here.length)) : Number.NaN;
    if (Number.isSafeInteger(pid) && !lives(pid)) rmSync(join(home, name), { recursive: true, force: true });
  }
  const folder = join(home, `${here}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

export const worker: Command = {
  usage: 'worker --queue URL [--shared DIR] [--jobs N]',
  summary: 'Trains runs of sweeps that were queued with sweep --queue, until Ctrl+C.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`worker takes only options, not "${rest[0]}".`);
    await openGiven(options, context);
    const jobs = options.jobs ?? availableParallelism();
    const connection = await openQueue(options.queue);
    const scratch = scratchFolder(context.project);
    const one = new QueueWorker({
      connection,
      jobs,
      shared: options.shared === undefined ? null : pathFrom(context, options.shared),
      limit: (options.limit ?? 64) * 2 ** 20,
      checkpointEvery: (options['save-every'] ?? 10) * 1000,
      lostAfter: (options['lost-after'] ?? 30) * 1000,
      scratch,
      say,
    });
    const stop = (): void => one.stop();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    say(`Taking runs from ${connection.shown}, ${jobs} at a time. Ctrl+C saves a checkpoint of each and ends.`);
    try {
      await one.work();
    } finally {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      connection.close();
      rmSync(scratch, { recursive: true, force: true });
    }
    say(`Ended; ${one.done} runs were done here.`);
  },
};
