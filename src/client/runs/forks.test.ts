import { beforeEach, expect, test, vi } from 'vitest';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { draftStore } from '#stores/draft.ts';
import { forkStore } from '#stores/fork.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import type { Mark, RunGroup, SeedRun } from '#stores/types.ts';
import { configAt, Forks, forkPoint, forkProblem, forkSteps, lastEdit, parentOf } from './forks.ts';

const config = runConfigSchema.parse({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { lr: 0.001 } },
  run: { steps: 1000, seeds: 2, seedStart: 1 },
});
const edit = (step: number, value: number): Mark => ({ kind: 'mark', step, type: 'edit', text: '', path: 'algo.lr', value, by: 'user' });
const seed = (number: number, more: Partial<SeedRun>): SeedRun => ({
  ...newSeed(number),
  state: 'done',
  step: 1000,
  checkpointStep: 1000,
  ...more,
});

const group: RunGroup = {
  id: 'r',
  name: 'r',
  config,
  hash: 'h',
  colour: 0,
  dash: 0,
  createdAt: 0,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds: [
    seed(1, { points: [100, 400, 700], marks: [edit(400, 0.01), edit(700, 0.1)] }),
    seed(2, { points: [100, 500, 720], marks: [edit(500, 0.01), edit(720, 0.1)] }),
  ],
};
const [first, second] = group.seeds as [SeedRun, SeedRun];

beforeEach(() => runsStore.setState({ groups: [group], activeId: null }));

test('a run goes on from its points and, when nobody trains it, from its newest state', () => {
  expect(forkSteps(first)).toEqual([100, 400, 700, 1000]);
  expect(forkSteps({ ...first, state: 'running' })).toEqual([100, 400, 700]);
  expect(forkSteps(newSeed(1))).toEqual([]);
  expect(forkPoint(second, 499)).toBe(100);
  expect(forkPoint(second, 99)).toBeNull();
});

test('the config there is the one it was trained with, live edits included', () => {
  const lr = (step: number): unknown => configAt(group, first, step).algo.config.lr;
  // The state at 400 is the one before the edit made there.
  expect([lr(100), lr(400), lr(401), lr(1000)]).toEqual([0.001, 0.001, 0.01, 0.1]);
});

test('each seed begins at its own state; what cannot go on says why and which field to change', () => {
  const fork = { runId: 'r', step: 450, config };
  expect(parentOf(fork, config)).toEqual({ id: 'r', step: 450, seeds: [{ seed: 1, step: 400 }, { seed: 2, step: 100 }] }); // biome-ignore format: one record
  expect(forkProblem(fork, config)).toBeNull();
  const more = { ...config, run: { ...config.run, seeds: 3 } };
  expect(forkProblem(fork, more)).toMatchObject({ field: 'run.seeds', message: expect.stringContaining('seed 3') });
  expect(forkProblem({ ...fork, step: 1000 }, config)).toMatchObject({ field: 'run.steps' });
  expect(forkProblem({ ...fork, runId: 'gone' }, config)).not.toBeNull();
});

test('a shadow begins, in each seed, at the state before the newest edit, with the settings from before it', async () => {
  const started: unknown[] = [];
  const forks = new Forks({
    watch: () => {
      throw new Error('not asked');
    },
    start: async (own, parent, name) => {
      expect(name).toBe('Shadow of r');
      started.push({ lr: own.algo.config.lr, seeds: own.run.seeds, parent });
      return 'shadow';
    },
    save: async () => {},
  });
  expect(lastEdit(group)?.mark.step).toBe(700);
  expect(await forks.shadow('r')).toBe('shadow');
  expect(started).toEqual([
    { lr: 0.01, seeds: 2, parent: { id: 'r', step: 700, seeds: [{ seed: 1, step: 700 }, { seed: 2, step: 720 }] } }, // biome-ignore format: one record
  ]);
  runsStore.setState({ groups: [{ ...group, seeds: group.seeds.map((run) => ({ ...run, points: [], checkpointStep: -1 })) }] });
  expect(await forks.shadow('r')).toBeNull();
});

test('a fork whose set-up comes after something else was set is not begun', async () => {
  let answer: (config: RunConfig) => void = () => {};
  const complete = () =>
    new Promise<RunConfig>((resolve) => {
      answer = resolve;
    });
  const forks = new Forks({ watch: () => ({ complete }) as unknown as WatchApi, start: vi.fn(), save: vi.fn() });
  draftStore.getState().open(config);
  forkStore.setState({ fork: null });
  const begun = forks.begin('r', 1, 450);
  draftStore.getState().set('algo.lr', 0.5);
  answer({ ...config, run: { ...config.run, steps: 77 } });
  await begun;
  expect(forkStore.getState().fork).toBeNull();
  expect(runsStore.getState().activeId).toBeNull();
  expect(draftStore.getState().config).toMatchObject({ algo: { config: { lr: 0.5 } }, run: { steps: 1000 } });
});
