import { expect, test } from 'vitest';
import { testExplainer } from './trust.ts';

test('most intervals hold the truth, and more orders make them narrower', () => {
  const few = testExplainer(50, 1);
  const many = testExplainer(5000, 1);
  expect(few.map(({ id }) => id)).toEqual(['glove', 'airport', 'voting', 'unanimity', 'apex']);
  let held = 0;
  let all = 0;
  for (const game of many) {
    game.players.forEach((_, i) => {
      all++;
      if (Math.abs(game.value[i]! - game.truth[i]!) <= game.halfWidth[i]! + 1e-12) held++;
      expect(Math.abs(game.value[i]! - game.truth[i]!)).toBeLessThan(0.1);
    });
  }
  expect(held / all).toBeGreaterThan(0.85);
  expect(Math.max(...many[1]!.halfWidth)).toBeLessThan(Math.max(...few[1]!.halfWidth) / 5);
  // a visitor without a key changes nothing, in no order; draws cannot tell never from seldom, so that the rule of three is left
  expect([many[3]!.value[1], many[3]!.halfWidth[1]]).toEqual([0, 3 / 5000]);
});

test('another seed draws other orders', () => {
  expect(testExplainer(20, 1)[0]!.value).not.toEqual(testExplainer(20, 2)[0]!.value);
});
