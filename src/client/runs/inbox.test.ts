import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
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

/** An inbox whose ends are stored when the test says so. */
function slowRig(): { readonly inbox: Inbox; readonly asked: RunGroup[]; readonly stored: () => Promise<void> } {
  const asked: RunGroup[] = [];
  const waiting: (() => void)[] = [];
  const storeEnd = (group: RunGroup): Promise<void> => {
    asked.push(group);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const stored = async (): Promise<void> => {
    waiting.shift()?.();
    await Promise.resolve();
  };
  return { inbox: new Inbox({ onPolicy: () => {}, onVisits: () => {}, onSaved: () => {}, storeEnd }), asked, stored };
}

const done = (step: number) => ({ kind: 'state', state: 'done', step }) as const;

test('a seed is shown as done once that is stored, and what was reported before it is stored with it', async () => {
  const { inbox, asked, stored } = slowRig();
  inbox.receive('r', 1, { events: [{ kind: 'progress', step: 80, seconds: 4, stepsPerSecond: 20 }, done(90)] });
  expect(findSeed('r', 1)?.state).toBe('queued');
  expect(asked[0]?.seeds[0]).toMatchObject({ state: 'done', step: 90, seconds: 4 });
  // Meanwhile the other seed goes on and is shown, and a word after the end waits with it.
  inbox.receive('r', 2, { events: [{ kind: 'state', state: 'running', step: 7 }] });
  inbox.receive('r', 1, { events: [{ kind: 'checkpoint', step: 90, bytes: 1, seconds: 0 }] });
  vi.advanceTimersByTime(1000);
  expect(findSeed('r', 2)).toMatchObject({ state: 'running', step: 7 });
  expect(findSeed('r', 1)?.state).toBe('queued');
  expect(inbox.isEnding('r', 1)).toBe(true);
  await stored();
  expect(findSeed('r', 1)).toMatchObject({ state: 'done', step: 90, checkpointStep: 90 });
  expect(inbox.isEnding('r', 1)).toBe(false);
});

test('two ends at once: the second is stored with the first, each is shown when its own is stored', async () => {
  const { inbox, asked, stored } = slowRig();
  inbox.receive('r', 1, { events: [done(90)] });
  inbox.receive('r', 2, { events: [done(91)] });
  expect(asked.map(({ seeds }) => seeds.map(({ state }) => state))).toEqual([
    ['done', 'queued'],
    ['done', 'done'],
  ]);
  await stored();
  expect([findSeed('r', 1)?.state, findSeed('r', 2)?.state]).toEqual(['done', 'queued']);
  await stored();
  expect(findSeed('r', 2)?.state).toBe('done');
});

test('a run that another tab trains is for that tab to store, and one that was removed comes back by no end', async () => {
  const { inbox, asked } = slowRig();
  runsStore.setState(({ groups }) => ({ groups: groups.map((group) => ({ ...group, elsewhere: true as const })) }));
  inbox.receive('r', 1, { events: [done(90)] });
  expect(findSeed('r', 1)?.state).toBe('done');
  runsStore.setState({ groups: [] });
  inbox.receive('r', 2, { events: [done(90)] });
  expect(asked).toEqual([]);
});
