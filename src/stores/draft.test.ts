import { beforeEach, expect, test } from 'vitest';
import type { AlgoCard, EnvCard } from '#contract/catalog/catalog.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { catalogStore } from './catalog.ts';
import { draftStore } from './draft.ts';

const fresh = draftStore.getState();
const config = runConfigSchema.parse({ env: { id: 'cartpole', config: { maxSteps: 500 } }, algo: { id: 'ppo', config: { lr: 0.001 } } });

beforeEach(() => {
  draftStore.setState(fresh, true);
  draftStore.getState().open(config, 'first');
});

test('five edits and five undos give the first hash, five redos the last', () => {
  const first = draftStore.getState().hash;
  for (let i = 1; i <= 5; i++) draftStore.getState().set('algo.lr', i / 100);
  const last = draftStore.getState().hash;
  expect(last).not.toBe(first);
  for (let i = 0; i < 5; i++) draftStore.getState().undo();
  expect(draftStore.getState().hash).toBe(first);
  expect(draftStore.getState().past).toHaveLength(0);
  draftStore.getState().undo();
  expect(draftStore.getState().hash).toBe(first);
  for (let i = 0; i < 6; i++) draftStore.getState().redo();
  expect(draftStore.getState().hash).toBe(last);
});

test('opening is the first state, not an undo step; the same value is no step; a new edit forgets the future', () => {
  const { set, undo } = draftStore.getState();
  expect(draftStore.getState().past).toHaveLength(0);
  set('algo.lr', 0.001);
  expect(draftStore.getState().past).toHaveLength(0);
  set('algo.lr', 0.5);
  undo();
  set('algo.lr', 0.7);
  expect(draftStore.getState().future).toHaveLength(0);
  expect(draftStore.getState().config.algo.config.lr).toBe(0.7);
});

test('reset takes one field or all of them back to the base', () => {
  const { set, reset } = draftStore.getState();
  set('algo.lr', 0.5);
  set('env.maxSteps', 9);
  reset('algo.lr');
  expect(draftStore.getState().config.algo.config.lr).toBe(0.001);
  expect(draftStore.getState().config.env.config.maxSteps).toBe(9);
  reset();
  expect(draftStore.getState().config).toEqual(config);
});

test('choosing an environment takes its defaults and preset, and undo brings the old base back', () => {
  const card = {
    id: 'lake',
    version: 1,
    defaults: { slippery: true, size: 4 },
    presets: [{ id: 'big', title: 'Big', config: { size: 8 } }],
    recommended: { algo: 'table', config: { gamma: 1 }, steps: 700 },
  } as unknown as EnvCard;
  const table = { id: 'table', version: 2, defaults: { gamma: 0.9, alpha: 0.1 } } as unknown as AlgoCard;
  catalogStore.setState({ catalog: { version: 1, envs: [card], algos: [table], experiments: [], explainers: [] } });
  draftStore.getState().setEnv('lake', 'big');
  expect(draftStore.getState().config.env).toEqual({ id: 'lake', version: 1, config: { slippery: true, size: 8 } });
  expect(draftStore.getState().base.env.id).toBe('lake');
  expect(draftStore.getState().config.algo).toEqual({ id: 'table', version: 2, config: { gamma: 1, alpha: 0.1 } });
  expect(draftStore.getState().config.run.steps).toBe(700);
  draftStore.getState().set('algo.alpha', 0.5);
  draftStore.getState().setEnv('lake'); // the same environment: the algorithm stays as it was set
  expect(draftStore.getState().config.algo.config).toEqual({ gamma: 1, alpha: 0.5 });
  draftStore.getState().undo();
  draftStore.getState().undo();
  expect(draftStore.getState().experimentId).toBeNull();
  draftStore.getState().undo();
  expect(draftStore.getState().base.env.id).toBe('cartpole');
  expect(draftStore.getState().config.algo.id).not.toBe('table');
  draftStore.getState().setEnv('nowhere');
  expect(draftStore.getState().config.env.id).toBe('cartpole');
});

test('a method that is chosen starts with the discount of the environment and its settings for continuous actions; a preset as it is', () => {
  const presets = [
    { id: 'smooth', title: 'Smooth', config: { lr: 0.3 } },
    { id: 'own', title: 'Own', config: { lr: 0.4 } },
  ];
  const env = {
    id: 'swing',
    version: 1,
    defaults: {},
    presets: [],
    gamma: 0.8,
    groups: [{ action: { kind: 'box' } }],
  } as unknown as EnvCard;
  const card = { id: 'smoother', version: 1, defaults: { gamma: 0.9, lr: 0.1 }, presets, continuous: 'smooth' } as unknown as AlgoCard;
  catalogStore.setState({ catalog: { version: 1, envs: [env], algos: [card], experiments: [], explainers: [] } });
  draftStore.getState().open(runConfigSchema.parse({ env: { id: 'swing' }, algo: { id: 'other' } }));
  draftStore.getState().setAlgo('smoother');
  expect(draftStore.getState().config.algo.config).toEqual({ gamma: 0.8, lr: 0.3 });
  draftStore.getState().setAlgo('smoother', 'own');
  expect(draftStore.getState().config.algo.config).toEqual({ gamma: 0.9, lr: 0.4 });
});

test('a wrong field name is a problem, not an exception', () => {
  draftStore.getState().set('nonsense', 1);
  expect(draftStore.getState().problems.map((problem) => problem.field)).toEqual(['nonsense']);
});
