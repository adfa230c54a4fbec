/**
 * Networks with a memory: whole training runs, timed by training.ts (recurrent PPO on the memory chain with its preset `memory`: GRU 64, 16 x 32,
 * 4 epochs; QMIX with recurrent agents on simple_spread), and training steps of a GRU, an LSTM and an attention block beside one of a dense
 * network of the same width and rows, whose share of GFLOP/s is what is wanted: 70 % at least. Targets: docs/performance.md.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { createEngine } from '#core/engine/index.ts';
import { attention, compileShape, gru, lstm, mlp, type Shaped } from './engine-programs.ts';
import { compare } from './engine-timing.ts';
import { type BenchOptions, type Case, timeTraining } from './training.ts';

const CASES: readonly Case[] = [
  {
    name: 'recurrent-ppo memory-chain',
    env: 'memory-chain',
    algo: 'recurrent-ppo',
    algoConfig: { envs: 16, rolloutSteps: 32, minibatches: 4, lr: 1e-3, annealLr: false, hidden: [64], units: 64 },
    steps: 512_000,
    targets: { node: 60_000, chromium: 60_000 },
  },
  {
    name: 'qmix mpe-simple-spread, recurrent',
    env: 'mpe-simple-spread',
    algo: 'qmix',
    algoConfig: { recurrent: true },
    steps: 60_000,
    targets: { node: 13_500, chromium: 13_500 },
  },
];

/** Sequence models, and the rows of a dense network of width 64 that has as many. */
const SHAPES: readonly (readonly [shape: Shaped, rows: number])[] = [
  [gru(16, 16), 256],
  [lstm(16, 16), 256],
  [attention(16), 512],
];
const SHARE = 0.7;

async function shares({ quick, log }: BenchOptions): Promise<JsonObject> {
  const found: Record<string, Json> = {};
  for (const [shape, rows] of SHAPES) {
    const engine = await createEngine('wasm');
    const [own, dense] = [shape, mlp([64, 64, 64], rows)].map((one) => compileShape(engine, one).train);
    if (own === undefined || dense === undefined) throw new Error('two programs were compiled');
    const [ownTime, denseTime] = await compare(
      [own, dense].map((program, i) => ({ name: ['own', 'dense'][i]!, run: () => program.run() })),
      quick ? 5 : 15,
      quick ? 20 : 50,
    );
    if (ownTime === undefined || denseTime === undefined) throw new Error('two programs were timed');
    const rate = (flops: number, us: number): number => Number((flops / us / 1000).toPrecision(3));
    const gflops = rate(own.stats.flops, ownTime.us);
    const denseGflops = rate(dense.stats.flops, denseTime.us);
    const share = Number((gflops / denseGflops).toPrecision(3));
    found[shape.name] = { us: Math.round(ownTime.us), gflops, denseRows: rows, denseGflops, share, target: SHARE, met: share >= SHARE };
    log(`${shape.name.padEnd(28)} ${gflops} GFLOP/s, ${share} of a dense step of ${rows} rows (${denseGflops}; target ${SHARE})`);
    engine.dispose();
  }
  return found;
}

export async function run(options: BenchOptions): Promise<Json> {
  const training = await timeTraining(CASES, options);
  return options.only.length === 0 ? { ...training, trainingSteps: await shares(options) } : training;
}
