/**
 * One PPO minibatch (two 4-64-64 tanh networks, clipped objective, value loss, entropy, clipping by norm, Adam) written by hand on
 * the very kernels the engine uses: what the engine's generality costs. The loss itself is a loop over rows.
 * Beside it the same update as an engine program; `difference` says that both compute the same.
 */

import { createEngine } from '#core/engine/index.ts';
import * as ops from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Param, Program, Tensor } from '#core/engine/types.ts';
import { openMachine } from '#core/engine/wasm/memory.ts';
import { Rng } from '#math/rng.ts';

const [OBS, HIDDEN, ACTIONS] = [4, 64, 2];
const [CLIP, VALUE_COEF, ENTROPY_COEF, MAX_NORM, EPS] = [0.2, 0.5, 0.01, 0.5, 1e-5];
const TANH = 6;

interface Batch {
  readonly obs: Float32Array;
  readonly action: Float32Array;
  readonly oldLogProb: Float32Array;
  readonly advantage: Float32Array;
  readonly target: Float32Array;
}

function batchOf(rows: number): Batch {
  const rng = Rng.from(5);
  const numbers = (n: number, scale: number) => Float32Array.from({ length: n }, () => (rng.uniform() * 2 - 1) * scale);
  const advantage = numbers(rows, 1);
  return {
    obs: numbers(rows * OBS, 1),
    action: Float32Array.from({ length: rows }, () => rng.int(ACTIONS)),
    oldLogProb: numbers(rows, 0.1).map((x) => x - 0.69),
    advantage,
    target: numbers(rows, 1),
  };
}

const WIDTHS = { policy: ACTIONS, value: 1 } as const;
const NETS = ['policy', 'value'] as const;
const layersOf = (net: (typeof NETS)[number]) =>
  [
    [OBS, HIDDEN],
    [HIDDEN, HIDDEN],
    [HIDDEN, WIDTHS[net]],
  ] as const;

function initial(): { [name: string]: Float32Array } {
  const rng = Rng.from(6);
  const out: { [name: string]: Float32Array } = {};
  for (const net of NETS)
    layersOf(net).forEach(([i, o], l) => {
      out[`${net}w${l}`] = Float32Array.from({ length: i * o }, () => (rng.uniform() * 2 - 1) / Math.sqrt(i));
      out[`${net}b${l}`] = new Float32Array(o);
    });
  return out;
}

function engineUpdate(engine: Engine, rows: number): { program: Program; params: Map<string, Param> } {
  const group = engine.group('ppo');
  const start = initial();
  const params = new Map<string, Param>();
  for (const net of NETS)
    layersOf(net).forEach(([i, o], l) => {
      params.set(`${net}w${l}`, group.param(`${net}w${l}`, [i, o], start[`${net}w${l}`]!));
      params.set(`${net}b${l}`, group.param(`${net}b${l}`, [o], start[`${net}b${l}`]!));
    });
  const net = (g: Graph, x: Tensor, name: string): Tensor =>
    [0, 1, 2].reduce(
      (h, l) => ops.linear(h, g.read(params.get(`${name}w${l}`)!), g.read(params.get(`${name}b${l}`)!), l < 2 ? 'tanh' : 'none'),
      x,
    );
  const program = engine.compile(
    (g) => {
      const x = g.input('obs', [rows, OBS]);
      const logProbs = ops.logSoftmax(net(g, x, 'policy'));
      const ratio = ops.exp(ops.sub(ops.pick(logProbs, g.input('action', [rows])), g.input('oldLogProb', [rows])));
      const advantage = g.input('advantage', [rows]);
      const clipped = ops.mul(ops.clip(ratio, 1 - CLIP, 1 + CLIP), advantage);
      const policy = ops.neg(ops.mean(ops.minimum(ops.mul(ratio, advantage), clipped)));
      const value = ops.reshape(net(g, x, 'value'), [rows]);
      const fit = ops.mean(ops.square(ops.sub(value, g.input('target', [rows]))));
      const entropy = ops.neg(ops.mean(ops.sum(ops.mul(ops.exp(logProbs), logProbs), -1)));
      return { loss: ops.sub(ops.add(policy, ops.scale(fit, 0.5 * VALUE_COEF)), ops.scale(entropy, ENTROPY_COEF)) };
    },
    { minimise: 'loss', group, with: adam({ eps: EPS }), maxGradNorm: MAX_NORM },
  );
  return { program, params };
}

async function handUpdate(rows: number) {
  const { memory, kernels: k } = await openMachine();
  const start = initial();
  const offset: { [name: string]: number } = {};
  let floats = 0;
  for (const [name, data] of Object.entries(start)) {
    offset[name] = floats;
    floats += (data.length + 7) & ~7;
  }
  const block = () => memory.allocate(floats * 4);
  const [P, G, M, V] = [block(), block(), block(), block()] as const;
  const buffer = (n: number) => memory.allocate(n * 4);
  const S = buffer(10);
  const x = buffer(rows * OBS);
  const one = (net: (typeof NETS)[number]) => ({
    out: WIDTHS[net],
    h1: buffer(rows * HIDDEN),
    h2: buffer(rows * HIDDEN),
    y: buffer(rows * WIDTHS[net]),
    dy: buffer(rows * WIDTHS[net]),
    d2: buffer(rows * HIDDEN),
    d1: buffer(rows * HIDDEN),
    turned: buffer(HIDDEN * HIDDEN),
    at: Object.fromEntries(['w0', 'b0', 'w1', 'b1', 'w2', 'b2'].map((n) => [n, offset[net + n]! * 4])) as { [name: string]: number },
  });
  const nets = { policy: one('policy'), value: one('value') };
  for (const [name, data] of Object.entries(start)) memory.view(P, floats).set(data, offset[name]!);
  const f = memory.f32;
  const batch = batchOf(rows);
  f.set(batch.obs, x >> 2);
  const row = HIDDEN * 4;

  const forward = (n: ReturnType<typeof one>): void => {
    k.matmul(n.h1, row, x, OBS * 4, P + n.at.w0!, row, P + n.at.b0!, TANH, rows, OBS, HIDDEN);
    k.matmul(n.h2, row, n.h1, row, P + n.at.w1!, row, P + n.at.b1!, TANH, rows, HIDDEN, HIDDEN);
    k.matmul(n.y, n.out * 4, n.h2, row, P + n.at.w2!, n.out * 4, P + n.at.b2!, 0, rows, HIDDEN, n.out);
  };
  const backward = (n: ReturnType<typeof one>): void => {
    const narrow = n.out * 4;
    k.matmulTN(G + n.at.w2!, narrow, n.h2, row, n.dy, narrow, rows, HIDDEN, n.out, 0);
    k.sumColumns(G + n.at.b2!, n.dy, narrow, 1, rows, n.out);
    k.transpose(n.turned, row, P + n.at.w2!, narrow, HIDDEN, n.out);
    k.matmul(n.d2, row, n.dy, narrow, n.turned, row, 0, 0, rows, n.out, HIDDEN);
    k.tanhGrad(n.d2, n.d2, n.h2, rows * HIDDEN);
    k.matmulTN(G + n.at.w1!, row, n.h1, row, n.d2, row, rows, HIDDEN, HIDDEN, 0);
    k.sumColumns(G + n.at.b1!, n.d2, row, 1, rows, HIDDEN);
    k.transpose(n.turned, row, P + n.at.w1!, row, HIDDEN, HIDDEN);
    k.matmul(n.d1, row, n.d2, row, n.turned, row, 0, 0, rows, HIDDEN, HIDDEN);
    k.tanhGrad(n.d1, n.d1, n.h1, rows * HIDDEN);
    k.matmulTN(G + n.at.w0!, row, x, OBS * 4, n.d1, row, rows, OBS, HIDDEN, 0);
    k.sumColumns(G + n.at.b0!, n.d1, row, 1, rows, HIDDEN);
  };
  const { action, oldLogProb, advantage, target } = batch;
  const losses = (): number => {
    const [y, dy, v, dv] = [nets.policy.y >> 2, nets.policy.dy >> 2, nets.value.y >> 2, nets.value.dy >> 2];
    let loss = 0;
    for (let i = 0; i < rows; i++) {
      const [l0, l1] = [f[y + 2 * i]!, f[y + 2 * i + 1]!];
      const top = Math.max(l0, l1);
      const norm = top + Math.log(Math.exp(l0 - top) + Math.exp(l1 - top));
      const [p0, p1] = [Math.exp(l0 - norm), Math.exp(l1 - norm)];
      const chosen = action[i]! === 1 ? l1 - norm : l0 - norm;
      const ratio = Math.exp(chosen - oldLogProb[i]!);
      const a = advantage[i]!;
      const bounded = Math.min(Math.max(ratio, 1 - CLIP), 1 + CLIP);
      const entropy = -(p0 * (l0 - norm) + p1 * (l1 - norm));
      const error = f[v + i]! - target[i]!;
      loss += -Math.min(ratio * a, bounded * a) + 0.5 * VALUE_COEF * error * error - ENTROPY_COEF * entropy;
      const slope = ratio * a <= bounded * a ? -(ratio * a) / rows : 0;
      const [q0, q1] = action[i]! === 1 ? [-p0, 1 - p1] : [1 - p0, -p1];
      f[dy + 2 * i] = slope * q0 + (ENTROPY_COEF / rows) * p0 * (l0 - norm + entropy);
      f[dy + 2 * i + 1] = slope * q1 + (ENTROPY_COEF / rows) * p1 * (l1 - norm + entropy);
      f[dv + i] = (VALUE_COEF * error) / rows;
    }
    return loss / rows;
  };
  let [decay1, decay2] = [1, 1];
  const run = (lr: number): number => {
    forward(nets.policy);
    forward(nets.value);
    const loss = losses();
    backward(nets.policy);
    backward(nets.value);
    k.sumSquares(S, G, floats);
    const norm = Math.sqrt(f[S >> 2]!);
    decay1 *= 0.9;
    decay2 *= 0.999;
    const scale = Math.min(1, MAX_NORM / (norm + 1e-6));
    f.set([scale, lr / (1 - decay1), 1 / Math.sqrt(1 - decay2), 0.9, 0.1, 0.999, 0.001, EPS, 0, 1], S >> 2);
    k.adam(P, G, M, V, floats, S, 1);
    return loss;
  };
  return { run, read: (name: string) => memory.view(P + offset[name]! * 4, start[name]!.length) };
}

export interface Pair {
  readonly engine: () => void;
  readonly hand: () => void;
  /** Largest difference of any parameter after ten steps of each. */
  readonly difference: number;
  readonly kernels: number;
}

export async function ppoPair(rows: number): Promise<Pair> {
  const engine = await createEngine('wasm');
  const { program, params } = engineUpdate(engine, rows);
  const hand = await handUpdate(rows);
  const batch = batchOf(rows);
  for (const name of ['obs', 'action', 'oldLogProb', 'advantage', 'target'] as const) program.in[name]!.set(batch[name]);
  program.in.lr![0] = 1e-4;
  for (let i = 0; i < 10; i++) {
    program.run();
    hand.run(1e-4);
  }
  let difference = 0;
  for (const [name, param] of params) {
    const ours = await engine.read(param);
    hand.read(name).forEach((x, i) => {
      difference = Math.max(difference, Math.abs(x - ours[i]!));
    });
  }
  return { engine: () => program.run(), hand: () => void hand.run(1e-4), difference, kernels: program.stats.kernels };
}
