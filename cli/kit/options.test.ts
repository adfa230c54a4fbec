import { expect, test } from 'vitest';
import { UsageError } from './failure.ts';
import { parseOptions } from './options.ts';

const TABLE = {
  json: { kind: 'flag', help: '' },
  env: { kind: 'text', value: 'ID', help: '' },
  steps: { kind: 'count', min: 1, help: '' },
  set: { kind: 'list', help: '' },
  executor: { kind: 'text', choices: ['wasm', 'auto'], help: '' },
} as const;

const message = (...args: string[]): string => {
  try {
    parseOptions(args, TABLE);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
};

test('values come with a space or an equals sign, counts may be written as people write them', () => {
  const { options, rest } = parseOptions(['envs', '--env', 'cartpole', '--steps=5e5', '--set', 'a=1', '--set', 'b=2', '--json'], TABLE);
  expect(rest).toEqual(['envs']);
  expect(options).toEqual({ json: true, env: 'cartpole', steps: 500_000, set: ['a=1', 'b=2'], executor: undefined });
  expect(parseOptions(['--steps', '1_000'], TABLE).options.steps).toBe(1000);
});

test('a value may be empty text or negative for the command to judge', () => {
  expect(parseOptions(['--set', 'env.x=-1', '--env='], TABLE).options).toMatchObject({ set: ['env.x=-1'], env: '' });
});

test('every wrong argument is one line that says what is allowed', () => {
  expect(message('--stpes', '3')).toBe('There is no option --stpes here. Did you mean --steps?');
  expect(message('--batches', '3')).toBe('There is no option --batches here. Use any of: --json, --env, --steps, --set, --executor.');
  expect(message('--steps', 'many')).toBe('--steps must be an integer of at least 1, not "many".');
  expect(message('--steps', '0')).toContain('at least 1');
  expect(message('--steps', '')).toContain('at least 1');
  expect(message('--executor', 'gpu')).toBe('--executor must be one of wasm, auto, not "gpu".');
  expect(message('--env')).toBe('--env needs a value: --env ID.');
  expect(message('--env', 'a', '--env', 'b')).toBe('--env was given twice.');
  expect(message('--json=yes')).toBe('--json takes no value.');
});

test('names of Object.prototype are no options', () => {
  expect(message('--constructor', '1')).toContain('There is no option --constructor');
});

test('what looks like an option is a value where one is due, and a name after --', () => {
  expect(parseOptions(['--env', '--json'], TABLE).options).toMatchObject({ env: '--json', json: false });
  expect(parseOptions(['--json', '--', '--env', '-5'], TABLE)).toMatchObject({
    options: { json: true, env: undefined },
    rest: ['--env', '-5'],
  });
  expect(message('-j')).toContain('There is no option -j');
});

test('a setting may stand as an option of its own where --set is taken', () => {
  const parsed = parseOptions(['--env.mass', '0.5..2', '--algo.lr=-1', 'file', '--json'], TABLE);
  expect(parsed).toMatchObject({ options: { set: ['env.mass=0.5..2', 'algo.lr=-1'], json: true }, rest: ['file'] });
  expect(message('--env.mass')).toBe('--env.mass needs a value: --env.mass VALUE.');
  const { set: _, ...without } = TABLE;
  expect(() => parseOptions(['--env.mass', '1'], without)).toThrow('There is no option --env.mass');
});
