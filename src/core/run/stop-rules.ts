/** Whether a run is to end before its budget: after so much training, or with a mean return that is enough. */
import type { StopRules } from '#contract/game/stop-rules.ts';

/** A mean of fewer episodes is chance as often as skill. */
export const LEAST_EPISODES = 20;

export interface Standing {
  /** Of training. */
  readonly seconds: number;
  /** Finished so far. */
  readonly episodes: number;
  /** Of the last 100 finished episodes; NaN: none, or the method does not say. */
  readonly meanReturn: number;
}

/** What the rule that holds says, as a sentence; null: the run goes on. */
export function stopReason(rules: StopRules, { seconds, episodes, meanReturn }: Standing): string | null {
  if (rules.meanReturn !== undefined && episodes >= LEAST_EPISODES && meanReturn >= rules.meanReturn) {
    const many = Math.min(100, episodes);
    return `Ended by a rule: the mean return of the last ${many} episodes, ${short(meanReturn)}, has reached ${short(rules.meanReturn)}.`;
  }
  if (rules.seconds !== undefined && seconds >= rules.seconds)
    return `Ended by a rule: ${short(seconds)} s of training, ${short(rules.seconds)} s were allowed.`;
  return null;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
