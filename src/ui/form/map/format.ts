/** Reading, writing and painting text maps by what their environment says about them (MapFormat). Pure data and functions. */
import { type Cells, firstTile, seen } from '#contract/game/map-cells.ts';
import type { MapFormat, MapTile } from '#contract/game/maps.ts';
import { t } from '#text/text.ts';

/** What stands in a cell when this tile is painted there; `colour` is a colour's code. */
export function codeOf(tile: MapTile, colour: string): string {
  return tile.coloured ? `${tile.code}${colour}` : tile.code;
}

export function inWords(format: MapFormat, code: string): string {
  const { tile, colour } = seen(format, code);
  return tile.coloured ? `${colour} ${t(tile.title)}` : t(tile.title);
}

export function writeRows(format: MapFormat, cells: Cells): readonly string[] {
  return cells.map((row) => row.join(format.apart ? ' ' : ''));
}

/** Paints one cell; a tile that stands once leaves its old place. Rows that do not change stay the same arrays. */
export function paint(format: MapFormat, cells: Cells, x: number, y: number, code: string): Cells {
  const once = seen(format, code).tile.once === true;
  const plain = firstTile(format).code;
  return cells.map((row, r) => {
    const here = r === y && row[x] !== code;
    const moved = once && row.some((old, c) => old === code && !(r === y && c === x));
    if (!here && !moved) return row;
    return row.map((old, c) => (r === y && c === x ? code : once && old === code ? plain : old));
  });
}

/** Cut or grown at the right and the bottom; a map with an edge keeps it, and what stands once is not lost. */
export function resize(format: MapFormat, cells: Cells, width: number, height: number): Cells {
  const plain = firstTile(format).code;
  const { edge } = format;
  const [w, h] = [cells[0]?.length ?? 0, cells.length];
  // What stands on the old edge (a dispenser in a counter) stays where the edge stays.
  const kept = (x: number, y: number) => {
    if (edge === undefined) return cells[y]?.[x] ?? plain;
    const right = x === width - 1;
    const bottom = y === height - 1;
    if (right || bottom) return cells[bottom ? h - 1 : y]?.[right ? w - 1 : x] ?? edge;
    if (x === 0 || y === 0) return (x < w - 1 && y < h - 1 ? cells[y]?.[x] : undefined) ?? edge;
    return (x < w - 1 && y < h - 1 ? cells[y]?.[x] : undefined) ?? plain;
  };
  let out: Cells = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_unused, x) => kept(x, y)));
  for (const tile of format.tiles) {
    if (!tile.once || !cells.flat().includes(tile.code) || out.flat().includes(tile.code)) continue;
    const free = out.flat().indexOf(plain);
    if (free >= 0) out = paint(format, out, free % width, Math.floor(free / width), tile.code);
  }
  return out;
}

/** An empty map of this size: its edge, and what the rules ask for at least, apart from each other. */
export function blank(format: MapFormat, width: number, height: number): Cells {
  const plain = firstTile(format).code;
  const { edge } = format;
  const border = (x: number, y: number) => x === 0 || y === 0 || x === width - 1 || y === height - 1;
  let cells: Cells = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_unused, x) => (edge !== undefined && border(x, y) ? edge : plain)),
  );
  const codes = new Set<string>(format.tiles.filter((tile) => tile.once).map((tile) => tile.code));
  for (const rule of format.rules) {
    const wanted = rule.rule === 'count' && (rule.least ?? 0) > 0 ? rule.of[0] : rule.rule === 'reach' ? rule.to[0] : undefined;
    if (wanted !== undefined && wanted !== plain) codes.add(wanted);
  }
  const blocked = (code: string) => seen(format, code).tile.walk === 'never';
  const inner = spots(cells, (x, y) => edge === undefined || !border(x, y));
  const rim = spots(cells, (x, y) => edge !== undefined && border(x, y) && !(x % (width - 1) === 0 && y % (height - 1) === 0));
  const [walls, free] = [
    [...codes].filter((code) => blocked(code) && rim.length > 0),
    [...codes].filter((code) => !blocked(code) || rim.length === 0),
  ];
  for (const [list, places] of [
    [walls, rim],
    [free, inner],
  ] as const) {
    list.forEach((code, i) => {
      // Ends of the list lie at opposite ends of the map.
      const spot = places[list.length === 1 ? places.length - 1 : Math.round((i * (places.length - 1)) / (list.length - 1))];
      if (spot !== undefined) cells = paint(format, cells, spot[0], spot[1], code);
    });
  }
  return cells;
}

function spots(cells: Cells, fits: (x: number, y: number) => boolean): readonly (readonly [number, number])[] {
  return cells.flatMap((row, y) => row.map((_, x) => [x, y] as const)).filter(([x, y]) => fits(x, y));
}
