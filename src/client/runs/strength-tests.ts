/** Tests of kept policies beside a run, in the worker that answers. */
import { workers } from '#client/workers/service.ts';
import { machineStore } from '#stores/machine.ts';
import { runsStore } from '#stores/runs.ts';
import { curveAwaited } from './first-curve.ts';
import { pool } from './parts.ts';
import { Strengths } from './strength.ts';

export const strengthTests: Pick<Strengths, 'wake'> = new Strengths({
  api: workers.answerer,
  runs: () => runsStore.getState(),
  load: () => (!pool.busy ? 'idle' : pool.training >= machineStore.getState().cores - 1 ? 'crowded' : 'spare'),
  resting: () => document.hidden || curveAwaited(),
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
