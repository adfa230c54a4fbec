/**
 * What an agent of a MiniGrid room is told, in tokens of one character: the mission, what it carries, and what it sees from where it stands.
 * Everything has a fixed number of tokens, so that the same thing always stands at the same place of a row.
 */
import { CLOSED, COLOURS, DOOR, EMPTY, LOCKED, LOOKS, UNSEEN, WALL } from '../../minigrid/lib/cells.ts';
import { VIEW } from './rooms.ts';

/** Words of missions, longest first; what is not here is left out. */
const WORDS: readonly (readonly [words: string, token: string])[] = [
  ['go to', '@'],
  ['get to', '@'],
  ['pick up', '+'],
  ['fetch', '+'],
  ['put', '-'],
  ['next to', '^'],
  ['open', '/'],
  ['and', ','],
  ['then', ';'],
  ['red', 'r'],
  ['green', 'g'],
  ['blue', 'b'],
  ['purple', 'p'],
  ['yellow', 'y'],
  ['grey', 'e'],
  ['key', 'k'],
  ['ball', 'o'],
  ['box', 'x'],
  ['door', '|'],
  ['goal', '*'],
];
const SIGN = new Map(WORDS);
const SAID = new RegExp(`\\b(${WORDS.map(([words]) => words).join('|')})\\b`, 'g');

/** A mission in tokens: "go to the red ball" is `@ro`. */
export const missionTokens = (mission: string): string => (mission.match(SAID) ?? []).map((words) => SIGN.get(words)).join('');

/** Of several words with one sign the first. */
const WORDS_OF = new Map(WORDS.toReversed().map(([words, sign]) => [sign, words]));
const THINGS = /[rgbpye]?[kox|]|\*/g;

/** The mission of a row: `@ro` is "go to the red ball". */
function missionInWords(tokens: string): string {
  const words = (signs: string): string => [...signs].map((sign) => WORDS_OF.get(sign) ?? '').join(' ');
  const marked = tokens.replaceAll('.', '').replace(THINGS, (thing) => ` the ${words(thing)} `);
  return marked
    .replace(/[@+\-^/,;]/g, (sign) => ` ${words(sign)} `)
    .replace(/\s+/g, ' ')
    .trim();
}

/** What a row asks. */
export const roomInWords = (prompt: string): string =>
  `Mission: ${missionInWords(prompt.split(':')[0] ?? '')}. What follows the colon says what is carried and seen; the answer is one of left, right, go, pick, drop, open.`;

const signOf = (words: string): string => SIGN.get(words) ?? '?';
const colourSign = (code: number): string => signOf(COLOURS[code] ?? '');

/** Nothing there. */
const NONE = '.';
const WALL_SIGN = '#';

function thingSign(object: number, state: number): string {
  if (object === DOOR) return state === LOCKED ? '!' : state === CLOSED ? signOf('door') : '(';
  if (object === WALL) return WALL_SIGN;
  const look = LOOKS[object] ?? '';
  return look === 'lava' ? '%' : signOf(look);
}

const OWN = (VIEW - 1) / 2;
const AT = VIEW - 1;

/** Codes of the cell so far ahead and to the right (left: below 0). */
function codesAt(view: Float32Array, ahead: number, right: number): readonly [object: number, colour: number, state: number] {
  const at = 3 * ((OWN + right) * VIEW + AT - ahead);
  return [view[at]!, view[at + 1]!, view[at + 2]!];
}

/** What lies in hand: colour and kind. */
export function carriedTokens(view: Float32Array): string {
  const [object, colour, state] = codesAt(view, 0, 0);
  return object === EMPTY ? NONE + NONE : colourSign(colour) + thingSign(object, state);
}
export const CARRIED = 2;

const WAYS = [
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/** The first thing in a straight line, and how many steps away; 0: nothing is seen. */
function firstIn(view: Float32Array, [ahead, right]: (typeof WAYS)[number], stops: (object: number) => boolean) {
  const most = ahead === 1 ? AT : OWN;
  for (let d = 1; d <= most; d++) {
    const [object, colour, state] = codesAt(view, d * ahead, d * right);
    if (object === UNSEEN) break;
    if (stops(object)) return { d, object, colour, state };
  }
  return { d: 0, object: EMPTY, colour: 0, state: 0 };
}

/** rays: ahead, to the left and to the right the first thing: steps to it, its colour, its kind. */
function rays(view: Float32Array): string {
  return WAYS.map((way) => {
    const { d, object, colour, state } = firstIn(view, way, (code) => code !== EMPTY);
    return d === 0 ? `0${NONE}${NONE}` : `${d}${object === WALL ? NONE : colourSign(colour)}${thingSign(object, state)}`;
  }).join('');
}

/** things: steps to the wall ahead, to the left and to the right; then every thing seen, the nearest first: colour, kind, steps ahead, side, steps aside. */
function things(view: Float32Array, most: number): string {
  const walls = WAYS.map((way) => firstIn(view, way, (code) => code === WALL).d).join('');
  const seen: { readonly far: number; readonly text: string }[] = [];
  for (let ahead = 0; ahead <= AT; ahead++) {
    for (let right = -OWN; right <= OWN; right++) {
      const [object, colour, state] = codesAt(view, ahead, right);
      if ((ahead === 0 && right === 0) || object === UNSEEN || object === EMPTY || object === WALL) continue;
      const side = right < 0 ? '<' : right > 0 ? '>' : '=';
      seen.push({
        far: ahead + Math.abs(right),
        text: `${colourSign(colour)}${thingSign(object, state)}${ahead}${side}${Math.abs(right)}`,
      });
    }
  }
  const list = seen
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ text }) => text)
    .join('');
  return walls + list.padEnd(THING * most, NONE);
}

const THING = 5;

/** What is seen, `most` things at most. */
export const VIEWS = { things, rays } as const satisfies Readonly<Record<string, (view: Float32Array, most: number) => string>>;
export type ViewName = keyof typeof VIEWS;
export const viewLength = (name: ViewName, most: number): number =>
  WAYS.length * (name === 'rays' ? 3 : 1) + (name === 'rays' ? 0 : THING * most);
