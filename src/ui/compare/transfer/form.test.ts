import { expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { leavesOf } from '#ui/form/leaves.ts';
import { canVary, fieldsInOrder, firstThatWorks, proposed } from './form.ts';

const schema: FieldSchema = {
  type: 'object',
  properties: {
    maxSteps: { type: 'integer', title: 'step limit', minimum: 1, maximum: 1_000_000, default: 500 },
    rows: { type: 'integer', title: 'rows', minimum: 2, maximum: 40, default: 10 },
    mass: { type: 'number', title: 'mass', exclusiveMinimum: 0, maximum: 100, default: 1, group: 'physics' },
    length: { type: 'number', title: 'length', exclusiveMinimum: 0, maximum: 10, default: 0.5, group: 'physics' },
  },
};
const leaves = leavesOf('env', schema).filter(canVary);
const without = (...names: readonly string[]) => leaves.filter(({ path }) => !names.includes(path.slice('env.'.length)));
const firstField = (...asked: Parameters<typeof fieldsInOrder>) => fieldsInOrder(...asked)[0];
const draft = (config: JsonObject = {}) => runConfigSchema.parse({ env: { id: 'cartpole', config }, algo: { id: 'ppo' } });

test('a grid begins with what is asked for, what is drawn already, or the physics; with the step limit where there is nothing else', () => {
  const drawn = { contexts: { draw: { length: { from: 0.2, to: 1 } } } };
  expect(firstField(leaves, draft(drawn), 'env.rows')?.path).toBe('env.rows');
  expect(firstField(leaves, draft(drawn), 'env.gone')?.path).toBe('env.length');
  expect(firstField(leaves, draft())?.path).toBe('env.mass');
  expect(firstField(without('mass', 'length'), draft())?.path).toBe('env.rows');
  expect(firstField(without('mass', 'length', 'rows'), draft())?.path).toBe('env.maxSteps');
  expect(firstField([], draft())).toBeUndefined();
});

test('what is proposed lies around the value of the configuration, and around the default where the configuration does not say it', () => {
  const mass = leaves.find(({ path }) => path === 'env.mass')!;
  expect(proposed(mass, draft({ mass: 4 })).train).toBe('2, 4, 8, 2..8');
  const limit = leaves.find(({ path }) => path === 'env.maxSteps')!;
  expect(proposed(limit, draft()).train).toBe('250, 500, 1000, 250..1000');
  const length = leaves.find(({ path }) => path === 'env.length')!;
  const drawn = proposed(length, draft({ contexts: { draw: { length: { from: 0.2, to: 0.8 } } } }));
  expect(drawn).toEqual({ train: '0.2, 0.4, 0.8, 0.2..0.8', test: '0.1, 0.159, 0.252, 0.4, 0.635, 1.01, 1.6' });
});

test('a setting whose proposal is refused is not proposed', async () => {
  const fields = fieldsInOrder(leaves, draft());
  const refused: string[] = [];
  const check = async ({ field }: JsonObject): Promise<void> => {
    if (field !== 'env.rows') {
      refused.push(String(field));
      throw new Error('These contexts differ in the actions.');
    }
  };
  expect((await firstThatWorks(fields, draft(), check))?.path).toBe('env.rows');
  expect(refused).toEqual(['env.mass', 'env.length']);
  expect(await firstThatWorks(fields, draft(), () => Promise.reject(new Error('no')))).toBeUndefined();
});
