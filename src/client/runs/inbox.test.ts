import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { curves } from '#stores/curves.ts';
import { findSeed, newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { Inbox } from './inbox.ts';
import { cutPolicies, newestPolicy, policyAt, policySteps } from './policies.ts';

beforeEach(() => {
  vi.useFakeTimers();
  const group = {
    id: 'r',
    config: runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }),
    seeds: [newSeed(1), newSeed(2)],
  } as unknown as RunGroup;
  runsStore.setState({ groups: [group], activeId: 'r' });
});
afterEach(() => vi.useRealTimers());

const rig = (): { inbox: Inbox; policies: string[] } => {
  const policies: string[] = [];
  return {
    inbox: new Inbox({ onPolicy: (runId, seed) => policies.push(`${runId}/${seed}`), onVisits: () => {}, onSaved: () => {} }),
    policies,
  };
};

test('React’s store is written at most ten times a second, whatever the workers send', () => {
  const { inbox } = rig();
  let writes = 0;
  const stop = runsStore.subscribe(() => void writes++);
  for (let ms = 0; ms < 1000; ms += 10) {
    for (const seed of [1, 2]) inbox.receive('r', seed, { events: [{ kind: 'progress', step: ms, seconds: 0, stepsPerSecond: 0 }] });
    vi.advanceTimersByTime(10);
  }
  stop();
  expect(writes).toBeGreaterThanOrEqual(9);
  expect(writes).toBeLessThanOrEqual(10);
  expect(findSeed('r', 1)?.step).toBe(990);
});

test('a change of state shows at once, rows go to the curves at once', () => {
  const { inbox } = rig();
  inbox.receive('r', 1, {
    events: [
      { kind: 'progress', step: 5, seconds: 0, stepsPerSecond: 0 },
      { kind: 'metrics', columns: ['m'], rows: Float64Array.of(5, 1) },
      { kind: 'state', state: 'paused', step: 5 },
    ],
  });
  expect(findSeed('r', 1)).toMatchObject({ state: 'paused', step: 5 });
  expect(curves.series('r', 1, 'm')?.values[0]).toBe(1);
  expect(findSeed('r', 2)?.state).toBe('queued');
  expect(inbox.log).toHaveLength(1);
});

test('policies: kept ones stay, of the others only the newest, and a cut forgets what comes after', () => {
  const { inbox, policies } = rig();
  const policy = (step: number, keep: boolean) =>
    ({ kind: 'policy', keep, snapshot: { seed: 1, step, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot }) as const;
  inbox.receive('r', 1, { events: [policy(10, true), policy(15, false), policy(18, false), policy(20, true), policy(25, false)] });
  expect(policies).toHaveLength(5);
  expect(policySteps('r', 1)).toEqual([10, 20, 25]);
  expect(policyAt('r', 1, 19)?.step).toBe(10);
  expect(policyAt('r', 1, 5)?.step).toBe(10);
  cutPolicies('r', 1, 20);
  expect(newestPolicy('r', 1)?.step).toBe(20);
});
