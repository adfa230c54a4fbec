/** Whether a run is to end before its budget: after so much training, with a mean return that is enough, or behind other runs of its sweep. */
import type { StopRules } from '#contract/game/stop-rules.ts';

/** A mean of fewer episodes is chance as often as skill. */
export const LEAST_EPISODES = 20;

export interface Standing {
  readonly step: number;
  /** The newest row of metrics. */
  readonly row: Readonly<Record<string, number>>;
  /** Of training. */
  readonly seconds: number;
  /** Finished so far. */
  readonly episodes: number;
  /** Of the last 100 finished episodes; NaN: none, or the method does not say. */
  readonly meanReturn: number;
}

/**
 * What the rule that holds says, as a sentence; null: the run goes on. `begun`: the step from which it goes on; what had to be reached there or
 * before counted then.
 */
export function stopCheck(own: number, begun: number): (rules: StopRules, standing: Standing) => string | null {
  /** Steps at which a metric had to be reached, and its row was there. */
  const met = new Set<string>();
  return ({ meanReturn: enough, seconds: most, rungs = [] }, { step: now, row, seconds, episodes, meanReturn }) => {
    if (enough !== undefined && episodes >= LEAST_EPISODES && meanReturn >= enough) {
      const many = Math.min(100, episodes);
      return `Ended by a rule: the mean return of the last ${many} episodes, ${short(meanReturn)}, has reached ${short(enough)}.`;
    }
    if (most !== undefined && seconds >= most) return `Ended by a rule: ${short(seconds)} s of training, ${short(most)} s were allowed.`;
    for (const { seed, step, metric, better, bound } of rungs) {
      const value = row[metric] ?? Number.NaN;
      const key = metric + step;
      if (seed !== own || now < step || step <= begun || met.has(key) || !Number.isFinite(value)) continue;
      met.add(key);
      if (better === 'more' ? value < bound : value > bound)
        return `Ended by its sweep: ${metric} ${short(value)}, ${short(bound)} was needed.`;
    }
    return null;
  };
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
