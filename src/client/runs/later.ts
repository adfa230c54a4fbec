/** Services of runs that few visits need: loaded with the views that use them. */
import { workers } from '#client/workers/service.ts';
import { FixRunner } from './findings.ts';
import { reasonOf, runs, startTraining } from './service.ts';
import { Simulations } from './simulations.ts';

/** Follows the advice of a finding: the same run with one setting changed. */
export const fixRunner: Pick<FixRunner, 'follow'> = new FixRunner({
  watch: workers.player,
  start: (config, parent) => startTraining(config, reasonOf(config), { parent }),
  stop: (runId) => runs.stop(runId),
});

/** Runs that are simulated to be compared with a claim, and not kept. */
export const simulations: Pick<Simulations, 'run' | 'clear'> = new Simulations(workers.spawnSession, workers.parallel);
