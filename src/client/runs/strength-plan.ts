/**
 * Which kept policy is tested next beside a run. Pure. First where each seed began and where it is, so that the shortest test says whether it learned;
 * then what lies between, the widest gap first, seed by seed in turn; then further episodes of the first and the newest, which are compared.
 */

/** A seed, its kept policies and what is known of them. */
export interface TestedSeed {
  readonly seed: number;
  /** Steps of its kept policies, rising. */
  readonly kept: readonly number[];
  /** Episodes that each was tested by; none: not tested. */
  readonly tested: ReadonlyMap<number, number>;
  /** It makes no further policies. */
  readonly ended: boolean;
}

export interface NextTest {
  readonly seed: number;
  readonly step: number;
  readonly episodes: number;
  /** Episodes that were played before. */
  readonly after: number;
}

export interface PlanOptions {
  readonly budget: number;
  /** Episodes of one test: few, so that a shared worker is soon free. */
  readonly piece: number;
  /** Episodes that the first policy and the newest get in the end. */
  readonly whole: number;
}

/** Policies of a seed that are tested. */
const POINTS = 16;
/** Of these so many before any is tested further. */
const FIRST_POINTS = 4;

/** Kept policies lie at even distances here: k / 40 is where rung k is. */
const place = (step: number, budget: number): number => Math.sqrt(step / budget);

/** The untested policy farthest from any tested one, and how far that is. */
function farthest({ kept, tested }: TestedSeed, budget: number): { readonly step: number; readonly gap: number } | null {
  let found: { step: number; gap: number } | null = null;
  for (const step of kept) {
    if (tested.has(step)) continue;
    const gap = Math.min(...[...tested.keys()].map((other) => Math.abs(place(step, budget) - place(other, budget))));
    if (found === null || gap > found.gap) found = { step, gap };
  }
  return found;
}

interface Urgent {
  /** Lower is sooner. */
  readonly rank: number;
  readonly test: NextTest;
}

/** The next test of one seed, and how urgent it is; null: nothing is left. */
function nextOf(one: TestedSeed, { budget, piece, whole }: PlanOptions): Urgent | null {
  const { seed, kept, tested, ended } = one;
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return null;
  const further = (step: number, to: number): NextTest | null => {
    const after = tested.get(step) ?? 0;
    return after >= to ? null : { seed, step, episodes: Math.min(piece, to - after), after };
  };
  const begin = tested.has(first) ? null : further(first, piece);
  if (begin !== null) return { rank: 0, test: begin };
  const newest = Math.max(...tested.keys());
  // While it goes on the newest is soon another one: it is tested where it has come a step of the line further.
  const due = last > newest && (ended || place(last, budget) - place(newest, budget) >= 1 / POINTS);
  if (due) return { rank: 1 + tested.size / 1000, test: { seed, step: last, episodes: piece, after: 0 } };
  const fill = (most: number, rank: number): Urgent | null => {
    const gap = tested.size < most ? farthest(one, budget) : null;
    if (gap === null || gap.gap < 0.5 / POINTS || !(ended || gap.step < newest)) return null;
    return { rank: rank + tested.size / 1000, test: { seed, step: gap.step, episodes: piece, after: 0 } };
  };
  const compare = (episodes: number, rank: number): Urgent | null => {
    const test = further(newest, episodes) ?? further(first, episodes);
    return test === null ? null : { rank: rank + test.after / 1e6, test };
  };
  return fill(FIRST_POINTS, 2) ?? compare(whole / 2, 3) ?? fill(POINTS, 4) ?? compare(whole, 5);
}

/** null: everything that is kept has been tested enough. */
export function nextTest(seeds: readonly TestedSeed[], options: PlanOptions): NextTest | null {
  const all = seeds.flatMap((one) => nextOf(one, options) ?? []);
  return all.toSorted((a, b) => a.rank - b.rank)[0]?.test ?? null;
}
