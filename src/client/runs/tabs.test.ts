import { beforeEach, expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import { findGroup, newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { Tabs } from './tabs.ts';

const group = (state: 'running' | 'done'): RunGroup => ({
  id: 'r',
  name: 'r',
  config: runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }),
  hash: 'h',
  colour: 0,
  dash: 0,
  createdAt: 1,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds: [{ ...newSeed(1), state, step: 20 }],
});

function tab(trains: boolean) {
  const sent: unknown[] = [];
  const received: [string, number, EventBatch][] = [];
  const gone: string[] = [];
  let free = (): void => {};
  const channel: { postMessage(message: unknown): void; onmessage: BroadcastChannel['onmessage'] } = {
    postMessage: (message) => void sent.push(structuredClone(message)),
    onmessage: null,
  };
  const tabs = new Tabs({
    channel,
    trains: () => trains,
    receive: (...args) => received.push(args),
    whenFree: (_runId, _seed, onFree) => {
      free = onFree;
    },
    onGone: (runId) => gone.push(runId),
  });
  const hear = (data: unknown): void => channel.onmessage?.call(channel as BroadcastChannel, { data } as MessageEvent);
  return { tabs, sent, received, gone, hear, free: () => free() };
}

beforeEach(() => {
  curves.drop('r');
  runsStore.setState({ groups: [], activeId: null });
});

/** What a tab that trains answers to one that asks. */
function answer(): unknown {
  const trainer = tab(true);
  runsStore.setState({ groups: [group('running')] });
  curves.append('r', 1, ['a'], Float64Array.of(10, 1, 20, 2));
  trainer.tabs.said('r', 1, { events: [] });
  expect(trainer.sent).toEqual([]); // nobody asked yet
  trainer.hear({ kind: 'who' });
  trainer.tabs.said('r', 1, { events: [] });
  expect(trainer.sent).toMatchObject([
    { kind: 'run', file: { id: 'r' } },
    { kind: 'batch', runId: 'r', seed: 1 },
  ]);
  runsStore.setState({ groups: [] });
  curves.drop('r');
  return trainer.sent[0];
}

test('a run of another tab is shown with what it has measured, follows it, and is a run like any other at its end', () => {
  const message = answer();
  const viewer = tab(false);
  viewer.hear({ kind: 'batch', runId: 'r', seed: 1, batch: { events: [] } });
  expect(viewer.received).toEqual([]); // of a run that is not shown
  viewer.hear(message);
  expect(findGroup('r')).toMatchObject({ elsewhere: true, seeds: [{ state: 'running', step: 20 }] });
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([1, 2]);
  viewer.hear({ kind: 'batch', runId: 'r', seed: 1, batch: { events: [] } });
  expect(viewer.received).toHaveLength(1);
  runsStore.setState({ groups: [{ ...group('done'), elsewhere: true }] }); // what the inbox makes of a last batch
  viewer.hear({ kind: 'batch', runId: 'r', seed: 1, batch: { events: [] } });
  expect(findGroup('r')?.elsewhere).toBeUndefined();
  expect(viewer.gone).toEqual(['r']);
});

test('when the other tab closes, the run is interrupted here and can go on', () => {
  const viewer = tab(false);
  viewer.hear(answer());
  viewer.free();
  expect(findGroup('r')?.elsewhere).toBeUndefined();
  expect(findGroup('r')?.seeds[0]?.state).toBe('interrupted');
  expect(viewer.gone).toEqual(['r']);
});

test('a tab that trains a run itself takes no other word for it', () => {
  const message = answer();
  const trainer = tab(true);
  runsStore.setState({ groups: [group('running')] });
  trainer.hear(message);
  expect(findGroup('r')?.elsewhere).toBeUndefined();
});
