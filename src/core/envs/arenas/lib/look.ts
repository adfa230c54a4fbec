/**
 * A battle from above: units with an outline for each kind (round ones where kinds are drawn anew in each episode), the health left as a bar
 * above each, lines of fire of the last action, dead units as thin rings, and a line to where a unit is ordered.
 */
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { ATTACK, distance, type Field, foeOf, healthOf, type Row, typeOf } from './battle.ts';
import type { Orders } from './orders.ts';
import { HEALTH, RADIUS, RANGE, type Sides } from './units.ts';

const ALLY = 0;
const ENEMY = 1;
const GREY = 7;
const COLUMNS = 6;
/** Corners by unit number, 0: round; where the first of them points, rad. */
const CORNERS = [0, 5, 3, 4, 4, 6];
const TURN = Float64Array.of(0, Math.PI / 2, Math.PI / 2, Math.PI / 4, 0, 0);
/** Small units are drawn larger than they are, so that a bar keeps this distance from the middle and is so long on either side; map units. */
const LEAST = 0.9;
const ABOVE = 0.8;

/**
 * Points: the units alive, then the same units dead, then the middle of the own team, which is not drawn; lines: fire, the place of each bar, the
 * health in it, orders.
 */
export function layoutOf({ allies, enemies, types, drawn }: Sides, width: number, height: number): PointsLayout {
  const units = allies + enemies;
  const groups: PointGroup[] = [];
  for (const [name, from, to] of [
    ['ally', 0, allies],
    ['enemy', allies, units],
  ] as const) {
    for (let first = from; first < to; ) {
      let next = first + 1;
      while (next < to && (drawn || types[next] === types[first])) next++;
      const corners = drawn ? 0 : CORNERS[types[first]!]!;
      groups.push({
        name,
        count: next - first,
        shape: 'disc',
        numbered: true,
        numberedFrom: first - from + 1,
        ...(name === 'ally' && { held: true }),
        ...(corners > 0 && { corners }),
      });
      first = next;
    }
  }
  groups.push(
    { name: 'dead ally', count: allies, shape: 'zone' },
    { name: 'dead enemy', count: enemies, shape: 'zone' },
    { name: 'whole team', count: 1, shape: 'zone', held: true, called: true, between: true },
  );
  const names = (dead: string) => [
    ...Array.from({ length: allies }, (_, i) => `${dead}ally ${i + 1}`),
    ...Array.from({ length: enemies }, (_, i) => `${dead}enemy ${i + 1}`),
  ];
  return {
    kind: 'points',
    count: 2 * units + 1,
    bounds: [0, 0, width, height],
    names: [...names(''), ...names('dead '), 'whole team'],
    groups,
    lines: 3 * units + allies,
    ground: 'walled',
    ordered: true,
  };
}

/** Writes the frame of a row; `orders`: those that a person gave. */
export function writeFrame(field: Field, row: Row, out: Float32Array, orders?: Orders): void {
  const { floats, words, f, w } = row;
  const { units, allies } = field;
  const lines = COLUMNS * (2 * units + 1);
  const line = (k: number, x1: number, y1: number, x2: number, y2: number, colour: number, strength: number) => {
    const at = lines + COLUMNS * k;
    out[at] = x1;
    out[at + 1] = y1;
    out[at + 2] = x2;
    out[at + 3] = y2;
    out[at + 4] = colour;
    out[at + 5] = strength;
  };
  for (let i = 0; i < units; i++) {
    const type = typeOf(field, row, i);
    const [x, y] = [floats[f + field.pos + 2 * i]!, floats[f + field.pos + 2 * i + 1]!];
    const alive = healthOf(field, row, i) > 0;
    const colour = i < allies ? ALLY : ENEMY;
    for (const [k, shown, turn] of [
      [i, alive, TURN[type]!],
      [units + i, !alive, 0],
    ] as const) {
      const at = COLUMNS * k;
      out[at] = x;
      out[at + 1] = y;
      out[at + 2] = 0;
      out[at + 3] = turn;
      out[at + 4] = shown ? RADIUS[type]! : 0;
      out[at + 5] = colour;
    }
    const share = healthOf(field, row, i) / HEALTH[type]!;
    const half = Math.max(LEAST, RADIUS[type]!);
    const top = y + half + ABOVE;
    const end = x - half + 2 * half * share;
    line(units + i, end, top, x + half, top, GREY, alive && share < 1 ? 0.4 : 0);
    line(2 * units + i, x - half, top, end, top, colour, alive ? 1 : 0);
    const action = words[w + field.attack + i]!;
    const j = action >= ATTACK ? foeOf(field, i, action - ATTACK) : i;
    const fires = j !== i && distance(field, row, i, j) < RANGE[type]!; // the shot that kills is shown too
    line(i, x, y, floats[f + field.pos + 2 * j]!, floats[f + field.pos + 2 * j + 1]!, colour, fires ? 0.5 : 0);
  }
  let [x, y, living] = [0, 0, 0];
  for (let i = 0; i < allies; i++) {
    const at = f + field.pos + 2 * i;
    const alive = healthOf(field, row, i) > 0;
    const order = orders?.get(i);
    line(3 * units + i, floats[at]!, floats[at + 1]!, order?.x ?? 0, order?.y ?? 0, GREY, order !== undefined && alive ? 0.8 : 0);
    if (!alive) continue;
    x += floats[at]!;
    y += floats[at + 1]!;
    living++;
  }
  const middle = COLUMNS * 2 * units;
  out.fill(0, middle, middle + COLUMNS);
  out[middle] = living === 0 ? 0 : x / living;
  out[middle + 1] = living === 0 ? 0 : y / living;
}
