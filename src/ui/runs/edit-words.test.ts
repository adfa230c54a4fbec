import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { curves } from '#stores/curves.ts';
import { newSeed } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { groupCurve } from './curves/data.ts';
import { editsNote } from './edit-words.ts';
import { outcomeOf } from './rows.ts';

const said = (...of: Parameters<typeof editsNote>): string => editsNote(...of).replace(/\u202f/g, ' ');
const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { seeds: 5 } });
const result = (seed: number, evalReturn: number) => ({
  seed,
  finalReturn: evalReturn,
  evalReturn,
  evalLoops: 1,
  perAgent: [],
  steps: 1,
  seconds: 1,
  stepsPerSecond: 1,
  parameterHash: '',
});
const run = (seed: number, evalReturn: number, ...edits: readonly (readonly [step: number, value: number])[]): SeedRun => ({
  ...newSeed(seed),
  state: 'done',
  step: 60_000,
  result: result(seed, evalReturn),
  marks: edits.map(([step, value]) => ({ kind: 'mark', step, type: 'edit', text: '', path: 'env.gravity', value, by: 'user' })),
});
const group = (id: string, seeds: readonly SeedRun[], more: Partial<RunGroup> = {}): RunGroup => ({
  ...{ id, name: 'PPO on CartPole', config, hash: '', colour: 0, dash: 0, createdAt: 0, visible: true, note: '' },
  ...{ parent: null, executorReason: '', seeds, ...more },
});

/** The review's run: four seeds were over or under way at 9.8, the fifth went on at 19.6. */
const mixed = group('mixed', [run(1, 500), run(2, 500), run(3, 500), run(4, 264, [19_500, 19.6]), run(5, 265, [19_500, 19.6])]);

test('a stored run whose edit reached some seeds says which, and averages those that are alike', () => {
  expect(said(mixed, null)).toBe(
    'A change while it trained did not reach all seeds: seeds 1, 2, 3: without a change; seeds 4, 5: gravity = 19.6 from step 19.5 k on. The mean is that of seeds 1, 2, 3.',
  );
  expect(outcomeOf(mixed)).toEqual({ n: 3, iqm: 500, ci: null });
  for (const { seed } of mixed.seeds) curves.append('mixed', seed, ['episodicReturn'], Float64Array.of(1000, 10 * seed));
  const curve = groupCurve(mixed, 'episodicReturn', 'steps', 100);
  expect([curve.seeds.map(({ seed }) => seed), curve.apart?.map(({ seed }) => seed), curve.enough]).toEqual([[1, 2, 3], [4, 5], false]);
});

test('an edit of all seeds is said, with the run that goes on without it', () => {
  const edits = [
    { step: 100, path: 'env.gravity', value: 5 },
    { step: 19_500, path: 'env.gravity', value: 19.6 },
  ];
  const seeds = [run(1, 1, [100, 5], [19_520, 19.6]), run(2, 1, [100, 5])];
  expect(said(group('a', seeds, { edits }), null)).toBe(
    'Changed while it trained, for all 2 seeds: gravity = 19.6 from step 19.5 k on, other values before.',
  );
  expect(said(group('b', seeds, { edits, parent: { id: 'a', step: 19_500, same: true } }), null)).toContain(
    'The run before it goes on unchanged',
  );
  expect(said(group('c', [run(1, 1)]), null)).toBe('');
});
