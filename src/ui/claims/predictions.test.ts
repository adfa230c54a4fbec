import { describe, expect, test } from 'vitest';
import { listed, paperOf } from '#claims/index.ts';
import { judgedPapers, papers } from '#claims/papers/index.ts';
import { cameOutIn, mainOf, questionOf } from './predictions.ts';
import { WAYS } from './ways.ts';

describe('the question of a card with an outcome', () => {
  test.each(judgedPapers.map((card) => [card.id, card] as const))(
    '%s: a sentence, and every state of its main contrast is a choice',
    (_, card) => {
      const { ask, choices } = questionOf(card);
      expect(ask).toMatch(/^[A-Z].*[.?]$/);
      const main = mainOf(card);
      for (const state of ['held', 'smaller', 'refuted', 'open', 'reversed'] as const) {
        const came = cameOutIn(card, [{ id: main.id, estimate: 0, low: 0, high: 0, level: 0.95, state }]);
        expect(choices[came ?? -1], state).toBeDefined();
      }
      expect(cameOutIn(card, [])).toBeNull();
    },
  );

  test('held and reversed are the first and the last', () => {
    const card = paperOf('P033');
    if (card === undefined) throw new Error('P033 is gone.');
    const at = (state: 'held' | 'reversed') => cameOutIn(card, [{ id: mainOf(card).id, estimate: 0, low: 0, high: 0, level: 0.95, state }]);
    expect([at('held'), at('reversed')]).toEqual([0, questionOf(card).choices.length - 1]);
  });
});

test('ten papers to begin with, all built, each once', () => {
  expect(new Set(WAYS.map(({ id }) => id)).size).toBe(10);
  for (const { id, ask } of WAYS) {
    expect(
      papers.some((card) => card.id === id),
      id,
    ).toBe(true);
    expect(listed.some((paper) => paper.id === id)).toBe(true);
    expect(ask).toMatch(/\?$/);
  }
});
