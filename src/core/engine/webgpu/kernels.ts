/**
 * What is computed together: every sum (matmul, sum, amax, scatterAdd, col2im) is a kernel, with the elementwise work that follows it
 * as long as nothing else reads what is in between; so are the results of a program, operands of products that are not mere views, and
 * elementwise work that is dear and read twice. All else is computed where it is read (emit.ts).
 */
import { isBinary, isUnary, sameShape, sizeOf } from '../shapes.ts';
import type { Op, Tensor, TensorOf } from '../types.ts';
import type { Place } from './emit.ts';
import { known, matrixOf } from './known.ts';
import { type Cuts, cutsOf, keptBy } from './rows.ts';

/** A node whose elements are sums or maxima over many. */
export type Sum = TensorOf<'matmul' | 'sum' | 'amax' | 'scatterAdd' | 'col2im'>;

export interface Kernel {
  /** What is stored. */
  readonly root: Tensor;
  /** Formed first, in the root's order of elements; more than one if they have the same form. */
  readonly sums: readonly Sum[];
  readonly places: readonly Place[];
  /** Nodes in memory that are read, with the numbers of rows for which only equal rows are. */
  readonly reads: ReadonlyMap<Tensor, Cuts>;
  /** Numbers of rows that the kernel can be cut into. */
  readonly cuts: Cuts;
  /** Multiplications and the like, roughly. */
  readonly work: number;
}

const SUMS: ReadonlySet<Op> = new Set<Op>(['matmul', 'sum', 'amax', 'scatterAdd', 'col2im']);
const isSum = (t: Tensor): t is Sum => SUMS.has(t.op);
export const isLeaf = (t: Tensor): t is TensorOf<'const' | 'input' | 'param'> => t.op === 'const' || t.op === 'input' || t.op === 'param';
export const elementwise = (t: Tensor): boolean => isUnary(t.op) || isBinary(t.op) || t.op === 'where' || t.op === 'stopGradient';
const VIEWS: ReadonlySet<Op> = new Set<Op>([
  'broadcast',
  'reshape',
  'transpose',
  'slice',
  'stopGradient',
  'im2col',
  'pad',
  'gather',
  'concat',
]);
const DEAR: ReadonlySet<Op> = new Set<Op>(['exp', 'log', 'tanh', 'sigmoid', 'elu', 'softplus', 'gelu', 'sin', 'cos', 'div', 'sqrt']);

/** Nodes that follow one sum in its kernel, and sums that share a kernel. */
const LONGEST_TAIL = 24;
const MOST_SUMS = 24;
/** An expression of more than this is stored even if it is read once. */
const LONGEST_EXPRESSION = 48;
/** Work that is rather repeated than stored: for an operand of a product, and for what is read twice or repeated. */
const CHEAP_IN_PRODUCT = 2;
const CHEAP = 6;
/** A concat of more parts stores them. */
const MOST_PARTS = 6;

/** How many elements one element of a sum takes in. */
export function lengthOf(sum: Sum): number {
  switch (sum.op) {
    case 'matmul':
      return matrixOf(sum.inputs[0]!.shape)[1];
    case 'scatterAdd':
      return sum.inputs[0]!.shape[0]!;
    case 'col2im':
      return sum.attrs.kh * sum.attrs.kw;
    default:
      return sizeOf(sum.inputs[0]!.shape) / sizeOf(sum.shape);
  }
}

const alike = (a: Sum, b: Sum): boolean =>
  a.op === b.op && sameShape(a.shape, b.shape) && (a.op !== 'matmul' || (lengthOf(a) <= 4 * lengthOf(b) && lengthOf(b) <= 4 * lengthOf(a)));

/** Kernels in an order in which each comes after those it reads. `sinks`: nodes that must be stored, and where (in leaves' case: copied to). */
export function kernelsOf(nodes: readonly Tensor[], sinks: ReadonlyMap<Tensor, readonly Place[]>): readonly Kernel[] {
  const readers = new Map<Tensor, Tensor[]>();
  for (const t of nodes) for (const input of new Set(t.inputs)) readers.set(input, [...(readers.get(input) ?? []), t]);

  // Later sums first: what follows two sums belongs to the one that is ready last.
  const rootOf = new Map<Tensor, Tensor>();
  const sumsOf = new Map<Tensor, Sum[]>();
  for (const sum of nodes.toReversed()) {
    if (!isSum(sum)) continue;
    const path: Tensor[] = [];
    let at: Tensor = sum;
    let root: Tensor | undefined;
    while (path.length < LONGEST_TAIL && !sinks.has(at)) {
      const next: readonly Tensor[] = readers.get(at) ?? [];
      const reader: Tensor | undefined = next[0];
      if (next.length !== 1 || reader === undefined || !(elementwise(reader) || reader.op === 'reshape')) break;
      const theirs = rootOf.get(reader);
      if (theirs !== undefined) {
        const others = known(sumsOf, theirs);
        if (others.length < MOST_SUMS && alike(others[0]!, sum)) root = theirs;
        break;
      }
      path.push(reader);
      at = reader;
    }
    root ??= at;
    for (const t of [sum, ...path]) rootOf.set(t, root);
    sumsOf.set(root, [...(sumsOf.get(root) ?? []), sum]);
  }

  const stored = new Set<Tensor>([...sumsOf.keys(), ...[...sinks.keys()].filter((t) => !isLeaf(t))]);
  // What a product reads, but for views of it.
  const factors = new Set<Tensor>();
  for (const t of nodes) {
    if (t.op !== 'matmul') continue;
    for (const input of t.inputs) {
      let base = input;
      while (VIEWS.has(base.op) && base.op !== 'concat') base = base.inputs[0]!;
      factors.add(base);
    }
  }
  const crowded = new Set(nodes.flatMap((t) => (t.op === 'concat' && t.inputs.length > MOST_PARTS ? t.inputs : [])));
  // What a gather looks rows up in: each number of a row would work it out again.
  const indices = new Set<Tensor>();
  for (const t of nodes) {
    let base = t.op === 'gather' ? t.inputs[1] : undefined;
    while (base?.op === 'reshape' || base?.op === 'stopGradient') base = base.inputs[0];
    if (base !== undefined && !isLeaf(base)) indices.add(base);
  }
  const costs = new Map<Tensor, { readonly work: number; readonly length: number }>();
  for (const t of nodes) {
    if (isLeaf(t) || (isSum(t) && rootOf.get(t) === t)) {
      costs.set(t, { work: 0, length: 1 });
      continue;
    }
    let work = isSum(t) || VIEWS.has(t.op) ? 0 : DEAR.has(t.op) ? 4 : 1;
    let length = 1;
    for (const input of isSum(t) ? [] : t.inputs) {
      const cost = known(costs, input);
      work += cost.work;
      length += cost.length;
    }
    const inside = rootOf.has(t) && rootOf.get(t) !== t;
    if (indices.has(t) && !inside) stored.add(t);
    if (!inside && !stored.has(t)) {
      const next = readers.get(t) ?? [];
      const repeated = next.length > 1 || next.some((r) => r.op === 'broadcast' || r.op === 'im2col' || r.op === 'gather');
      const dear = (factors.has(t) && work > CHEAP_IN_PRODUCT) || (repeated && work > CHEAP) || (crowded.has(t) && work > 0);
      if (dear || length > LONGEST_EXPRESSION || (t.op === 'concat' && t.inputs.length > MOST_PARTS)) stored.add(t);
    }
    costs.set(t, stored.has(t) ? { work: 0, length: 1 } : { work, length });
  }

  const kernels: Kernel[] = [];
  const inMemory = (t: Tensor): boolean => isLeaf(t) || stored.has(t);
  for (const t of nodes) {
    const places = sinks.get(t) ?? [];
    if (isLeaf(t) ? places.length > 0 : stored.has(t)) kernels.push(kernelOf(t, sumsOf.get(t) ?? [], places, inMemory));
  }
  return kernels;
}

function kernelOf(root: Tensor, sums: readonly Sum[], places: readonly Place[], inMemory: (t: Tensor) => boolean): Kernel {
  const reads = new Map<Tensor, Cuts>();
  const size = sizeOf(root.shape);
  const all = new Set([...cutsOf(root.shape), ...sums.flatMap((s) => [...cutsOf(s.shape)])]);
  for (const s of sums) {
    // A product is cut between its rows.
    if (s.op === 'matmul') for (const M of all) if ((sizeOf(s.shape) / matrixOf(s.shape)[1]) % M !== 0) all.delete(M);
  }
  let work = 0;
  const seen = new Map<Tensor, Cuts>();
  const walk = (t: Tensor, cuts: Cuts, times: number): void => {
    if (t !== root && inMemory(t)) {
      const before = reads.get(t);
      reads.set(t, before === undefined ? cuts : new Set([...before].filter((M) => cuts.has(M))));
      return;
    }
    const before = seen.get(t);
    if (before !== undefined && [...before].every((M) => cuts.has(M))) return;
    seen.set(t, before === undefined ? cuts : new Set([...before].filter((M) => cuts.has(M))));
    const length = isSum(t) ? lengthOf(t) : 1;
    if (before === undefined) work += times * (t.op === 'matmul' ? 2 * length : isSum(t) ? length : DEAR.has(t.op) ? 8 : 1);
    t.inputs.forEach((input, k) => {
      walk(input, new Set([1, ...keptBy(t, k, cuts)]), isSum(t) ? times * length : times);
    });
  };
  if (isLeaf(root)) reads.set(root, all);
  else walk(root, all, size);
  return { root, sums, places, reads, cuts: all, work };
}
