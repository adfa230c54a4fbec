/**
 * Attention in the place of a recurrent cell (recurrent.ts): over the last steps, or over chunks of them (slots: slots.ts).
 * A state is one row [B, S]: the output h, then what is remembered. Zeros are an empty memory: a flag beside each entry says whether it is
 * filled. Gradients reach entries written within the unrolled sequence; entries from before it are inputs (Transformer-XL, Dai et al.
 * 2019), but how they are asked and read is learned from them all. D units, W steps of memory, H = 2 heads, C steps of a chunk,
 * N = W / C chunks. Of a step, e_t = tanh(x_t We + be) goes to the output, m_t = e_t normalised over its units (mean 0, variance 1)
 * is remembered: without it first scores are near 0, all is read alike, and what to look for is learned late.
 * Keys are not stored: a head's score of an entry m is (m_t Wq) m / sqrt(D) with Wq [D, D], the product of the usual matrices of queries
 * and keys, and its values pass through its part of Wh, the product of those of values and output.
 */
import type { Rng } from '#math/rng.ts';
import {
  add,
  amax,
  broadcastTo,
  concat,
  div,
  eq,
  exp,
  ge,
  gt,
  iota,
  layerNorm,
  le,
  matmul,
  maximum,
  mul,
  reshape,
  sliceAxis,
  softmax,
  split,
  stopGradient,
  sub,
  sum,
  transpose,
  where,
} from '../engine/ops.ts';
import type { Param, ParamGroup, Tensor } from '../engine/types.ts';
import { gaussian } from './init.ts';
import { dense } from './mlp.ts';
import type { Cell, Unrolled } from './recurrent.ts';

const HEADS = 2;
const NEVER = -1e8;
export const XAVIER = { init: 'xavier', gain: 1 } as const;

/** Numbers that are learned from N(0, std^2) on. */
export function table(group: ParamGroup, name: string, rng: Rng, rows: number, width: number, std: number): Param {
  return group.param(name, [rows, width], gaussian(rng, rows * width, std));
}

/** Scores of entries [B, W, D] for questions [B, Q, D]: [B, Q, W]. */
export const scoresOf = (questions: Tensor, entries: Tensor): Tensor =>
  mul(matmul(questions, transpose(entries)), 1 / Math.sqrt(entries.shape[2]!));

/** What all bodies that keep entries share: the entry of a step, one question of every head, and the output. */
interface Reader {
  /** x [..., I] -> e and m [..., D], and the questions of all heads and `more` beside them: [..., (2 + H + more) D]. */
  project(x: Tensor): Tensor;
  /** h = tanh([e, reads] Wh + bh): e [..., D], reads [..., H, D] -> [..., D]. */
  output(e: Tensor, reads: Tensor): Tensor;
}
function reader(group: ParamGroup, name: string, rng: Rng, inputs: number, units: number, more = 0): Reader {
  const entry = dense(group, `${name}.entry`, rng, inputs, units, { act: 'tanh', gain: 1 });
  const ask = dense(group, `${name}.ask`, rng, units, (HEADS + more) * units, XAVIER);
  const join = dense(group, `${name}.join`, rng, (1 + HEADS) * units, units, { act: 'tanh', ...XAVIER });
  return {
    project(x) {
      const e = entry(x);
      const m = layerNorm(e);
      return concat([e, m, ask(m)]);
    },
    output: (e, reads) => join(concat([e, reshape(reads, [...e.shape.slice(0, -1), HEADS * units])])),
  };
}

/** A body that keeps `window` entries with a flag each: a step is a sequence of one. */
const entriesCell = (units: number, window: number, project: Cell['project'], sequence: NonNullable<Cell['sequence']>): Cell => ({
  outputs: units,
  stateSize: units + window + window * units,
  project,
  sequence,
  advance: (projected, state) => sequence(reshape(projected, [1, ...projected.shape]), state).state,
});

/** Steps of sequences, rows first. */
interface Timeline {
  /** [B, T]: episodes begun since the sequence began; 0: that of the state still goes on. */
  readonly episode: Tensor;
  /** [B, W + T]: the same of what was remembered before, -1 where nothing was, and of the steps. */
  readonly of: Tensor;
}
function timeline(flags: Tensor, steps: number, starts: Tensor | undefined): Timeline {
  const { graph } = flags;
  const rows = flags.shape[0]!;
  // 1 where the step of the column is not before that of the row
  const upTo = Float32Array.from({ length: steps * steps }, (_, i) => Number(i % steps >= Math.floor(i / steps)));
  const episode =
    starts === undefined
      ? graph.constant(0, [rows, steps])
      : matmul(reshape(transpose(starts), [rows, steps]), graph.constant(upTo, [steps, steps]));
  return { episode, of: concat([sub(flags, 1), episode], 1) };
}

/** [..., T, A] -> [..., T, A + T - 1], line t moved t columns to the right, zeros around it: numbers by age become numbers by entry. */
function skew(x: Tensor): Tensor {
  const [T, A] = x.shape.slice(-2) as [number, number];
  const lead = x.shape.slice(0, -2);
  const padded = concat([x, x.graph.constant(0, [...lead, T, T])]); // lines of A + T: each begins one column later than the one before
  const flat = reshape(padded, [...lead, T * (A + T)]);
  return reshape(sliceAxis(flat, -1, 0, T * (A + T - 1)), [...lead, T, A + T - 1]);
}

/**
 * Flat attention over the last W steps and the present one (Vaswani et al. 2017; over past entries as in Transformer-XL):
 *   a^h = softmax_i((m_t Wq^h)(m_i + p_age(i)) / sqrt(D)) over what is filled,   r^h = sum_i a^h_i m_i,   h_t = tanh([e_t, r^1, r^2] Wh + bh)
 * p [W + 1, D] is learned, N(0, 0.02^2) at the start. State: h, W flags, W entries, the oldest first; what is not filled is 0.
 */
export function attentionCell(group: ParamGroup, name: string, rng: Rng, inputs: number, units: number, window: number): Cell {
  const { project, output } = reader(group, name, rng, inputs, units);
  const ages = table(group, `${name}.ages`, rng, window + 1, units, 0.02); // the present one last
  const sequence = (projected: Tensor, state: Tensor, starts?: Tensor): Unrolled => {
    const [T, B] = projected.shape as [number, number];
    const { graph } = state;
    const all = window + T;
    const [e, m, asked] = split(transpose(projected, [1, 0, 2]), [units, units, HEADS * units]) as [Tensor, Tensor, Tensor];
    const [_, flags, past] = split(state, [units, window, window * units], 1) as [Tensor, Tensor, Tensor];
    const entries = concat([reshape(past, [B, window, units]), m], 1); // [B, W + T, D]
    const { episode, of } = timeline(flags, T, starts);
    // 1 where entry i is of the window of step t
    const near = Float32Array.from({ length: T * all }, (__, k) =>
      Number(k % all >= Math.floor(k / all) && k % all <= Math.floor(k / all) + window),
    );
    const seen = mul(eq(reshape(of, [B, 1, all]), reshape(episode, [B, T, 1])), graph.constant(near, [T, all]));
    const questions = transpose(reshape(asked, [B, T, HEADS, units]), [0, 2, 1, 3]); // [B, H, T, D]
    const byEntry = reshape(scoresOf(reshape(questions, [B, HEADS * T, units]), entries), [B, HEADS, T, all]);
    const byAge = mul(matmul(questions, transpose(graph.read(ages))), 1 / Math.sqrt(units)); // [B, H, T, W + 1]
    const weights = softmax(where(reshape(seen, [B, 1, T, all]), add(byEntry, skew(byAge)), NEVER));
    const reads = transpose(reshape(matmul(reshape(weights, [B, HEADS * T, all]), entries), [B, HEADS, T, units]), [0, 2, 1, 3]);
    const outputs = transpose(output(e, reads), [1, 0, 2]);
    const filled = eq(sliceAxis(of, 1, T, window), sliceAxis(episode, 1, T - 1, 1));
    const kept = mul(sliceAxis(entries, 1, T, window), reshape(filled, [B, window, 1]));
    const last = reshape(sliceAxis(outputs, 0, T - 1, 1), [B, units]);
    return { outputs, state: concat([last, filled, reshape(kept, [B, window * units])], 1) };
  };
  return entriesCell(units, window, project, sequence);
}

/** 1 where fewer than k of the numbers beside it are larger: [..., N] -> [..., N]. */
function largest(x: Tensor, k: number): Tensor {
  const N = x.shape.at(-1) ?? 0;
  const lead = x.shape.slice(0, -1);
  const larger = sum(gt(reshape(x, [...lead, 1, N]), reshape(x, [...lead, N, 1])), -1);
  return le(larger, k - 1);
}

export interface ChunkSizes {
  readonly window: number;
  readonly chunk: number;
  readonly topK: number;
}

/**
 * Which chunk each entry is of, at every step: [B, T, N, W + T], 1 where entry i is of the chunk of age n, the newest last; and the place of
 * entries in their chunks, [B, W + T]. Chunks are counted from where the episode begins.
 */
function chunksOf(flags: Tensor, steps: number, starts: Tensor | undefined, { window, chunk }: ChunkSizes) {
  const { graph } = flags;
  const B = flags.shape[0]!;
  const many = window / chunk;
  const all = window + steps;
  const { episode, of } = timeline(flags, steps, starts);
  // Steps since the newest chunk of the state began, or since the episode did.
  const goingOn = add(sum(sliceAxis(flags, 1, window - chunk, chunk), 1, true), iota(graph, steps)); // [B, T]
  const from = Float32Array.from({ length: steps * steps }, (_, i) => (i % steps >= Math.floor(i / steps) ? Math.floor(i / steps) : 0));
  const since = (begins: Tensor): Tensor => {
    const last = amax(mul(reshape(transpose(begins), [B, steps, 1]), graph.constant(from, [steps, steps])), 1);
    return where(episode, sub(iota(graph, steps), last), goingOn);
  };
  const counted = starts === undefined ? goingOn : since(starts);
  const wholes = Math.floor((chunk + steps - 1) / chunk);
  const number = Array.from({ length: wholes }, (_, j) => ge(counted, (j + 1) * chunk)).reduce(add, mul(counted, 0)); // [B, T]
  const old = (value: (i: number) => number): Tensor =>
    broadcastTo(
      graph.constant(
        Float32Array.from({ length: window }, (_, i) => value(i)),
        [1, window],
      ),
      [B, window],
    );
  const numbers = concat([old((i) => Math.floor(i / chunk) - many + 1), number], 1); // [B, W + T]
  const places = concat([old((i) => i % chunk), sub(counted, mul(number, chunk))], 1);
  const notLater = Float32Array.from({ length: steps * all }, (_, k) => Number(k % all <= Math.floor(k / all) + window));
  const same = mul(eq(reshape(of, [B, 1, all]), reshape(episode, [B, steps, 1])), graph.constant(notLater, [steps, all]));
  const age = sub(reshape(number, [B, steps, 1]), reshape(numbers, [B, 1, all]));
  const ages = graph.constant(
    Float32Array.from({ length: many }, (_, n) => many - 1 - n),
    [many, 1],
  );
  return { members: mul(reshape(same, [B, steps, 1, all]), eq(reshape(age, [B, steps, 1, all]), ages)), places };
}

/**
 * Chunk attention, the reading rule of HCAM (Lampinen et al. 2021, "Towards mental time travel"). Entries stand in chunks of C steps, counted
 * from the episode's start; the newest fills up, the present step is in it, and when it is full the oldest is dropped for a new one.
 *   s_n = (m_t Wr)(mean of chunk n) / sqrt(D),   R = softmax over the k largest s_n of chunks with entries, 0 for the others
 *   a^h_n = softmax within chunk n of (m_t Wq^h)(m_i + p_place(i)) / sqrt(D),   r^h = sum_n R_n sum_{i in n} a^h_{n,i} m_i
 *   h_t = tanh([e_t, r^1, r^2] Wh + bh)
 * p [C, D] is learned, N(0, 0.02^2) at the start; chunks have no age, so that what is old is found as what is new. All chunks are computed, those
 * not chosen count 0: what is saved is attention, not time. Differs from the source: one layer and no local attention beside it, the present
 * chunk is one of those to choose from, and places are added to keys alone. State: h, W flags, W entries, the oldest chunk first; what is not filled is 0.
 */
export function chunkCell(group: ParamGroup, name: string, rng: Rng, inputs: number, units: number, sizes: ChunkSizes): Cell {
  const { window, chunk, topK } = sizes;
  const many = window / chunk;
  if (!Number.isInteger(many)) throw new Error(`chunks: a window of ${window} is not a whole number of chunks of ${chunk}`);
  const { project, output } = reader(group, name, rng, inputs, units, 1);
  const placed = table(group, `${name}.places`, rng, chunk, units, 0.02);
  const old = window - chunk;

  /** Flags [B, W] and entries [B, W D] with m [B, D] at the next place. */
  function write(flags: Tensor, past: Tensor, m: Tensor): { readonly flags: Tensor; readonly past: Tensor } {
    const B = m.shape[0]!;
    const { graph } = m;
    const full = sliceAxis(flags, 1, window - 1, 1); // [B, 1]
    const moved = where(full, concat([sliceAxis(flags, 1, chunk, old), graph.constant(0, [B, chunk])], 1), flags);
    const kept = where(full, concat([sliceAxis(past, 1, chunk * units, old * units), graph.constant(0, [B, chunk * units])], 1), past);
    const newest = sliceAxis(moved, 1, old, chunk);
    const before = concat([graph.constant(1, [B, 1]), sliceAxis(newest, 1, 0, chunk - 1)], 1);
    const here = sub(before, newest); // 1 at the first place that is not filled
    const written = mul(reshape(here, [B, chunk, 1]), reshape(m, [B, 1, units])); // places not filled hold 0
    const added = add(sliceAxis(kept, 1, old * units, chunk * units), reshape(written, [B, chunk * units]));
    return {
      flags: concat([sliceAxis(moved, 1, 0, old), add(newest, here)], 1),
      past: concat([sliceAxis(kept, 1, 0, old * units), added], 1),
    };
  }

  const sequence = (projected: Tensor, state: Tensor, starts?: Tensor): Unrolled => {
    const [T, B] = projected.shape as [number, number];
    const { graph } = state;
    const all = window + T;
    const root = 1 / Math.sqrt(units);
    const parts = split(transpose(projected, [1, 0, 2]), [units, units, HEADS * units, units]) as [Tensor, Tensor, Tensor, Tensor];
    const [e, m, asked, about] = parts;
    const [_, flags, past] = split(state, [units, window, window * units], 1) as [Tensor, Tensor, Tensor];
    const entries = concat([reshape(past, [B, window, units]), m], 1); // [B, W + T, D]
    const { members, places } = chunksOf(flags, T, starts, sizes);
    const ofChunk = transpose(members); // [B, T, W + T, N]

    const count = sum(members, 3); // [B, T, N]
    const relevance = div(reshape(matmul(reshape(scoresOf(about, entries), [B, T, 1, all]), ofChunk), [B, T, many]), maximum(count, 1));
    const offered = where(count, relevance, NEVER);
    const chosen = softmax(where(largest(offered, topK), offered, NEVER)); // R [B, T, N]

    const questions = reshape(asked, [B, T * HEADS, units]);
    const atPlace = eq(reshape(places, [B, 1, all]), reshape(iota(graph, chunk), [chunk, 1])); // [B, C, W + T]
    const byPlace = mul(matmul(matmul(questions, transpose(graph.read(placed))), atPlace), root);
    const scores = reshape(add(scoresOf(questions, entries), byPlace), [B, T, HEADS, all]);
    // softmax within each chunk: the largest score of its chunk is taken from each, and its sum divides it
    const apart = where(reshape(members, [B, T, 1, many, all]), reshape(stopGradient(scores), [B, T, HEADS, 1, all]), NEVER);
    const top = matmul(stopGradient(amax(apart, 4)), members); // [B, T, H, W + T]
    const weights = exp(where(sum(members, 2, true), sub(scores, top), NEVER));
    const share = div(reshape(chosen, [B, T, 1, many]), maximum(matmul(weights, ofChunk), 1)); // a chunk's sum is 1 or more
    const reads = matmul(reshape(mul(weights, matmul(share, members)), [B, T * HEADS, all]), entries);

    const outputs = transpose(output(e, reshape(reads, [B, T, HEADS, units])), [1, 0, 2]);
    let memory = { flags, past };
    for (let t = 0; t < T; t++) {
      const keep = starts && sub(1, reshape(sliceAxis(starts, 0, t, 1), [B, 1]));
      const { flags: f, past: p } = memory;
      memory = write(keep ? mul(f, keep) : f, keep ? mul(p, keep) : p, reshape(sliceAxis(m, 1, t, 1), [B, units]));
    }
    const last = reshape(sliceAxis(outputs, 0, T - 1, 1), [B, units]);
    return { outputs, state: concat([last, memory.flags, memory.past], 1) };
  };
  return entriesCell(units, window, project, sequence);
}
