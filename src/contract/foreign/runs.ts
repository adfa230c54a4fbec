/**
 * Curves that other programs have logged, as runs to compare with: what the readers of this folder share. Nothing of such a file is
 * executed; names are shown as text; sizes are bounded before anything is kept.
 */
import { fail, type LabError } from '../errors.ts';
import type { CurveColumn } from '../files.ts';

export interface ForeignRun {
  readonly name: string;
  /** What wrote it, for people: "TensorBoard". */
  readonly source: string;
  /** As the name of the run says it; null where it does not. */
  readonly seed: number | null;
  /** One per metric, all of this seed (1 where there is none), steps ascending. */
  readonly columns: readonly CurveColumn[];
}

/** Of one file. */
export const MOST_BYTES = 256 * 1024 * 1024;
export const MOST_METRICS = 200;
export const MOST_RUNS = 50;
/** Of one curve. */
export const MOST_POINTS = 500_000;
/** Of all curves of one file. */
const MOST_POINTS_TOGETHER = 5_000_000;
const LONGEST_NAME = 120;

export function broken(message: string, fix: string): LabError {
  return fail('file-invalid', message, fix);
}

/** What other programs call what every run here has. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['charts/episodic_return', 'episodicReturn'],
  ['rollout/ep_rew_mean', 'episodicReturn'],
  ['episodic_return', 'episodicReturn'],
  ['charts/episodic_length', 'episodeLength'],
  ['rollout/ep_len_mean', 'episodeLength'],
  ['episodic_length', 'episodeLength'],
  ['charts/SPS', 'stepsPerSecond'],
  ['time/fps', 'stepsPerSecond'],
  ['eval/mean_reward', 'evalReturn'],
]);

/** A metric's name here: ours where it means the same, else the file's own without control characters. */
export function metricOf(name: string): string {
  return OURS.get(name) ?? plain(name);
}

/** CleanRL calls its runs CartPole-v1__ppo__SEED__TIME: all seeds of one set-up then have one name. */
export function identify(text: string): Pick<ForeignRun, 'name' | 'seed'> {
  const found = /^(.+)__(\d{1,9})__\d{9,}$/.exec(text);
  return { name: plain(found?.[1] ?? text), seed: found === null ? null : Number(found[2]) };
}

/** A name from a file as one line of text. */
export function plain(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

/** Points of the curves of one run as they are read. */
export class Collector {
  private readonly points = new Map<string, { readonly steps: number[]; readonly values: number[] }>();
  private total = 0;

  /** `where` names the place in the file. Values that are not finite were not measured. */
  add(metric: string, step: number, value: number, where: () => string): void {
    if (!Number.isFinite(value)) return;
    if (!Number.isFinite(step) || step < 0 || step > Number.MAX_SAFE_INTEGER)
      throw broken(`${where()} has the step ${step}.`, 'Steps are numbers from 0 on.');
    let found = this.points.get(metric);
    if (found === undefined) {
      if (this.points.size >= MOST_METRICS)
        throw broken(`${where()} begins metric number ${MOST_METRICS + 1}.`, `A file may hold ${MOST_METRICS} metrics; export fewer.`);
      this.points.set(metric, (found = { steps: [], values: [] }));
    }
    if (found.steps.length >= MOST_POINTS || ++this.total > MOST_POINTS_TOGETHER)
      throw broken(`${where()} is one point too many of "${metric}".`, `A curve may have ${MOST_POINTS} points; log less often.`);
    found.steps.push(step);
    found.values.push(value);
  }

  /** Sorted by step: a log that was resumed may go back. */
  columns(stated: number | null): CurveColumn[] {
    const seed = stated ?? 1;
    return [...this.points].map(([metric, { steps, values }]) => {
      const order = steps.map((_, i) => i);
      if (steps.some((step, i) => i > 0 && step < steps[i - 1]!)) order.sort((a, b) => steps[a]! - steps[b]! || a - b);
      return {
        seed,
        metric,
        steps: Float64Array.from(order, (i) => steps[i]!),
        values: Float64Array.from(order, (i) => values[i]!),
      };
    });
  }
}
