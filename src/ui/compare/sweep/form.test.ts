import { describe, expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { sweepsOf } from '#contract/sweep/parts.ts';
import { sweepSize } from '#contract/sweep/run.ts';
import { countOf, parseSweep } from '#contract/sweep/sweep.ts';
import { leavesOf } from '#ui/form/leaves.ts';
import { canSweep, type FieldForm, FRESH, fileOf, formOf, type SweepForm, startField } from './form.ts';

const schema: FieldSchema = {
  type: 'object',
  properties: {
    lr: { type: 'number', title: 'learning rate', exclusiveMinimum: 0, maximum: 1, log: true },
    norm: { type: 'boolean', title: 'standardise advantages' },
    kind: { enum: ['a', 'b', 'c'], title: 'kind' },
    layers: { type: 'integer', title: 'layers', minimum: 1, maximum: 8 },
    hidden: { type: 'array', title: 'hidden', items: { type: 'integer' }, default: [64, 64] },
    maps: { type: 'array', title: 'maps', items: { type: 'object' } },
  },
};
const leaves = leavesOf('algo', schema);
const leaf = (name: string) => leaves.find(({ path }) => path === `algo.${name}`)!;
const config = runConfigSchema.parse({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { lr: 0.01, norm: true } },
  run: { steps: 1000 },
});
const values = (text: string): FieldForm => ({ kind: 'values', values: text, from: '', to: '' });
const make = (fields: SweepForm['fields'], more: Partial<SweepForm> = {}) =>
  fileOf({ ...FRESH, fields, ...more }, config, leaves.filter(canSweep), (id) => id);
const problem = (fields: SweepForm['fields'], more: Partial<SweepForm> = {}): string => {
  const made = make(fields, more);
  return 'problem' in made ? made.problem.text : '';
};

describe('the form of a sweep', () => {
  test('a grid of three by three on three seeds says its runs before the start', () => {
    const made = make({ 'algo.lr': values('1e-3, 0.01, 0.1'), 'algo.kind': values('a, b, c') });
    if ('problem' in made) throw new Error(made.problem.text);
    const sweep = parseSweep(made.file);
    expect(countOf(sweep)).toBe(9);
    expect(sweepSize(sweep, 1000)).toEqual({ runs: 9 * 3 + 2 * 5, steps: 37_000 });
    expect(sweep.fields).toEqual({ 'algo.lr': [0.001, 0.01, 0.1], 'algo.kind': ['a', 'b', 'c'] });
  });

  test('its file fills the same form again', () => {
    const form: SweepForm = {
      ...FRESH,
      fields: {
        'algo.lr': { kind: 'log', values: '', from: '1e-4', to: '0.1' },
        'algo.norm': values('on, off'),
        'algo.layers': { kind: 'whole', values: '', from: '1', to: '4' },
      },
      search: 'tpe',
      pruned: 'third',
      setups: '40',
      counted: 'reaches',
      level: '475',
    };
    const made = fileOf(form, config, leaves, (id) => id);
    if ('problem' in made) throw new Error(made.problem.text);
    expect(made.file).toMatchObject({ better: 'less', quantity: { metric: 'episodicReturn', reaches: 475 } });
    expect(formOf(parseSweep(made.file))).toEqual(form);
  });

  test('what is wrong names the field and what it takes', () => {
    expect(problem({})).toBe('Tick at least one field to search.');
    expect(problem({ 'algo.lr': values('0.1') })).toBe('learning rate: give at least two values, separated by commas.');
    expect(problem({ 'algo.lr': values('0.1, 7') })).toMatch(
      /^learning rate: "7" will not do\. learning rate must be a number more than 0 and at most 1/,
    );
    expect(problem({ 'algo.norm': values('on, maybe') })).toBe('standardise advantages: "maybe" is neither on nor off.');
    expect(problem({ 'algo.kind': values('a, d') })).toBe('kind: "d" is none of a, b, c.');
    expect(problem({ 'algo.lr': { kind: 'linear', values: '', from: '0.5', to: '0.1' } })).toMatch(/the range must rise/);
    expect(problem({ 'algo.norm': values('on, off') }, { tuning: '0' })).toBe(
      'The number of tuning seeds must be a whole number from 1 to 100.',
    );
    expect(problem({ 'algo.norm': values('on, off') }, { counted: 'reaches' })).toMatch(/^Give the level/);
  });

  test('lists are values', () => {
    const made = make({ 'algo.hidden': values('[32], [64, 64]') });
    if ('problem' in made) throw new Error(made.problem.text);
    const sweep = parseSweep(made.file);
    expect(sweep.fields).toEqual({ 'algo.hidden': [[32], [64, 64]] });
    expect(formOf(sweep).fields['algo.hidden']?.values).toBe('[32], [64,64]');
    for (const text of ['32, 64', '[32]', '[32], [']) expect(problem({ 'algo.hidden': values(text) })).not.toBe('');
    expect(startField(leaf('hidden'), [8]).values).toBe('[8]');
  });

  test('methods: a sweep for each, with the fields of the file; without any, each as it stands', () => {
    const made = make({ 'algo.lr': values('0.1, 0.2') }, { algos: ['dqn'], contrast: 'algo.lr' });
    if ('problem' in made) throw new Error(made.problem.text);
    const parts = sweepsOf(made.file);
    expect(parts.map(({ method, sweep }) => [method, sweep.names])).toEqual([
      ['ppo', ['algo.lr']],
      ['dqn', ['algo.lr']],
    ]);
    const plain = make({}, { algos: ['dqn'] });
    expect('file' in plain && sweepsOf(plain.file).map(({ sweep }) => countOf(sweep))).toEqual([1, 1]);
  });

  test('a field that was just ticked proposes values around its own, all of them allowed', () => {
    expect(startField(leaf('lr'), 0.01)).toEqual({ kind: 'values', values: '0.0033, 0.01, 0.03', from: '0.001', to: '0.1' });
    expect(startField(leaf('lr'), 0.5).values).toBe('0.17, 0.5, 1');
    expect(startField(leaf('norm'), true).values).toBe('on, off');
    expect(startField(leaf('layers'), 2).values).toBe('1, 2, 4');
    for (const name of ['lr', 'norm', 'kind', 'layers']) expect(problem({ [`algo.${name}`]: startField(leaf(name), undefined) })).toBe('');
    expect(leaves.filter(canSweep).map(({ path }) => path)).toEqual(['algo.lr', 'algo.norm', 'algo.kind', 'algo.layers', 'algo.hidden']);
  });
});
