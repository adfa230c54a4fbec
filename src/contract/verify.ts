/** Comparing a stored run with the same run done again, in every room: what must be equal, and the first row that is not. */
import type { RunConfig } from './config.ts';

/** Rows of one metric of one seed. */
export interface CurveOf {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Metrics that time the machine. */
const CLOCKS = ['seconds', 'stepsPerSecond'];

export interface Difference {
  readonly step: number;
  readonly metric: string;
  readonly stored: number;
  readonly here: number;
}

/** The first row, by step, in which two sets of curves differ; null where all that is in both agrees. */
export function firstDifference(stored: ReadonlyMap<string, CurveOf>, here: ReadonlyMap<string, CurveOf>): Difference | null {
  const found = [...stored].flatMap(([metric, a]): Difference[] => {
    const b = here.get(metric);
    if (b === undefined || CLOCKS.includes(metric)) return [];
    const rows = Math.min(a.steps.length, b.steps.length);
    for (let i = 0; i < rows; i++) {
      if (a.steps[i] !== b.steps[i] || a.values[i] !== b.values[i])
        return [{ step: Math.min(a.steps[i]!, b.steps[i]!), metric, stored: a.values[i]!, here: b.values[i]! }];
    }
    return [];
  });
  return found.sort((a, b) => a.step - b.step)[0] ?? null;
}

/** Why running it again cannot give the same bits; null: it must. */
export function excuseOf(config: RunConfig, marks: readonly { readonly type: string; readonly step: number }[]): string | null {
  const edited = marks.find(({ type }) => type === 'edit');
  if (edited !== undefined) return `a setting was changed at step ${edited.step} while it ran`;
  const moved = marks.find(({ type }) => type === 'executor');
  if (moved !== undefined) return `it changed its executor at step ${moved.step}`;
  return config.run.executor === 'wasm' ? null : `it ran on ${config.run.executor}, which is within tolerance only`;
}
