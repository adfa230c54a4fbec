/** Searches in steps: what counts as solved, as a backtrack and as a new try; a list that is put in order one exchange at a time. */
import { expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { inversions, MARKS, STEP_KINDS, type StepKnobs } from './lib/steps.ts';

const knobs: StepKnobs = { numbers: 4, steps: 8, stepBonus: 0.1, mistakes: 0.5 };

/** Plays turns on the first seed whose second pair (b: first and third number) alone sums to the target. */
function played(turns: readonly string[], k: StepKnobs = knobs) {
  let seed = 0;
  const hits = (text: string): boolean => {
    const [target = '', given = ''] = text.slice(0, -1).split(':');
    const n = [...given].map(Number);
    const sums = n.flatMap((x, i) => n.slice(i + 1).map((y) => x + y));
    return sums.indexOf(Number(target)) === 1 && sums.lastIndexOf(Number(target)) === 1;
  };
  while (!hits(STEP_KINDS.pairs.create(k, seed).prompt)) seed++;
  const talk = STEP_KINDS.pairs.create(k, seed);
  const said = turns.map((turn) => talk.play(turn, false));
  const [by1, by2, by4, , , backtracks] = talk.measured?.() ?? [];
  return { said, last: said[said.length - 1]!, by1, by2, by4, backtracks };
}

it('the world verifies a try; the last one stands as the answer', () => {
  const { said, last, by1, by2 } = played(['b', '!']);
  expect(said[0]).toMatchObject({ text: '=', done: false, reward: 0.1 });
  expect(last).toMatchObject({ done: true, reward: 1, solved: 1 });
  expect([by1, by2]).toEqual([1, 1]);
  expect(played(['b', 'a', '!']).last).toMatchObject({ reward: 0, solved: 0, format: 1 });
  expect(played(['!']).last).toMatchObject({ done: true, format: 0 });
  expect(played(['g']).last).toMatchObject({ done: true, format: 0, reward: 0 }); // four numbers have six pairs
  const short = played(['c'], { ...knobs, steps: 1 }).last;
  expect(short).toMatchObject({ done: true, solved: 0, reward: 0.1 });
  expect(short.text).toMatch(/^[<>]$/);
});

it('a backtrack is a new try after one that missed, and useful only where the answer is found', () => {
  expect(played(['a', 'c', 'b', '!'])).toMatchObject({ backtracks: 2, by1: 0, by2: 0, by4: 1 });
  // neither a try that was made before nor one after the target was met
  expect(played(['a', 'a', 'b', 'd', 'b', '!']).backtracks).toBe(1);
  expect(played(['a', 'c', '!']).backtracks).toBe(0);
  expect(played(['a', 'a', 'c']).said.map(({ reward }) => reward)).toEqual([0.1, 0, 0.1]);
});

it('exchanges earn the pairs that they put in order, and the row begins anew with the list', () => {
  const talk = STEP_KINDS.exchange.create({ ...knobs, numbers: 5, steps: 16, mistakes: 0 }, 3);
  const list = (text: string): number[] => [...text.slice(0, -1)].map(Number);
  let row = talk.prompt;
  let total = 0;
  for (let done = false, step = 0; !done && step < 16; step++) {
    const said = talk.play(talk.suggest('expert', new Xorshift(1)), false);
    expect(said.reward).toBeCloseTo(0.1, 10);
    total += said.reward;
    row = said.again!;
    done = said.done;
  }
  expect(inversions(list(row))).toBe(0);
  expect(total).toBeCloseTo(inversions(list(talk.prompt)) / 10, 10);
  expect(talk.measured?.()).toHaveLength(MARKS.length + 1);
  expect(STEP_KINDS.exchange.create({ ...knobs, steps: 4 }, 0).play('4', false)).toMatchObject({ format: 0, done: true, reward: -0.1 });
});
