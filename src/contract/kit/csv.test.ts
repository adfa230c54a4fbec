import { expect, test } from 'vitest';
import { curvesToCsv } from '../files/curves-csv.ts';
import { runConfigSchema } from '../run/config.ts';
import { sweepCsv } from '../sweep/report.ts';
import { parseSweep } from '../sweep/sweep.ts';
import { csvCell } from './csv.ts';

test('a cell is never a formula, and is quoted where it must be', () => {
  for (const text of ['=HYPERLINK("http://x")', '+1+1', '-2+3', '@SUM(A1)', ' =1', '\t=1', '\r=1']) {
    expect(csvCell(text).replace(/^"/, ''), text).toMatch(/^'/);
  }
  const columns = [{ seed: 1, metric: '@SUM(A1)', steps: Float64Array.of(2), values: Float64Array.of(3) }];
  expect(curvesToCsv('=1+1', columns).split('\n')[1]).toBe("'=1+1,1,2,'@SUM(A1),3");
  expect(csvCell('PPO on CartPole')).toBe('PPO on CartPole');
  expect(csvCell('learning rate, "halved"')).toBe('"learning rate, ""halved"""');
});

test('numbers stay numbers: only texts are kept from being formulas', () => {
  for (const value of [-1, -1e-7, -1000, 0.5, 3]) expect(Number(csvCell(value)), String(value)).toBe(value);
  const sweep = parseSweep({
    kind: 'sweep',
    version: 1,
    config: {},
    fields: { 'env.offset': [-1, -1e-7], 'env.name': ['-cmd', 'b'] },
    search: { by: 'grid' },
  });
  const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
  const setups = [
    { number: 1, point: [0, 0], values: { 'env.offset': -1e-7, 'env.name': '-cmd' }, scores: [-1], score: -1, first: -1, steps: 10 },
  ];
  const [header, row] = sweepCsv(sweep, { setups: setups.map((setup) => ({ ...setup, config })) }, [1]).split('\n');
  expect(header).toBe('setup,env.offset,env.name,steps,seed,score');
  expect(row).toBe("1,-1e-7,'-cmd,10,1,-1");
});
