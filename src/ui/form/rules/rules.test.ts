import { expect, it } from 'vitest';
import { PARTS, readLine } from '#contract/game/rule-card.ts';
import { inWords, kindWords, sentence } from './words.ts';

it('says goals and rules in plain sentences', () => {
  const goal = (numbers: readonly number[]) => inWords(sentence('goal', readLine('goal', numbers)));
  const rule = (numbers: readonly number[]) => inWords(sentence('rule', readLine('rule', numbers)));
  expect(goal([1, 3, 1, 0, 0])).toBe('hold a red ball');
  expect(goal([4, 3, 1, 7, 8])).toBe('put a red ball beside an orange key');
  expect(goal([5, 12, 5, 2, 6])).toBe('have a yellow star in row 2, column 6');
  expect(rule([1, 4, 1, 3, 3, 0, 0])).toBe('When you hold a red square, it becomes a blue ball.');
  expect(rule([3, 4, 1, 5, 2, 3, 3])).toBe('When a red square is put beside a green pyramid, they become a blue ball.');
  expect(rule([2, 4, 1, 1, 7, 0, 0])).toBe('When you stand beside a red square, it vanishes.');
  expect(rule([4, 4, 1, 5, 2, 1, 7])).toBe('When a green pyramid lies directly above a red square, they vanish.');
});

it('sides are those of the reference: kinds 11 and 8 are about what lies above the agent', () => {
  expect(inWords(sentence('goal', readLine('goal', [11, 3, 1, 0, 0])))).toBe('stand directly below a red ball');
  expect(inWords(sentence('rule', readLine('rule', [9, 3, 1, 4, 2, 0, 0])))).toBe(
    'When you stand directly to the left of a red ball, it becomes a green square.',
  );
});

it('every kind has words of its own', () => {
  for (const what of ['goal', 'rule'] as const) {
    const words = PARTS[what].map((_, kind) => kindWords(what, kind));
    expect(new Set(words).size).toBe(words.length);
    expect(words.every((text) => text !== '')).toBe(true);
  }
});
