/** Committed results of the bench page (bench/results/gpu.json), for the page to show beside the visitor's. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '#contract/kit/json.ts';
import type { BenchResult } from '#contract/run/bench.ts';

interface Written {
  readonly machine: { readonly cpu: string };
  readonly results: { readonly machines?: readonly BenchResult[] };
}

/** Oldest first; empty where nothing was committed. */
export function benchRecords(project: string): readonly BenchResult[] {
  const file = join(project, 'bench/results/gpu.json');
  if (!existsSync(file)) return [];
  const { results } = readJson(readFileSync(file)) as unknown as Written;
  return results.machines ?? [];
}
