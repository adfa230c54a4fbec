import { expect, test } from 'vitest';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { playedElsewhere } from './after-run.ts';

test('a policy is not measured in a form whose observations have another length', async () => {
  const snapshot: PolicySnapshot = {
    kind: 'policy',
    version: 1,
    env: { id: 'deep-sea', version: 1, config: { size: 5 } },
    algo: { id: 'dqn', version: 1, config: {} },
    saved: { meta: {}, arrays: {} },
    seed: 1,
    step: 0,
    executor: 'wasm',
  };
  await expect(playedElsewhere(snapshot, [{ size: 5 }, { size: 6 }], { episodes: 1 })).rejects.toMatchObject({
    failure: { id: 'incompatible', field: 'against' },
  });
});
