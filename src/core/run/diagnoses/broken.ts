/** Numbers of learning that are no longer finite, though everything that came in was: the steps of the optimiser were too large. */
import type { Failure } from '#contract/kit/errors.ts';
import type { Finding } from '#contract/run/findings.ts';
import { fieldName, lower, type RunSettings, setting } from './types.ts';

/** null: another failure. `step`: of the last row before it. */
export function brokenNumbers({ id, message }: Failure, step: number, settings: RunSettings): Finding | null {
  if (id !== 'nan-loss') return null;
  const limit = setting(settings, 'maxGradNorm');
  const usual = settings.algoDefaults.maxGradNorm;
  const loose = limit !== undefined && typeof usual === 'number' && limit > usual;
  return {
    id: 'broken',
    title: 'The numbers of learning broke',
    evidence: [message, 'Observations and rewards were finite until then.'],
    sure: 'certain',
    since: step,
    ways: [
      ...(loose
        ? [
            {
              text: `${fieldName(settings, 'maxGradNorm')} back to ${usual}`,
              path: 'algo.maxGradNorm',
              value: usual,
              begin: 'state',
            } as const,
          ]
        : []),
      ...lower(settings, 'lr'),
    ],
  };
}
