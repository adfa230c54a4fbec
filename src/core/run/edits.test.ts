import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { checkEdit } from './edits.ts';
import { applyEdit, openMemory } from './session-memory.ts';

const room = (properties: FieldSchema['properties']) => ({
  schema: { properties: properties ?? {} },
  parse: (config: unknown) => config as JsonObject,
});
const bonus: FieldSchema = {
  editor: 'variant',
  oneOf: [
    { properties: { kind: { const: 'counts' }, weight: { live: true } } },
    { properties: { kind: { const: 'RND' }, weight: { live: true }, scale: { live: true } } },
  ],
};
const algo = room({ lr: { live: true }, hidden: {}, bonus });
const env = room({ wind: { type: 'object', properties: { x: { live: true }, y: { live: true } } }, size: {} });
const open = () =>
  openMemory(
    {
      algo: { id: 'a', parse: algo.parse },
      env: { id: 'e', parse: env.parse },
      seed: 1,
      config: { lr: 1, hidden: 2, bonus: { kind: 'counts', weight: 1 } },
      world: { wind: { x: 0, y: 5 }, size: 3 },
    },
    undefined,
  );

it('fields inside fields change and leave their neighbours', () => {
  const memory = open();
  applyEdit(memory, 'env.wind.x', checkEdit(memory, algo, env, 'env.wind.x', 2));
  expect(memory.env).toEqual({ wind: { x: 2, y: 5 }, size: 3 });
  expect(memory.edits).toEqual([{ step: 0, path: 'env.wind.x', value: 2 }]);
});

it("an algorithm's own object changes in place", () => {
  const memory = open();
  const { live } = memory;
  applyEdit(memory, 'algo.lr', checkEdit(memory, algo, env, 'algo.lr', 0.5));
  expect(live).toMatchObject({ lr: 0.5, hidden: 2 });
});

it('a field of a variant changes in the object that the algorithm holds', () => {
  const memory = open();
  const held = memory.live.bonus;
  applyEdit(memory, 'algo.bonus.weight', checkEdit(memory, algo, env, 'algo.bonus.weight', 0.5));
  expect(held).toEqual({ kind: 'counts', weight: 0.5 });
});

it('other fields are refused with the names of those that can', () => {
  for (const path of ['env.wind', 'env.size', 'algo.hidden', 'algo.bonus.kind', 'algo.bonus.scale', 'run.steps', 'nonsense']) {
    expect(() => checkEdit(open(), algo, env, path, 1)).toThrow(/algo\.lr, algo\.bonus\.weight, env\.wind\.x, env\.wind\.y/);
  }
});
