/**
 * What a map lacks, in the words of its environment. Reaching is a search over neighbouring cells: keys open locked doors of their
 * colour as soon as they can be reached; what can be carried away is no obstacle. Approximate on purpose: it ignores that a hand holds
 * one thing.
 */
import { fail } from '../kit/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import { type Cells, parseRows, seen } from './map-cells.ts';
import type { MapFormat, MapRule } from './maps.ts';

type Place = readonly [x: number, y: number];

/** The sentence of every rule that is broken, the first first. `start`: where the agent stands, if a field of its own says it. */
export function complaints(format: MapFormat, cells: Cells, start: Place | null): readonly string[] {
  return format.rules.filter((rule) => !holds(format, cells, start, rule)).map((rule) => rule.says);
}

/**
 * Throws LabError('config-invalid') for the first map among settings on which nothing can be achieved, in the words of the map editor; what is
 * only partly out of reach is left to the editor.
 * `fields`: what the environment says of its settings. For new configs alone: a stored one plays the map that it has.
 */
export function checkMaps(fields: { readonly [name: string]: { readonly map?: MapFormat | undefined } }, config: JsonObject): void {
  for (const [name, { map }] of Object.entries(fields)) {
    const rows = config[name];
    if (map === undefined || !Array.isArray(rows) || rows.length === 0 || !rows.every((row) => typeof row === 'string')) continue;
    const at = map.start === undefined ? null : config[map.start];
    const start: Place | null = Array.isArray(at) ? [Number(at[0]), Number(at[1])] : null;
    const rules = map.rules.filter((rule) => rule.rule !== 'whole' && !(rule.rule === 'reach' && rule.every === true));
    const [first] = complaints({ ...map, rules }, parseRows(map, rows), start);
    if (first !== undefined) throw fail('config-invalid', first, 'Change the rows of the map.', `env.${name}`);
  }
}

function holds(format: MapFormat, cells: Cells, start: Place | null, rule: MapRule): boolean {
  const count = (of: readonly string[]) => cells.flat().filter((code) => of.includes(code)).length;
  switch (rule.rule) {
    case 'count': {
      const n = count(rule.of);
      return n >= (rule.least ?? 0) && n <= (rule.most ?? Number.POSITIVE_INFINITY);
    }
    case 'equal':
      return count(rule.of) === count(rule.as);
    case 'whole': {
      const free = places(cells).filter(([x, y]) => walk(format, cells, x, y) !== 'never');
      return free.length === 0 || reached(format, cells, [free[0] as Place]).size === free.length;
    }
    case 'reach': {
      const targets = places(cells).filter(([x, y]) => rule.to.includes(cells[y]?.[x] ?? ''));
      const from = starts(format, cells, start, rule.from);
      // What is not there, and a start that is not there, is what 'count' complains about.
      if (targets.length === 0 || from.length === 0) return true;
      const width = cells[0]?.length ?? 0;
      const there = reached(format, cells, from);
      const near = ([x, y]: Place) =>
        rule.beside ? beside(cells, x, y).some(([nx, ny]) => there.has(ny * width + nx)) : there.has(y * width + x);
      return rule.every ? targets.every(near) : targets.some(near);
    }
  }
}

/** No agent can stand here as the map is now. */
export function blocks(format: MapFormat, code: string): boolean {
  const how = seen(format, code).tile.walk;
  return how !== undefined && how !== 'fatal';
}

function starts(format: MapFormat, cells: Cells, start: Place | null, codes: readonly string[]): readonly Place[] {
  if (codes.length > 0) return places(cells).filter(([x, y]) => codes.includes(cells[y]?.[x] ?? ''));
  if (start !== null) return [start];
  return places(cells).filter(([x, y]) => !blocks(format, cells[y]?.[x] ?? '') && walk(format, cells, x, y) !== 'fatal');
}

/** Cells (row * width + column) one comes to; fatal ones are not entered. */
function reached(format: MapFormat, cells: Cells, from: readonly Place[]): ReadonlySet<number> {
  const width = cells[0]?.length ?? 0;
  const keys = new Set<string>();
  for (;;) {
    const before = keys.size;
    const there = new Set<number>(from.map(([x, y]) => y * width + x));
    const queue: Place[] = [...from];
    for (const [x, y] of queue) {
      const { tile, colour } = seen(format, cells[y]?.[x] ?? '');
      if (tile.key) keys.add(colour);
      for (const [nx, ny] of beside(cells, x, y)) {
        const how = walk(format, cells, nx, ny);
        if (there.has(ny * width + nx) || how === 'never' || how === 'fatal') continue;
        if (how === 'unlocked' && !keys.has(seen(format, cells[ny]?.[nx] ?? '').colour)) continue;
        there.add(ny * width + nx);
        queue.push([nx, ny]);
      }
    }
    if (keys.size === before) return there;
  }
}

function walk(format: MapFormat, cells: Cells, x: number, y: number) {
  return seen(format, cells[y]?.[x] ?? '').tile.walk;
}

function places(cells: Cells): readonly Place[] {
  return cells.flatMap((row, y) => row.map((_, x) => [x, y] as const));
}

function beside(cells: Cells, x: number, y: number): readonly Place[] {
  return (
    [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ] as const
  ).filter(([nx, ny]) => cells[ny]?.[nx] !== undefined);
}
