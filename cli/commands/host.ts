/** `host`: the environments for another process, over stdin and stdout; started by python/rlw.py. `--list`: what Python calls them. */
import { envs } from '#core/envs/all.ts';
import { serveHost } from '../gym/host.ts';
import { gymNames } from '../gym/names.ts';
import type { Command } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';

const OPTIONS = { list: { kind: 'flag', help: 'prints what Gymnasium calls the environments, with their ids' } } as const;

export const host: Command = {
  usage: 'host [--list]',
  summary: 'Serves environments to Python over stdin and stdout (python/rlw.py starts it).',
  help: describeOptions(OPTIONS),
  async run(args) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`host takes only options, not "${rest[0]}".`);
    if (options.list) process.stdout.write(`${JSON.stringify(gymNames(envs), null, 2)}\n`);
    else {
      const answer = process.stdout.write.bind(process.stdout);
      process.stdout.write = process.stderr.write.bind(process.stderr); // what code of an environment prints is no answer
      await serveHost(process.stdin, (bytes) => void answer(bytes));
    }
  },
};
