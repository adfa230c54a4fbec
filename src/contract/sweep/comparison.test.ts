import { expect, test } from 'vitest';
import { budgetWords, judgeGroups, judgePair, normalised, type Sample } from './comparison.ts';

const sample = (name: string, ...tasks: readonly (readonly number[])[]): Sample => ({
  name,
  tasks: new Map(tasks.map((scores, i) => [`task ${i}`, scores])),
});
const high = [10, 11, 12, 13, 14];
const low = [1, 2, 3, 4, 5];
const wide = [2, 9, 10, 11, 12]; // above most of `low`, and its mean could be among them
const thousand = (scores: readonly number[]): readonly number[] => scores.map((score) => 1000 * score);

test('a winner stands with its chance, the interval, what decides and the seeds', () => {
  expect(judgePair(sample('A', high), sample('B', low), 'more')).toMatchObject({
    state: 'first',
    text: 'A is above B in task 0: higher in 100\u00a0% of pairs of runs [100\u00a0%, 100\u00a0%], and its interquartile mean is higher; 5 seeds.',
  });
  expect(judgePair(sample('A', low, low), sample('B', high, thousand(high)), 'more')).toMatchObject({
    state: 'second',
    text: 'B is above A over task 0 and task 1: higher in 100\u00a0% of pairs of runs [100\u00a0%, 100\u00a0%], and its interquartile mean is higher in each of them; 5 seeds.',
  });
  expect(judgePair(sample('A', high), sample('B', low), 'less').text).toBe(
    'B is sooner than A in task 0: sooner in 100\u00a0% of pairs of runs [100\u00a0%, 100\u00a0%], and its interquartile mean is sooner; 5 seeds.',
  );
});

test('no winner below five seeds', () => {
  const { state, text } = judgePair(sample('A', high.slice(1)), sample('B', low), 'more');
  expect(state).toBe('few');
  expect(text).toBe(
    'No verdict on A and B in task 0: A is higher in 100\u00a0% of pairs of runs, and an interval needs 5 seeds where there are 4.',
  );
});

test('no winner where one wins about as often as not, and the sentence says so', () => {
  const found = judgePair(sample('A', [2, 3, 4, 5.5, 6.5, 7.5]), sample('B', [1, 5, 6, 7, 8, 9]), 'more');
  expect(found.p).toBeLessThan(0.5);
  expect(found.state).toBe('open');
  expect(found.text).toMatch(
    /^No winner between B and A in task 0: B is higher in \d\d\u00a0% of pairs of runs \[\d\d\u00a0%, \d\d\u00a0%\], which may be half; 6 seeds\.$/,
  );
});

test('no winner where means overlap in one environment or lie the other way, and it is named', () => {
  const overlap = judgePair(sample('A', high, wide), sample('B', low, low), 'more');
  expect(overlap.state).toBe('open');
  expect(overlap.text).toMatch(/, but the intervals of the interquartile means overlap in task 1; 5 seeds\.$/);
  const other = judgePair(sample('A', high, high, high, low), sample('B', low, low, low, high), 'more');
  expect(other.state).toBe('open');
  expect(other.text).toContain(
    'A is higher in 75\u00a0% of pairs of runs [75\u00a0%, 75\u00a0%], but the interquartile mean of B is higher in task 3;',
  );
});

test('only environments that both have count, and they are named', () => {
  expect(judgePair(sample('A', high), { name: 'B', tasks: new Map([['other', low]]) }, 'more').state).toBe('none');
  expect(judgePair(sample('A', low, high), { name: 'B', tasks: new Map([['task 1', low]]) }, 'more').text).toMatch(
    /^A is above B in task 1:/,
  );
});

test('the sentence does not depend on the order of environments or groups, nor on their scales', () => {
  const [a, b] = [sample('A', high, wide), sample('B', low, low)];
  const turned = ({ name, tasks }: Sample): Sample => ({ name, tasks: new Map([...tasks].reverse()) });
  const { text } = judgePair(a, b, 'more');
  expect(judgePair(turned(a), turned(b), 'more').text).toBe(text);
  expect(judgePair(b, a, 'more').text).toBe(text);
  expect(judgePair(sample('A', thousand(high), wide), sample('B', thousand(low), low), 'more').text).toBe(text);
});

test('several groups: one sentence over what all of them have, and one for every two', () => {
  const middle = [6, 6.5, 7, 7.5, 8];
  const three = [sample('A', low, low), sample('B', middle, middle), sample('C', high, high)];
  const { sentence, pairs, tasks, left } = judgeGroups(three, 'more');
  expect(sentence).toBe(
    'C is above B and A over task 0 and task 1: higher in at least 100\u00a0% of pairs of runs with each, and its interquartile mean is higher in each of them; 5 seeds.',
  );
  expect([pairs.length, tasks, left]).toEqual([3, ['task 0', 'task 1'], 0]);
  const partly = judgeGroups([sample('A', low), ...three.slice(1)], 'more');
  expect(partly.sentence).toMatch(/^C is above B and A in task 0:/);
  expect(partly.pairs.map(({ text }) => text.slice(0, 38))).toContain('C is above B over task 0 and task 1: h');
  expect(judgeGroups([...three, sample('D', high, wide)], 'more').sentence).toMatch(
    /^No winner of the 4 over task 0 and task 1: against D, C is higher in \d\d\u00a0% /,
  );
  expect(judgeGroups([...three, { name: 'D', tasks: new Map([['other', low]]) }], 'more').sentence).toMatch(
    /^No environment has runs of all 4/,
  );
  const ten = Array.from({ length: 10 }, (_, i) => sample(`m${i}`, low.map((score) => score + 10 * i))); // biome-ignore format: one line
  expect([judgeGroups(ten, 'more').pairs.length, judgeGroups(ten, 'more').left]).toEqual([9, 36]);
});

test('normalised scores', () => {
  expect(normalised([0, 5, 10], 0, 10)).toEqual([0, 0.5, 1]);
  expect(normalised([3], 3, 3)).toEqual([0]);
});

const budgeted = (name: string, steps: { readonly [task: string]: readonly number[] }): Sample => ({
  name,
  tasks: new Map(Object.keys(steps).map((task) => [task, [1, 2, 3, 4, 5]])),
  budgets: new Map(Object.entries(steps)),
});

test.each([
  ['alike', [budgeted('A', { x: [8000] }), budgeted('B', { x: [8000, 8000] })], ''],
  ['of two', [budgeted('A', { x: [8000] }), budgeted('B', { x: [50_000] })], ', with different budgets (A 8,000 and B 50,000 steps)'],
  [
    'within a group',
    [budgeted('A', { x: [8000, 400] }), budgeted('B', { x: [400] })],
    ', with different budgets (A 400 and 8,000 and B 400 steps)',
  ],
  [
    'in one of two',
    [budgeted('A', { x: [1], y: [2] }), budgeted('B', { x: [1], y: [3] })],
    ', with different budgets (A 2 and B 3 steps in y)',
  ],
  [
    'in both',
    [budgeted('A', { x: [1], y: [2] }), budgeted('B', { x: [4], y: [3] })],
    ', with different budgets (A 1 and B 4 steps in x and 1 more)',
  ],
  ['of many', [1, 2, 3, 4].map((n) => budgeted(`${n}`, { x: [1000 * n] })), ', with different budgets (1,000 to 4,000 steps)'],
  ['not known', [{ name: 'A', tasks: new Map([['x', [1]]]) }, budgeted('B', { x: [4] })], ''],
])('budgets that are %s are in the sentence', (_, samples, words) => {
  const tasks = [...(samples[1]?.tasks.keys() ?? [])];
  expect(budgetWords(samples, tasks)).toBe(words);
  if (words !== '') expect(judgeGroups(samples, 'more').sentence).toContain(words);
});
