/**
 * Orders that a person gives to units of the own team: to go to a place, or after a foe and shoot at it. One stands until the unit is there, the
 * foe or the unit is dead, or another comes. Kept beside the state, so a copy that is saved and loaded has none. A move goes along the axis on
 * which more is missing, as a unit has no other moves.
 */
import type { Pull } from '#contract/game/frames.ts';
import { sqrt } from '#math/functions.ts';
import { ATTACK, available, distance, type Field, foeOf, foesOf, healthOf, type Row, STOP, typeOf } from './battle.ts';
import { RADIUS, RANGE, VELOCITY } from './units.ts';

/** Where a unit goes; `foe` 0 or more: number of the foe that it goes after. */
export interface Order {
  x: number;
  y: number;
  readonly foe: number;
}

/** A foe is meant where the pointer is so near its rim; walls may kill, so that no order ends within so much of one. Map units. */
const GRASP = 0.6;
const MARGIN = 1;

export type Orders = Map<number, Order>;

/** Point number of a pull that is meant for the whole team: the one behind units alive and dead (look.ts). */
export const teamPoint = (units: number): number => 2 * units;

function foeAt(field: Field, row: Row, x: number, y: number): number {
  const { floats, f } = row;
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (let k = 0; k < field.enemies; k++) {
    const j = foeOf(field, 0, k);
    if (healthOf(field, row, j) <= 0) continue;
    const at = f + field.pos + 2 * j;
    const [dx, dy] = [floats[at]! - x, floats[at + 1]! - y];
    const away = sqrt(dx * dx + dy * dy);
    if (away <= RADIUS[typeOf(field, row, j)]! + GRASP && away < least) [found, least] = [k, away];
  }
  return found;
}

/** Gives an order to the unit, or the whole team, that `part` names; other parts take none. */
export function giveOrder(field: Field, row: Row, orders: Orders, { part, to }: Pull): void {
  const [x, y] = to;
  const foe = foeAt(field, row, x, y);
  const clamped = (v: number, most: number): number => Math.min(most - MARGIN, Math.max(MARGIN, v));
  const give = (unit: number): void => void orders.set(unit, { x: clamped(x, field.width), y: clamped(y, field.height), foe });
  if (part === teamPoint(field.units)) for (let i = 0; i < field.allies; i++) give(i);
  else if (part < field.allies) give(part);
}

/** The action by which unit i follows its order; -1: it has none any more. A foe’s place becomes the place of the order. */
export function follow(field: Field, row: Row, orders: Orders, i: number): number {
  const found = orders.get(i);
  if (found === undefined) return -1;
  const { floats, f } = row;
  const at = f + field.pos + 2 * i;
  if (found.foe >= 0) {
    const j = foeOf(field, i, found.foe);
    if (found.foe < foesOf(field, i) && healthOf(field, row, i) > 0 && healthOf(field, row, j) > 0) {
      found.x = floats[f + field.pos + 2 * j]!;
      found.y = floats[f + field.pos + 2 * j + 1]!;
      const attack = ATTACK + found.foe;
      if (available(field, row, i, attack)) return attack;
      if (distance(field, row, i, j) < RANGE[typeOf(field, row, i)]!) return STOP;
      return moveTo(found.x - floats[at]!, found.y - floats[at + 1]!);
    }
    orders.delete(i);
    return -1;
  }
  const [dx, dy] = [found.x - floats[at]!, found.y - floats[at + 1]!];
  const stride = VELOCITY[typeOf(field, row, i)]! * field.dt * field.worldSteps;
  if (healthOf(field, row, i) > 0 && Math.max(Math.abs(dx), Math.abs(dy)) > stride / 2) return moveTo(dx, dy);
  orders.delete(i);
  return -1;
}

/** Up, right, down, left: 0 to 3. */
function moveTo(dx: number, dy: number): number {
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 1 : 3;
  return dy > 0 ? 0 : 2;
}
