/** What is measured of a policy when its run is over, and runs that only measure otherwise what another one of the same config has learned. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePolicyFile } from '#contract/files/files.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { drawnEpisodes, exactScore, playedElsewhere } from '#core/after-run.ts';
import { measureExplanation } from '#core/explanation-measure.ts';
import { builtIn, loadRun } from '#core/run/by-id.ts';
import { readSeed, seedFolder, writeWhole } from '../kit/seed-folder.ts';
import { rivalReturn } from './exact.ts';
import type { Job, SeedOutcome } from './seeds.ts';
import { threadMs } from './thread-clock.ts';

/** How many numbers a policy's networks or tables hold. */
function parametersOf({ saved }: PolicySnapshot): number {
  const numbers = Object.values(saved.arrays).filter((array) => array instanceof Float32Array || array instanceof Float64Array);
  return numbers.reduce((sum, array) => sum + array.length, 0);
}

/** What a policy is measured by when its run is over, beside what the run measured itself. */
export async function measureLearned(policy: PolicySnapshot | null, { config, against, rival, sampled, explain }: Job) {
  const drawn = policy && sampled ? await drawnEpisodes(policy, config.run.evalEpisodes) : null;
  const shown = policy && explain ? await measureExplanation(policy, explain, builtIn) : null;
  const { evalEpisodes: episodes } = config.run;
  const elsewhere = policy && against ? await playedElsewhere(policy, against, { episodes }) : null;
  return {
    exactScore: policy ? await exactScore(policy) : null,
    againstReturn: elsewhere?.return ?? null,
    ...(elsewhere && { elsewhere }),
    ...(policy && against && sampled && { elsewhereDrawn: await playedElsewhere(policy, against, { episodes, greedy: false }) }),
    sampledReturn: drawn?.score ?? null,
    ...(drawn && { drawn: drawn.measures }),
    rivalReturn:
      policy && rival !== undefined
        ? await rivalReturn(policy, decodePolicyFile(readFileSync(rival, 'utf8')), config.run.evalEpisodes)
        : null,
    explained: shown?.value ?? null,
    pairs: shown?.pairs ?? null,
    parameters: policy ? parametersOf(policy) : null,
  };
}

/** The outcome of a run of the same config that trained this seed, measured anew; its cost is that of measuring alone. null: there is none. */
export async function measuredAlike(job: Job, at: string): Promise<SeedOutcome | null> {
  const { seed, alike = [], config } = job;
  const trained = alike
    .map((folder) => ({ at: seedFolder(folder, seed), stored: readSeed(folder, seed) }))
    .find((one) => one.stored.result !== null && existsSync(join(one.at, 'policy.json')));
  if (trained === undefined) return null;
  const begun = threadMs();
  await loadRun(config);
  const policy = readFileSync(join(trained.at, 'policy.json'), 'utf8');
  const { drawn: _, elsewhere: _e, elsewhereDrawn: _d, ...kept } = trained.stored.result as SeedOutcome;
  const measured = await measureLearned(decodePolicyFile(policy), job);
  const outcome: SeedOutcome = { ...kept, ...measured, coreSeconds: (threadMs() - begun) / 1000 };
  const commit = join(trained.at, 'commit');
  if (existsSync(commit)) writeWhole(join(at, 'commit'), readFileSync(commit, 'utf8')); // who trained it
  writeWhole(join(at, 'policy.json'), policy);
  writeWhole(join(at, 'curve.csv'), readFileSync(join(trained.at, 'curve.csv'), 'utf8'));
  writeWhole(join(at, 'result.json'), `${JSON.stringify(outcome, null, 2)}\n`);
  return outcome;
}
