/**
 * The order of kernels: levels, each one dispatch, and jobs inside a level, each with workgroups of its own. A kernel joins the job of
 * what it reads where rows allow it (rows.ts) and no workgroup gets too much to do; else it comes a level later. So a small network's
 * forward pass, loss and backward pass up to the weights' gradients are two or three dispatches, and a large product has one to itself.
 */
import type { Tensor } from '../types.ts';
import type { Kernel } from './kernels.ts';
import { known } from './known.ts';

export interface Job {
  /** In order. */
  readonly kernels: readonly Kernel[];
  /** Rows it is cut into, and how many of them a workgroup owns; only if there are several kernels. */
  readonly rows: number;
  readonly perGroup: number;
}
export type Level = readonly Job[];

interface Draft {
  kernels: Kernel[];
  cuts: ReadonlySet<number>;
  level: number;
}

/** Most work of one workgroup: where it is the only one, and where there are many. */
const MOST_ALONE = 2 ** 18;
const MOST_OF_MANY = 2 ** 22;
/** A product that is more than this to a workgroup is better off with tiles of its own. */
const MOST_OF_PRODUCT = 2 ** 20;
/** Kernels in one shader. */
const MOST_KERNELS = 32;

export function rowsPerGroup(rows: number): number {
  if (rows >= 1024) return 16;
  if (rows >= 128) return 8;
  return rows >= 16 ? 4 : 1;
}

/** Lanes of a processor that plays the graphics card, and the work that takes as long as a dispatch there. */
const LANES = 8;
const WORK_OF_DISPATCH = 2 ** 14;

/** `barriers`: workgroups own rows; without, each thread owns some. */
function affordable(kernels: readonly Kernel[], rows: number, barriers: boolean): boolean {
  if (!barriers) {
    const work = kernels.reduce((sum, k) => sum + k.work, 0);
    return rows >= LANES || work / rows - work / LANES <= WORK_OF_DISPATCH;
  }
  const groups = Math.ceil(rows / rowsPerGroup(rows));
  const all = kernels.reduce((sum, k) => sum + k.work, 0) / groups;
  const product = kernels.reduce((most, k) => (k.sums[0]?.op === 'matmul' ? Math.max(most, k.work) : most), 0) / groups;
  return all <= (rows === 1 ? MOST_ALONE : MOST_OF_MANY) && product <= MOST_OF_PRODUCT;
}

const both = (a: ReadonlySet<number>, b: ReadonlySet<number>): Set<number> => new Set([...a].filter((x) => b.has(x)));

export function schedule(kernels: readonly Kernel[], barriers: boolean): readonly Level[] {
  const jobOf = new Map<Tensor, Draft>();
  const drafts = new Set<Draft>();
  for (const kernel of kernels) {
    const read = [...kernel.reads].flatMap(([t, cuts]) => {
      const job = jobOf.get(t);
      return job === undefined ? [] : [{ job, cuts }];
    });
    const latest = read.reduce((most, { job }) => Math.max(most, job.level), -1);
    const before = read.filter(({ job }) => job.level === latest);
    const jobs = new Set(before.map(({ job }) => job));
    const together = [...[...jobs].flatMap((job) => job.kernels), kernel];
    let cuts = before.reduce((left, one) => both(both(left, one.job.cuts), one.cuts), new Set(kernel.cuts));
    if (jobs.size > 0) cuts = new Set([...cuts].filter((rows) => affordable(together, rows, barriers)));
    let job: Draft;
    if (jobs.size > 0 && cuts.size > 0 && together.length <= MOST_KERNELS) {
      job = { kernels: together, cuts, level: latest };
      for (const old of jobs) drafts.delete(old);
    } else job = { kernels: [kernel], cuts: kernel.cuts, level: latest + 1 };
    drafts.add(job);
    for (const k of job.kernels) if (k.root.inputs.length > 0) jobOf.set(k.root, job);
  }
  const place = new Map(kernels.map((k, i) => [k, i]));
  const levels: Job[][] = [];
  for (const { kernels: list, cuts, level } of drafts) {
    const rows = Math.max(...[...cuts]);
    list.sort((a, b) => known(place, a) - known(place, b));
    (levels[level] ??= []).push({ kernels: list, rows, perGroup: rowsPerGroup(rows) });
  }
  return levels;
}
