import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test('a cell is never a formula, and is quoted where it must be', () => {
  for (const text of ['=HYPERLINK("http://x")', '+1+1', '-2+3', '@SUM(A1)', ' =1', '\t=1', '\r=1']) {
    expect(csvCell(text).replace(/^"/, ''), text).toMatch(/^'/);
  }
  expect(csvCell('PPO on CartPole')).toBe('PPO on CartPole');
  expect(csvCell('learning rate, "halved"')).toBe('"learning rate, ""halved"""');
});
