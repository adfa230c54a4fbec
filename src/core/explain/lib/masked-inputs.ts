/**
 * The explained number at mixtures of the explained observation with other moments, feature by feature: at all coalitions of features, or
 * along orders in which they join. Where the network can be cut, a mixture's first sums are those of the other moment and the differences
 * of the features that have joined, added up inside the program: along an order the sums of one coalition lead to the next.
 */

import type { Feature } from '#contract/explain/explain.ts';
import { present } from '#contract/kit/errors.ts';
import type { SplitNetwork, SplitProgram } from '#core/nets/split-network.ts';
import { add, broadcastTo, concat, gather, matmul, reshape, slice, sub } from '../../engine/ops.ts';
import type { Graph, Tensor } from '../../engine/types.ts';
import type { ModelQuery } from './model-query.ts';

export interface MaskedInputs {
  /** Every coalition, mixed with each of these moments: out [moments, 2^features], by bit mask. */
  allCoalitions(moments: ArrayLike<number>, out: Float64Array): Promise<void>;
  /**
   * Along orders [moments, features], each mixed with its moment: out [moments, 2, features + 1], first with the features that have
   * joined after 0, 1, ... of them, then with all others.
   */
  alongOrders(moments: ArrayLike<number>, orders: Int32Array, out: Float64Array): Promise<void>;
}

interface Moments {
  readonly features: readonly Feature[];
  /** The explained observation and the others, [O] each. */
  readonly obs: Float32Array;
  readonly background: readonly Float32Array[];
}

export async function maskedInputs(sight: ModelQuery, moments: Moments): Promise<MaskedInputs> {
  return sight.split === null ? throughPolicy(sight, moments) : throughNetwork(sight, sight.split, moments);
}

/** Copies the numbers of a feature from an observation into row `row` of a table of them. */
export function put({ columns }: Feature, obs: Float32Array, table: Float32Array, row: number): void {
  const at = row * obs.length;
  for (let c = 0; c < columns.length; c++) table[at + columns[c]!] = obs[columns[c]!]!;
}

function throughPolicy(sight: ModelQuery, { features, obs, background }: Moments): MaskedInputs {
  const n = features.length;
  const size = obs.length;
  return {
    async allCoalitions(moments, out) {
      const count = 2 ** n;
      const table = new Float32Array(moments.length * count * size);
      for (let row = 0; row < moments.length * count; row++) {
        table.set(background[moments[Math.floor(row / count)]!]!, row * size);
        for (let i = 0; i < n; i++) if (((row % count) >> i) & 1) put(features[i]!, obs, table, row);
      }
      out.set(await sight.outputs(table, moments.length * count));
    },
    async alongOrders(moments, orders, out) {
      const table = new Float32Array(moments.length * 2 * (n + 1) * size);
      for (let m = 0; m < moments.length; m++) {
        const other = background[moments[m]!]!;
        const from = m * 2 * (n + 1);
        table.set(other, from * size);
        table.set(obs, (from + n + 1) * size);
        for (let k = 0; k < n; k++) {
          const joins = features[orders[m * n + k]!]!;
          for (const [row, whose] of [[from + k, obs] as const, [from + n + 1 + k, other] as const]) {
            table.copyWithin((row + 1) * size, row * size, (row + 1) * size);
            put(joins, whose, table, row + 1);
          }
        }
      }
      out.set(await sight.outputs(table, moments.length * 2 * (n + 1)));
    },
  };
}

/** Sums along an order are added up in one block of at most so many features, else in blocks of so many. */
const MOST = 32;
const BLOCK = 16;

function blocksOf(n: number): { readonly size: number; readonly blocks: number } {
  const size = n - 1 <= MOST ? n - 1 : BLOCK;
  return { size, blocks: Math.ceil((n - 1) / size) };
}

/** 1 where column < row + `own`. */
function lower(g: Graph, size: number, own: 0 | 1): Tensor {
  return g.constant(
    Float32Array.from({ length: size * size }, (_, i) => Number(i % size < Math.floor(i / size) + own)),
    [size, size],
  );
}

/**
 * Sums of `many` moments, each along its order, after 1, 2, ... features - 1 have joined, then without them: [many * 2 (features - 1), W].
 * From first sums of the explained observation, `own` [features + 1, W], and of the others, `theirs` [many, features + 1, W]: of each
 * feature alone, then of the whole. `order` [many, blocks * size]: rows of `theirs`, of all moments, in the order in which they are replaced.
 */
function sumsAlong(g: Graph, n: number, width: number, many: number): Tensor {
  const { size, blocks } = blocksOf(n);
  const own = reshape(g.input('own', [n + 1, width]), [1, n + 1, width]);
  const theirs = g.input('theirs', [many, n + 1, width]);
  const [all, none] = [slice(own, [0, n, 0], [1, 1, width]), slice(theirs, [0, n, 0], [many, 1, width])];
  const change = reshape(sub(own, theirs), [many * (n + 1), width]);
  const joins = reshape(gather(change, g.input('order', [many * blocks * size])), [many * blocks, size, width]);
  const within = matmul(broadcastTo(lower(g, size, 1), [many * blocks, size, size]), joins);
  const totals = reshape(slice(within, [0, size - 1, 0], [many * blocks, 1, width]), [many, blocks, width]);
  const before = blocks === 1 ? none : add(matmul(broadcastTo(lower(g, blocks, 0), [many, blocks, blocks]), totals), none);
  const sums = add(reshape(within, [many, blocks, size, width]), reshape(before, [many, blocks, 1, width]));
  const joined = slice(reshape(sums, [many, blocks * size, width]), [0, 0, 0], [many, n - 1, width]);
  return reshape(concat([joined, sub(add(none, all), joined)], 1), [many * 2 * (n - 1), width]);
}

/** Every coalition of the features of one moment, from the same sums as above. */
function sumsOfAll(g: Graph, n: number, width: number): Tensor {
  const [own, theirs] = [g.input('own', [n + 1, width]), g.input('theirs', [n + 1, width])];
  const members = g.constant(
    Float32Array.from({ length: n * 2 ** n }, (_, i) => (Math.floor(i / n) >> (i % n)) & 1),
    [2 ** n, n],
  );
  return add(matmul(members, slice(sub(own, theirs), [0, 0], [n, width])), slice(theirs, [n, 0], [1, width]));
}

/** An input that the sums above are computed from. */
function inputOf(program: SplitProgram, name: 'own' | 'theirs' | 'order'): Float32Array {
  return present(program.in[name], `input "${name}" of the mixed sums`);
}

/** A moment as the network sees it. */
interface Encoded {
  /** First sums of each feature alone, all else 0 (small numbers lose little by rounding), then of the whole observation. */
  readonly sums: Float32Array; // [features + 1, W]
  readonly value: number;
}

async function throughNetwork(sight: ModelQuery, cut: SplitNetwork, { features, obs, background }: Moments): Promise<MaskedInputs> {
  const n = features.length;
  const width = cut.preActivationWidth;
  const { mask } = sight.options;
  const table = new Float32Array((n + 1) * obs.length);
  const one = new Float64Array(1);
  const felt = new Map<number, Encoded>();

  async function encode(seen: Float32Array): Promise<Encoded> {
    for (let i = 0; i < n; i++) put(features[i]!, seen, table, i);
    table.set(seen, n * obs.length);
    const sums = (await cut.preActivations(table, n + 1)).slice(0, (n + 1) * width);
    sight.numbers(await cut.outputs(sums.subarray(n * width), 1, mask), 1, one, 0);
    return { sums, value: one[0]! };
  }
  async function other(moment: number): Promise<Encoded> {
    let found = felt.get(moment);
    if (found === undefined) felt.set(moment, (found = await encode(background[moment]!)));
    return found;
  }
  const own = await encode(obs);

  return {
    async allCoalitions(moments, out) {
      const rows = 2 ** n;
      const program = cut.behind(`every ${n}`, rows, (g) => sumsOfAll(g, n, width));
      const theirs = inputOf(program, 'theirs');
      inputOf(program, 'own').set(own.sums);
      for (let m = 0; m < moments.length; m++) {
        theirs.set((await other(moments[m]!)).sums);
        sight.numbers(await program.run(mask), rows, out, m * rows);
      }
    },
    async alongOrders(moments, orders, out) {
      const many = moments.length;
      const { size, blocks } = blocksOf(n);
      const program = cut.behind(`along ${n}, ${many}`, many * 2 * (n - 1), (g) => sumsAlong(g, n, width, many));
      const [theirs, order] = [inputOf(program, 'theirs'), inputOf(program, 'order')];
      inputOf(program, 'own').set(own.sums);
      for (let m = 0; m < many; m++) {
        const { sums, value } = await other(moments[m]!);
        theirs.set(sums, m * sums.length);
        for (let k = 0; k < n - 1; k++) order[m * blocks * size + k] = m * (n + 1) + orders[m * n + k]!;
        const at = m * 2 * (n + 1);
        out[at] = out[at + 2 * n + 1] = value;
        out[at + n] = out[at + n + 1] = own.value;
      }
      const values = new Float64Array(many * 2 * (n - 1));
      sight.numbers(await program.run(mask), values.length, values, 0);
      for (let half = 0, from = 0; half < 2 * many; half++) for (let k = 1; k < n; k++) out[half * (n + 1) + k] = values[from++]!;
    },
  };
}
