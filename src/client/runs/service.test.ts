import { beforeEach, expect, test, vi } from 'vitest';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isComing } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import { runs } from './service.ts';

const { race } = vi.hoisted(() => {
  Object.assign(globalThis, { location: { hash: '' } });
  return { race: vi.fn() };
});
vi.mock('#client/workers/machine.ts', () => ({ askToPersist: async () => {} }));
vi.mock('#client/workers/race.ts', () => ({ fastestExecutor: race }));
vi.mock('#client/workers/service.ts', () => ({ workers: {} }));
vi.mock('./first-curve.ts', () => ({ curveBegins: async () => {} })); // it waits for seconds where nothing trains
vi.mock('./parts.ts', async () => {
  const { Drafts } = await import('./drafts.ts');
  const { Trainer } = await import('./trainer.ts');
  const later = <T>(answer: T): Promise<T> => new Promise((done) => setTimeout(done, 1, answer));
  const watch = { complete: later, describe: ({ id }: { id: string }) => later({ id, references: [] }), stopPlaying: async () => {} };
  const pool = { warm: () => {}, fill: () => {}, add: () => {} };
  return {
    drafts: new Drafts(
      () => watch as never,
      () => {},
    ),
    pool,
    trainer: new Trainer({
      pool: () => pool as never,
      inbox: {} as never,
      envTitle: (id) => id,
      algoTitle: (id) => id,
      now: () => 0,
      random: Math.random,
    }),
    persistence: Promise.resolve({ flush: () => later(true) }),
  };
});

const schema = { type: 'object', properties: {} };
const env = (id: string): EnvCard =>
  ({
    id,
    version: 1,
    title: id,
    agents: 1,
    defaults: {},
    schema,
    presets: [],
    recommended: { algo: 'ppo', config: {}, steps: 1000 },
  }) as unknown as EnvCard;
const algo = { id: 'ppo', version: 1, title: 'PPO', learner: 'network', schema, defaults: {}, presets: [] } as unknown as AlgoCard;
const catalog = { envs: [env('cartpole'), env('lake')], algos: [algo], experiments: [] } as unknown as Catalog;

const winner = { executor: 'webgpu', speedup: 3, reason: 'measured' };
const trained = (): string[] =>
  runsStore
    .getState()
    .groups.map(({ config }) => `${config.env.id} on ${config.run.executor}`)
    .reverse();

/** CartPole is set up with the executor that is to be measured; answers what lets the measuring end. */
function measured(): () => void {
  let end = (): void => {};
  race.mockReturnValue(new Promise((done) => (end = () => done(winner))));
  draftStore.getState().setEnv('cartpole');
  draftStore.getState().set('run.executor', 'auto');
  return () => end();
}

beforeEach(() => {
  race.mockReset();
  catalogStore.setState({ catalog });
  runsStore.setState({ groups: [], activeId: null });
});

test('what was set up when Train was pressed is trained, whatever is chosen while its executor is measured', async () => {
  const end = measured();
  const pressed = runs.train();
  await vi.waitFor(() => expect(race).toHaveBeenCalled());
  draftStore.getState().setEnv('lake');
  end();
  await pressed;
  expect(trained()).toEqual(['cartpole on webgpu']);
  expect(draftStore.getState().config).toMatchObject({ env: { id: 'lake' }, run: { executor: 'auto' } });
});

test('Train pressed again before the run begins trains it once; pressed after that, once more', async () => {
  const end = measured();
  const pressed = [runs.train(), runs.train()];
  await vi.waitFor(() => expect(race).toHaveBeenCalled());
  pressed.push(runs.train());
  await new Promise((done) => setTimeout(done, 10));
  end();
  await Promise.all(pressed);
  expect(trained()).toEqual(['cartpole on webgpu']);
  expect(draftStore.getState().config.run.executor).toBe('webgpu');
  await runs.train();
  expect(trained()).toEqual(['cartpole on webgpu', 'cartpole on webgpu']);
});

test('two worlds pressed while the catalogue is on its way: the later one is trained, once', async () => {
  catalogStore.setState({ catalog: null });
  draftStore.getState().set('run.executor', 'wasm');
  const pressed = [runs.learnIn('cartpole'), runs.learnIn('lake')];
  catalogStore.setState({ catalog });
  await Promise.all(pressed);
  expect(trained()).toEqual(['lake on wasm']);
});

test('a link that is on its way when the measuring ends is not dropped', async () => {
  const end = measured();
  const run = runs.train();
  await vi.waitFor(() => expect(race).toHaveBeenCalled());
  draftStore.setState({ phase: { kind: 'loading', over: 'open' } });
  end();
  await run;
  expect(trained()).toEqual(['cartpole on webgpu']);
  expect(isComing(draftStore.getState())).toBe(true);
});
