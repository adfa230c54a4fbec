/**
 * One-hot codes that are only ever multiplied: instead of the matrix of zeros and ones, which is never written, a list of the columns
 * that are one goes to the kernels of assembly/codes.ts. The lists serve every product with that matrix: both networks forward by rows,
 * both weight gradients by columns. Lists that begin alike are added up once as far as they are alike (assembly/prefixes.ts).
 */
import type { Trace } from '../trace.ts';
import type { Tensor } from '../types.ts';
import type { CodeList, CodeLists, Context } from './step.ts';
import { addressOf, type Buffer, newBuffer, type View } from './view.ts';

/** What a matrix [rows, columns + tail] of one-hot codes is made of. */
export interface CodeMatrix {
  /** [rows, cells, channels] */
  readonly codes: Tensor;
  /** Codes of each channel. */
  readonly sizes: readonly number[];
  /** [rows, tail]: ordinary numbers behind. */
  readonly tail: Tensor | undefined;
}

/** Columns are listed as 16-bit numbers. */
const MOST_COLUMNS = 65536;
/** Rows of a block of a list by columns: equal to BLOCK of assembly/codes.ts. */
const BLOCK = 256;

/** eq(codes of one channel [rows, cells, 1], 0 .. n - 1): the tensor that holds all channels, and which one it is. */
function channelOf(t: Tensor): { readonly codes: Tensor; readonly channel: number; readonly size: number } | undefined {
  if (t.op !== 'eq' || t.shape.length !== 3) return undefined;
  const [left, right] = t.inputs as [Tensor, Tensor];
  const size = t.shape[2]!;
  const numbers = right.op === 'broadcast' ? right.inputs[0]! : right;
  if (numbers.op !== 'const' || numbers.attrs.data.length !== size || numbers.attrs.data.some((x, i) => x !== i)) return undefined;
  const one = left.op === 'broadcast' ? left.inputs[0]! : left;
  if (one.shape.length !== 3 || one.shape[2] !== 1) return undefined;
  if (one.op !== 'slice') return { codes: one, channel: 0, size };
  const codes = one.inputs[0]!;
  const { begin } = one.attrs;
  if (codes.shape.length !== 3 || begin[0] !== 0 || begin[1] !== 0) return undefined;
  return codes.shape[0] === one.shape[0] && codes.shape[1] === one.shape[1] ? { codes, channel: begin[2]!, size } : undefined;
}

interface Found {
  readonly matrix: CodeMatrix;
  /** Nodes that need not be computed if all uses of the matrix are products. */
  readonly way: readonly Tensor[];
}

/** [rows, cells * (sum of sizes)], channel by channel within a cell. */
function imageOf(t: Tensor): Found | undefined {
  if (t.op !== 'reshape' || t.shape.length !== 2) return undefined;
  const hot = t.inputs[0]!;
  const parts = hot.op === 'concat' && hot.attrs.axis === 2 ? hot.inputs : [hot];
  const channels = parts.map(channelOf);
  const codes = channels[0]?.codes;
  if (codes === undefined || codes.shape[2] !== parts.length || t.shape[0] !== codes.shape[0]) return undefined;
  if (channels.some((c, i) => c === undefined || c.codes !== codes || c.channel !== i) || t.shape[1]! > MOST_COLUMNS) return undefined;
  const sizes = parts.map((p) => p.shape[2]!);
  return { matrix: { codes, sizes, tail: undefined }, way: [t, hot, ...parts] };
}

function matrixOf(t: Tensor): Found | undefined {
  if (t.op !== 'concat' || t.attrs.axis !== 1 || t.inputs.length !== 2) return imageOf(t);
  const [first, tail] = t.inputs as [Tensor, Tensor];
  const image = imageOf(first);
  return image && { matrix: { ...image.matrix, tail }, way: [t, ...image.way] };
}

/**
 * The matrices of one-hot codes whose every use is the left operand of a product, as it is or transposed; and all that need not be computed
 * for it. `uses` counts every use of a node; `sloped`: products that are multiplied by the slope of an activation, for which there is no kernel.
 */
export function findCodes(
  trace: Trace,
  uses: ReadonlyMap<Tensor, number>,
  sloped: ReadonlySet<Tensor>,
): {
  readonly matrices: ReadonlyMap<Tensor, CodeMatrix>;
  readonly skipped: ReadonlySet<Tensor>;
} {
  const matrices = new Map<Tensor, CodeMatrix>();
  const skipped = new Set<Tensor>();
  const users = new Map<Tensor, Tensor[]>();
  for (const t of trace.nodes) for (const x of t.inputs) users.set(x, [...(users.get(x) ?? []), t]);
  const usersOf = (t: Tensor): readonly Tensor[] => users.get(t) ?? [];
  const left = (t: Tensor, user: Tensor): boolean =>
    user.op === 'matmul' && !sloped.has(user) && user.inputs[0] === t && user.inputs[1] !== t;
  for (const t of trace.nodes) {
    if (skipped.has(t)) continue;
    const found = matrixOf(t);
    if (found === undefined || usersOf(t).length !== uses.get(t)) continue;
    const turned = usersOf(t).filter((user) => user.op === 'transpose');
    const products = [...usersOf(t).filter((user) => user.op !== 'transpose'), ...turned.flatMap(usersOf)];
    const plain =
      products.every((user) => left(t, user) || turned.some((x) => left(x, user))) &&
      turned.every((x) => usersOf(x).length === uses.get(x)) &&
      found.way.slice(1).every((x) => uses.get(x) === 1);
    if (!plain) continue;
    matrices.set(t, found.matrix);
    for (const x of [...found.way.slice(1), ...turned]) skipped.add(x);
  }
  return { matrices, skipped };
}

const words = (buffer: Buffer): View => ({ buffer, offset: 0, shape: [buffer.size], strides: [1] });

/** Emits the order in which to add up lists: bounds, one more than there are lists, then the entries. */
function ordered(ctx: Context, list: Buffer, lists: number): View {
  const order = newBuffer(13 * lists + 6);
  ctx.emit({
    reads: [words(list)],
    write: order,
    bind({ kernels: { codeOrder } }) {
      const entries = list.address + 4 * (lists + 1);
      return () => codeOrder(order.address, list.address, entries, lists);
    },
  });
  return words(order);
}

/** Emits the list by rows. */
export function lowerCodes(ctx: Context, { codes, sizes, tail }: CodeMatrix): CodeLists {
  const [rows, cells, channels] = codes.shape as [number, number, number];
  const size = sizes.reduce((a, b) => a + b, 0);
  const columns = cells * size;
  const ones = cells * channels;
  const entries = rows * ones;
  const given = ctx.view(codes);
  const packed = (given.strides[2] === 1 || channels === 1) && (given.strides[1] === channels || cells === 1);
  const source = packed ? given : ctx.contiguous(given);
  const stride = 4 * source.strides[0]!;
  const perCode = Array.from({ length: ones }, (_, i) => sizes[i % channels]!);
  let column = 0;
  const firsts = perCode.map((n) => (column += n) - n);
  const table = ctx.table([...perCode, ...firsts]);
  const byRow = newBuffer(rows + 1 + (entries >> 1) + 4);
  ctx.emit({
    reads: [source],
    write: byRow,
    bind({ kernels: { codeRows } }) {
      const from = addressOf(source);
      return () => codeRows(byRow.address, from, stride, rows, ones, table);
    },
  });
  const order = ordered(ctx, byRow, rows);
  let lists: CodeList | undefined;
  const byColumn = (): CodeList => {
    if (lists !== undefined) return lists;
    const blocks = Math.ceil(rows / BLOCK);
    const buffer = newBuffer(blocks * (columns + 1) + (entries >> 1) + 4);
    ctx.emit({
      reads: [words(byRow)],
      write: buffer,
      bind: ({ kernels: { codeColumns } }) => {
        return () => codeColumns(buffer.address, byRow.address, rows, columns);
      },
    });
    return (lists = { list: words(buffer), order: blocks === 1 ? ordered(ctx, buffer, columns) : null });
  };
  const behind = tail && ctx.view(tail);
  const tailView = behind === undefined ? null : behind.strides[1] === 1 || behind.shape[1] === 1 ? behind : ctx.contiguous(behind);
  return { rows, columns, tail: tailView?.shape[1] ?? 0, tailView, byRow: { list: words(byRow), order }, byColumn, ones };
}
