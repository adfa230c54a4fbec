import { beforeEach, expect, test, vi } from 'vitest';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { offerUnfinished } from './unfinished.ts';

vi.mock('./service.ts', () => ({ selectRun: (id: string) => runsStore.getState().setActive(id) }));

const config = (id: string) => runConfigSchema.parse({ env: { id }, algo: { id: 'ppo' } });
const stored = (id: string, state: SeedRun['state']): RunGroup =>
  ({ id, config: config(id), hash: configHash(config(id)), seeds: [{ ...newSeed(1), state }] }) as unknown as RunGroup;

/** The offer while the stored run is being read; answers what lets the reading end, and resolves when the offer is over. */
function offer(plainVisit = true): () => Promise<void> {
  let isRead = (): void => {};
  const over = offerUnfinished(plainVisit, () => new Promise((done) => (isRead = done)));
  return () => {
    isRead();
    return over;
  };
}

const active = (): string | null => runsStore.getState().activeId;

beforeEach(() => {
  draftStore.setState(draftStore.getInitialState(), true);
  catalogStore.setState({ catalog: { envs: [], algos: [], experiments: [{ id: 'first' }] } as unknown as Catalog });
  runsStore.setState({ groups: [stored('ant', 'interrupted'), stored('lake', 'done')], activeId: null });
});

test('a plain visit begins with the run that was interrupted, a reload with the run of its draft', async () => {
  await offer()();
  expect(active()).toBe('ant');
  runsStore.setState({ activeId: null });
  draftStore.getState().open(config('cartpole'), 'first');
  await offer()();
  expect(active()).toBe('ant');
  runsStore.setState({ activeId: null });
  draftStore.getState().open(config('lake'));
  await offer(false)();
  expect(active()).toBe('lake');
});

test.each([
  ['a world', () => draftStore.getState().open(config('lake'))],
  ['a setting', () => draftStore.getState().set('run.steps', 7)],
  ['a link that is on its way', () => draftStore.setState({ phase: { kind: 'loading', over: 'open' } })],
  ['a run that begins', () => runsStore.setState({ activeId: 'new' })],
])('what is chosen while stored runs are read keeps its place: %s', async (_, choose) => {
  draftStore.getState().open(config('cartpole'), 'first');
  const end = offer();
  choose();
  await end();
  expect(active()).not.toBe('ant');
});

test('what was chosen before stored runs were listed keeps its place', async () => {
  draftStore.getState().open(config('cartpole'));
  await offer()();
  expect(active()).toBeNull();
});

test('a stored run of the draft takes the place neither of a new run of it nor of another draft', async () => {
  draftStore.getState().open(config('lake'));
  let end = offer();
  runsStore.setState({ activeId: 'new' });
  await end();
  expect(active()).toBe('new');
  runsStore.setState({ activeId: null });
  end = offer();
  draftStore.getState().set('run.steps', 7);
  await end();
  expect(active()).toBeNull();
});
