import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { alikeSeeds, editsKey, partsOf } from './alike.ts';
import { newSeed } from './runs.ts';
import type { RunGroup, SeedRun } from './types.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { seeds: 5 } });
const PATH = 'env.gravity';
const edited = (seed: number, ...edits: readonly (readonly [step: number, value: number])[]): SeedRun => ({
  ...newSeed(seed),
  marks: edits.map(([step, value]) => ({ kind: 'mark', step, type: 'edit', text: '', path: PATH, value, by: 'user' })),
});
const group = (seeds: readonly SeedRun[], edits?: RunGroup['edits']): RunGroup => ({
  id: 'r',
  name: 'PPO on CartPole',
  config,
  hash: '',
  colour: 0,
  dash: 0,
  createdAt: 0,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds,
  ...(edits !== undefined && { edits }),
});
const numbers = (seeds: readonly SeedRun[] | undefined): unknown => seeds?.map(({ seed }) => seed);

test('a run of an earlier build whose edit reached some seeds: the largest part alone is averaged', () => {
  const run = group([edited(1), edited(2), edited(3), edited(4, [19_500, 19.6]), edited(5, [19_500, 19.6])]);
  expect(partsOf(run).map(({ seeds, edits }) => [numbers(seeds), edits])).toEqual([
    [[1, 2, 3], []],
    [[4, 5], [{ step: 19_500, path: PATH, value: 19.6 }]],
  ]);
  expect(numbers(alikeSeeds(run))).toEqual([1, 2, 3]);
  // Of two parts of one size the one without.
  expect(numbers(alikeSeeds(group([edited(1, [5, 1]), edited(2)])))).toEqual([2]);
});

test('at different steps, or to different values, is not alike', () => {
  expect(partsOf(group([edited(1, [100, 2]), edited(2, [200, 2]), edited(3, [100, 3])]))).toHaveLength(3);
});

test('edits of the run are made by each seed at or after their step, and seeds that are not there yet are like the others', () => {
  const run = group([edited(1, [96, 2]), edited(2, [101, 2]), edited(3)], [{ step: 95, path: PATH, value: 2 }]);
  expect(partsOf(run)).toHaveLength(1);
  expect(partsOf(group([edited(1, [96, 2], [120, 7]), edited(2, [96, 2])], [{ step: 95, path: PATH, value: 2 }]))).toHaveLength(2);
});

test('an edited run is not the run of its config', () => {
  const plain = group([edited(1)]);
  expect(editsKey(plain, plain.seeds[0]!)).toBe('');
  const scheduled = group([edited(1)], [{ step: 95, path: PATH, value: 2 }]);
  expect(editsKey(scheduled, scheduled.seeds[0]!)).not.toBe('');
});
