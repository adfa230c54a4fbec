/**
 * The engine's programs (shapes of docs/performance.md) on every executor that runs in Node, beside tfjs and jax-js written by their
 * own means, and the PPO update beside the same update written by hand on the same kernels. Times are medians over rounds in which
 * all contenders take turns, so that ratios hold on a busy machine. webgpu is not here: it needs a browser and a GPU.
 */

import { prepareTfjs } from '#cli/train/tfjs-files.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import { createEngine } from '#core/engine/index.ts';
import type { Engine } from '#core/engine/types.ts';
import { median } from '#math/stats.ts';
import { ppoPair } from './engine-handwritten.ts';
import { jaxMlp, openJax } from './engine-jax.ts';
import { attention, type Compiled, compileShape, gru, minatar, mlp, type Shaped } from './engine-programs.ts';
import { selectBackend, tfjsMlp } from './engine-tfjs.ts';
import { type Contender, compare, type Timing } from './engine-timing.ts';

export interface BenchOptions {
  readonly quick: boolean;
  readonly log: (line: string) => void;
}

const NETS = [
  [16, 64, 64, 5],
  [4, 64, 64, 2],
] as const;
const PEERS: readonly Exclude<ExecutorId, 'auto'>[] = ['tfjs-cpu', 'tfjs-wasm'];

const round = (x: number, digits = 3): number => Number(x.toPrecision(digits));

interface Measured {
  readonly forward: Timing[];
  readonly train: Timing[];
}

/** One shape on all executors and, for dense networks, on the peers' own terms. */
async function measure(shape: Shaped, sizes: readonly number[] | null, jax: boolean, rounds: number, ms: number) {
  const engines: Engine[] = [];
  const compiled: { name: string; programs: Compiled }[] = [];
  for (const executor of ['wasm', ...PEERS] as const) {
    const engine = await createEngine(executor);
    engines.push(engine);
    compiled.push({ name: executor === 'wasm' ? 'wasm' : `${executor} executor`, programs: compileShape(engine, shape) });
  }
  const [main] = compiled;
  const result: { forward: Timing[]; train: Timing[] } = { forward: [], train: [] };
  for (const kind of ['forward', 'train'] as const) {
    const own: Contender[] = compiled.map(({ name, programs }) => ({ name, run: () => programs[kind].run() }));
    // tfjs has one active backend at a time: each native peer is timed in its own round after switching to it
    result[kind].push(...(await compare(own, rounds, ms)));
    if (sizes === null) continue;
    for (const backend of ['cpu', 'wasm']) {
      await selectBackend(backend);
      const peer = tfjsMlp(sizes, shape.rows);
      const [again, timing] = await compare([own[0]!, { name: `tfjs ${backend}`, run: peer[kind] }], rounds, ms);
      result[kind].push({ ...timing!, ...relativeTo(again!, result[kind][0]!, timing!) });
      peer.dispose();
    }
    if (!jax) continue;
    const peer = jaxMlp(sizes, shape.rows);
    const [again, timing] = await compare([own[0]!, { name: 'jax-js wasm', run: peer[kind] }], rounds, ms);
    result[kind].push({ ...timing!, ...relativeTo(again!, result[kind][0]!, timing!) });
    peer.dispose();
  }
  const { programs } = main!;
  const figures = {
    compileMs: round(programs.compileMs),
    forwardFlops: programs.forward.stats.flops,
    trainFlops: programs.train.stats.flops,
    kernels: programs.train.stats.kernels,
    arenaBytes: programs.train.stats.arenaBytes,
  };
  for (const engine of engines) engine.dispose();
  return { times: result as Measured, figures };
}

/** Scales a peer's times to the machine's pace while ours were first taken: the ratio is what was measured side by side. */
function relativeTo(ours: Timing, first: Timing, peer: Timing): Pick<Timing, 'us' | 'best'> {
  return { us: (peer.us / ours.us) * first.us, best: peer.best };
}

/**
 * Bytes of JavaScript heap that one run takes: the middle of windows short enough for most to see no collection. The heap's counter
 * moves in steps, so a few bytes per run are noise; an object per kernel would be thousands.
 */
function heapPerRun(work: () => void, runs: number): number {
  for (let i = 0; i < 2000; i++) work();
  const windows = Array.from({ length: 15 }, () => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < runs; i++) work();
    return (process.memoryUsage().heapUsed - before) / runs;
  });
  return median(windows);
}

function table(timings: readonly Timing[], flops: number): JsonObject {
  const ours = timings[0]!.us;
  return Object.fromEntries(
    timings.map(({ name, us, best }) => [
      name,
      { us: round(us, 4), bestUs: round(best, 4), gflops: round(flops / us / 1000), timesSlowerThanOurs: round(us / ours) },
    ]),
  );
}

export async function run({ quick, log }: BenchOptions): Promise<Json> {
  const [rounds, ms] = quick ? [3, 10] : [7, 60];
  prepareTfjs();
  let jax = true;
  try {
    await openJax();
  } catch (error) {
    jax = false;
    log(`jax-js cannot run here: ${error instanceof Error ? error.message : String(error)}`);
  }
  const shapes: { shape: Shaped; sizes: readonly number[] | null }[] = [
    ...NETS.flatMap((sizes) => (quick ? [4, 128] : [4, 128, 256, 1024, 4096]).map((rows) => ({ shape: mlp(sizes, rows), sizes }))),
    ...(quick ? [32] : [1, 32, 128]).map((rows) => ({ shape: minatar(rows), sizes: null })),
    { shape: gru(16, 16), sizes: null },
    ...(quick ? [1] : [1, 16]).map((rows) => ({ shape: attention(rows), sizes: null })),
  ];
  const results: Json[] = [];
  for (const { shape, sizes } of shapes) {
    const { times, figures } = await measure(shape, sizes, jax, rounds, ms);
    for (const kind of ['forward', 'train'] as const)
      log(
        `${shape.name.padEnd(26)} ${String(shape.rows).padStart(5)} rows ${kind.padEnd(8)} ${times[kind]
          .map((t) => `${t.name} ${t.us.toFixed(1)}`)
          .join(' · ')} us`,
      );
    results.push({
      name: shape.name,
      rows: shape.rows,
      ...figures,
      forward: table(times.forward, figures.forwardFlops),
      train: table(times.train, figures.trainFlops),
    });
  }
  const pair = await ppoPair(128);
  const [ours, hand] = await compare(
    [
      { name: 'engine', run: pair.engine },
      { name: 'hand-written', run: pair.hand },
    ],
    quick ? 3 : 11,
    quick ? 20 : 150,
  );
  const share = hand!.us / ours!.us;
  const heap = heapPerRun(pair.engine, quick ? 500 : 3000);
  log(
    `PPO update, 128 rows: engine ${ours!.us.toFixed(1)} us, hand-written ${hand!.us.toFixed(1)} us, ${(100 * share).toFixed(0)} % (parameters differ by ${pair.difference.toExponential(1)}), ${heap.toFixed(1)} bytes of heap per update`,
  );
  return {
    shapes: results,
    ppoUpdate: {
      engineUs: round(ours!.us, 4),
      handWrittenUs: round(hand!.us, 4),
      share: round(share),
      target: 0.75,
      kernels: pair.kernels,
      largestParameterDifference: pair.difference,
      heapBytesPerRun: round(heap),
    },
    notMeasured: jax ? ['webgpu: needs a browser and a GPU'] : ['webgpu: needs a browser and a GPU', 'jax-js: no wasm device in this Node'],
  };
}
