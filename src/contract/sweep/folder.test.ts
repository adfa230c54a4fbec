import { expect, test } from 'vitest';
import { LabError } from '../kit/errors.ts';
import { runConfigSchema } from '../run/config.ts';
import { type FiledSweep, readSweepFile, sweepFile } from './folder.ts';
import { parseSweep } from './sweep.ts';

const sweep = parseSweep({
  kind: 'sweep',
  version: 1,
  config: { env: { id: 'e' }, algo: { id: 'a' } },
  fields: { 'algo.x': [0.1, 0.9] },
  search: { by: 'grid' },
});
const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const setup = { number: 1, point: [0.25], values: { 'algo.x': 0.1 }, config, scores: [1, null, 3], score: null, first: null, steps: 10 };
const about = { date: '2026-11-21T00:00:00.000Z', commit: 'x' };
const written = sweepFile(sweep, { setups: [setup], best: null, reported: null }, about, {
  state: 'running',
  runs: { done: 2, total: 6, failed: 1 },
});

test('what is written is read again', () => {
  const { setups, ...rest }: FiledSweep = readSweepFile(JSON.stringify(written));
  expect(rest).toMatchObject({ state: 'running', runs: { done: 2, total: 6, failed: 1 }, best: null, reported: null, date: about.date });
  expect(rest.sweep.names).toEqual(['algo.x']);
  const { config: _, ...own } = setup;
  expect(setups[0]).toMatchObject(own);
});

test.each([
  ['', 'no JSON'],
  ['[', 'no JSON'],
  ['{}', '"type"'],
  [JSON.stringify({ ...written, setups: [{ ...written.setups[0], point: [0.1, 0.2] }] }), 'has 2 values'],
  [JSON.stringify({ ...written, setups: [{ ...written.setups[0], point: [7] }] }), 'setups.0.point.0'],
  [JSON.stringify({ ...written, state: 'over' }), '"state"'],
  [JSON.stringify({ ...written, sweep: {} }), 'is not valid'],
  [JSON.stringify({ ...written, setups: Array.from({ length: 1001 }, () => written.setups[0]) }), '"setups"'],
  [' '.repeat(16_000_001), '16 MB'],
])('%.40s is refused with what is wrong', (text, hint) => {
  expect(() => readSweepFile(text)).toThrow(LabError);
  expect(() => readSweepFile(text)).toThrow(hint);
});
