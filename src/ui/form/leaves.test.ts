import { expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { switchedTo } from '#contract/catalog/variants.ts';
import type { RunConfig } from '#contract/run/config.ts';
import {
  actsIn,
  clamp,
  fromSlider,
  type Leaf,
  leavesOf,
  offeredIn,
  rangeText,
  read,
  sliderOf,
  stepped,
  textOf,
  toSlider,
  valueIn,
  visibleAt,
  worldSliders,
} from './leaves.ts';

const schema: FieldSchema = {
  type: 'object',
  properties: {
    lr: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 2.5e-4,
      title: 'learning rate',
      log: true,
      slider: [1e-5, 1e-1],
      depth: 'teach',
    },
    epochs: { type: 'integer', minimum: 1, maximum: 100, default: 4 },
    norm: { type: 'boolean', default: true },
    act: { type: 'string', enum: ['tanh', 'relu'], default: 'tanh' },
    hidden: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 1024 }, minItems: 1, maxItems: 4, default: [64, 64] },
    kind: { const: 'ppo' },
    secret: { type: 'number', editor: 'hidden' },
    start: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' as 'string' }],
      default: null,
      depth: 'research',
    },
    reward: { type: 'object', properties: { stepCost: { type: 'number', default: 0 } } },
    map: { type: 'array', items: { type: 'string' }, editor: 'grid-map', map: { size: [1, 8], tiles: [], rules: [] } },
  },
};
const leaves = leavesOf('algo', schema);
const leaf = (path: string): Leaf => leaves.find((candidate) => candidate.path === `algo.${path}`)!;

test('every leaf but constants and hidden fields has one control', () => {
  expect(leaves.map((entry) => [entry.path, entry.kind])).toEqual([
    ['algo.lr', 'number'],
    ['algo.epochs', 'number'],
    ['algo.norm', 'switch'],
    ['algo.act', 'choice'],
    ['algo.hidden', 'json'],
    ['algo.start', 'number'],
    ['algo.reward.stepCost', 'number'],
    ['algo.map', 'map'],
  ]);
  expect(leaf('reward.stepCost')).toMatchObject({ title: 'step cost', group: 'reward' });
});

test.each(['1e9', '-1', 'NaN', '', '0'])('learning rate %s is refused and the message names the range', (text) => {
  const reading = read(leaf('lr'), text);
  expect(reading).toEqual({ ok: false, message: 'learning rate must be a number more than 0 and at most 1.' });
});

test('good texts become values', () => {
  expect(read(leaf('lr'), '3e-4')).toEqual({ ok: true, value: 3e-4 });
  expect(read(leaf('epochs'), '10')).toEqual({ ok: true, value: 10 });
  expect(read(leaf('epochs'), '2.5').ok).toBe(false);
  expect(read(leaf('start'), '')).toEqual({ ok: true, value: null });
  expect(read(leaf('hidden'), '[32, 32]')).toEqual({ ok: true, value: [32, 32] });
});

test.each(['[32, 0]', '[]', '[1,2,3,4,5]', '{"a":1}', '64, 64', '["x"]'])('hidden layers %s are refused', (text) =>
  expect(read(leaf('hidden'), text).ok).toBe(false),
);

test('ranges in words', () => {
  expect(rangeText(schema.properties!.epochs!)).toBe('between 1 and 100');
  expect(rangeText({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBe('at least 0');
  expect(rangeText({ type: 'number' })).toBe('');
});

test('keys: an arrow is a tenth of a decade on a log field, a page a decade, and the ends hold', () => {
  const lr = schema.properties!.lr!;
  expect(stepped(lr, 1e-3, 1, 1)).toBe(0.0013);
  expect(stepped(lr, 1e-3, 1, 10)).toBe(1e-2);
  expect(stepped(lr, 1e-3, -1, 10)).toBe(1e-4);
  expect(stepped(lr, 0.9, 1, 10)).toBe(1);
  const epochs = schema.properties!.epochs!;
  expect(stepped(epochs, 1, -1, 1)).toBe(1);
  expect(stepped(epochs, 4, 1, 10)).toBe(14);
  expect(clamp(lr, -5)).toBeGreaterThan(0);
});

test('a slider gives back the value it shows, to two figures', () => {
  const lr = schema.properties!.lr!;
  const range = sliderOf(lr)!;
  for (const value of [1e-5, 3e-4, 2.5e-4, 1e-1]) expect(fromSlider(lr, range, toSlider(lr, range, value))).toBeCloseTo(value, 10);
  const unit: FieldSchema = { type: 'number', minimum: 0, maximum: 1 };
  expect(fromSlider(unit, [0, 1], 0.953)).toBeCloseTo(0.955, 10);
  expect(fromSlider({ type: 'integer', minimum: 1, maximum: 20 }, [1, 20], 0.5)).toBe(11);
});

test('depths nest', () => {
  expect(visibleAt(leaf('lr'), 'teach')).toBe(true);
  expect(visibleAt(leaf('epochs'), 'teach')).toBe(false);
  expect(visibleAt(leaf('start'), 'lab')).toBe(false);
  expect(visibleAt(leaf('start'), 'research')).toBe(true);
});

test('a field that is only stored is offered where the config gives it another value than its default', () => {
  const number: FieldSchema = { type: 'number', default: 1 };
  const all = leavesOf('algo', { type: 'object', properties: { lr: number, width: { ...number, depth: 'stored' } } });
  const offered = (own: object) =>
    all.filter((one) => offeredIn(one, { algo: { id: 'x', config: own } } as unknown as RunConfig)).map(({ path }) => path);
  expect(offered({ lr: 1, width: 1 })).toEqual(['algo.lr']);
  expect(offered({ lr: 1 })).toEqual(['algo.lr']);
  expect(offered({ lr: 1, width: 2 })).toEqual(['algo.lr', 'algo.width']);
  expect(visibleAt(all[1]!, 'lab')).toBe(true);
});

test('a variant is a choice of its kind and the fields of the kind that is chosen', () => {
  const number = (title: string): FieldSchema => ({ type: 'number', default: 1, title });
  const kind = (name: string, fields: object): FieldSchema => ({ properties: { kind: { const: name }, ...fields } });
  const bonus: FieldSchema = {
    title: 'bonus',
    group: 'exploration',
    editor: 'variant',
    default: { kind: 'none' },
    oneOf: [
      kind('none', {}),
      kind('counts', { weight: number('weight') }),
      kind('RND', { weight: number('weight'), size: number('size') }),
    ],
  };
  const all = leavesOf('algo', { type: 'object', properties: { bonus, lr: { type: 'number' } } });
  const config = (own: object) => ({ algo: { id: 'x', config: { bonus: own, lr: 1 } } }) as unknown as RunConfig;
  const shown = (own: object) => all.filter((one) => actsIn(one, config(own))).map(({ path }) => path);
  expect(all.map(({ path, group }) => [path, group])).toEqual([
    ['algo.bonus.kind', 'exploration'],
    ['algo.bonus.weight', 'exploration'],
    ['algo.bonus.size', 'exploration'],
    ['algo.lr', ''],
  ]);
  expect(all[0]).toMatchObject({ kind: 'choice', title: 'bonus', schema: { enum: ['none', 'counts', 'RND'], default: 'none' } });
  expect(shown({ kind: 'none' })).toEqual(['algo.bonus.kind', 'algo.lr']);
  expect(shown({ kind: 'counts', weight: 2 })).toEqual(['algo.bonus.kind', 'algo.bonus.weight', 'algo.lr']);
  expect(shown({ kind: 'RND', weight: 2, size: 3 })).toHaveLength(4);
  expect(valueIn(all[2]!, config({ kind: 'counts', weight: 2 }))).toBe(1);
  expect(switchedTo(bonus, { kind: 'counts', weight: 2 }, 'RND')).toEqual({ kind: 'RND', weight: 2, size: 1 });
  expect(switchedTo(bonus, { kind: 'RND', weight: 2, size: 3 }, 'none')).toEqual({ kind: 'none' });
});

test('values as text', () => {
  expect(textOf(leaf('hidden'), [64, 64])).toBe('[64,64]');
  expect(textOf(leaf('start'), null)).toBe('');
  expect(textOf(leaf('lr'), 2.5e-4)).toBe('2.5e-4');
});

test('in teach three numbers of the world can be dragged, live ones first', () => {
  const number = (more: object = {}): FieldSchema => ({ type: 'number', minimum: 0, maximum: 1, default: 0.5, ...more });
  const leaves = leavesOf('env', {
    type: 'object',
    properties: {
      a: number(),
      map: { type: 'string' },
      deep: number({ depth: 'research' }),
      b: number({ live: true }),
      c: number(),
      d: number({ live: true }),
    },
  });
  expect(worldSliders(leaves).map(({ path }) => path)).toEqual(['env.b', 'env.d', 'env.a']);
});
