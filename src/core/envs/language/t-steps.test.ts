/** Searches in steps: what counts as solved, as a backtrack and as a new try; a list that is put in order one exchange at a time. */
import { expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { inversions, MARKS, STEP_KINDS, type StepKnobs } from './lib/steps.ts';

const knobs: StepKnobs = { numbers: 4, steps: 8, stepBonus: 0.1, mistakes: 0.5 };

/** Plays turns on the first seed whose numbers hold 2, 3 and 4 with the target 12: 3*4. */
function played(turns: readonly string[], k: StepKnobs = knobs) {
  let seed = 0;
  const fits = (text: string): boolean => text.startsWith('12:') && ['2', '3', '4'].every((n) => text.slice(3).includes(n));
  while (!fits(STEP_KINDS.pairs.create(k, seed).prompt)) seed++;
  const talk = STEP_KINDS.pairs.create(k, seed);
  const said = turns.map((turn) => talk.play(turn, false));
  const [by1, by2, by4, , , backtracks] = talk.measured?.() ?? [];
  return { said, last: said.at(-1)!, by1, by2, by4, backtracks };
}

it('a try is computed by the world; the last one stands as the answer', () => {
  const { said, last, by1, by2 } = played(['4*3', '!']);
  expect(said[0]).toMatchObject({ text: '12', done: false, reward: 0.1 });
  expect(last).toMatchObject({ done: true, reward: 1, solved: 1 });
  expect([by1, by2]).toEqual([1, 1]);
  expect(played(['3*4', '2+3', '!']).last).toMatchObject({ reward: 0, solved: 0, format: 1 });
  expect(played(['!']).last).toMatchObject({ done: true, format: 0 });
  expect(played(['3*3']).last).toMatchObject({ done: true, format: 0, reward: 0 });
  expect(played(['2+3'], { ...knobs, steps: 1 }).last).toMatchObject({ text: '05', done: true, solved: 0, reward: 0.1 });
});

it('a backtrack is a new try after one that missed, and useful only where the answer is found', () => {
  expect(played(['2+3', '2*4', '3*4', '!'])).toMatchObject({ backtracks: 2, by1: 0, by2: 0, by4: 1 });
  // neither a try that was made before, in whatever order, nor one after the target was met
  expect(played(['2+3', '3+2', '3*4', '2*3', '3*4', '!']).backtracks).toBe(1);
  expect(played(['2+3', '2*4', '!']).backtracks).toBe(0);
  expect(played(['2+3', '3+2', '2+3']).said.map(({ reward }) => reward)).toEqual([0.1, 0, 0]);
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
