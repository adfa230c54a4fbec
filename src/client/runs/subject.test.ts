import { expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { describeDraft, draftStore } from '#stores/draft.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { currentSubject, trainingOf } from './subject.ts';

const env = {
  id: 'cartpole',
  schema: { properties: { gravity: { title: 'gravity', unit: 'm/s²' }, map: { title: 'map' } } },
} as unknown as EnvCard;
const start = { gravity: 9.8, map: ['..'] };

/** A run that was started with gravity 9.8 and had these edits of gravity, [step, value]. */
function run(...edits: readonly (readonly [number, number])[]): RunGroup {
  const marks = edits.map(([step, value]) => ({ kind: 'mark', type: 'edit', text: '', step, path: 'env.gravity', value }));
  const config = runConfigSchema.parse({ env: { id: 'cartpole', config: start }, algo: { id: 'ppo' } });
  return { id: 'r', config, seeds: [{ seed: 1, marks }] } as unknown as RunGroup;
}
const told = (group: RunGroup, step: number, draft: JsonObject) => trainingOf(env, group, 1, step, draft);

test('an unedited run in its own world needs no words', () => {
  expect(told(run(), 1000, start)).toEqual({ edits: [], changes: [] });
});

test('another world than the one of training is named', () => {
  expect(told(run(), 1000, { ...start, gravity: 30 })).toEqual({ edits: [], changes: ['gravity 9.8, here 30 m/s²'] });
  expect(told(run(), 1000, { ...start, map: ['#'] }).changes).toEqual(['another map']);
});

test('what was edited while it trained counts as trained with, and only from that step on', () => {
  const edited = run([32_768, 19.6]);
  const here = { ...start, gravity: 19.6 };
  expect(told(edited, 150_016, here)).toEqual({ edits: ['gravity 9.8 until step 32,768, then 19.6 m/s²'], changes: [] });
  // A policy kept before the edit has not met it.
  expect(told(edited, 20_000, here)).toEqual({ edits: [], changes: ['gravity 9.8, here 19.6 m/s²'] });
  // Changed again after training.
  expect(told(edited, 150_016, { ...start, gravity: 5 }).changes).toEqual(['gravity 19.6, here 5 m/s²']);
});

test('several edits of one setting: the first value and the last', () => {
  const { edits } = told(run([1000, 12], [2000, 19.6]), 5000, { ...start, gravity: 19.6 });
  expect(edits).toEqual(['gravity 9.8, then others, from step 2,000 on 19.6 m/s²']);
});

test('a draft as the run was started stands for the run, edits included', () => {
  expect(told(run([1000, 12]), 5000, start).changes).toEqual([]);
});

test('worlds are compared when the training is read, not at every frame that asks for the subject', () => {
  let compared = 0;
  const seed = {
    ...newSeed(1),
    get marks() {
      compared++;
      return [];
    },
  };
  const { config } = run();
  draftStore.getState().open({ ...config, env: { ...config.env, config: { ...start, gravity: 30 } } });
  describeDraft(env);
  runsStore.setState({ groups: [{ id: 'r', config, seeds: [seed] } as unknown as RunGroup], activeId: 'r' });
  const subject = currentSubject();
  expect(subject).toMatchObject({ seed: 1, policy: null });
  expect(compared).toBe(0);
  expect(subject?.training.changes).toEqual(['gravity 9.8, here 30 m/s²']);
});
