/**
 * WGSL of jobs whose threads never wait for each other, for a processor that plays the graphics card: there a barrier switches stacks for
 * every four threads, which costs more than all arithmetic between two of them. A job of several kernels gives each thread rows of its
 * own, of which it computes kernel after kernel; a kernel alone gives it an element, or a block of a product. Blocks of up to 4 x 4 spare
 * loads, each of which is a checked one there. The order of additions is by rising index, so results repeat.
 */
import { sizeOf } from '../shapes.ts';
import type { TensorOf } from '../types.ts';
import { type Emitter, type Index, plus, times } from './emit.ts';
import { finish, type Placed, sumAlong, THREADS } from './jobs.ts';
import { type Kernel, lengthOf } from './kernels.ts';
import { matrixOf } from './known.ts';
import type { Job } from './schedule.ts';
import { factorsAt } from './sums.ts';

/** Workgroups that share a job where it has enough to do: more than the cores of a processor, few enough to start quickly. */
const GROUPS = 16;
/** Threads that a processor computes at once. */
const LANES = 4;
/** Rows of a job are shared out one by one up to here; of more, a thread owns several, which spares loads of the other factor. */
const MOST_APART = 32;
/** Sums that a thread forms at the same time. */
const MOST_AT_ONCE = 16;

/** Writes the body of `fn job(wg: u32, t: u32)`; returns how many workgroups it wants. */
export function emitApart(p: Placed, job: Job): number {
  const [first] = job.kernels;
  if (first === undefined) return 0;
  if (job.kernels.length === 1) return alone(p, first);
  const { e } = p;
  const own = divisor(job.rows, (n) => job.rows / n >= MOST_APART);
  return spread(e, job.rows / own, (k) => {
    const row = e.let(times(k, own));
    for (const kernel of job.kernels) {
      const perRow = sizeOf(kernel.root.shape) / job.rows;
      e.block('', () => {
        const from = e.let(times(row, perRow));
        if (isProduct(kernel) && (own * perRow) % matrixOf(kernel.sums[0].shape)[1] === 0) rowsOfProduct(p, kernel, from, own * perRow);
        else along(e, own * perRow, 1, (i) => element(p, kernel, e.let(plus(from, i))));
      });
    }
  });
}

/** 4, 2 or 1: the largest that divides n and is not too many. */
const divisor = (n: number, fits: (by: number) => boolean = () => true): number => [4, 2].find((by) => n % by === 0 && fits(by)) ?? 1;

/** One thread for each of `count` pieces of work. */
function spread(e: Emitter, count: number, body: (k: string) => void): number {
  const perGroup = Math.min(THREADS, LANES * Math.ceil(count / (LANES * GROUPS)));
  e.block(`if (t < ${perGroup}u)`, () => {
    const k = e.let(plus(times('wg', perGroup), 't'));
    e.block(count % perGroup === 0 ? '' : `if (${k} < ${count}u)`, () => body(k));
  });
  return Math.ceil(count / perGroup);
}

/** One thread from 0 to count, in steps. */
function along(e: Emitter, count: number, step: number, body: (i: string) => void): void {
  if (count === step) {
    e.block('', () => body('0u'));
    return;
  }
  const i = e.fresh('i');
  e.block(`for (var ${i} = 0u; ${i} < ${count}u; ${i} += ${step}u)`, () => body(i));
}

interface ProductKernel extends Kernel {
  readonly sums: readonly [TensorOf<'matmul'>, ...TensorOf<'matmul'>[]];
}
const isProduct = (kernel: Kernel): kernel is ProductKernel => kernel.sums.length > 0 && kernel.sums.every(({ op }) => op === 'matmul');

function alone(p: Placed, kernel: Kernel): number {
  const { e } = p;
  if (!isProduct(kernel)) return spread(e, sizeOf(kernel.root.shape), (i) => element(p, kernel, i));
  const { shape } = kernel.sums[0];
  const [M, N] = matrixOf(shape);
  const rows = M * (sizeOf(shape) / (M * N));
  const enough = (by: number): boolean => sizeOf(shape) / by >= GROUPS * LANES;
  const C = divisor(N, enough);
  const R = divisor(M, (by) => enough(C * by) && C * by * kernel.sums.length <= MOST_AT_ONCE);
  const across = N / C;
  return spread(e, (rows / R) * across, (k) => {
    const row = e.let(times(`(${k} / ${across}u)`, R));
    const column = e.let(times(`(${k} % ${across}u)`, C));
    block(p, kernel, row, column, R, C);
  });
}

/** One element of a root. */
function element(p: Placed, kernel: Kernel, i: string): void {
  const results = kernel.sums.map((sum) => sumAlong(p.e, sum, i));
  finish(p, kernel, i, results);
}

/** Whole rows of a product, from element `from` on. */
function rowsOfProduct(p: Placed, kernel: ProductKernel, from: string, count: number): void {
  const { e } = p;
  const [M, N] = matrixOf(kernel.sums[0].shape);
  const rows = count / N;
  const C = divisor(N, (by) => by * kernel.sums.length <= MOST_AT_ONCE);
  // Rows of one block belong to one matrix of a stack.
  const R = [4, 2].find((by) => rows % by === 0 && M % by === 0 && by * C * kernel.sums.length <= MOST_AT_ONCE) ?? 1;
  const first = e.let(`${from} / ${N}u`);
  along(e, rows, R, (j) => {
    const row = e.let(plus(first, j));
    along(e, N, C, (column) => block(p, kernel, row, column, R, C));
  });
}

/** R rows and C columns of a product; `row` counts the rows of all matrices of a stack. */
function block(p: Placed, kernel: ProductKernel, row: string, column: string, R: number, C: number): void {
  const { e } = p;
  const { shape } = kernel.sums[0];
  const N = matrixOf(shape)[1];
  const rows = Array.from({ length: R }, (_, i) => (i === 0 ? row : e.let(plus(row, `${i}u`))));
  const columns = Array.from({ length: C }, (_, j) => (j === 0 ? column : e.let(plus(column, `${j}u`))));
  const flats = rows.map((r) => columns.map((c) => e.let(plus(times(r, N), c))));
  const results = kernel.sums.map((sum) => {
    const at = flats.map((line, i) =>
      line.map((flat, j): Index => ({ shape, flat, ...(shape.length === 2 ? { parts: [rows[i]!, columns[j]!] } : {}) })),
    );
    const accs = at.map((line) =>
      line.map((ix) => {
        const acc = e.fresh('s');
        e.line(`var ${acc} = 0f;`);
        e.parts(ix);
        return acc;
      }),
    );
    const [left, right] = sum.inputs as readonly [TensorOf<'matmul'>['inputs'][number], TensorOf<'matmul'>['inputs'][number]];
    // Rows that a gather reads are found once.
    if (left.op === 'gather') for (const line of at) e.found(left.inputs[1]!, e.parts(line[0]!)[0]!);
    const r = e.fresh('r');
    e.block(`for (var ${r} = 0u; ${r} < ${lengthOf(sum)}u; ${r}++)`, () => {
      const bs = at[0]!.map((ix) => e.value(right, factorsAt(e, sum, ix, r).right));
      at.forEach((line, i) => {
        const a = e.value(left, factorsAt(e, sum, line[0]!, r).left);
        bs.forEach((b, j) => {
          e.line(`${accs[i]![j]} = fma(${a}, ${b}, ${accs[i]![j]});`);
        });
      });
    });
    return accs;
  });
  flats.forEach((line, i) => {
    line.forEach((flat, j) => {
      e.block('', () =>
        finish(
          p,
          kernel,
          flat,
          results.map((accs) => accs[i]![j]!),
        ),
      );
    });
  });
}
