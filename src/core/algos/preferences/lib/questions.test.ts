import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { checkRater, circleOdds, circleRecord, preferredOf, Questions } from './questions.ts';

const pure = (action: number, length: number): number[] => [0, 1, 2].map((k) => (k === action ? length : 0));

it('the cyclic rater: 1 beats 0, 2 beats 1, 0 beats 2, all beat the rest, and a mixture of the three is beaten by none', () => {
  const wins = (a: number, b: number): number => preferredOf(circleOdds(pure(a, 4), pure(b, 4), 4));
  expect([wins(1, 0), wins(2, 1), wins(0, 2)]).toEqual([1, 1, 1]);
  expect([wins(0, 1), wins(1, 2), wins(2, 0)]).toEqual([0, 0, 0]);
  for (const k of [0, 1, 2]) {
    expect(wins(k, 7)).toBe(1);
    expect(wins(7, k)).toBe(0);
    expect(wins(k, k)).toBe(0.5);
    expect(preferredOf(circleOdds([1, 1, 1], pure(k, 3), 3))).toBe(0.5);
  }
  expect(wins(7, 8)).toBe(0.5);
});

/** Play of one row in a bandit of five arms. */
function played(actions: readonly number[]) {
  const meta = getEnv('noisy-bandit').meta({ arms: 5 });
  const zeros = new Float32Array(actions.length * meta.obsSize);
  const rollout = {
    obs: zeros,
    action: Float32Array.from(actions),
    reward: new Float32Array(actions.length),
    ended: new Uint8Array(actions.length),
    next: new Float32Array(meta.obsSize),
    steps: actions.length,
    rows: 1,
  };
  return new Questions({ raterErrors: 0, segment: 1, candidates: 1, ensemble: 0 }, meta, rollout, Rng.from(1));
}

it('what play wins against the worst rival: nothing for one arm, half for the mixture, and only of the second half of the budget', () => {
  const meta = getEnv('noisy-bandit').meta({ arms: 5 });
  const worst = (actions: readonly number[]): number => circleRecord(meta, 'cyclic', 100).worst(played(actions), 50);
  expect(worst([0, 0, 0])).toBe(0);
  expect(worst([0, 1, 2])).toBe(0.5);
  expect(worst([0, 1, 2, 4])).toBe(0.375);
  expect(circleRecord(meta, 'cyclic', 100).worst(played([0]), 49)).toBeNaN();
  expect(circleRecord(meta, 'return', 100).worst(played([0]), 50)).toBeNaN();
  const record = circleRecord(meta, 'cyclic', 100);
  record.worst(played([0]), 50);
  record.worst(played([1]), 60);
  expect(record.worst(played([2]), 70)).toBe(0.5); // each alone is beaten, all together are not
});

it('the cyclic rater is refused where there is no circle', () => {
  expect(() => checkRater(getEnv('cartpole').meta({}), 'cyclic')).toThrow('first three actions');
  expect(() => checkRater(getEnv('pendulum').meta({}), 'cyclic')).toThrow('first three actions');
  checkRater(getEnv('cartpole').meta({}), 'return');
  checkRater(getEnv('acrobot').meta({}), 'cyclic');
});
