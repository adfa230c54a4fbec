import { expect, test } from 'vitest';
import { encodeCode, spelled } from './code.ts';
import { decodePrediction, encodePrediction } from './prediction.ts';

const code = { paper: 'P059', choices: 4, choice: 2, salt: 0xdeadbeef, mark: 4711 };

test('a prediction comes back from its code, as text too', () => {
  expect(decodePrediction(encodePrediction(code))).toEqual(code);
  expect(decodePrediction(spelled(encodePrediction(code)))).toEqual(code);
  expect(encodePrediction(code).length).toBeLessThanOrEqual(30);
});

test('what is no prediction is refused', () => {
  expect(() => decodePrediction('hello')).toThrow('not a result code');
  expect(() => decodePrediction(encodeCode(Uint8Array.of(1, 2, 3)))).toThrow('no prediction');
  expect(() => decodePrediction(encodePrediction({ ...code, choice: 4 }))).toThrow('a choice that was not there');
});
