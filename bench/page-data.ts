/** Project files with made-up runs, for the rows of the page's benchmark that need many runs or long curves. */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import type { RunFile } from '#contract/files/files.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { completeRun } from '#core/run/loaded.ts';

/** `runs` finished runs of one seed each, with `points` measured returns. Deterministic. */
export function madeUpProject(runs: number, points: number): Uint8Array {
  const files: Zippable = {};
  const ids: string[] = [];
  for (let i = 0; i < runs; i++) {
    // Complete, so that the page knows its run again by the hash of the link.
    const config = completeRun({
      env: { id: 'cartpole' },
      algo: { id: i % 2 === 0 ? 'ppo' : 'dqn' },
      run: { seeds: 1, seedStart: i + 1, steps: points * 100 },
    });
    const score = 20 + ((i * 7919) % 480);
    const run: RunFile = {
      kind: 'run',
      version: 1,
      id: `made-up-${i}`,
      name: `Made-up run ${i}`,
      config,
      hash: configHash(config),
      colour: i % 8,
      dash: Math.floor(i / 8) % 4,
      createdAt: 1_700_000_000_000 + i * 60_000,
      visible: true,
      note: i % 3 === 0 ? 'every third' : '',
      parent: null,
      executorReason: 'exact, the default',
      seeds: [
        {
          seed: i + 1,
          state: 'done',
          step: points * 100,
          seconds: 1,
          stepsPerSecond: 100_000,
          checkpointStep: -1,
          result: {
            seed: i + 1,
            finalReturn: score,
            evalReturn: score,
            evalLoops: 0,
            perAgent: [score],
            steps: points * 100,
            seconds: 1,
            stepsPerSecond: 100_000,
            parameterHash: '0'.repeat(64),
          },
          failure: null,
          marks: [],
        },
      ],
    };
    const steps = Float64Array.from({ length: points }, (_, at) => (at + 1) * 100);
    const values = steps.map((step, at) => score * (1 - Math.exp((-4 * step) / (points * 100))) + ((at * 31) % 17));
    ids.push(run.id);
    files[`${run.id}/run.json`] = strToU8(JSON.stringify(run));
    files[`${run.id}/curves.csv`] = strToU8(curvesToCsv(run.id, [{ seed: i + 1, metric: 'episodicReturn', steps, values }]));
  }
  files['project.json'] = strToU8(JSON.stringify({ kind: 'project', version: 1, savedAt: '2026-01-01T00:00:00.000Z', runs: ids }));
  return zipSync(files, { level: 1 });
}
