/**
 * Curves that other programs have logged, as runs to compare with: what the readers of this folder share. Nothing of such a file is
 * executed; names are shown as text; sizes are bounded before anything is kept. What can be read is read, and what was left out is counted
 * and named (`notes`): a file is refused only where nothing of it can be read.
 */

import type { CurveColumn } from '../files/files.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { listed } from '../kit/listed.ts';
import { metricOf, plain } from './names.ts';

export interface ForeignRun {
  readonly name: string;
  /** What wrote it, for people: "TensorBoard". */
  readonly source: string;
  /** As the name of the run or its logged settings say it; null where they do not. */
  readonly seed: number | null;
  /** One per metric, all of this seed (1 where there is none), steps ascending. */
  readonly columns: readonly CurveColumn[];
  /** Sentences on what of the file does not stand in the columns, and on what was done with it. */
  readonly notes: readonly string[];
}

/** A file as it was dropped or chosen: its path with slashes, and its bytes. */
export interface ForeignFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of one file, unpacked. */
export const MOST_BYTES = 256 * 1024 * 1024;
/** Of one run, beside those that every run here has. */
export const MOST_METRICS = 200;
export const MOST_RUNS = 50;
/** Of one curve. */
export const MOST_POINTS = 500_000;
/** Of all curves of one run. */
const MOST_POINTS_TOGETHER = 5_000_000;
/** Names that a note gives before it says how many more there are. */
const NAMED = 4;

export function broken(message: string, fix: string): LabError {
  return fail('file-invalid', message, fix);
}

/** "1 line", "2 lines". */
export const counted = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** `"a", "b" and 3 more` */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${plain(name)}"`);
  const more = names.length - shown.length;
  return listed(more > 0 ? [...shown, `${more} more`] : shown);
}

/** What is left out of a file, counted by reason and told with the first place. */
export class LeftOut {
  private readonly reasons = new Map<string, { count: number; readonly one: string; readonly first: string }>();

  /** `one` of them ("line"), why ("cut off"), and where the first stands ("line 7"). */
  count(one: string, why: string, where: string): void {
    const found = this.reasons.get(why);
    if (found === undefined) this.reasons.set(why, { count: 1, one, first: where });
    else found.count++;
  }

  notes(): string[] {
    return [...this.reasons].map(
      ([why, { count, one, first }]) => `${counted(count, one)} left out, ${why}: ${count === 1 ? '' : 'the first is '}${first}.`,
    );
  }
}

interface Points {
  readonly raw: string;
  readonly metric: string;
  steps: number[];
  values: number[];
  /** Steps whose values are NaN or infinite. */
  bad: number[];
  /** Points of a branch that a resumed run left. */
  dead: number;
  withoutStep: number;
  tooMany: number;
}

/** Points of the curves of one run as they are read, in the order of the file. */
export class Collector {
  /** By the file's own names. */
  private readonly points = new Map<string, Points>();
  private readonly taken = new Set<string>();
  private readonly beyond = new Set<string>();
  private others = 0;
  private total = 0;
  private resumedAt: number | null = null;

  /** A value of a metric, by the file's own name. A value that is not finite is counted, and so is a point whose step is none. */
  add(raw: string, step: number, value: number): void {
    const found = this.points.get(raw) ?? this.begin(raw);
    if (found === null) return;
    if (!(step >= 0 && step <= Number.MAX_SAFE_INTEGER)) found.withoutStep++;
    else if (found.steps.length + found.bad.length >= MOST_POINTS || this.total >= MOST_POINTS_TOGETHER) found.tooMany++;
    else {
      this.total++;
      if (Number.isFinite(value)) {
        found.steps.push(step);
        found.values.push(value);
      } else found.bad.push(step);
    }
  }

  /** The run goes on from this step, as the file says: what every metric had there or behind it is the branch that was left. */
  resume(step: number): void {
    for (const points of this.points.values()) {
      const keep = points.steps.map((own) => own < step);
      this.dropped(points, keep.filter((kept) => !kept).length, step);
      points.steps = points.steps.filter((_, i) => keep[i]);
      points.values = points.values.filter((_, i) => keep[i]);
      points.bad = points.bad.filter((own) => own < step);
    }
  }

  /** Lowest step of all; null where there are no points. */
  first(): number | null {
    let first: number | null = null;
    for (const { steps } of this.points.values()) for (const step of steps) if (first === null || step < first) first = step;
    return first;
  }

  private begin(raw: string): Points | null {
    const ours = metricOf(raw);
    const known = ours !== null && !this.taken.has(ours);
    if (!known && this.others >= MOST_METRICS) {
      if (this.beyond.size < 10_000) this.beyond.add(raw);
      return null;
    }
    if (!known) this.others++;
    let metric = known ? ours : plain(raw);
    for (let n = 2; this.taken.has(metric); n++) metric = `${plain(raw)} (${n})`;
    this.taken.add(metric);
    const made: Points = { raw, metric, steps: [], values: [], bad: [], dead: 0, withoutStep: 0, tooMany: 0 };
    this.points.set(raw, made);
    return made;
  }

  private dropped(points: Points, count: number, step: number): void {
    if (count === 0) return;
    points.dead += count;
    this.resumedAt = Math.min(step, this.resumedAt ?? step);
  }

  /**
   * The curves, steps ascending. Where the steps of a metric go back, the run was resumed from there: what stood at that step or behind it is
   * dropped. Where they go back at every fourth point or more often, the points are in no order, and are sorted.
   */
  finish(stated: number | null): { readonly columns: CurveColumn[]; readonly notes: string[] } {
    const unordered: Points[] = [];
    for (const points of this.points.values()) {
      const back = points.steps.filter((step, i) => step < (points.steps[i - 1] ?? 0));
      if (back.length >= 3 && back.length * 4 > points.steps.length) {
        const order = points.steps.map((_, i) => i).sort((a, b) => points.steps[a]! - points.steps[b]! || a - b);
        points.values = order.map((i) => points.values[i]!);
        points.steps = order.map((i) => points.steps[i]!);
        unordered.push(points);
      } else if (back.length > 0) this.withoutBranches(points);
    }
    const seed = stated ?? 1;
    const columns = [...this.points.values()]
      .filter(({ steps }) => steps.length > 0)
      .map(({ metric, steps, values }) => ({ seed, metric, steps: Float64Array.from(steps), values: Float64Array.from(values) }));
    return { columns, notes: this.notes(unordered) };
  }

  private withoutBranches(points: Points): void {
    let kept = 0;
    const { steps, values } = points;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      if (kept > 0 && step < steps[kept - 1]!) {
        const before = kept;
        while (kept > 0 && steps[kept - 1]! >= step) kept--;
        this.dropped(points, before - kept, step);
      }
      steps[kept] = step;
      values[kept] = values[i]!;
      kept++;
    }
    steps.length = kept;
    values.length = kept;
  }

  private notes(unordered: readonly Points[]): string[] {
    const all = [...this.points.values()];
    const sum = (pick: (points: Points) => number): number => all.reduce((total, points) => total + pick(points), 0);
    const dead = sum((points) => points.dead);
    const withoutStep = sum((points) => points.withoutStep);
    const names = (some: readonly Points[]): string => quoted(some.map(({ raw }) => raw));
    const most = MOST_POINTS.toLocaleString('en');
    return [
      ...(dead > 0
        ? [
            `The run was resumed at step ${(this.resumedAt ?? 0).toLocaleString('en')}: ${counted(dead, 'point')} of the branch that it left dropped.`,
          ]
        : []),
      ...(unordered.length > 0 ? [`The points of ${names(unordered)} are in no order and were sorted by their steps.`] : []),
      ...all
        .filter(({ bad }) => bad.length > 0)
        .map(
          ({ raw, bad }) =>
            `${counted(bad.length, 'value')} of "${plain(raw)}" NaN or infinite, the first at step ${bad[0]!.toLocaleString('en')}: the curve has no points there.`,
        ),
      ...(withoutStep > 0
        ? [
            `${counted(withoutStep, 'point')} left out, with a step below 0 or none: ${names(all.filter((points) => points.withoutStep > 0))}.`,
          ]
        : []),
      ...all
        .filter(({ tooMany }) => tooMany > 0)
        .map(({ raw, tooMany }) => `${counted(tooMany, 'point')} of "${plain(raw)}" left out: a curve may have ${most}.`),
      ...(this.beyond.size > 0
        ? [`${counted(this.beyond.size, 'metric')} left out beyond the first ${MOST_METRICS}: ${quoted([...this.beyond])}.`]
        : []),
    ];
  }
}
