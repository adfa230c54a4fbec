import { expect, it } from 'vitest';
import { NUMBERS, PARTS, readLine, writeLine } from './rule-card.ts';

const USUAL = { tile: 3, colour: 1 };

it('a goal and a rule of every kind survive being taken apart, with zeros behind', () => {
  for (const what of ['goal', 'rule'] as const)
    PARTS[what].forEach((parts, kind) => {
      const line = readLine(what, [kind, 4, 2, 5, 3, 12, 8]);
      const numbers = writeLine(what, line, USUAL);
      expect(numbers).toHaveLength(NUMBERS[what]);
      const places = parts.reduce((sum, part) => sum + (part === 'row' || part === 'column' ? 1 : 2), 0);
      expect(numbers).toEqual([kind, ...[4, 2, 5, 3, 12, 8].slice(0, places), ...new Array<number>(NUMBERS[what] - 1 - places).fill(0)]);
    });
});

it('of another kind the things stay that it has too, and the others are the usual one', () => {
  const hold = readLine('rule', [1, 4, 2, 5, 3, 0, 0]);
  expect(writeLine('rule', { ...hold, kind: 3 }, USUAL)).toEqual([3, 4, 2, 3, 1, 5, 3]);
});
