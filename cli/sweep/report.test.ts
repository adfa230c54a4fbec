import { expect, test } from 'vitest';
import { contrastCsv } from './report.ts';

test('values and scores below 0 stay numbers in contrast.csv, texts are no formulas', () => {
  const arm = (value: number | string) => ({ value, setup: 1, scores: [-1, -1e-7] });
  const text = contrastCsv([{ env: 'cliff-walking', arms: [arm(-0.5), arm('-cmd')] }], [1, 2], 'value');
  expect(text.split('\n')).toEqual([
    'environment,value,setup,seed,score',
    'cliff-walking,-0.5,1,1,-1',
    'cliff-walking,-0.5,1,2,-1e-7',
    "cliff-walking,'-cmd,1,1,-1",
    "cliff-walking,'-cmd,1,2,-1e-7",
    '',
  ]);
});
