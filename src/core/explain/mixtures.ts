/**
 * The explained number at mixtures of the explained observation with other moments, feature by feature: at all coalitions of features, or
 * along orders in which they join. Where the network can be cut, a mixture's first sums are those of the other moment and the differences
 * of the features that have joined, added up inside the program: along an order the sums of one coalition lead to the next.
 */
import type { Feature } from '#contract/explain.ts';
import type { CutNetwork, CutProgram } from '../algos/cut-network.ts';
import { add, broadcastTo, concat, gather, matmul, reshape, slice, sub } from '../engine/ops.ts';
import type { Graph, Tensor } from '../engine/types.ts';
import type { Sight } from './sight.ts';

export interface Mixtures {
  /** Every coalition, mixed with each of these moments: out [moments, 2^features], by bit mask. */
  every(moments: ArrayLike<number>, out: Float64Array): Promise<void>;
  /**
   * Along orders [moments, features], each mixed with its moment: out [moments, 2, features + 1], first with the features that have
   * joined after 0, 1, ... of them, then with all others.
   */
  along(moments: ArrayLike<number>, orders: Int32Array, out: Float64Array): Promise<void>;
}

interface Moments {
  readonly features: readonly Feature[];
  /** The explained observation and the others, [O] each. */
  readonly obs: Float32Array;
  readonly background: readonly Float32Array[];
}

export async function mixtures(sight: Sight, moments: Moments): Promise<Mixtures> {
  return sight.cut === null ? asked(sight, moments) : await Inside.open(sight, sight.cut, moments);
}

/** Copies the numbers of a feature from an observation into row `row` of a table of them. */
export function put({ columns }: Feature, obs: Float32Array, table: Float32Array, row: number): void {
  const at = row * obs.length;
  for (let c = 0; c < columns.length; c++) table[at + columns[c]!] = obs[columns[c]!]!;
}

function asked(sight: Sight, { features, obs, background }: Moments): Mixtures {
  const n = features.length;
  const size = obs.length;
  return {
    async every(moments, out) {
      const count = 2 ** n;
      const table = new Float32Array(moments.length * count * size);
      for (let row = 0; row < moments.length * count; row++) {
        table.set(background[moments[Math.floor(row / count)]!]!, row * size);
        for (let i = 0; i < n; i++) if (((row % count) >> i) & 1) put(features[i]!, obs, table, row);
      }
      out.set(await sight.outputs(table, moments.length * count));
    },
    async along(moments, orders, out) {
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

/** 1 where column < row + `own`. */
function lower(g: Graph, size: number, own: 0 | 1): Tensor {
  return g.constant(
    Float32Array.from({ length: size * size }, (_, i) => Number(i % size < Math.floor(i / size) + own)),
    [size, size],
  );
}

/** Sums after 1, 2, ... n - 1 features of `order` [n - 1, filled up with n] have joined, then without them: [2 (n - 1), W]. */
function sumsAlong(g: Graph, n: number, width: number): Tensor {
  const size = n - 1 <= MOST ? n - 1 : BLOCK;
  const blocks = Math.ceil((n - 1) / size);
  const change = gather(g.input('change', [n + 1, width]), g.input('order', [blocks * size])); // row n: 0
  const within = matmul(broadcastTo(lower(g, size, 1), [blocks, size, size]), reshape(change, [blocks, size, width]));
  const totals = reshape(slice(within, [0, size - 1, 0], [blocks, 1, width]), [blocks, width]);
  const before = add(matmul(lower(g, blocks, 0), totals), g.input('none', [width]));
  const sums = reshape(add(within, reshape(before, [blocks, 1, width])), [blocks * size, width]);
  const joined = slice(sums, [0, 0], [n - 1, width]);
  return concat([joined, sub(g.input('both', [width]), joined)], 0);
}

function sumsOfAll(g: Graph, n: number, width: number): Tensor {
  const members = g.constant(
    Float32Array.from({ length: n * 2 ** n }, (_, i) => (Math.floor(i / n) >> (i % n)) & 1),
    [2 ** n, n],
  );
  return add(matmul(members, slice(g.input('change', [n + 1, width]), [0, 0], [n, width])), g.input('none', [width]));
}

/** Another moment as the network sees it. */
interface Other {
  readonly none: Float32Array; // [W] first sums
  readonly change: Float32Array; // [features + 1, W] what each feature changes in them when it comes from the explained observation; 0
  readonly value: number;
}

class Inside implements Mixtures {
  private readonly sight: Sight;
  private readonly cut: CutNetwork;
  private readonly moments: Moments;
  private readonly table: Float32Array; // [features + 1, O]
  private own: Float32Array = new Float32Array(0); // [features + 1, W]
  private value = 0;
  private readonly others = new Map<number, Other>();
  private readonly one = new Float64Array(1);
  /** Whose numbers a program holds, so that they are not written again. */
  private held = -1;

  private constructor(sight: Sight, cut: CutNetwork, moments: Moments) {
    this.sight = sight;
    this.cut = cut;
    this.moments = moments;
    this.table = new Float32Array((moments.features.length + 1) * moments.obs.length);
  }

  static async open(sight: Sight, cut: CutNetwork, moments: Moments): Promise<Inside> {
    const inside = new Inside(sight, cut, moments);
    inside.own = await inside.apart(moments.obs);
    inside.value = await inside.valueAt(inside.own);
    return inside;
  }

  /** First sums of each feature alone, all else 0 (small numbers lose little by rounding), then of the whole observation. */
  private async apart(obs: Float32Array): Promise<Float32Array<ArrayBuffer>> {
    const { features } = this.moments;
    const n = features.length;
    for (let i = 0; i < n; i++) put(features[i]!, obs, this.table, i);
    this.table.set(obs, n * obs.length);
    return (await this.cut.sums(this.table, n + 1)).slice(0, (n + 1) * this.cut.sumsWidth);
  }

  private async valueAt(apart: Float32Array): Promise<number> {
    const whole = apart.subarray(apart.length - this.cut.sumsWidth);
    this.sight.numbers(await this.cut.outputs(whole, 1, this.sight.options.mask), 1, this.one, 0);
    return this.one[0]!;
  }

  private async otherAt(moment: number): Promise<Other> {
    const found = this.others.get(moment);
    if (found !== undefined) return found;
    const theirs = await this.apart(this.moments.background[moment]!);
    const { own } = this;
    const change = new Float32Array(theirs.length);
    const last = theirs.length - this.cut.sumsWidth;
    for (let k = 0; k < last; k++) change[k] = own[k]! - theirs[k]!;
    const other = { none: theirs.slice(last), change, value: await this.valueAt(theirs) };
    this.others.set(moment, other);
    return other;
  }

  /** Writes what a program mixes with. */
  private async hold(program: CutProgram, moment: number): Promise<Other> {
    const other = await this.otherAt(moment);
    if (this.held === moment) return other;
    this.held = moment;
    const { none, change, both } = program.in;
    const { own } = this;
    change!.set(other.change);
    none!.set(other.none);
    const at = own.length - none!.length;
    if (both !== undefined) for (let k = 0; k < both.length; k++) both[k] = none![k]! + own[at + k]!;
    return other;
  }

  async every(moments: ArrayLike<number>, out: Float64Array): Promise<void> {
    const n = this.moments.features.length;
    const rows = 2 ** n;
    const program = this.cut.behind(`every ${n}`, rows, (g) => sumsOfAll(g, n, this.cut.sumsWidth));
    for (let m = 0; m < moments.length; m++) {
      await this.hold(program, moments[m]!);
      this.sight.numbers(await program.run(this.sight.options.mask), rows, out, m * rows);
    }
    this.held = -1;
  }

  async along(moments: ArrayLike<number>, orders: Int32Array, out: Float64Array): Promise<void> {
    const n = this.moments.features.length;
    const rows = 2 * (n - 1);
    const program = this.cut.behind(`along ${n}`, rows, (g) => sumsAlong(g, n, this.cut.sumsWidth));
    const values = new Float64Array(rows);
    for (let m = 0; m < moments.length; m++) {
      const { value } = await this.hold(program, moments[m]!);
      const order = program.in.order!;
      for (let k = 0; k < order.length; k++) order[k] = k < n - 1 ? orders[m * n + k]! : n;
      this.sight.numbers(await program.run(this.sight.options.mask), rows, values, 0);
      const at = m * 2 * (n + 1);
      out[at] = out[at + 2 * n + 1] = value;
      out[at + n] = out[at + n + 1] = this.value;
      for (let k = 1; k < n; k++) {
        out[at + k] = values[k - 1]!;
        out[at + n + 1 + k] = values[n + k - 2]!;
      }
    }
    this.held = -1;
  }
}
