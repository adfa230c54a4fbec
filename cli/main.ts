/**
 * `npm run rl -- COMMAND`: the workbench without a page. Exit codes: 0 done; 1 it ran and something is wrong (a failed seed, a golden
 * mismatch, a claim not reproduced); 2 wrong arguments, unknown names, bad or missing files; 130 interrupted. See docs/cli.md.
 */
import type { FailureId } from '#contract/errors.ts';
import { LabError } from '#contract/errors.ts';
import { algorithms } from './commands/algorithms.ts';
import { bench } from './commands/bench.ts';
import { claims } from './commands/claims.ts';
import { environments } from './commands/environments.ts';
import { evaluate } from './commands/evaluate.ts';
import { explain as explainCommand } from './commands/explain.ts';
import { explainers } from './commands/explainers.ts';
import { exportPolicy } from './commands/export.ts';
import { golden } from './commands/golden.ts';
import { judgeCommand } from './commands/judge.ts';
import { learn } from './commands/learn.ts';
import { list } from './commands/list.ts';
import { record } from './commands/record.ts';
import { rollout } from './commands/rollout.ts';
import { scores } from './commands/scores.ts';
import { serve } from './commands/serve.ts';
import { soak } from './commands/soak.ts';
import { sweep } from './commands/sweep.ts';
import { train } from './commands/train.ts';
import { verify } from './commands/verify.ts';
import { worker } from './commands/worker.ts';
import { type Command, type Context, pathFrom } from './context.ts';
import { loadExtern } from './extern.ts';
import { CommandFailure, Interrupted, UsageError } from './failure.ts';

const commands: { readonly [name: string]: Command } = {
  list,
  train,
  evaluate,
  export: exportPolicy,
  explain: explainCommand,
  rollout,
  record,
  golden,
  sweep,
  worker,
  serve,
  verify,
  claims,
  judge: judgeCommand,
  learn,
  bench,
  soak,
  environments,
  algorithms,
  scores,
  explainers,
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
  'action-invalid',
];

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`);
  return `usage: npm run rl -- COMMAND [options]\n\n${lines.join('\n')}\n\nCOMMAND --help says more. Add --json for JSON lines on stdout.`;
}

/** Text of an error for stderr and its exit code. */
function explain(error: unknown): readonly [text: string, code: number] {
  if (error instanceof UsageError) return [error.message, 2];
  if (error instanceof CommandFailure) return [error.message, 1];
  if (error instanceof Interrupted) return [error.message, 130];
  if (error instanceof LabError) return [error.message, INPUT.includes(error.failure.id) ? 2 : 1];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error), 1];
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
    process.stdout.write(`${overview()}\n`);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`There is no command "${name}". Use one of: ${Object.keys(commands).join(', ')}.\n`);
    return 2;
  }
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
