/**
 * The two written forms of a grid map that configs use, and what can be painted in each. `letters`: one letter a cell (frozen lake).
 * `tokens`: two letters a cell, apart by spaces, object and colour (MiniGrid). Pure data and functions.
 */
export type Written = 'letters' | 'tokens';

export type Look =
  | 'empty'
  | 'ice'
  | 'wall'
  | 'floor'
  | 'goal'
  | 'lava'
  | 'hole'
  | 'start'
  | 'door-open'
  | 'door-closed'
  | 'door-locked'
  | 'key'
  | 'ball'
  | 'box'
  | 'agent';

export interface Tile {
  readonly id: string;
  readonly title: string;
  /** How the editor draws it. */
  readonly look: Look;
  /** First letter of the token, or the whole letter. */
  readonly code: string;
  readonly coloured: boolean;
  /** At most one on the map. */
  readonly single: boolean;
}

const tile = (id: string, title: string, look: Tile['look'], code: string, more: Partial<Tile> = {}): Tile => ({
  id,
  title,
  look,
  code,
  coloured: false,
  single: false,
  ...more,
});

const LETTERS: readonly Tile[] = [
  tile('ice', 'ice', 'ice', 'F'),
  tile('hole', 'hole', 'hole', 'H'),
  tile('goal', 'goal', 'goal', 'G'),
  tile('start', 'start', 'start', 'S', { single: true }),
];

const TOKENS: readonly Tile[] = [
  tile('empty', 'empty', 'empty', '..'),
  tile('wall', 'wall', 'wall', 'W'),
  tile('goal', 'goal', 'goal', 'G'),
  tile('lava', 'lava', 'lava', 'V'),
  tile('door-closed', 'closed door', 'door-closed', 'D', { coloured: true }),
  tile('door-locked', 'locked door', 'door-locked', 'L', { coloured: true }),
  tile('door-open', 'open door', 'door-open', 'O', { coloured: true }),
  tile('key', 'key', 'key', 'K', { coloured: true }),
  tile('ball', 'ball', 'ball', 'A', { coloured: true }),
  tile('box', 'box', 'box', 'B', { coloured: true }),
  tile('floor', 'floor', 'floor', 'F', { coloured: true }),
  tile('agent', 'agent', 'agent', '@', { single: true }),
];

/** Second letter of a token. */
export const COLOURS: readonly { readonly code: string; readonly name: string }[] = [
  { code: 'R', name: 'red' },
  { code: 'G', name: 'green' },
  { code: 'B', name: 'blue' },
  { code: 'P', name: 'purple' },
  { code: 'Y', name: 'yellow' },
  { code: 'E', name: 'grey' },
];

/** What an uncoloured object of the reference carries: walls are grey, the goal green, lava red. */
const OWN_COLOUR: { readonly [code: string]: string } = { W: 'E', G: 'G', V: 'R' };

export function tilesOf(written: Written): readonly Tile[] {
  return written === 'letters' ? LETTERS : TOKENS;
}

/** What stands in a cell when this tile is painted there. */
export function codeOf(written: Written, chosen: Tile, colour: string): string {
  if (written === 'letters' || chosen.code === '..') return chosen.code;
  return `${chosen.code}${chosen.coloured ? colour : (OWN_COLOUR[chosen.code] ?? 'E')}`;
}

export interface Seen {
  readonly tile: Tile;
  readonly colour: string; // name, '' where the tile has none
}

/** Reads one cell; an unknown code reads as the first tile (ice, empty). */
export function seen(written: Written, code: string): Seen {
  const tiles = tilesOf(written);
  const first = tiles[0]!;
  if (written === 'letters' || code === '..') return { tile: tiles.find((candidate) => candidate.code === code) ?? first, colour: '' };
  const found = tiles.find((candidate) => candidate.code === code[0]) ?? first;
  return { tile: found, colour: found.coloured ? (COLOURS.find((entry) => entry.code === code[1])?.name ?? 'grey') : '' };
}

export function inWords(written: Written, code: string): string {
  const { tile: found, colour } = seen(written, code);
  return colour === '' ? found.title : `${colour} ${found.title}`;
}

export type Cells = readonly (readonly string[])[]; // [row][column]

export function parseRows(rows: readonly string[]): { readonly written: Written; readonly cells: Cells } {
  const written = rows.some((row) => row.includes(' ')) ? 'tokens' : 'letters';
  return { written, cells: rows.map((row) => (written === 'tokens' ? row.trim().split(/\s+/) : [...row])) };
}

export function writeRows(written: Written, cells: Cells): readonly string[] {
  return cells.map((row) => row.join(written === 'tokens' ? ' ' : ''));
}

/** Paints one cell; a tile that may stand only once leaves its old place. */
export function paint(written: Written, cells: Cells, x: number, y: number, code: string): Cells {
  const { tile: found } = seen(written, code);
  const plain = tilesOf(written)[0]!.code;
  return cells.map((row, r) =>
    r === y || found.single ? row.map((old, c) => (r === y && c === x ? code : found.single && old === code ? plain : old)) : row,
  );
}

/** Cut or grown at the right and the bottom; a map with walls around it keeps them. */
export function resize(written: Written, cells: Cells, width: number, height: number): Cells {
  const plain = tilesOf(written)[0]!.code;
  if (written === 'letters') {
    const grown = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => cells[y]?.[x] ?? plain));
    return grown.some((row) => row.includes('S')) ? grown : paint(written, grown, 0, 0, 'S');
  }
  const before = { width: cells[0]?.length ?? 0, height: cells.length };
  const inner = (x: number, y: number) => (x < before.width - 1 && y < before.height - 1 ? cells[y]?.[x] : undefined) ?? plain;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (x === 0 || y === 0 || x === width - 1 || y === height - 1 ? 'WE' : inner(x, y))),
  );
}

/** An empty map of this size: ice with start and goal in the corners, or a room with walls around it and a goal. */
export function blank(written: Written, width: number, height: number): Cells {
  if (written === 'letters') {
    const ice = Array.from({ length: height }, () => Array.from({ length: width }, () => 'F'));
    return paint(written, paint(written, ice, 0, 0, 'S'), width - 1, height - 1, 'G');
  }
  const room = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (x === 0 || y === 0 || x === width - 1 || y === height - 1 ? 'WE' : '..')),
  );
  return paint(written, room, width - 2, height - 2, 'GG');
}
