/**
 * Twenty tasks made by hand, to test on and not to train on; the generator of drawn tasks had no part in them. Titles say what is to be found out. One
 * player; of each the planner finds solutions (held-out.test.ts).
 */
import type { Preset } from './catalog.ts';

const [BALL, SQUARE, PYRAMID, PAD, KEY, LOCKED, HEX, STAR] = [3, 4, 5, 6, 7, 8, 11, 12] as const;
const [RED, GREEN, BLUE, PURPLE, YELLOW, GREY, , ORANGE, WHITE, BROWN, PINK] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
const FLOOR = [1, 7] as const;

type Tile = readonly [tile: number, colour: number];
export interface HeldOutTask {
  readonly id: string;
  readonly title: string;
  readonly goal: readonly number[];
  readonly rules: readonly (readonly number[])[];
  readonly things: readonly Tile[];
  /** R1 without it. */
  readonly rooms?: 'R2' | 'R4';
}

const hold = (a: Tile) => [1, ...a, 0, 0];
const beside = (a: Tile) => [3, ...a, 0, 0];
const on = (a: Tile) => [2, ...a, 0, 0];
const pair = (a: Tile, b: Tile) => [4, ...a, ...b];
const held = (a: Tile, c: Tile) => [1, ...a, ...c, 0, 0];
const near = (a: Tile, c: Tile) => [2, ...a, ...c, 0, 0];
const joined = (a: Tile, b: Tile, c: Tile) => [3, ...a, ...b, ...c];

export const HELD_OUT: readonly HeldOutTask[] = [
  {
    id: 'key-to-star',
    title: 'Held out: a key that becomes a ball in the hand, and a star beside a square',
    goal: hold([STAR, YELLOW]),
    rules: [held([KEY, GREEN], [BALL, GREEN]), joined([BALL, GREEN], [SQUARE, GREEN], [STAR, YELLOW])],
    things: [
      [KEY, GREEN],
      [SQUARE, GREEN],
    ],
  },
  {
    id: 'touch-once',
    title: 'Held out: what is touched changes, and then again',
    goal: hold([HEX, BLUE]),
    rules: [near([BALL, RED], [SQUARE, RED]), near([SQUARE, RED], [HEX, BLUE])],
    things: [[BALL, RED]],
  },
  {
    id: 'right-two',
    title: 'Held out: of four things the right two beside each other',
    goal: pair([BALL, PINK], [STAR, WHITE]),
    rules: [],
    things: [
      [BALL, PINK],
      [STAR, WHITE],
      [BALL, ORANGE],
      [STAR, PINK],
    ],
  },
  {
    id: 'three-in-hand',
    title: 'Held out: a thing that changes in the hand, three times',
    goal: hold([STAR, PURPLE]),
    rules: [held([BALL, BROWN], [SQUARE, BROWN]), held([SQUARE, BROWN], [PYRAMID, BROWN]), held([PYRAMID, BROWN], [STAR, PURPLE])],
    things: [
      [BALL, BROWN],
      [STAR, ORANGE],
    ],
  },
  {
    id: 'wrong-order',
    title: 'Held out: rules in the other order need another visit',
    goal: hold([STAR, PURPLE]),
    rules: [held([SQUARE, BROWN], [STAR, PURPLE]), held([BALL, BROWN], [SQUARE, BROWN])],
    things: [
      [BALL, BROWN],
      [STAR, ORANGE],
    ],
  },
  {
    id: 'two-of-a-kind',
    title: 'Held out: two alike become one other',
    goal: hold([HEX, YELLOW]),
    rules: [joined([BALL, BLUE], [BALL, BLUE], [HEX, YELLOW])],
    things: [
      [BALL, BLUE],
      [BALL, BLUE],
    ],
  },
  {
    id: 'wasted',
    title: 'Held out: one pair makes it, the other wastes both',
    goal: hold([STAR, RED]),
    rules: [joined([BALL, GREEN], [SQUARE, BLUE], [STAR, RED]), joined([BALL, GREEN], [SQUARE, PURPLE], FLOOR)],
    things: [
      [BALL, GREEN],
      [SQUARE, BLUE],
      [SQUARE, PURPLE],
    ],
  },
  {
    id: 'capture',
    title: 'Held out: capture the ball on its pad',
    goal: beside([STAR, GREEN]),
    rules: [joined([BALL, RED], [PAD, RED], [STAR, GREEN])],
    things: [
      [BALL, RED],
      [PAD, RED],
      [PAD, BLUE],
    ],
  },
  {
    id: 'capture-two',
    title: 'Held out: capture twice, then join what comes of it',
    goal: hold([STAR, WHITE]),
    rules: [
      joined([BALL, RED], [PAD, RED], [HEX, RED]),
      joined([BALL, BLUE], [PAD, BLUE], [HEX, BLUE]),
      joined([HEX, RED], [HEX, BLUE], [STAR, WHITE]),
    ],
    things: [
      [BALL, RED],
      [PAD, RED],
      [BALL, BLUE],
      [PAD, BLUE],
    ],
  },
  {
    id: 'hide',
    title: 'Held out: make a place to stand on, then stand there',
    goal: on([PAD, PURPLE]),
    rules: [joined([SQUARE, PURPLE], [SQUARE, YELLOW], [PAD, PURPLE])],
    things: [
      [SQUARE, PURPLE],
      [SQUARE, YELLOW],
    ],
  },
  {
    id: 'hide-away',
    title: 'Held out: the place to stand on lies behind a door',
    goal: on([PAD, GREEN]),
    rules: [],
    things: [
      [PAD, GREEN],
      [PAD, RED],
    ],
    rooms: 'R2',
  },
  {
    id: 'tag',
    title: 'Held out: tag the hexagon from below',
    goal: hold([STAR, ORANGE]),
    rules: [[8, ...[HEX, ORANGE], ...[STAR, ORANGE], 0, 0]],
    things: [
      [HEX, ORANGE],
      [HEX, GREY],
    ],
  },
  {
    id: 'tag-side',
    title: 'Held out: tagged from the left it is won, from the right it is gone',
    goal: hold([STAR, ORANGE]),
    rules: [
      [9, ...[HEX, ORANGE], ...[STAR, ORANGE], 0, 0],
      [11, ...[HEX, ORANGE], ...FLOOR, 0, 0],
    ],
    things: [[HEX, ORANGE]],
  },
  {
    id: 'tag-all',
    title: 'Held out: tag two, then bring them together',
    goal: pair([STAR, RED], [STAR, BLUE]),
    rules: [near([BALL, RED], [STAR, RED]), near([BALL, BLUE], [STAR, BLUE])],
    things: [
      [BALL, RED],
      [BALL, BLUE],
    ],
  },
  {
    id: 'locked',
    title: 'Held out: what is touched becomes a locked door; open it',
    goal: beside([10, YELLOW]),
    rules: [near([HEX, YELLOW], [LOCKED, YELLOW])],
    things: [
      [HEX, YELLOW],
      [KEY, YELLOW],
    ],
  },
  {
    id: 'key-made',
    title: 'Held out: the key is made first',
    goal: beside([10, BLUE]),
    rules: [joined([BALL, BLUE], [PYRAMID, BLUE], [KEY, BLUE])],
    things: [
      [BALL, BLUE],
      [PYRAMID, BLUE],
      [LOCKED, BLUE],
    ],
  },
  {
    id: 'tower',
    title: 'Held out: one directly above the other',
    goal: [7, ...[SQUARE, GREY], ...[PYRAMID, GREY]],
    rules: [],
    things: [
      [SQUARE, GREY],
      [PYRAMID, GREY],
    ],
  },
  {
    id: 'tower-of-made',
    title: 'Held out: a tower of what must be made',
    goal: [7, ...[SQUARE, WHITE], ...[PYRAMID, WHITE]],
    rules: [held([BALL, WHITE], [PYRAMID, WHITE])],
    things: [
      [SQUARE, WHITE],
      [BALL, WHITE],
    ],
  },
  {
    id: 'two-rooms',
    title: 'Held out: bring together what lies in two rooms',
    goal: hold([STAR, PINK]),
    rules: [joined([HEX, PINK], [BALL, PINK], [STAR, PINK])],
    things: [
      [HEX, PINK],
      [BALL, PINK],
    ],
    rooms: 'R2',
  },
  {
    id: 'four-rooms',
    title: 'Held out: search four rooms for what changes in the hand',
    goal: hold([STAR, GREEN]),
    rules: [held([KEY, BROWN], [STAR, GREEN]), held([KEY, GREY], [BALL, GREY])],
    things: [
      [KEY, BROWN],
      [KEY, GREY],
      [HEX, GREY],
    ],
    rooms: 'R4',
  },
];

export const heldOutPresets: readonly Preset[] = HELD_OUT.map(({ id, title, goal, rules, things, rooms }) => ({
  id: `held-out-${id}`,
  title,
  config: {
    ...(rooms !== undefined && { gridType: rooms }),
    task: { kind: 'own', goal: [...goal], rules: rules.map((rule) => [...rule]), initTiles: things.map((tile) => [...tile]) },
  },
}));
