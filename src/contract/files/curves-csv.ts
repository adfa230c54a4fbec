/** Curves as CSV: one line per point. */
import { cellsOf, csvCell } from '../kit/csv.ts';
import { fail } from '../kit/errors.ts';
import type { CurveColumn } from './files.ts';

export const CURVES_HEADER = 'run,seed,step,metric,value';

/** Long-form CSV, unsmoothed; numbers in their shortest exact form. Ids and metric names of ours are plain: only what came from elsewhere is quoted. */
export function curvesToCsv(runId: string, columns: readonly CurveColumn[]): string {
  const lines = [CURVES_HEADER];
  const run = csvCell(runId);
  for (const { seed, metric, steps, values } of columns) {
    const name = csvCell(metric);
    for (let i = 0; i < steps.length; i++) lines.push(`${run},${seed},${steps[i]},${name},${values[i]}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Columns of one file: metrics of every seed. */
const MOST_COLUMNS = 10_000;

/**
 * What curvesToCsv wrote, for one run; rows of other runs are an error, and so is a last line without its end: it is cut off. Read a line at a
 * time, since the lines together would take ten times the text. Throws LabError('file-invalid').
 */
export function curvesFromCsv(text: string): readonly CurveColumn[] {
  const found = new Map<string, { seed: number; metric: string; steps: number[]; values: number[] }>();
  for (let at = 0, number = 1; at <= text.length; number++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '');
    at = end < 0 ? text.length + 1 : end + 1;
    if (number === 1) {
      if (line === CURVES_HEADER) continue;
      throw fail('file-invalid', 'These curves have unknown columns.', `The first line must be "${CURVES_HEADER}".`);
    }
    if (line === '') continue;
    if (end < 0) throw fail('file-invalid', `Line ${number} of the curves has no line end: it is cut off.`, 'Export the curves again.');
    const [, seed, step, metric, value, ...more] = cellsOf(line) ?? [];
    if (metric === undefined || value === undefined || more.length > 0 || Number.isNaN(Number(seed)) || Number.isNaN(Number(step))) {
      throw fail('file-invalid', `Line ${number} of the curves is broken.`, 'Export the curves again.');
    }
    const key = `${seed},${metric}`;
    let column = found.get(key);
    if (column === undefined) {
      if (found.size >= MOST_COLUMNS)
        throw fail('file-invalid', `These curves have more than ${MOST_COLUMNS} columns.`, 'Export fewer runs at once.');
      found.set(key, (column = { seed: Number(seed), metric, steps: [], values: [] }));
    }
    column.steps.push(Number(step));
    column.values.push(Number(value));
  }
  return [...found.values()].map(({ seed, metric, steps, values }) => ({
    seed,
    metric,
    steps: Float64Array.from(steps),
    values: Float64Array.from(values),
  }));
}
