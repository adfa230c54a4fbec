/** What a rule is about on a map of one's own that says nothing about it. */
import { badConfig } from '../../api/parse.ts';
import { BALL, BOX, CLOSED, colourOf, DOOR, KEY, LOCKED, objectOf, stateOf } from './cells.ts';
import { nearThing, type RuleType, shown } from './rules.ts';

/** The numbers of a rule on a map of one's own that says nothing about them: the first things that fit, row by row. */
export function usualNumbers(type: RuleType, words: Uint32Array): readonly [number, number] {
  const find = (what: string, fits: (word: number) => boolean, from = 0): number => {
    const at = words.findIndex((word, i) => i >= from && fits(word));
    if (at < 0) throw badConfig('layout', `The map has no ${what}.`, `Put one on it, or give endRule.`);
    return at;
  };
  const withColour = (at: number, add: number): readonly [number, number] => [at + add, colourOf(words[at]!)];
  const nextTo = (at: number): readonly [number, number] => [at, shown(words[at]!)];
  const isDoor = (word: number) => objectOf(word) === DOOR;
  const isThing = (word: number) => objectOf(word) === KEY || objectOf(word) === BALL || objectOf(word) === BOX;
  switch (type) {
    case 'open-door':
      return [
        words.some((w) => isDoor(w) && stateOf(w) === LOCKED)
          ? find('door', (w) => isDoor(w) && stateOf(w) === LOCKED)
          : find('door', isDoor),
        0,
      ];
    case 'pickup':
      return withColour(
        find('box or ball', (w) => objectOf(w) === BOX || objectOf(w) === BALL),
        1,
      );
    case 'fetch':
      return [(words[find('key or ball', isThing)] as number) & 127, 0];
    case 'done-next-to':
      return nextTo(find('door or thing', (w) => isDoor(w) || isThing(w)));
    case 'open-in-order': {
      const first = find('door', (w) => isDoor(w) && stateOf(w) >= CLOSED);
      return [first, find('second door', (w) => isDoor(w) && stateOf(w) >= CLOSED, first + 1)];
    }
    case 'put-near': {
      const first = find('thing', isThing);
      return [words[first]! & 127, nearThing(words, find('second thing', isThing, first + 1))];
    }
    case 'reach':
      throw badConfig(
        'endRule',
        'A map of your own needs the place to reach.',
        'Give endRule {"type": "reach", "success": [x, y], "failure": [x, y]}.',
      );
    case 'babyai':
      throw badConfig(
        'endRule',
        'A map of your own needs an instruction.',
        'Give endRule {"type": "babyai", "instruction": {"type": "go-to", "object": {"type": "ball", "color": "red"}}}.',
      );
    default:
      return [0, 0];
  }
}
