import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';
import { curvesToCsv } from './files.ts';

test('a cell is never a formula, and is quoted where it must be', () => {
  for (const text of ['=HYPERLINK("http://x")', '+1+1', '-2+3', '@SUM(A1)', ' =1', '\t=1', '\r=1']) {
    expect(csvCell(text).replace(/^"/, ''), text).toMatch(/^'/);
  }
  const columns = [{ seed: 1, metric: '@SUM(A1)', steps: Float64Array.of(2), values: Float64Array.of(3) }];
  expect(curvesToCsv('=1+1', columns).split('\n')[1]).toBe("'=1+1,1,2,'@SUM(A1),3");
  expect(csvCell('PPO on CartPole')).toBe('PPO on CartPole');
  expect(csvCell('learning rate, "halved"')).toBe('"learning rate, ""halved"""');
});
