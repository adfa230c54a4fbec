/** Curves of runs that are done, from their folders. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Curve } from '#claims/quantity.ts';
import { curvesFromCsv } from '#contract/files/curves-csv.ts';
import { seedFolder } from './seed-folder.ts';

/** All curves of a run that is done, by metric; empty where it wrote none. Throws LabError('file-invalid') for a broken file. */
export function readCurves(folder: string, seed: number): ReadonlyMap<string, Curve> {
  const file = join(seedFolder(folder, seed), 'curve.csv');
  if (!existsSync(file)) return new Map();
  return new Map(curvesFromCsv(readFileSync(file, 'utf8')).map(({ metric, steps, values }) => [metric, { steps, values }]));
}
