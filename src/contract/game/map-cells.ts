/** Reading text maps by what their environment says about them (MapFormat). */
import type { MapFormat, MapTile } from './maps.ts';

export type Cells = readonly (readonly string[])[]; // [row][column] codes

export interface Seen {
  readonly tile: MapTile;
  readonly colour: string; // name, '' where the tile has none
}

/** Reads one cell; an unknown code reads as the tile of its first letter, else as the first tile. */
export function seen(format: MapFormat, code: string): Seen {
  const plain = format.tiles.find((tile) => !tile.coloured && tile.code === code);
  if (plain !== undefined) return { tile: plain, colour: plain.colour ?? '' };
  const painted = format.tiles.find((tile) => tile.coloured && code.startsWith(tile.code));
  if (painted !== undefined) {
    const rest = code.slice(painted.code.length);
    return { tile: painted, colour: format.colours?.find((entry) => entry.code === rest)?.name ?? 'grey' };
  }
  const alike = format.apart ? format.tiles.find((tile) => tile.code[0] === code[0]) : undefined;
  const tile = alike ?? firstTile(format);
  return { tile, colour: tile.colour ?? '' };
}

/** Rows as cells, all of one width. */
export function parseRows(format: MapFormat, rows: readonly string[]): Cells {
  const cells = rows.map((row) => (format.apart ? row.trim().split(/\s+/) : [...row]));
  const width = Math.max(1, ...cells.map((row) => row.length));
  const plain = firstTile(format).code;
  return cells.map((row) => (row.length === width ? row : [...row, ...Array.from({ length: width - row.length }, () => plain)]));
}

export function firstTile(format: MapFormat): MapTile {
  const [first] = format.tiles;
  if (first === undefined) throw new Error('a map format needs a tile');
  return first;
}
