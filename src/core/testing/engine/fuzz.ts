/**
 * Random programs for tests: expressions over inputs of awkward sizes, a loss, and its gradient by every input.
 * A seed always gives the same program, so a failure can be named by its seed. Programs that a small error could tip
 * over (an operand of a comparison or kink within 1e-4 of the other) or whose values grow past 1e4 are passed over, so
 * that float32 executors and finite differences can be held to a tolerance.
 */
import { Rng } from '#math/rng.ts';
import { gradients } from '../../engine/autodiff.ts';
import { createGraph, reachable } from '../../engine/graph.ts';
import * as ops from '../../engine/ops.ts';
import { sizeOf } from '../../engine/shapes.ts';
import type { Graph, Shape, Tensor } from '../../engine/types.ts';
import { interpret } from './interpreter.ts';

export interface FuzzProgram {
  /** Outputs `y0`..., `loss` (one number) and `d_NAME` for every differentiable input NAME. May be called on several graphs. */
  readonly build: (g: Graph) => { [name: string]: Tensor };
  readonly feeds: { readonly [name: string]: Float32Array };
  /** Names of the inputs with a gradient. */
  readonly inputs: readonly string[];
}

export const SIZES = [1, 2, 3, 5, 7, 17, 65] as const;
const MAX_ELEMENTS = 6000;

/** Numbers in [-2, 2). */
export function randomFeed(rng: Rng, n: number): Float32Array {
  return Float32Array.from({ length: n }, () => rng.uniform() * 4 - 2);
}

function choose<T>(rng: Rng, from: readonly T[]): T {
  return from[rng.int(from.length)]!;
}

const UNARY: readonly ((x: Tensor) => Tensor)[] = [
  ops.neg,
  ops.abs,
  ops.tanh,
  ops.sigmoid,
  ops.relu,
  ops.elu,
  ops.softplus,
  ops.gelu,
  ops.sin,
  ops.cos,
  ops.square,
  (x) => ops.exp(ops.minimum(x, 3)),
  (x) => ops.log(ops.add(ops.abs(x), 0.5)),
  (x) => ops.sqrt(ops.add(ops.square(x), 0.25)),
  (x) => ops.clip(x, -0.75, 1.25),
  (x) => ops.scale(x, 0.3),
  (x) => ops.huber(x, 0.7),
  (x) => ops.div(1, ops.add(ops.square(x), 0.5)),
];
const BINARY: readonly ((a: Tensor, b: Tensor) => Tensor)[] = [
  ops.add,
  ops.sub,
  ops.mul,
  (a, b) => ops.div(a, ops.add(ops.square(b), 0.5)),
  ops.minimum,
  ops.maximum,
  (a, b) => ops.where(ops.lt(a, b), ops.tanh(a), ops.mul(b, 0.5)),
  (a, b) => ops.where(ops.ge(b, 0.25), a, b),
  (a, b) => ops.mul(ops.gt(a, b), ops.sin(b)),
];
const ROWS: readonly ((x: Tensor) => Tensor)[] = [
  (x) => ops.softmax(x),
  (x) => ops.logSoftmax(x),
  (x) => ops.logsumexp(x, -1, true),
  (x) => ops.layerNorm(x),
  (x) => ops.amax(x, -1, true),
  (x) => ops.amin(x, 0),
  (x) => ops.standardise(x, 1, 0.1),
];

/** A shape that broadcasts with the given one. */
function partnerShape(rng: Rng, shape: Shape): Shape {
  const kept = shape.slice(rng.int(shape.length + 1));
  return kept.map((n) => (rng.int(4) === 0 ? 1 : n));
}

class Builder {
  readonly rng: Rng;
  readonly g: Graph;
  readonly pool: Tensor[] = [];
  readonly wrt = new Map<string, Tensor>();
  readonly feeds: { [name: string]: Float32Array } = {};
  constructor(rng: Rng, g: Graph) {
    this.rng = rng;
    this.g = g;
  }

  fresh(shape: Shape): Tensor {
    const name = `x${this.wrt.size}`;
    const t = this.g.input(name, shape);
    this.wrt.set(name, t);
    this.feeds[name] = randomFeed(this.rng, sizeOf(shape));
    return t;
  }
  indices(count: number, n: number): Tensor {
    const name = `i${Object.keys(this.feeds).length}`;
    this.feeds[name] = Float32Array.from({ length: count }, () => this.rng.int(n));
    return this.g.input(name, [count]);
  }
  axes(rank: number): number[] {
    return [...Array(rank).keys()].filter(() => this.rng.int(2) === 0);
  }

  step(): Tensor | undefined {
    const { rng } = this;
    const x = choose(rng, this.pool);
    const rank = x.shape.length;
    switch (rng.int(15)) {
      case 0:
      case 1:
      case 2:
        return choose(rng, UNARY)(x);
      case 3:
      case 4: {
        const y = this.pool.find((t) => t !== x && t.shape.every((n, i) => n === x.shape[i - t.shape.length + rank]));
        const f = choose(rng, BINARY);
        return y !== undefined && rng.int(2) === 0 ? f(y, x) : f(x, this.fresh(partnerShape(rng, x.shape)));
      }
      case 5:
        return choose(rng, [ops.sum, ops.mean, ops.amax])(x, this.axes(rank), rng.int(2) === 0);
      case 6:
        return rank > 0 ? choose(rng, ROWS)(x) : undefined;
      case 7:
      case 8: {
        if (rank < 2) return undefined;
        const k = x.shape.at(-1)!;
        const n = choose(rng, SIZES);
        const y = rank > 2 && rng.int(2) === 0 ? this.fresh([...x.shape.slice(0, -2), k, n]) : this.fresh([k, n]);
        const b = rng.int(2) === 0 ? this.fresh([n]) : undefined;
        return ops.linear(ops.scale(x, 0.5), y, b, choose(rng, ['none', 'tanh', 'relu', 'gelu'] as const));
      }
      case 9: {
        const perm = Int32Array.from({ length: rank }, (_, i) => i);
        rng.shuffle(perm);
        return ops.transpose(x, [...perm]);
      }
      case 10: {
        if (rank === 0) return undefined;
        const at = rng.int(rank);
        return rng.int(2) === 0
          ? ops.reshape(x, [...x.shape.slice(0, at), 1, ...x.shape.slice(at)])
          : ops.reshape(x, [...x.shape.slice(0, at), -1]);
      }
      case 11: {
        const begin = x.shape.map((n) => rng.int(n));
        const part = ops.slice(
          x,
          begin,
          x.shape.map((n, i) => 1 + rng.int(n - begin[i]!)),
        );
        return rank > 0 && x.shape[0]! > 1
          ? ops.concat([ops.sliceAxis(x, 0, 1, x.shape[0]! - 1), ops.tanh(ops.sliceAxis(x, 0, 0, 1))], 0)
          : part;
      }
      case 12: {
        if (rank === 0) return undefined;
        const axis = rng.int(rank);
        const other = this.fresh(x.shape.map((n, i) => (i === axis ? choose(rng, [1, 3]) : n)));
        return ops.concat([x, other, ops.square(x)], axis);
      }
      case 13: {
        const m = choose(rng, SIZES);
        if (rank === 2) {
          const rows = ops.gather(x, this.indices(m, x.shape[0]!));
          return rng.int(2) === 0 ? rows : ops.mul(rows, ops.oneHot(this.indices(m, x.shape[1]!), x.shape[1]!));
        }
        return rank === 1 ? ops.pick(ops.broadcastTo(x, [m, x.shape[0]!]), this.indices(m, x.shape[0]!)) : undefined;
      }
      default: {
        const c = choose(rng, [1, 2, 3]);
        const size = choose(rng, [3, 5]);
        const image = this.fresh([choose(rng, [1, 2]), size, size, c]);
        const k = choose(rng, [1, 2, 3]);
        const window = { stride: choose(rng, [1, 2]), pad: rng.int(2) };
        return ops.conv2d(image, this.fresh([k, k, c, choose(rng, [1, 4, 5])]), undefined, window);
      }
    }
  }
}

const KINKS: ReadonlySet<string> = new Set(['relu', 'abs', 'sign', 'min', 'max', 'eq', 'lt', 'le', 'gt', 'ge']);

/** Whether small errors stay small: see the header. */
function isGeneric(outputs: readonly Tensor[], feeds: FuzzProgram['feeds']): boolean {
  const values = interpret(outputs, { inputs: feeds });
  for (const t of reachable(outputs)) {
    for (const v of values.get(t)!) if (!(Math.abs(v) < 1e4)) return false;
    if (!KINKS.has(t.op)) continue;
    const a = values.get(t.inputs[0]!)!;
    const b = t.inputs[1] === undefined ? undefined : values.get(t.inputs[1]);
    for (let i = 0; i < a.length; i++) {
      const gap = Math.abs(a[i]! - (b?.[i] ?? 0));
      if (gap > 0 && gap < 1e-4) return false;
    }
  }
  return true;
}

function attempt(rng: Rng, g: Graph, steps: number): { outputs: { [name: string]: Tensor }; builder: Builder } {
  const builder = new Builder(rng, g);
  const rank = rng.int(4);
  builder.pool.push(builder.fresh(Array.from({ length: rank }, () => choose(rng, rank < 3 ? SIZES : [1, 2, 3, 5, 7]))));
  for (let i = 0; i < steps; i++) {
    const t = builder.step();
    if (t !== undefined && sizeOf(t.shape) <= MAX_ELEMENTS && t.shape.length <= 5) builder.pool.push(t);
  }
  const outputs: { [name: string]: Tensor } = {};
  const last = builder.pool.slice(-3);
  last.forEach((t, i) => {
    outputs[`y${i}`] = t;
  });
  const loss = last.map((t) => ops.mean(ops.mul(t, ops.sin(t)))).reduce((a, b) => ops.add(a, b));
  outputs.loss = loss;
  const wrt = [...builder.wrt];
  gradients(
    loss,
    wrt.map(([, t]) => t),
  ).forEach((d, i) => {
    outputs[`d_${wrt[i]![0]}`] = d;
  });
  return { outputs, builder };
}

/** The program of a seed; `steps` operations are tried (3-17 if missing). */
export function fuzzProgram(seed: number, steps?: number): FuzzProgram {
  for (let retry = 0; ; retry++) {
    const stream = (): Rng => Rng.from(seed).split('fuzz', retry);
    const count = steps ?? 3 + Rng.from(seed).split('steps').int(15);
    const { outputs, builder } = attempt(stream(), createGraph(), count);
    if (isGeneric(Object.values(outputs), builder.feeds))
      return { build: (g) => attempt(stream(), g, count).outputs, feeds: builder.feeds, inputs: [...builder.wrt.keys()] };
  }
}
