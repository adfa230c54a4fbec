/** What is taken for a result of the queue, and what is not. */
import { expect, test } from 'vitest';
import { utf8 } from '#contract/kit/canonical.ts';
import { checkResult } from './checked.ts';

const RESULT = {
  seed: 1,
  finalReturn: -13,
  evalReturn: null,
  evalLoops: 0,
  perAgent: [-13],
  steps: 2000,
  seconds: 0.5,
  stepsPerSecond: 4000,
  parameterHash: '0123abcd',
  exactScore: null,
};
const CURVES = 'run,seed,step,metric,value\ncli,1,10,episodicReturn,-13\n';

const files = (result: object | string, curves: string | null = CURVES): ReadonlyMap<string, Uint8Array> =>
  new Map([
    ...(curves === null ? [] : [['curve.csv', utf8(curves)] as const]),
    ['result.json', utf8(typeof result === 'string' ? result : JSON.stringify(result))] as const,
  ]);

test('a whole result of this seed is taken, whatever else is measured', () => {
  expect(() => checkResult(files(RESULT), 1)).not.toThrow();
  expect(() => checkResult(files(RESULT, CURVES.split('\n', 1)[0]), 1)).not.toThrow();
});

test('every other one is refused in words', () => {
  const cases: readonly (readonly [ReadonlyMap<string, Uint8Array>, string])[] = [
    [files('{}'), '"seed"'],
    [files('nothing'), 'not JSON'],
    [files({ ...RESULT, seed: 99 }), 'of seed 99'],
    [files({ ...RESULT, evalReturn: '500' }), '"evalReturn"'],
    [files({ ...RESULT, perAgent: ['500'] }), '"perAgent.0"'],
    [files({ ...RESULT, parameterHash: 'no hash' }), 'no hash of what was learned'],
    [files(RESULT, null), 'no curve.csv'],
    [files(RESULT, 'a,b\n1,2\n'), 'unknown columns'],
    [files(RESULT, CURVES.replace('cli,1', 'cli,2')), 'of seed 2'],
    [files(RESULT, CURVES.replace(',-13', '')), 'Line 2'],
    [new Map([...files(RESULT), ['policy.json', utf8('{}')]]), 'a policy file'],
  ];
  for (const [given, words] of cases) expect(() => checkResult(given, 1), words).toThrow(words);
});
