/** Goals and rules of rule grids in plain sentences, with places for the things they are about. */
import { type CardLine, GROUND, type Line, RULE_COLOURS, RULE_TILES, type Thing } from '#contract/game/rule-card.ts';
import { msg, t } from '#text/text.ts';

/** Of a goal, by its kind. */
const GOALS = [
  msg('nothing: a trial ends with its step limit'),
  msg('hold {a}'),
  msg('stand on {a}'),
  msg('stand beside {a}'),
  msg('put {a} beside {b}'),
  msg('have {a} in row {row}, column {column}'),
  msg('stand in row {row}, column {column}'),
  msg('put {b} directly above {a}'),
  msg('put {b} directly to the right of {a}'),
  msg('put {b} directly below {a}'),
  msg('put {b} directly to the left of {a}'),
  msg('stand directly below {a}'),
  msg('stand directly to the left of {a}'),
  msg('stand directly above {a}'),
  msg('stand directly to the right of {a}'),
];
/** Of a rule, by its kind: when it acts. */
const WHENS = [
  msg('Never'),
  msg('When you hold {a}'),
  msg('When you stand beside {a}'),
  msg('When {a} is put beside {b}'),
  msg('When {b} lies directly above {a}'),
  msg('When {b} lies directly to the right of {a}'),
  msg('When {b} lies directly below {a}'),
  msg('When {b} lies directly to the left of {a}'),
  msg('When you stand directly below {a}'),
  msg('When you stand directly to the left of {a}'),
  msg('When you stand directly above {a}'),
  msg('When you stand directly to the right of {a}'),
];

export const TILE_WORDS = [
  msg('nothing'),
  msg('floor'),
  msg('wall'),
  msg('ball'),
  msg('square'),
  msg('pyramid'),
  msg('pad'),
  msg('key'),
  msg('locked door'),
  msg('closed door'),
  msg('open door'),
  msg('hexagon'),
  msg('star'),
];
export const COLOUR_WORDS = [
  msg('none'),
  msg('red'),
  msg('green'),
  msg('blue'),
  msg('purple'),
  msg('yellow'),
  msg('grey'),
  msg('black'),
  msg('orange'),
  msg('white'),
  msg('brown'),
  msg('pink'),
];

const ORANGE = RULE_COLOURS.indexOf('orange');

/** A thing by its colour and shape. */
export function thingWords({ tile, colour }: Thing): string {
  const thing = t(TILE_WORDS[tile] ?? 'nothing');
  if (RULE_TILES[tile]?.coloured !== true) return thing;
  const words = { colour: t(COLOUR_WORDS[colour] ?? 'none'), thing };
  return colour === ORANGE ? t('an {colour} {thing}', words) : t('a {colour} {thing}', words);
}

/** What stands in a sentence for a thing, until its picture and words do. */
const MARKS = { a: '\u0001', b: '\u0002', c: '\u0003' } as const;

/** Pieces of a sentence, in the order of the language: words, and things. */
export type Piece = string | Thing;

function cut(sentence: string, { things }: Line): readonly Piece[] {
  const parts: Piece[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the marks
  for (const piece of sentence.split(/([\u0001\u0002\u0003])/)) {
    const thing = piece === MARKS.a ? things.a : piece === MARKS.b ? things.b : piece === MARKS.c ? things.c : undefined;
    if (thing !== undefined) parts.push(thing);
    else if (piece !== '') parts.push(piece);
  }
  return parts;
}

/** What a goal asks for, or what a rule does. */
export function sentence(what: CardLine, line: Line): readonly Piece[] {
  const { a, b, c } = MARKS;
  if (what === 'goal') return cut(t(GOALS[line.kind] ?? '', { a, b, row: line.row ?? 0, column: line.column ?? 0 }), line);
  const condition = t(WHENS[line.kind] ?? '', { a, b });
  if (line.kind === 0) return cut(condition, line);
  const made = line.things.c;
  const gone = made?.tile === GROUND.tile && made.colour === GROUND.colour;
  const two = line.things.b !== undefined;
  const whole = gone
    ? two
      ? t('{condition}, they vanish.', { condition })
      : t('{condition}, it vanishes.', { condition })
    : two
      ? t('{condition}, they become {c}.', { condition, c })
      : t('{condition}, it becomes {c}.', { condition, c });
  return cut(whole, line);
}

/** A kind in a menu: A and B stand for the things. */
export function kindWords(what: CardLine, kind: number): string {
  const words = { a: 'A', b: 'B', row: '…', column: '…' };
  return t((what === 'goal' ? GOALS : WHENS)[kind] ?? '', words);
}

/** A sentence without its pictures. @internal Its tests read sentences by it. */
export const inWords = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : thingWords(piece))).join('');
