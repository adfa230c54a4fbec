import { expect, test } from 'vitest';
import { spelled } from '#contract/link/code.ts';
import { encodePrediction } from '#contract/link/prediction.ts';
import { predictionsIn } from './paper-codes.ts';

const code = (more: object = {}): string => spelled(encodePrediction({ paper: 'P059', choices: 4, choice: 1, salt: 9, mark: 1, ...more }));

test('predictions of this paper and class are taken once each; others and damaged ones are counted', () => {
  const text = [
    code(),
    `seat 3 ${code({ mark: 2 })} ok`,
    code(),
    code({ paper: 'P033' }),
    code({ salt: 0 }),
    code({ choices: 3 }),
    'RL1:DAMAGED',
  ].join('\n');
  const { codes, others } = predictionsIn(text, 'P059', 4, 9);
  expect(codes).toEqual([code(), code({ mark: 2 })]);
  expect(others).toBe(4);
});
