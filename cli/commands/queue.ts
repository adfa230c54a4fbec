/** `queue list|cancel|repeat --queue URL`: what workers have to do, do and did, and why runs failed. */
import type { Command } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, type Output, table } from '../kit/output.ts';
import { ManagedQueue, type QueuedJob } from '../queue/manage.ts';
import { openQueue, QUEUE_OPTION } from '../queue/options.ts';

const OPTIONS = {
  queue: QUEUE_OPTION,
  failed: { kind: 'flag', help: 'only jobs that failed; with repeat: all of them' },
  all: { kind: 'flag', help: 'with cancel: every job that is not over' },
  json: { kind: 'flag', help: 'JSON lines: a line for every job' },
} as const;
const WHAT = ['list', 'cancel', 'repeat'] as const;

const STATES = { active: 'running', wait: 'waiting', delayed: 'waiting', failed: 'failed', completed: 'done' } as const;

function show(jobs: readonly QueuedJob[], output: Output): void {
  for (const job of jobs) output.record({ type: 'job', ...job });
  const rows = jobs.map(({ id, state, env, algo, seed, step, steps, worker, why }) => [
    id,
    STATES[state],
    env,
    algo,
    seed === null ? '' : String(seed),
    step === null || steps === null ? '' : `${Math.floor((100 * step) / steps)} %`,
    worker ?? '',
    why,
  ]);
  if (rows.length > 0) output.text(table(['job', 'state', 'environment', 'method', 'seed', 'trained', 'worker', 'why it failed'], rows));
  output.text(`${number(jobs.length)} ${jobs.length === 1 ? 'job' : 'jobs'}.`);
}

export const queue: Command = {
  usage: 'queue list|cancel|repeat --queue URL [JOB...] [--failed] [--all]',
  summary: 'Lists the jobs of a queue with who ran them and why they failed; cancels or repeats them.',
  help: describeOptions(OPTIONS),
  async run(args) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const what = WHAT.find((word) => word === rest[0]);
    const named = rest.slice(1);
    if (what === undefined) throw new UsageError(`What about the queue? One of: ${WHAT.join(', ')}.`);
    if (what === 'list' && named.length > 0) throw new UsageError('queue list names no jobs.');
    if (what === 'cancel' && named.length === 0 && !options.all) throw new UsageError('Which jobs? queue cancel JOB..., or --all.');
    if (what === 'repeat' && named.length === 0 && !options.failed) throw new UsageError('Which jobs? queue repeat JOB..., or --failed.');
    const output = createOutput(options.json);
    const connection = await openQueue(options.queue);
    const managed = new ManagedQueue(connection);
    try {
      if (what === 'list') {
        show(await managed.list(options.failed ? ['failed'] : undefined), output);
        return;
      }
      const chosen =
        named.length > 0 ? named : (await managed.list(what === 'cancel' ? ['active', 'wait', 'delayed'] : ['failed'])).map(({ id }) => id);
      const left = what === 'cancel' ? await managed.cancel(chosen) : await managed.repeat(chosen);
      output.text(
        `${chosen.length - left.length} of ${chosen.length} jobs ${what === 'cancel' ? 'cancelled' : 'put back into the queue'}.`,
      );
      output.record({ type: what, jobs: chosen.filter((id) => !left.includes(id)), left });
      if (left.length > 0)
        throw new UsageError(`${what === 'cancel' ? 'Not in the queue' : 'Neither failed nor done'}: ${left.join(', ')}. See queue list.`);
    } finally {
      await managed.close();
      connection.close();
    }
  },
};
