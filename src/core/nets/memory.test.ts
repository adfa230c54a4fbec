import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { mul, reshape, sliceAxis, square, sum } from '../engine/ops.ts';
import { hostGroup } from '../engine/params.ts';
import type { Param, ParamGroup, Tensor } from '../engine/types.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { attentionCell, chunkCell } from './memory.ts';
import { type Cell, step, unroll } from './recurrent.ts';
import { slotCell } from './slots.ts';

const [I, D] = [3, 4];
const WINDOW = 6;
type Make = (group: ParamGroup) => Cell;
const bodies: readonly (readonly [string, Make])[] = [
  ['attention', (group) => attentionCell(group, 'cell', Rng.from(1), I, D, WINDOW)],
  ['chunks', (group) => chunkCell(group, 'cell', Rng.from(1), I, D, { window: WINDOW, chunk: 2, topK: 2 })],
  ['slots', (group) => slotCell(group, 'cell', Rng.from(1), I, D, 3)],
];

const numbers = (n: number, seed = 1): number[] => {
  const rng = Rng.from(seed);
  return Array.from({ length: n }, () => rng.uniform() * 2 - 1);
};
type Params = Map<Param, ArrayLike<number>>;
const run = (t: Tensor, inputs: { [name: string]: ArrayLike<number> }, params: Params): number[] => [
  ...interpret([t], { inputs, params }).get(t)!,
];

interface Body {
  readonly cell: Cell;
  readonly params: Params;
  /** Learned numbers by their name in the cell. */
  get(name: string): number[];
}
/** Tables are drawn small: here they are as large as weights, so that they matter. */
function built(make: Make): Body {
  const group = hostGroup('net');
  const cell = make(group);
  const params: Params = new Map([...group.initial].map(([param, start], i) => [param, numbers(start.length, 10 + i)]));
  return { cell, params, get: (name) => Array.from(params.get(group.params.find((p) => p.name === `cell.${name}`)!)!) };
}
/** Outputs [T][B][D] and the state after the last of T steps; B rows. */
function outputs({ cell, params }: Body, xs: readonly number[], rows = 1, starts?: readonly number[], state?: readonly number[]) {
  const T = xs.length / rows / I;
  const S = cell.stateSize;
  const g = createGraph();
  const all = unroll(cell, g.input('xs', [T, rows, I]), g.input('state', [rows, S]), g.input('starts', [T, rows]));
  const feeds = { xs, state: state ?? new Array<number>(rows * S).fill(0), starts: starts ?? new Array<number>(T * rows).fill(0) };
  const flat = run(all.outputs, feeds, params);
  const cut = (from: number) => flat.slice(from * D, (from + 1) * D);
  return {
    steps: Array.from({ length: T }, (_, t) => Array.from({ length: rows }, (_, b) => cut(t * rows + b))),
    state: run(all.state, feeds, params),
  };
}
const close = (a: readonly number[], b: readonly number[], digits = 10): void => {
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => {
    expect(x, `element ${i}`).toBeCloseTo(b[i]!, digits);
  });
};

describe.each(bodies)('%s', (_, make) => {
  const T = 9; // more than the window
  const B = 2;
  const xs = numbers(T * B * I);
  const starts = Array.from({ length: T * B }, (_, i) => Number(i === 3 * B || i === 6 * B + 1));

  it('steps one by one as it unrolls, from state to state', () => {
    const body = built(make);
    const whole = outputs(body, xs, B, starts);
    let state = new Array<number>(B * body.cell.stateSize).fill(0);
    for (let t = 0; t < T; t++) {
      const g = createGraph();
      const next = step(body.cell, g.input('x', [B, I]), g.input('state', [B, body.cell.stateSize]), g.input('s', [B]));
      const feeds = { x: xs.slice(t * B * I, (t + 1) * B * I), state, s: starts.slice(t * B, (t + 1) * B) };
      close(run(next.output, feeds, body.params), whole.steps[t]!.flat());
      state = run(next.state, feeds, body.params);
    }
    close(state, whole.state);
    expect(body.cell.outputs).toBe(D);
  });

  it('forgets all at an episode’s start, row by row', () => {
    const body = built(make);
    const whole = outputs(body, xs, B, starts);
    const tail = (from: number, b: number): number[] => {
      const own = xs.flatMap((x, i) => (Math.floor(i / I) % B === b && Math.floor(i / I / B) >= from ? [x] : []));
      return outputs(body, own).steps.flat(2);
    };
    close(
      whole.steps.slice(3).flatMap((rows) => rows[0]!),
      tail(3, 0),
    );
    close(
      whole.steps.slice(6).flatMap((rows) => rows[1]!),
      tail(6, 1),
    );
    const without = outputs(body, xs, B);
    expect(Math.abs(whole.steps[3]![0]![0]! - without.steps[3]![0]![0]!)).toBeGreaterThan(1e-4);
  });

  it('has the gradients of differences', () => {
    const group = hostGroup('net');
    const cell = make(group);
    const g = createGraph();
    const state = g.input('state', [B, cell.stateSize]);
    const all = unroll(cell, g.input('xs', [T, B, I]), state, g.input('starts', [T, B]));
    const loss = sum(mul(square(all.outputs), g.input('weights', [T, B, D])));
    const body = built(make);
    const params: Params = new Map(group.params.map((p) => [p, numbers(group.initial.get(p)!.length, 20 + group.params.indexOf(p))]));
    const from = outputs(body, numbers(5 * B * I, 3), B).state; // something is remembered already
    const feeds = { xs, starts, state: from, weights: numbers(T * B * D, 4) };
    const slopes = gradients(
      loss,
      group.params.map((p) => g.read(p)),
    );
    const rng = Rng.from(5);
    for (const [i, p] of group.params.entries()) {
      const slope = run(slopes[i]!, feeds, params);
      const at = Array.from(params.get(p)!);
      for (let trial = 0; trial < 4; trial++) {
        const k = Math.floor(rng.uniform() * at.length);
        const lossAt = (move: number): number =>
          run(
            loss,
            feeds,
            new Map(params).set(
              p,
              at.map((x, j) => (j === k ? x + move : x)),
            ),
          )[0]!;
        expect(slope[k], `${p.name}[${k}]`).toBeCloseTo((lossAt(1e-5) - lossAt(-1e-5)) / 2e-5, 5);
      }
    }
  });

  it('computes on the engine what the oracle computes', async () => {
    const engine = await createWasmEngine({ poison: true });
    const group = engine.group('net');
    const cell = make(group);
    const program = engine.compile(
      { xs: [T, B, I], starts: [T, B] },
      (x, g) => ({ all: unroll(cell, x.xs, g.constant(0, [B, cell.stateSize]), x.starts).outputs }),
      { name: 'memory' },
    );
    program.in.xs.set(xs);
    program.in.starts.set(starts);
    await program.run();
    const host = hostGroup('net');
    const twin = make(host);
    close(
      Array.from(program.out.all),
      outputs({ cell: twin, params: new Map(host.initial), get: () => [] }, xs, B, starts).steps.flat(2),
      4,
    );
    engine.dispose();
  });
});

const row = (m: readonly number[], r: number, width: number): number[] => m.slice(r * width, (r + 1) * width);
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, x, i) => s + x * b[i]!, 0);
const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, i) => x + b[i]!);
const scaled = (a: readonly number[], by: number): number[] => a.map((x) => x * by);
const affine = (x: readonly number[], w: readonly number[], b: readonly number[]): number[] =>
  b.map((bias, c) => bias + x.reduce((s, v, r) => s + v * w[r * b.length + c]!, 0));
const softmaxOf = (x: readonly number[]): number[] => {
  const e = x.map((v) => Math.exp(v - Math.max(...x)));
  const all = e.reduce((a, b) => a + b, 0);
  return e.map((v) => v / all);
};
const mixed = (weights: readonly number[], entries: readonly (readonly number[])[]): number[] =>
  entries.reduce<number[]>((so, m, i) => plus(so, scaled(m, weights[i]!)), new Array<number>(D).fill(0));
const tanhOf = (x: readonly number[]): number[] => x.map(Math.tanh);
const stepsOf = (xs: readonly number[]): number[][] => Array.from({ length: xs.length / I }, (_, t) => row(xs, t, I));
const entryOf = (body: Body, x: readonly number[]): number[] => tanhOf(affine(x, body.get('entry.w'), body.get('entry.b')));
/** What is remembered of e. */
const normalised = (e: readonly number[]): number[] => {
  const mean = e.reduce((a, b) => a + b, 0) / e.length;
  const variance = e.reduce((a, b) => a + (b - mean) ** 2, 0) / e.length;
  return e.map((x) => (x - mean) / Math.sqrt(variance + 1e-5));
};
const asksOf = (body: Body, e: readonly number[]): number[] => affine(e, body.get('ask.w'), body.get('ask.b'));
const outputOf = (body: Body, parts: readonly number[]): number[] => tanhOf(affine(parts, body.get('join.w'), body.get('join.b')));

describe('the equations, written out', () => {
  const xs = numbers(11 * I, 7);

  it('attention: over the last steps, each with its age', () => {
    const body = built(bodies[0]![1]);
    const now = stepsOf(xs).map((x) => entryOf(body, x));
    const entries = now.map(normalised);
    const wanted = now.map((e, t) => {
      const seen = entries.slice(Math.max(0, t - WINDOW), t + 1);
      const asked = asksOf(body, entries[t]!);
      const reads = [0, 1].map((head) => {
        const scores = seen.map((m, i) => {
          const age = row(body.get('ages'), WINDOW - (seen.length - 1 - i), D);
          return dot(row(asked, head, D), plus(m, age)) / Math.sqrt(D);
        });
        return mixed(softmaxOf(scores), seen);
      });
      return outputOf(body, [...e, ...reads.flat()]);
    });
    close(outputs(body, xs).steps.flat(2), wanted.flat());
  });

  it('chunks: relevance by means, the best two, attention within them', () => {
    const body = built(bodies[1]![1]);
    const [chunk, many, topK] = [2, 3, 2];
    const now = stepsOf(xs).map((x) => entryOf(body, x));
    const entries = now.map(normalised);
    const wanted = now.map((e, t) => {
      const newest = Math.floor(t / chunk);
      const chunks = Array.from({ length: many }, (_, n) => {
        const from = (newest - many + 1 + n) * chunk;
        return from < 0 ? [] : entries.slice(from, Math.min(from + chunk, t + 1));
      });
      const asked = asksOf(body, entries[t]!);
      const relevance = chunks.map((c) => {
        if (c.length === 0) return Number.NEGATIVE_INFINITY;
        const mean = scaled(mixed(new Array<number>(c.length).fill(1), c), 1 / c.length);
        return dot(row(asked, 2, D), mean) / Math.sqrt(D);
      });
      const least = relevance.toSorted((a, b) => b - a)[topK - 1]!;
      const R = softmaxOf(relevance.map((s) => (s < least ? Number.NEGATIVE_INFINITY : s)));
      const reads = [0, 1].map((head) =>
        chunks.reduce<number[]>((so, c, n) => {
          if (c.length === 0 || relevance[n]! < least) return so;
          const scores = c.map((m, p) => dot(row(asked, head, D), plus(m, row(body.get('places'), p, D))) / Math.sqrt(D));
          return plus(so, scaled(mixed(softmaxOf(scores), c), R[n]!));
        }, new Array<number>(D).fill(0)),
      );
      return outputOf(body, [...e, ...reads.flat()]);
    });
    close(outputs(body, xs).steps.flat(2), wanted.flat());
  });

  it('slots: erased and added to where the key is like them', () => {
    const body = built(bodies[2]![1]);
    const K = 3;
    let slots = Array.from({ length: K }, () => new Array<number>(D).fill(0));
    let read = new Array<number>(D).fill(0);
    const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
    const wanted = stepsOf(xs).map((x) => {
      const fed = plus(affine(x, body.get('input.w'), body.get('input.b')), affine(read, body.get('read.w'), body.get('read.b')));
      const c = tanhOf(fed);
      const all = affine(c, body.get('interface.w'), body.get('interface.b'));
      const [key, question, erase, value] = [0, 1, 2, 3].map((i) => row(all, i, D)) as [number[], number[], number[], number[]];
      const at = (asked: readonly number[]) =>
        softmaxOf(slots.map((s, i) => dot(asked, plus(s, row(body.get('addresses'), i, D))) / Math.sqrt(D)));
      const w = scaled(at(key), sigmoid(all[4 * D]! - 2));
      slots = slots.map((s, i) => s.map((v, d) => v * (1 - w[i]! * sigmoid(erase[d]!)) + w[i]! * Math.tanh(value[d]!)));
      read = mixed(at(question), slots);
      return outputOf(body, [...c, ...read]);
    });
    close(outputs(body, xs).steps.flat(2), wanted.flat());
  });
});

describe('what is forgotten', () => {
  /** Whether the output at the last of `steps` steps depends on the input of step `at`. */
  const depends = (body: Body, steps: number, at: number): boolean => {
    const g = createGraph();
    const xs = g.input('xs', [steps, 1, I]);
    const all = unroll(body.cell, xs, g.constant(0, [1, body.cell.stateSize]));
    const last = sum(square(reshape(sliceAxis(all.outputs, 0, steps - 1, 1), [D])));
    const slope = run(gradients(last, [xs])[0]!, { xs: numbers(steps * I, 8) }, body.params);
    return slope.slice(at * I, (at + 1) * I).some((x) => x !== 0);
  };
  it('attention: what is older than the window', () => {
    const body = built(bodies[0]![1]);
    expect([0, 1, 2, 8].map((at) => depends(body, 9, at))).toEqual([false, false, true, true]);
  });
  it('chunks: the oldest whole chunk, when a new one begins', () => {
    const make: Make = (group) => chunkCell(group, 'cell', Rng.from(1), I, D, { window: WINDOW, chunk: 2, topK: 3 });
    const body = built(make);
    expect([0, 1, 2].map((at) => depends(body, 6, at))).toEqual([true, true, true]);
    expect([0, 1, 2].map((at) => depends(body, 7, at))).toEqual([false, false, true]);
    expect([0, 1, 2].map((at) => depends(body, 8, at))).toEqual([false, false, true]);
    expect([2, 3, 4].map((at) => depends(body, 9, at))).toEqual([false, false, true]);
  });
});

describe('chunks choose', () => {
  it('the chunk that is asked for: one alone has an influence', () => {
    const make: Make = (group) => chunkCell(group, 'cell', Rng.from(1), I, D, { window: 12, chunk: 3, topK: 1 });
    const body = built(make);
    const set = (name: string, to: (i: number) => number): void => {
      for (const [param, now] of body.params)
        if (param.name === `cell.${name}`)
          body.params.set(
            param,
            Array.from(now, (_, i) => to(i)),
          );
    };
    // The relevance is the first number of a summary.
    set('entry.w', (i) => (i === 0 ? 1 : 0.01)); // the first number of an entry is that of its input
    set('entry.b', () => 0);
    set('ask.w', () => 0);
    set('ask.b', (i) => (i === 2 * D ? 5 : 0));
    const g = createGraph();
    const xs = g.input('xs', [12, 1, I]);
    const all = unroll(body.cell, xs, g.constant(0, [1, body.cell.stateSize]));
    const last = sum(reshape(sliceAxis(all.outputs, 0, 11, 1), [D]));
    const slope = gradients(last, [xs])[0]!;
    for (const marked of [0, 1, 2]) {
      const given = stepsOf(numbers(12 * I, 9)).flatMap((x, t) => [Math.floor(t / 3) === marked ? 1 : -1, ...x.slice(1)]);
      const found = run(slope, { xs: given }, body.params);
      // the slopes of R reach every chunk; that of what is read reaches the chosen one alone, and is far larger
      const size = (n: number): number => Math.max(...found.slice(n * 3 * I, (n + 1) * 3 * I).map(Math.abs));
      const others = [0, 1, 2].filter((n) => n !== marked);
      for (const other of others) expect(size(marked), `chunk ${marked} over ${other}`).toBeGreaterThan(3 * size(other));
    }
  });
});
