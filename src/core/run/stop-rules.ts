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

export class StopCheck {
  private readonly seed: number;
  private readonly begun: number;
  /** Step of the newest row of each metric that rules are about. */
  private readonly rows = new Map<string, number>();

  /** `begun`: the step from which it goes on. What was to be reached there or before counted then. */
  constructor(seed: number, begun: number) {
    this.seed = seed;
    this.begun = begun;
  }

  /** What the rule that holds says, as a sentence; null: the run goes on. */
  reason(rules: StopRules, standing: Standing): string | null {
    const { seconds, episodes, meanReturn } = standing;
    if (rules.meanReturn !== undefined && episodes >= LEAST_EPISODES && meanReturn >= rules.meanReturn) {
      const many = Math.min(100, episodes);
      return `Ended by a rule: the mean return of the last ${many} episodes, ${short(meanReturn)}, has reached ${short(rules.meanReturn)}.`;
    }
    if (rules.seconds !== undefined && seconds >= rules.seconds)
      return `Ended by a rule: ${short(seconds)} s of training, ${short(rules.seconds)} s were allowed.`;
    return this.behind(rules, standing);
  }

  /** Whether the newest row is the first of a metric at or after a step where it had to reach more. */
  private behind({ rungs = [] }: StopRules, { step, row }: Standing): string | null {
    const own = rungs.filter(({ seed, metric }) => seed === this.seed && Number.isFinite(row[metric] ?? Number.NaN));
    const due = own.filter((rung) => step >= rung.step && (this.rows.get(rung.metric) ?? this.begun) < rung.step);
    for (const { metric } of own) this.rows.set(metric, step);
    for (const { metric, better, bound } of due) {
      const value = row[metric] ?? Number.NaN;
      if (better === 'more' ? value < bound : value > bound)
        return `Ended by its sweep: ${metric} ${short(value)} at step ${step}, and ${short(bound)} was needed to go on.`;
    }
    return null;
  }
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
