/** Rows of the bench page that are computed by an executor alone: a training step of a dense network, counted and held to wasm. */
import type { BenchValue } from '#contract/run/bench.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../engine/index.ts';
import { mean, square, sub } from '../engine/ops.ts';
import { adam } from '../engine/optimisers.ts';
import type { Engine } from '../engine/types.ts';
import { mlp } from '../nets/mlp.ts';

type Executor = Exclude<ExecutorId, 'auto'>;

const INPUTS = 8;
const OUTPUTS = 4;
/** Steps after which the losses of two executors are compared. */
const COMPARED = 5;

function learner(engine: Engine, hidden: readonly number[], rows: number) {
  const group = engine.group('net');
  const net = mlp(group, 'net', Rng.from(1), [INPUTS, ...hidden, OUTPUTS]);
  const program = engine.compile(
    { x: [rows, INPUTS], y: [rows, OUTPUTS] },
    (given) => ({ loss: mean(square(sub(net(given.x), given.y))) }),
    { minimise: 'loss', group, with: adam(), name: 'bench' },
  );
  const rng = Rng.from(2);
  for (const input of [program.in.x, program.in.y]) for (let i = 0; i < input.length; i++) input[i] = 2 * rng.uniform() - 1;
  program.in.lr[0] = 1e-3;
  return program;
}

async function lossAfter(engine: Engine, hidden: readonly number[], rows: number): Promise<number> {
  const program = learner(engine, hidden, rows);
  for (let i = 0; i < COMPARED; i++) await program.run({ read: i === COMPARED - 1 });
  return program.out.loss[0]!;
}

/** `now` in milliseconds. Throws LabError('gpu-missing') where there is no such executor. */
export async function benchEngine(
  executor: Executor,
  hidden: readonly number[],
  rows: number,
  now: () => number,
  milliseconds = 1000,
): Promise<BenchValue> {
  let error: number | undefined;
  if (executor !== 'wasm') {
    const losses: number[] = [];
    for (const one of ['wasm', executor] as const) {
      const engine = await createEngine(one);
      losses.push(await lossAfter(engine, hidden, rows));
      engine.dispose();
    }
    error = Math.abs(losses[1]! - losses[0]!) / Math.abs(losses[0]!);
  }
  const engine = await createEngine(executor);
  try {
    const program = learner(engine, hidden, rows);
    await program.run();
    const from = now();
    let count = 0;
    // Read now and then: a device that is asked for more than it has done would be timed by what waits.
    while (now() - from < milliseconds || count === 0) {
      for (let i = 0; i < 8; i++) await program.run({ read: i === 7 });
      count += 8;
    }
    const value = (1000 * count) / (now() - from);
    return { value, ...(error !== undefined && { error, dispatches: program.stats.kernels }) };
  } finally {
    engine.dispose();
  }
}
