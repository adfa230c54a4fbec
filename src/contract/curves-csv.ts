/** Curves as CSV: one line per point. */
import { cellsOf, csvCell } from './csv.ts';
import { fail } from './errors.ts';
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

/**
 * What curvesToCsv wrote, for one run; rows of other runs are an error, and so is a last line without its end: it is cut off. Throws
 * LabError('file-invalid').
 */
export function curvesFromCsv(text: string): readonly CurveColumn[] {
  const [header, ...lines] = text.split(/\r?\n/);
  if (header !== CURVES_HEADER)
    throw fail('file-invalid', 'These curves have unknown columns.', `The first line must be "${CURVES_HEADER}".`);
  if (lines.length > 0 && lines.at(-1) !== '')
    throw fail('file-invalid', `Line ${lines.length + 1} of the curves has no line end: it is cut off.`, 'Export the curves again.');
  const found = new Map<string, { seed: number; metric: string; steps: number[]; values: number[] }>();
  lines.forEach((line, i) => {
    if (line === '') return;
    const [, seed, step, metric, value, ...more] = cellsOf(line) ?? [];
    const numbers = [Number(seed), Number(step)];
    if (metric === undefined || value === undefined || more.length > 0 || numbers.some(Number.isNaN)) {
      throw fail('file-invalid', `Line ${i + 2} of the curves is broken.`, 'Export the curves again.');
    }
    const key = `${seed},${metric}`;
    let column = found.get(key);
    if (column === undefined) found.set(key, (column = { seed: Number(seed), metric, steps: [], values: [] }));
    column.steps.push(Number(step));
    column.values.push(Number(value));
  });
  return [...found.values()].map(({ seed, metric, steps, values }) => ({
    seed,
    metric,
    steps: Float64Array.from(steps),
    values: Float64Array.from(values),
  }));
}
