/**
 * The kitchen: layouts, what hands and tiles hold, what an interact does, how pots cook. One row's state in u32 words: players
 * [2][4] x, y, facing, holding; then per tile what lies there; then per tile cooking ticks + 1 (0: not started).
 * Things: 0 nothing, 1 onion, 2 tomato, 3 dish, 16 + 4 * onions + tomatoes a soup of up to three ingredients. Soups in hands and on
 * counters are ready. Source: `HumanCompatibleAI/overcooked_ai` at 739950a `overcooked_mdp.py`, `data/layouts`.
 */

export const LAYOUTS = {
  cramped_room: ['XXPXX', 'O  2O', 'X1  X', 'XDXSX'],
  asymmetric_advantages: ['XXXXXXXXX', 'O XSXOX S', 'X   P 1 X', 'X2  P   X', 'XXXDXDXXX'],
  coordination_ring: ['XXXPX', 'X 1 P', 'D2X X', 'O   X', 'XOSXX'],
  forced_coordination: ['XXXPX', 'O X1P', 'O2X X', 'D X X', 'XXXSX'],
  counter_circuit_o_1order: ['XXXPPXXX', 'X  2   X', 'D XXXX S', 'X  1   X', 'XXXOOXXX'],
} as const;

export const NOTHING = 0;
export const ONION = 1;
export const TOMATO = 2;
export const DISH = 3;
const SOUP = 16;
export const FULL = 3;
export const COOK_TIME = 20;
export const DELIVERY = 20;
const PLACED = 3;
const USEFUL_DISH = 3;
const SOUP_TAKEN = 5;

export const STAY = 4;
export const INTERACT = 5;
/** North, south, east, west. */
export const DX = [0, 0, 1, -1] as const;
export const DY = [-1, 1, 0, 0] as const;
export const PLAYER_WORDS = 4;

export const isSoup = (thing: number) => thing >= SOUP;
export const onions = (thing: number) => (thing - SOUP) >> 2;
export const tomatoes = (thing: number) => (thing - SOUP) & 3;
export const soup = (ofOnions: number, ofTomatoes: number) => SOUP + 4 * ofOnions + ofTomatoes;
export const amount = (thing: number) => (isSoup(thing) ? onions(thing) + tomatoes(thing) : 0);

export interface Kitchen {
  readonly width: number;
  readonly height: number;
  /** One letter per tile, row by row: X O T D P S or a space. */
  readonly tiles: string;
  /** Start tiles of the players; empty: drawn. */
  readonly starts: readonly number[];
  readonly floor: readonly number[];
  readonly pots: readonly number[];
  readonly oldDynamics: boolean;
  readonly words: Uint32Array;
  /** Where tiles and ticks begin within a row. */
  readonly things: number;
  readonly ticks: number;
}

export function kitchenOf(rows: readonly string[], oldDynamics: boolean, words: Uint32Array): Kitchen {
  const width = rows[0]?.length ?? 0;
  const text = rows.join('');
  const tiles = text.replaceAll(/[12]/g, ' ');
  const all = Array.from(tiles, (_, i) => i);
  const starts = [text.indexOf('1'), text.indexOf('2')];
  const things = 2 * PLAYER_WORDS;
  return {
    width,
    height: rows.length,
    tiles,
    starts: starts.includes(-1) ? [] : starts,
    floor: all.filter((i) => tiles[i] === ' '),
    pots: all.filter((i) => tiles[i] === 'P'),
    oldDynamics,
    words,
    things,
    ticks: things + tiles.length,
  };
}

/** A dish helps if none lies about and fewer are in hands than pots have something to serve (the reference's rule). */
function dishHelps(k: Kitchen, s: number, busyPots: number): boolean {
  const { words } = k;
  for (let i = 0; i < k.tiles.length; i++) if (words[s + k.things + i] === DISH) return false;
  let held = 0;
  for (let p = 0; p < 2; p++) if (words[s + PLAYER_WORDS * p + 3] === DISH) held++;
  return held < busyPots;
}

/** Pots with one or two ingredients, cooking or ready. */
export function busyPots(k: Kitchen, s: number): number {
  let n = 0;
  for (const pot of k.pots) {
    const inside = amount(k.words[s + k.things + pot]!);
    if (inside > 0 && (inside < FULL || k.words[s + k.ticks + pot]! > 0)) n++;
  }
  return n;
}

/** What player p interacts with; returns shaped reward, plus 1000 for a delivery that is worth something. */
export function interact(k: Kitchen, s: number, p: number, busy: number): number {
  const { words } = k;
  const me = s + PLAYER_WORDS * p;
  const facing = words[me + 2]!;
  const x = words[me]! + DX[facing]!;
  const y = words[me + 1]! + DY[facing]!;
  if (x < 0 || y < 0 || x >= k.width || y >= k.height) return 0;
  const tile = y * k.width + x;
  const there = s + k.things + tile;
  const thing = words[there]!;
  const tick = s + k.ticks + tile;
  const held = words[me + 3]!;
  switch (k.tiles[tile]) {
    case 'X':
      if ((held === NOTHING) === (thing === NOTHING)) return 0;
      words[there] = held;
      words[me + 3] = thing;
      return 0;
    case 'O':
      if (held === NOTHING) words[me + 3] = ONION;
      return 0;
    case 'T':
      if (held === NOTHING) words[me + 3] = TOMATO;
      return 0;
    case 'D': {
      if (held !== NOTHING) return 0;
      const helps = dishHelps(k, s, busy);
      words[me + 3] = DISH;
      return helps ? USEFUL_DISH : 0;
    }
    case 'P':
      if (held === NOTHING) {
        if (!k.oldDynamics && thing !== NOTHING && words[tick] === 0) words[tick] = 1;
        return 0;
      }
      if (held === DISH) {
        if (words[tick]! <= COOK_TIME) return 0;
        words[me + 3] = thing;
        words[there] = NOTHING;
        words[tick] = 0;
        return SOUP_TAKEN;
      }
      if (isSoup(held) || words[tick] !== 0 || amount(thing) >= FULL) return 0;
      words[there] = (thing === NOTHING ? soup(0, 0) : thing) + (held === ONION ? 4 : 1);
      words[me + 3] = NOTHING;
      return PLACED;
    case 'S':
      if (!isSoup(held)) return 0;
      words[me + 3] = NOTHING;
      return onions(held) === FULL ? 1000 : 0;
    default:
      return 0;
  }
}

/** Both turn; both move unless they would meet in one tile or trade tiles. Actions below 4 are directions. */
export function move(k: Kitchen, s: number, first: number, second: number): void {
  const { words } = k;
  const other = s + PLAYER_WORDS;
  const from0 = words[s + 1]! * k.width + words[s]!;
  const from1 = words[other + 1]! * k.width + words[other]!;
  const to0 = turn(k, s, first, from0);
  const to1 = turn(k, other, second, from1);
  if (to0 === to1 || (to0 === from1 && to1 === from0)) return;
  words[s] = to0 % k.width;
  words[s + 1] = Math.floor(to0 / k.width);
  words[other] = to1 % k.width;
  words[other + 1] = Math.floor(to1 / k.width);
}

function turn(k: Kitchen, me: number, action: number, from: number): number {
  if (action >= STAY) return from;
  k.words[me + 2] = action;
  const x = (from % k.width) + DX[action]!;
  const y = Math.floor(from / k.width) + DY[action]!;
  if (x < 0 || y < 0 || x >= k.width || y >= k.height) return from;
  const to = y * k.width + x;
  return k.tiles[to] === ' ' ? to : from;
}

export function cook(k: Kitchen, s: number): void {
  const { words } = k;
  for (const pot of k.pots) {
    const tick = s + k.ticks + pot;
    if (k.oldDynamics && words[tick] === 0 && amount(words[s + k.things + pot]!) === FULL) words[tick] = 1;
    if (words[tick]! > 0 && words[tick]! <= COOK_TIME) words[tick] = words[tick]! + 1;
  }
}
