/** Curves that another program logged, as the record of a run: finished, without policy or checkpoint, and said to be imported. */

import { toRunFile } from '#client/runs/run-persistence.ts';
import type { RunFile } from '#contract/files/files.ts';
import type { ForeignRun } from '#contract/foreign/read.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { newRunId } from '#contract/run/run-names.ts';
import { newSeed, nextLook } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';

/** Of a run's note. */
const LONGEST_NOTE = 1000;

/** `env`: what it is compared with. `now` in ms since the epoch, `random` in [0, 1). */
export function foreignFile(
  { name, source, seed: stated, columns, notes }: ForeignRun,
  file: string,
  env: RunConfig['env'],
  groups: readonly RunGroup[],
  now: number,
  random: number,
): RunFile {
  const steps = Math.max(1, ...columns.map((column) => Math.round(column.steps.at(-1) ?? 1)));
  const seed = stated ?? 1;
  // The name is a field: runs of one name and several seeds are one set-up.
  const algo = { id: 'imported', version: 1, config: { name, source } };
  const run = { steps: Math.min(steps, 1e10), seeds: 1, seedStart: seed, executor: 'wasm', evalEvery: 0, evalEpisodes: 1 } as const;
  const config: RunConfig = { v: 1, env, algo, run };
  const group: RunGroup = {
    ...nextLook(groups),
    id: newRunId(config, now, random),
    name: `${name}${stated === null ? '' : `, seed ${stated}`} (imported)`,
    config,
    hash: 'imported',
    createdAt: now,
    visible: true,
    note: [`imported from ${source}`, ...notes].join('. ').replaceAll('.. ', '. ').slice(0, LONGEST_NOTE),
    parent: null,
    executorReason: '',
    imported: { source, file },
    seeds: [{ ...newSeed(seed), state: 'done', step: steps }],
  };
  return toRunFile(group);
}
