import { beforeEach, expect, test, vi } from 'vitest';
import { addPolicy } from '#client/runs/policies.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { draftStore } from '#stores/draft.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { stage, watchPolicy } from './service.ts';

/** What is being read from the disk, and checks of the draft that are under way. */
const { reading, checking } = vi.hoisted(() => ({ reading: new Map<string, () => void>(), checking: [] as (() => void)[] }));
vi.mock('#client/runs/parts.ts', () => ({
  drafts: { check: () => new Promise<void>((resolve) => checking.push(resolve)) },
  persistence: Promise.resolve({ readRun: (id: string) => new Promise<void>((resolve) => reading.set(id, resolve)) }),
  saving: {},
}));
vi.mock('#client/runs/service.ts', () => ({
  selectRun: (id: string) => {
    runsStore.getState().setActive(id);
    const config = runsStore.getState().groups.find((group) => group.id === id)?.config;
    draftStore.getState().open(config!);
    draftStore.setState({ env: card, problems: [] });
  },
}));
vi.mock('#client/workers/service.ts', () => ({
  workers: {
    player: () => ({
      setPolicy: async () => {},
      play: async (env: object, _: string, { seed }: { readonly seed: number }) => ({ env, seed, reward: Float32Array.of(1) }),
      frames: async () => ({ from: 0, frames: new Float32Array(6), rewards: [], total: 1 }),
    }),
  },
}));

const frame = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [] } as const;
const card = { id: 'e', agents: 1, groups: [], policies: [], fps: 10, frame } as unknown as EnvCard;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const shown = (): unknown => [runsStore.getState().activeId, stageStore.getState().policy?.runId ?? null];
async function read(id: string): Promise<void> {
  reading.get(id)?.();
  await settle();
  for (const done of checking.splice(0)) done();
  await settle();
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  reading.clear();
  stageStore.setState(stageStore.getInitialState(), true);
  draftStore.setState(draftStore.getInitialState(), true);
  const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
  const groups = ['A', 'B'].map((id) => ({ id, name: id, config, seeds: [{ ...newSeed(1), state: 'done' }] }) as unknown as RunGroup);
  runsStore.setState({ groups, activeId: null });
  for (const id of ['A', 'B']) addPolicy(id, { seed: 1, step: 5, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot, true);
});

test('of two runs the one asked for last is shown, also where it is read first', async () => {
  void watchPolicy('A', 1);
  await settle();
  void watchPolicy('B', 1);
  await settle();
  await read('B');
  expect(shown()).toEqual(['B', 'B']);
  const { config } = draftStore.getState();
  await read('A');
  expect(shown()).toEqual(['B', 'B']);
  expect(draftStore.getState().config).toBe(config);
});

test('so it is while the draft of the first is being checked', async () => {
  void watchPolicy('A', 1);
  await settle();
  reading.get('A')?.();
  await settle();
  void watchPolicy('B', 1);
  await settle();
  for (const done of checking.splice(0)) done();
  await settle();
  expect(shown()).toEqual(['A', null]);
  await read('B');
  expect(shown()).toEqual(['B', 'B']);
});

test('another run that was chosen meanwhile stays; one that the page took up by itself does not', async () => {
  void watchPolicy('A', 1);
  await settle();
  runsStore.getState().setActive('B'); // the one of the draft, after a reload
  await read('A');
  expect(shown()).toEqual(['A', 'A']);
  void watchPolicy('A', 1);
  await settle();
  runsStore.getState().setActive('B');
  await read('A');
  expect(shown()).toEqual(['B', 'A']);
});

test('a level is played by the policy of the seed that it was chosen from', async () => {
  runsStore.setState(({ groups }) => ({
    activeId: 'A',
    groups: groups.map((group) => ({ ...group, seeds: [...group.seeds, newSeed(2)] })),
  }));
  draftStore.getState().open(runsStore.getState().groups[0]!.config);
  draftStore.setState({ env: card, problems: [] });
  addPolicy('A', { seed: 2, step: 7, env: { id: 'e' }, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot, true);
  await stage.playFrom({ runId: 'A', seed: 2 }, new Uint8Array(8), 'a level');
  expect(stageStore.getState().policy).toMatchObject({ runId: 'A', seed: 2, step: 7 });
  addPolicy('A', { seed: 1, step: 5, env: { id: 'e' }, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot, true);
  await stage.playFrom({ runId: 'A', seed: 1 }, new Uint8Array(8), 'a level');
  expect(stageStore.getState().policy).toMatchObject({ runId: 'A', seed: 1, step: 5 });
});
