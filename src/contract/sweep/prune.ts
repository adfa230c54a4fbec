/**
 * Runs of a sweep that are ended early: at shares of its budget a run is held against the runs of the set-ups before it, on the same seed, and
 * ends where it is not among the best of them. Keeping half of them is the median rule (Golovin et al. 2017); one in eta is successive halving
 * without waiting (Li et al. 2020).
 *
 * What is ended follows from curves alone: a run that was trained whole, by a worker elsewhere for instance, is left out all the same, so that
 * a sweep finds the same in every room and again.
 */
import { z } from 'zod';
import { quantile } from '#math/stats.ts';
import type { Rung } from '../game/stop-rules.ts';
import type { RunConfig } from '../run/config.ts';

export const pruneSchema = z.strictObject({
  /** Shares of the budget at which runs are held against each other. */
  at: z.array(z.number().gt(0).lt(1)).min(1).max(8).default([0.25, 0.5]),
  /** Share of the runs that goes on: 0.5 is the median rule. */
  keep: z.number().gt(0).lt(1).default(0.5),
  /** What is held against each other, and whether more of it is better. */
  metric: z.string().min(1).max(100).default('episodicReturn'),
  better: z.enum(['more', 'less']).default('more'),
  /** Runs on the same seed that must stand before one is ended. */
  after: z.int().min(2).max(100).default(4),
});
export type Prune = z.infer<typeof pruneSchema>;

/** A run of a set-up that was ended. */
export interface PrunedRun {
  readonly seed: number;
  /** Environment steps of the row that was too low. */
  readonly step: number;
  readonly value: number;
  /** What it had to reach. */
  readonly bound: number;
}

/** The metric of a run at the first row at or after each step at which runs are compared; null: there is no such row. */
export type AtRungs = readonly ({ readonly step: number; readonly value: number } | null)[];

/** Steps at which runs of so large a budget are held against each other, ascending. */
const rungSteps = ({ at }: Prune, budget: number): readonly number[] =>
  [...new Set(at.map((share) => Math.max(1, Math.round(share * budget))))].sort((a, b) => a - b);

/** Reads a curve at the steps where runs are held against each other. */
export function atRungs(
  curve: { readonly steps: ArrayLike<number>; readonly values: ArrayLike<number> } | undefined | null,
  steps: readonly number[],
): AtRungs {
  const rows = Array.from(curve?.steps ?? [], (step, i) => ({ step, value: curve?.values[i] ?? Number.NaN }));
  return steps.map((least) => rows.find(({ step, value }) => step >= least && Number.isFinite(value)) ?? null);
}

/** Where a run is ended, and the place of that step among all. */
interface Ended {
  readonly run: PrunedRun;
  readonly place: number;
}

/** What the runs of a sweep must reach, batch by batch. */
export class Pruning {
  private readonly prune: Prune;
  private readonly steps: readonly number[];
  private readonly at: (config: RunConfig, seed: number, steps: readonly number[]) => AtRungs | Promise<AtRungs>;
  /** Values at each step of the runs on a seed that came so far. */
  private readonly before = new Map<number, number[][]>();

  /** `at`: the metric of a run at these steps. */
  constructor(prune: Prune, budget: number, at: Pruning['at']) {
    this.prune = prune;
    this.steps = rungSteps(prune, budget);
    this.at = at;
  }

  /** What runs on these seeds must reach. */
  rungs(seeds: readonly number[]): readonly Rung[] {
    const { metric, better, keep, after } = this.prune;
    return seeds.flatMap((seed) =>
      this.steps.flatMap((step, r) => {
        const known = this.before.get(seed)?.[r] ?? [];
        if (known.length < after) return [];
        return [{ seed, step, metric, better, bound: quantile(known, better === 'more' ? 1 - keep : keep) }];
      }),
    );
  }

  /** Whether what is known of a run says that it ends early. */
  readonly isOver = async (config: RunConfig, seed: number): Promise<boolean> =>
    this.ended(await this.at(config, seed, this.steps), seed) !== null;

  /** Runs of a batch that were ended; those of the next one are held against all of them. */
  async take(configs: readonly RunConfig[], seeds: readonly number[]): Promise<readonly (readonly PrunedRun[])[]> {
    const found: PrunedRun[][] = [];
    const rows: { readonly seed: number; readonly values: readonly (number | null)[] }[] = [];
    for (const config of configs) {
      const own: PrunedRun[] = [];
      for (const seed of seeds) {
        const at = await this.at(config, seed, this.steps);
        const ended = this.ended(at, seed);
        if (ended !== null) own.push(ended.run);
        // What a run did behind its end counts for nothing, also where it was trained whole.
        rows.push({ seed, values: at.map((row, r) => (ended !== null && r > ended.place ? null : (row?.value ?? null))) });
      }
      found.push(own);
    }
    for (const { seed, values } of rows) {
      const known = this.before.get(seed) ?? this.steps.map(() => []);
      for (const [r, value] of values.entries()) if (value !== null) known[r]?.push(value);
      this.before.set(seed, known);
    }
    return found;
  }

  private ended(at: AtRungs, seed: number): Ended | null {
    for (const { step, bound, better } of this.rungs([seed])) {
      const place = this.steps.indexOf(step);
      const row = at[place] ?? null;
      if (row !== null && (better === 'more' ? row.value < bound : row.value > bound))
        return { run: { seed, step: row.step, value: row.value, bound }, place };
    }
    return null;
  }
}
