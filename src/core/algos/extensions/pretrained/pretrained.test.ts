/** Pretrained weights: every method on tokens begins with the shipped weights; a file that is not there or not whole is refused in words. */
import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { getEnv } from '#core/envs/all.ts';
import { STORY_PLACES, STORY_VOCABULARY } from '#core/envs/language/lib/stories/vocabulary.ts';
import { begun, type Task } from '#core/testing/trained.ts';
import { dpo } from '../../language/dpo.ts';
import { groupRl } from '../../language/group-rl.ts';
import { tokenPpo } from '../../language/token-ppo.ts';
import { MODELS, STORIES, weightsIn } from './model.ts';

const file = new Uint8Array(readFileSync(`public/${STORIES.file}`));
const weights = async (): Promise<Uint8Array> => file;
const { width, layers, heads } = STORIES;
const sizes = { pretrained: 'stories-2', width, layers, heads };
const groups = { ...sizes, prompts: 1, group: 2 };
const env = getEnv('w-stories');

/** What a method has after its first update, and its metrics. */
async function first(task: Omit<Task, 'env' | 'steps'>, how: Parameters<typeof begun>[2] = { weights }) {
  const { training, end } = begun({ ...task, env, steps: 100_000 }, undefined, how);
  try {
    const next = await training.next();
    if (next.done === true) throw new Error('nothing was trained');
    return { metrics: next.value.metrics, hash: await next.value.hash(), snapshot: await next.value.snapshot() };
  } finally {
    await end();
  }
}

it('is a file of at most 2.2 MB, which holds every parameter', () => {
  expect(statSync(`public/${STORIES.file}`).size).toBeLessThanOrEqual(2_200_000);
  const all = weightsIn(file, STORIES);
  expect(all.get('tok')).toHaveLength(STORIES.vocabulary * width);
  expect(all.get('nf.g')).toHaveLength(width);
  for (const [name, numbers] of all) expect(numbers.every(Number.isFinite), name).toBe(true);
});

it('what each kind names is there, whole, and no two kinds name the same', () => {
  const models = Object.values(MODELS);
  for (const model of models) expect(weightsIn(new Uint8Array(readFileSync(`public/${model.file}`)), model).size).toBeGreaterThan(10);
  for (const part of ['file', 'hash', 'title'] as const) expect(new Set(models.map((model) => model[part])).size).toBe(models.length);
});

it('runs of the first model go on to begin with it', async () => {
  const old = MODELS.stories!;
  const bytes = new Uint8Array(readFileSync(`public/${old.file}`));
  expect(old).toMatchObject({ file: 'stories.bin', hash: '855ee98e306abc29', width: 96, layers: 4, heads: 4 });
  const asked: string[] = [];
  const how = {
    weights: async (name: string) => {
      asked.push(name);
      return bytes;
    },
  };
  const { snapshot } = await first({ algo: groupRl, config: { ...groups, pretrained: 'stories', lr: 1e-9 } }, how);
  expect(asked).toEqual(['stories.bin']);
  const tok = Object.entries(snapshot.arrays).find(([name]) => name.endsWith('tok'))![1];
  const wanted = weightsIn(bytes, old).get('tok')!;
  expect(Math.max(...wanted.map((x, i) => Math.abs(x - Number(tok[i]))))).toBeLessThan(1e-5);
  // what is shipped now is refused there, in words
  await expect(first({ algo: groupRl, config: { ...groups, pretrained: 'stories' } })).rejects.toThrow(
    'The first model of the little stories is not the file that this version was made with',
  );
});

it('has the vocabulary and the places of the world', () => {
  expect(STORIES).toMatchObject({ vocabulary: STORY_VOCABULARY, places: STORY_PLACES });
});

it.each([
  { name: 'shorter', bytes: file.subarray(0, file.length - 2) },
  { name: 'another', bytes: file.map((byte, i) => (i === 1000 ? byte ^ 1 : byte)) },
])('refuses a file that is $name', ({ bytes }) => {
  expect(() => weightsIn(bytes, STORIES)).toThrow('is not the file that this version was made with');
});

it.each([
  { algo: groupRl, config: { ...groups, lr: 1e-9 } },
  { algo: dpo, config: { ...groups, cloning: 'off', lr: 1e-9 } },
  { algo: tokenPpo, config: { ...sizes, rows: 8, lr: 1e-9 } },
])('$algo.id writes English from its first word', async ({ algo, config }) => {
  const trained = await first({ algo, config });
  const nothing = await first({ algo, config: { ...config, pretrained: 'not used' } });
  expect(trained.hash).not.toBe(nothing.hash);
  const tok = Object.entries(trained.snapshot.arrays).find(([name]) => name.endsWith('tok'))![1];
  const wanted = weightsIn(file, STORIES).get('tok')!;
  expect(Math.max(...wanted.map((x, i) => Math.abs(x - Number(tok[i]))))).toBeLessThan(1e-5);
});

it('gives the same bits again, and goes on from a checkpoint without the file', async () => {
  const config = { ...groups, reference: { kind: 'fixed', coef: 0.1 } };
  const task = { algo: groupRl, config, env, steps: 100_000 };
  const whole = begun(task, undefined, { weights });
  await whole.training.next();
  const saved = await (await whole.training.next()).value!.save();
  const wanted = await (await whole.training.next()).value!.hash();
  await whole.end();
  const again = begun(task, saved);
  expect(await (await again.training.next()).value!.hash()).toBe(wanted);
  await again.end();
});

it('says what is missing where nothing gives the file', async () => {
  await expect(first({ algo: groupRl, config: groups }, {})).rejects.toMatchObject({
    failure: { id: 'engine-missing', field: 'algo.pretrained.kind' },
  });
});

it('asks for its own sizes and its own world, and changes no hash where it is not used', () => {
  const meta = env.meta(env.parse({}));
  expect(() => groupRl.fits(meta, groupRl.parse({ ...groups, width: 64 }))).toThrow(`width ${width}`);
  const other = getEnv('t-reason');
  expect(() => groupRl.fits(other.meta(other.parse({})), groupRl.parse(groups))).toThrow('other tokens');
  expect(flatConfig('group-rl', groupRl.parse({ pretrained: 'not used' }) as never, true)).not.toHaveProperty('pretrained');
});
