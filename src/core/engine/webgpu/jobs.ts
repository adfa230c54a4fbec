/**
 * WGSL of jobs. Workgroups have 256 threads. A kernel writes a span of its root's elements per workgroup, in one of these forms:
 * each thread an element; each thread up to four rows of a product's column; several threads (lanes) an element, whose parts are added
 * up in workgroup memory in a fixed order; or, for large products, square tiles of both factors in workgroup memory.
 */
import { sizeOf } from '../shapes.ts';
import type { Tensor, TensorOf } from '../types.ts';
import { type Emitter, type Index, literal, type Place, plus, times } from './emit.ts';
import { isLeaf, type Kernel, lengthOf, type Sum } from './kernels.ts';
import { matrixOf } from './known.ts';
import type { Job } from './schedule.ts';
import { accumulate, combine, factorsAt, startOf } from './sums.ts';

export const THREADS = 256;
/** Sums whose parts are in workgroup memory at the same time. */
const REGIONS = 8;
/** Floats of workgroup memory: eight numbers a thread, or two tiles of 64 x 16 with a gap in each row. */
export const TILE_FLOATS = 2 * 16 * 65;

/** The elements of a root that one workgroup writes. */
interface Span {
  /** First of them, WGSL. */
  readonly start: string;
  readonly count: number;
}

export interface Placed {
  readonly e: Emitter;
  placesOf(kernel: Kernel): readonly Place[];
}

/** Writes the body of `fn job(wg: u32, t: u32)`; returns how many workgroups it wants. */
export function emitJob(p: Placed, job: Job): number {
  const [first] = job.kernels;
  if (first === undefined) return 0;
  if (job.kernels.length === 1) return alone(p, first);
  let used = false;
  job.kernels.forEach((kernel, i) => {
    const perRow = sizeOf(kernel.root.shape) / job.rows;
    const count = Math.min(job.perGroup, job.rows) * perRow;
    const lanes = lanesWithin(kernel, count);
    if (i > 0) p.e.line(used && lanes > 1 ? 'storageBarrier(); workgroupBarrier();' : 'storageBarrier();');
    used ||= lanes > 1;
    p.e.block('', () => {
      const start = job.rows <= job.perGroup ? '0u' : p.e.let(times('wg', count));
      spanOf(p, kernel, { start, count }, lanes);
    });
  });
  return Math.ceil(job.rows / job.perGroup);
}

/** The largest power of two that is not above n; at least 1. */
function powerBelow(n: number): number {
  let power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}
const longest = (kernel: Kernel): number => kernel.sums.reduce((most, s) => Math.max(most, lengthOf(s)), 1);

/** Threads to an element where one workgroup has this many elements. */
function lanesWithin(kernel: Kernel, count: number): number {
  if (kernel.sums.length === 0) return 1;
  return powerBelow(Math.min(THREADS / Math.min(count, THREADS), longest(kernel) / 4));
}

/** A kernel with the whole device to itself, or shared with others. */
function alone(p: Placed, kernel: Kernel): number {
  const size = sizeOf(kernel.root.shape);
  const [sum] = kernel.sums;
  if (sum === undefined) {
    const count = size > 2 ** 16 ? 4 * THREADS : THREADS;
    spanOf(p, kernel, { start: times('wg', count), count }, 1);
    return Math.ceil(size / count);
  }
  if (sum.op === 'matmul' && kernel.sums.length === 1) {
    const groups = tiledGroups(sum);
    if (groups >= 16) return tiled(p, kernel, sum);
  }
  // A product of enough elements needs no second thread for each: not even 512 terms take as long as a dispatch costs.
  const plain = sum.op === 'matmul' && size >= 1024 && longest(kernel) <= 512;
  const lanes = plain ? 1 : Math.min(powerBelow(longest(kernel) / 8), powerBelow(Math.max(1, 32768 / size)), THREADS);
  const N = sum.op === 'matmul' ? matrixOf(sum.shape)[1] : 1;
  const rows = lanes === 1 && sum.op === 'matmul' ? 4 * Math.max(1, Math.floor(THREADS / N)) : 1;
  const count = lanes === 1 ? (sum.op === 'matmul' ? rows * N : THREADS) : THREADS / lanes;
  spanOf(p, kernel, { start: times('wg', count), count }, lanes);
  return Math.ceil(size / count);
}

function spanOf(p: Placed, kernel: Kernel, span: Span, lanes: number): void {
  const [sum] = kernel.sums;
  if (sum === undefined) each(p, kernel, span);
  else if (lanes > 1) shared(p, kernel, span, lanes);
  else if (sum.op === 'matmul') columns(p, kernel, span);
  else each(p, kernel, span);
}

/** Stores what follows from the sums at element i of the root. */
export function finish({ e, placesOf }: Placed, kernel: Kernel, i: string, results: readonly string[]): void {
  const { root, sums } = kernel;
  sums.forEach((s, k) => {
    e.given.set(s, results[k]!);
  });
  e.computing = isLeaf(root) ? undefined : root;
  const value = e.value(root, { shape: root.shape, flat: i });
  e.computing = undefined;
  for (const s of sums) e.given.delete(s);
  for (const { buffer, offset } of placesOf(kernel)) e.line(`${buffer}[${plus(`${offset}u`, i)}] = ${value};`);
}

/** Loops over a span's elements, `step` threads at a time; `within`: whether the element exists. */
function loop(e: Emitter, { start, count }: Span, size: number, body: (i: string) => void): void {
  const inside = (k: string): void => {
    const i = e.let(plus(start, k));
    if (size % count === 0) body(i);
    else e.block(`if (${i} < ${size}u)`, () => body(i));
  };
  if (count <= THREADS) {
    if (count === THREADS) e.block('', () => inside('t'));
    else e.block(`if (t < ${count}u)`, () => inside('t'));
    return;
  }
  const k = e.fresh('k');
  e.block(`for (var ${k} = t; ${k} < ${count}u; ${k} += ${THREADS}u)`, () => inside(k));
}

/** A thread an element. */
function each(p: Placed, kernel: Kernel, span: Span): void {
  const { e } = p;
  loop(e, span, sizeOf(kernel.root.shape), (i) => {
    const results = kernel.sums.map((sum) => sumAlong(e, sum, i));
    finish(p, kernel, i, results);
  });
}

/** Element i of a sum, formed by one thread: the name of a variable. */
export function sumAlong(e: Emitter, sum: Sum, i: string): string {
  const acc = e.fresh('s');
  e.line(`var ${acc} = ${startOf(sum)};`);
  terms(e, sum, { shape: sum.shape, flat: i }, '0u', 1, acc);
  return acc;
}

function terms(e: Emitter, sum: Sum, ix: Index, from: string, step: number, acc: string): void {
  // Named out here, once for all terms.
  e.flat(ix);
  if (sum.op !== 'sum' && sum.op !== 'amax') e.parts(ix);
  const r = e.fresh('r');
  e.block(`for (var ${r} = ${from}; ${r} < ${lengthOf(sum)}u; ${r} += ${step}u)`, () => accumulate(e, sum, ix, r, acc));
}

/** A thread up to four rows of one column of a product. */
function columns(p: Placed, kernel: Kernel, span: Span): void {
  const { e } = p;
  const sums = kernel.sums as readonly TensorOf<'matmul'>[];
  const { shape } = sums[0]!;
  const [M, N] = matrixOf(shape);
  const size = sizeOf(shape);
  const rows = Math.floor(span.count / N);
  const together = [4, 2].find((n) => rows % n === 0 && (shape.length === 2 || M % n === 0) && (rows / n) * N >= THREADS / 2) ?? 1;
  if (together === 1 || span.count % N !== 0 || sums.length > 4) {
    each(p, kernel, span);
    return;
  }
  const k = e.fresh('k');
  e.block(`for (var ${k} = t; ${k} < ${(rows / together) * N}u; ${k} += ${THREADS}u)`, () => {
    const column = e.let(`${k} % ${N}u`);
    const first = e.let(plus(span.start, times(`(${k} / ${N}u)`, N * together)));
    const flats = Array.from({ length: together }, (_, i) => e.let(plus(plus(first, `${i * N}u`), column)));
    const results = sums.map((sum) => {
      const row = shape.length === 2 ? e.let(`${first} / ${N}u`) : '';
      const at: Index[] = flats.map((flat, i) => ({ shape, flat, ...(shape.length === 2 ? { parts: [plus(row, `${i}u`), column] } : {}) }));
      const accs = at.map((ix) => {
        const acc = e.fresh('s');
        e.line(`var ${acc} = 0f;`);
        e.parts(ix);
        return acc;
      });
      const r = e.fresh('r');
      e.block(`for (var ${r} = 0u; ${r} < ${lengthOf(sum)}u; ${r}++)`, () => {
        const { right } = factorsAt(e, sum, at[0]!, r);
        const b = e.value(sum.inputs[1]!, right);
        at.forEach((ix, i) => {
          const a = e.value(sum.inputs[0]!, factorsAt(e, sum, ix, r).left);
          e.line(`${accs[i]} = fma(${a}, ${b}, ${accs[i]});`);
        });
      });
      return accs;
    });
    flats.forEach((flat, i) => {
      const store = (): void =>
        finish(
          p,
          kernel,
          flat,
          results.map((accs) => accs[i]!),
        );
      e.block(size % span.count === 0 ? '' : `if (${flat} < ${size}u)`, store);
    });
  });
}

/** Several threads an element. */
function shared(p: Placed, kernel: Kernel, { start, count }: Span, lanes: number): void {
  const { e } = p;
  const size = sizeOf(kernel.root.shape);
  const wide = THREADS / lanes;
  const [first] = kernel.sums;
  // Neighbouring threads read neighbouring elements: terms where the last axis is summed over, else results.
  const alongTerms =
    first !== undefined && (first.op === 'sum' || first.op === 'amax') && first.attrs.axes.at(-1) === first.inputs[0]!.shape.length - 1;
  const hop = alongTerms ? 1 : wide;
  e.block('', () => {
    const lane = e.let(alongTerms ? `t % ${lanes}u` : `t / ${wide}u`);
    const own = e.let(alongTerms ? `t / ${lanes}u` : `t % ${wide}u`);
    const body = (from: string): void => {
      const number = e.let(plus(from, own));
      const i = e.let(plus(start, number));
      const conditions = [...(count % wide === 0 ? [] : [`${number} < ${count}u`]), ...(size % count === 0 ? [] : [`${i} < ${size}u`])];
      const valid = conditions.length === 0 ? '' : conditions.join(' && ');
      const totals: string[] = [];
      for (let from = 0; from < kernel.sums.length; from += REGIONS) {
        if (from > 0) e.line('workgroupBarrier();');
        const batch = kernel.sums.slice(from, from + REGIONS);
        batch.forEach((sum, k) => {
          const acc = e.fresh('s');
          e.line(`var ${acc} = ${startOf(sum)};`);
          e.block(valid === '' ? '' : `if (${valid})`, () => terms(e, sum, { shape: sum.shape, flat: i }, lane, lanes, acc));
          e.line(`tile[${k * THREADS}u + t] = ${acc};`);
        });
        e.line('workgroupBarrier();');
        // Barriers are dear: sixteen parts are added up by one thread, more in two rounds.
        const adding = (sum: Sum, k: number, into: string, step: number, until: number): void => {
          const at = (h: number | string): string => `tile[${k * THREADS}u + t + ${typeof h === 'number' ? `${h}u` : h} * ${hop}u]`;
          const h = e.fresh('h');
          e.line(`${into} = ${at(0)};`);
          e.block(`for (var ${h} = ${step}u; ${h} < ${until}u; ${h} += ${step}u)`, () => e.line(`${into} = ${combine(sum, into, at(h))};`));
        };
        const parts = Math.min(lanes, 16);
        if (lanes > parts) {
          e.block(`if (${lane} < ${parts}u)`, () => {
            batch.forEach((sum, k) => {
              const part = e.fresh('p');
              e.line(`var ${part}: f32;`);
              adding(sum, k, part, parts, lanes);
              e.line(`tile[${k * THREADS}u + t] = ${part};`);
            });
          });
          e.line('workgroupBarrier();');
        }
        batch.forEach((sum, k) => {
          const total = e.fresh('s');
          e.line(`var ${total} = 0f;`);
          e.block(`if (${lane} == 0u)`, () => adding(sum, k, total, 1, parts));
          totals.push(total);
        });
      }
      e.block(`if (${[`${lane} == 0u`, ...conditions].join(' && ')})`, () => finish(p, kernel, i, totals));
    };
    if (count <= wide) body('0u');
    else {
      const k = e.fresh('k');
      e.block(`for (var ${k} = 0u; ${k} < ${count}u; ${k} += ${wide}u)`, () => {
        body(k);
        e.line('workgroupBarrier();');
      });
    }
  });
}

interface Tiling {
  /** Rows and columns of a tile, and of what a thread holds of it. */
  readonly side: number;
  readonly own: number;
}
const SMALL: Tiling = { side: 32, own: 2 };
const LARGE: Tiling = { side: 64, own: 4 };
const DEPTH = 16;

function tilingOf(sum: TensorOf<'matmul'>): Tiling {
  const [m, n] = matrixOf(sum.shape);
  return Math.ceil(m / 64) * Math.ceil(n / 64) * (sizeOf(sum.shape) / (m * n)) >= 32 ? LARGE : SMALL;
}
/** Workgroups with a tile each, or 0 if tiles would stay empty. */
function tiledGroups(sum: TensorOf<'matmul'>): number {
  const [m, n] = matrixOf(sum.shape);
  if (m < 24 || n < 24 || lengthOf(sum) < 16) return 0;
  const { side } = tilingOf(sum);
  return Math.ceil(m / side) * Math.ceil(n / side) * (sizeOf(sum.shape) / (m * n));
}

/** A product by square tiles. */
function tiled(p: Placed, kernel: Kernel, sum: TensorOf<'matmul'>): number {
  const { e } = p;
  const { side, own } = tilingOf(sum);
  const [m, n] = matrixOf(sum.shape);
  const [a, b] = sum.inputs as readonly [Tensor, Tensor];
  const K = lengthOf(sum);
  const down = Math.ceil(m / side);
  const across = Math.ceil(n / side);
  const lead = sum.shape.slice(0, -2);
  const pitch = side + 1;
  const right = DEPTH * pitch;
  const stack = lead.length === 0 ? '0u' : e.let(`wg / ${down * across}u`);
  const row0 = e.let(times(`(wg / ${across}u % ${down}u)`, side));
  const column0 = e.let(times(`(wg % ${across}u)`, side));
  const leads: readonly string[] = lead.length === 0 ? [] : e.parts({ shape: lead, flat: stack });
  const threads = side / own;
  const ty = e.let(`t / ${threads}u`);
  const tx = e.let(`t % ${threads}u`);
  const accs = Array.from({ length: own }, () => Array.from({ length: own }, () => e.fresh('s')));
  for (const acc of accs.flat()) e.line(`var ${acc} = 0f;`);
  const k0 = e.fresh('k');
  const fill = (into: number, limit: number, from: string, value: (line: string, k: string) => string, across: boolean): void => {
    const q = e.fresh('q');
    e.block(`for (var ${q} = t; ${q} < ${side * DEPTH}u; ${q} += ${THREADS}u)`, () => {
      // Neighbouring threads read along the rows of what is stored.
      const line = e.let(across ? `${q} % ${side}u` : `${q} / ${DEPTH}u`);
      const depth = e.let(across ? `${q} / ${side}u` : `${q} % ${DEPTH}u`);
      const at = e.let(`${from} + ${line}`);
      const k = e.let(`${k0} + ${depth}`);
      const inside = [...(limit % side === 0 ? [] : [`${at} < ${limit}u`]), ...(K % DEPTH === 0 ? [] : [`${k} < ${K}u`])].join(' && ');
      const found = e.guarded(inside, () => value(at, k));
      e.line(`tile[${into}u + ${depth} * ${pitch}u + ${line}] = ${found};`);
    });
  };
  e.block(`for (var ${k0} = 0u; ${k0} < ${K}u; ${k0} += ${DEPTH}u)`, () => {
    fill(0, m, row0, (at, k) => e.value(a, { shape: a.shape, parts: [...leads, at, k] }), a.op === 'transpose');
    fill(right, n, column0, (at, k) => e.value(b, { shape: b.shape, parts: [...leads, k, at] }), b.op !== 'transpose');
    e.line('workgroupBarrier();');
    const d = e.fresh('d');
    e.block(`for (var ${d} = 0u; ${d} < ${DEPTH}u; ${d}++)`, () => {
      const xs = accs.map((_, i) => e.let(`tile[${d} * ${pitch}u + ${ty} + ${i * threads}u]`));
      const ys = accs.map((_, j) => e.let(`tile[${right}u + ${d} * ${pitch}u + ${tx} + ${j * threads}u]`));
      accs.forEach((list, i) => {
        list.forEach((acc, j) => {
          e.line(`${acc} = fma(${xs[i]}, ${ys[j]}, ${acc});`);
        });
      });
    });
    e.line('workgroupBarrier();');
  });
  accs.forEach((list, i) => {
    list.forEach((acc, j) => {
      e.block('', () => {
        const row = e.let(`${row0} + ${ty} + ${i * threads}u`);
        const column = e.let(`${column0} + ${tx} + ${j * threads}u`);
        const inside = [...(m % side === 0 ? [] : [`${row} < ${m}u`]), ...(n % side === 0 ? [] : [`${column} < ${n}u`])].join(' && ');
        e.block(inside === '' ? '' : `if (${inside})`, () => {
          const flat = e.let(`(${stack} * ${m}u + ${row}) * ${n}u + ${column}`);
          finish(p, kernel, flat, [acc]);
        });
      });
    });
  });
  return down * across * sizeOf(lead);
}

/** Fills a place with one number. */
export function emitFill(e: Emitter, { buffer, offset }: Place, size: number, value: number): number {
  const i = e.let(`wg * ${THREADS}u + t`);
  e.block(`if (${i} < ${size}u)`, () => e.line(`${buffer}[${plus(`${offset}u`, i)}] = ${literal(value)};`));
  return Math.ceil(size / THREADS);
}
