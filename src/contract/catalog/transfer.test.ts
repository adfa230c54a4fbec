import { expect, test } from 'vitest';
import { type RunConfig, runConfigSchema } from '../run/config.ts';
import { cellScores, columnConfig, parseTransfer, rowConfig, settingText, spread, transferSize } from './transfer.ts';

const file = { kind: 'transfer', version: 1, config: {}, field: 'env.mass', train: [1, '0.5..2'], test: [0.5, 1, 4] };
const base = (env: object): RunConfig =>
  runConfigSchema.parse({ env: { id: 'e', config: { mass: 1, wind: 2, ...env } }, algo: { id: 'a' }, run: { steps: 100, seeds: 3 } });

test('rows hold a value or draw from a range, columns a value; other draws stay', () => {
  const plan = parseTransfer(file);
  const row = (config: RunConfig, at: number) => rowConfig(config, plan, at).env.config;
  expect(row(base({}), 0)).toEqual({ mass: 1, wind: 2 });
  expect(row(base({}), 1)).toEqual({ mass: 1, wind: 2, contexts: { draw: { mass: { from: 0.5, to: 2 } } } });
  expect(columnConfig(base({}), plan, 2)).toEqual({ mass: 4, wind: 2 });
  const drawn = base({ contexts: { draw: { wind: [1, 2], mass: { from: 0, to: 9 } } } });
  expect(row(drawn, 0)).toEqual({ mass: 1, wind: 2, contexts: { draw: { wind: [1, 2] } } });
  expect(row(drawn, 1)).toMatchObject({ contexts: { draw: { wind: [1, 2], mass: { from: 0.5, to: 2 } } } });
});

test('where agents are told, a single value stays a drawn one, so that they see as many numbers in every cell', () => {
  const told = base({ contexts: { draw: { mass: { from: 0.5, to: 2 } }, tell: true } });
  expect(columnConfig(told, parseTransfer(file), 2).contexts).toEqual({ draw: { mass: [4] }, tell: true });
});

test('size, cells and words', () => {
  expect(transferSize(parseTransfer(file), base({}))).toEqual({ runs: 6, steps: 600, tests: 900 });
  const tested = [
    { row: 0, column: 1, seed: 1, score: 5 },
    { row: 0, column: 1, seed: 2, score: null },
    { row: 1, column: 1, seed: 1, score: 7 },
  ];
  expect(cellScores(tested, 0, 1)).toEqual([5]);
  expect(['0.5..2', '0.1..1 log', 3].map(settingText)).toEqual(['0.5 to 2', '0.1 to 1 (log)', '3']);
  expect(spread(0.25, 4, 5, { decades: true })).toEqual([0.25, 0.5, 1, 2, 4]);
  expect(spread(1, 3, 5, { whole: true })).toEqual([1, 2, 3]);
});

test.each([
  [{ ...file, field: 'algo.lr' }, 'field'],
  [{ ...file, train: [1, 1] }, 'train'],
  [{ ...file, test: ['0.5..2'] }, 'test'],
  [{ ...file, test: [] }, 'test'],
  [{ ...file, extra: 1 }, ''],
])('%j is refused with the field %s', (wrong, field) => {
  expect(() => parseTransfer(wrong)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ field }) }));
});
