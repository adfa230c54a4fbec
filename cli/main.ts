/**
 * `npm run rl -- COMMAND`: the workbench without a page. Exit codes: 0 done; 1 it ran and something is wrong (a failed seed, a golden
 * mismatch, a claim not reproduced); 2 wrong arguments, unknown names, bad or missing files; 3 it could not be verified here; 130 interrupted. See docs/cli.md.
 */
import type { FailureId } from '#contract/kit/errors.ts';
import { LabError } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { type Command, type Context, pathFrom } from './kit/context.ts';
import { loadExtern } from './kit/extern.ts';
import { CommandFailure, Interrupted, NotVerified, UsageError } from './kit/failure.ts';
import { systemWords } from './kit/system-errors.ts';

/** Each is loaded when it is run: together they bring every environment and method. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  list: async () => (await import('./commands/list.ts')).list,
  new: async () => (await import('./commands/new.ts')).newCommand,
  check: async () => (await import('./commands/check.ts')).check,
  train: async () => (await import('./commands/train.ts')).train,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluate,
  crossplay: async () => (await import('./commands/crossplay.ts')).crossPlay,
  export: async () => (await import('./commands/export.ts')).exportPolicy,
  explain: async () => (await import('./commands/explain.ts')).explain,
  rollout: async () => (await import('./commands/rollout.ts')).rollout,
  record: async () => (await import('./commands/record.ts')).record,
  golden: async () => (await import('./commands/golden.ts')).golden,
  sweep: async () => (await import('./commands/sweep.ts')).sweep,
  compare: async () => (await import('./commands/compare.ts')).compare,
  gym: async () => (await import('./commands/gym.ts')).gym,
  host: async () => (await import('./commands/host.ts')).host,
  transfer: async () => (await import('./commands/transfer.ts')).transfer,
  queue: async () => (await import('./commands/queue.ts')).queue,
  worker: async () => (await import('./commands/worker.ts')).worker,
  serve: async () => (await import('./commands/serve.ts')).serve,
  verify: async () => (await import('./commands/verify.ts')).verify,
  claims: async () => (await import('./commands/claims.ts')).claims,
  judge: async () => (await import('./commands/judge.ts')).judgeCommand,
  learn: async () => (await import('./commands/learn.ts')).learn,
  bench: async () => (await import('./commands/bench.ts')).bench,
  soak: async () => (await import('./commands/soak.ts')).soak,
};

/** Failures that the input is to blame for. */
const INPUT: readonly FailureId[] = [
  'config-invalid',
  'unknown-id',
  'incompatible',
  'link-damaged',
  'link-future',
  'link-foreign',
  'link-too-long',
  'file-invalid',
  'dataset-missing',
  'state-invalid',
  'world-invalid',
  'action-invalid',
];

async function overview(): Promise<string> {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).summary}`),
  );
  return `usage: npm run rl -- COMMAND [options]\n\n${lines.join('\n')}\n\nCOMMAND --help says more. Add --json for JSON lines on stdout.`;
}

/** Text of an error for stderr and its exit code. */
function explain(error: unknown): readonly [text: string, code: number] {
  if (error instanceof UsageError) return [error.message, 2];
  if (error instanceof CommandFailure) return [error.message, 1];
  if (error instanceof NotVerified) return [error.message, 3];
  if (error instanceof Interrupted) return [error.message, 130];
  if (error instanceof LabError) return [error.message, INPUT.includes(error.failure.id) ? 2 : 1];
  return systemWords(error) ?? [error instanceof Error ? (error.stack ?? error.message) : String(error), 1];
}

/** Runs one command; answers the exit code. */
export async function main(args: readonly string[], context: Omit<Context, 'output'>): Promise<number> {
  // A reader that has seen enough (`| head`) closes the pipe: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(`${await overview()}\n`);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    process.stderr.write(`There is no command "${name}". ${whichOf(name, Object.keys(commands))}\n`);
    return 2;
  }
  const command = await load();
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`usage: npm run rl -- ${command.usage}\n\n${command.summary}\n\n${command.help}\n`);
    return 0;
  }
  try {
    if (process.env.RL_DATA) process.env.RL_DATA = pathFrom(context, process.env.RL_DATA); // threads stand elsewhere
    process.env.RL_DATASETS = pathFrom(context, process.env.RL_DATASETS ?? 'datasets');
    loadExtern();
    await command.run(rest, context);
    return 0;
  } catch (error) {
    const [text, code] = explain(error);
    process.stderr.write(`${text}\n`);
    return code;
  }
}
