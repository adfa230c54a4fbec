/**
 * The rules of a battle on one row of state: where its numbers stand, one world step, the push, and what may be done.
 * Source: JaxMARL at c793d09, `smax_env.py`. Units are numbered allies first; foes of an ally count upwards, foes of an enemy backwards.
 */
import { cos, sin, sqrt } from '#math/functions.ts';
import { COOLDOWN, DAMAGE, RADIUS, RANGE, VELOCITY } from './units.ts';

export const MOVES = 4;
export const STOP = 4;
/** Action numbers from here on are attacks. */
export const ATTACK = 5;
export const MOVE_X = [0, 1, 0, -1] as const;
export const MOVE_Y = [1, 0, -1, 0] as const;

/** Sizes, settings and the place of each field within a row. */
export interface Field {
  readonly allies: number;
  readonly enemies: number;
  readonly units: number;
  readonly width: number;
  readonly height: number;
  readonly dt: number;
  readonly worldSteps: number;
  readonly wallsKill: boolean;
  readonly seeActions: boolean;
  readonly conic: boolean;
  /** In floats: places, health, cooldown, previous moves, the default points of the heuristic. */
  readonly pos: number;
  readonly health: number;
  readonly cooldown: number;
  readonly move: number;
  readonly home: number;
  /** In words: kinds and previous attacks. */
  readonly types: number;
  readonly attack: number;
}

/** One row: the arrays of all rows and where this one begins. */
export interface Row {
  floats: Float64Array;
  words: Uint32Array;
  f: number;
  w: number;
}

/** Foe k of unit i. */
export const foeOf = ({ allies }: Field, i: number, k: number): number => (i < allies ? allies + k : allies - 1 - k);
export const foesOf = ({ allies, enemies }: Field, i: number): number => (i < allies ? enemies : allies);

export const typeOf = (field: Field, { words, w }: Row, i: number): number => words[w + field.types + i]!;
export const healthOf = (field: Field, { floats, f }: Row, i: number): number => floats[f + field.health + i]!;

export function distance(field: Field, { floats, f }: Row, i: number, j: number): number {
  const a = f + field.pos + 2 * i;
  const b = f + field.pos + 2 * j;
  const x = floats[a]! - floats[b]!;
  const y = floats[a + 1]! - floats[b + 1]!;
  return sqrt(x * x + y * y);
}

/** Whether unit i may attack its foe k: both alive, the foe nearer than its range. */
function canAttack(field: Field, row: Row, i: number, k: number): boolean {
  const j = foeOf(field, i, k);
  if (healthOf(field, row, i) <= 0 || healthOf(field, row, j) <= 0) return false;
  return distance(field, row, i, j) < RANGE[typeOf(field, row, i)]!;
}

export function available(field: Field, row: Row, i: number, action: number): boolean {
  if (action === STOP) return true;
  return action < STOP ? healthOf(field, row, i) > 0 : canAttack(field, row, i, action - ATTACK);
}

/** Room for what a world step decides before it changes anything. */
export interface Scratch {
  readonly damage: Float64Array; // [units]
  readonly fired: Uint8Array; // [units]
  readonly shift: Float64Array; // [units, 2]
}
export const createScratch = (units: number): Scratch => ({
  damage: new Float64Array(units),
  fired: new Uint8Array(units),
  shift: new Float64Array(2 * units),
});

/** Moves living units apart that overlap: all pairs at once, one pass. */
export function push(field: Field, row: Row, { shift }: Scratch): void {
  const { floats, f } = row;
  const { units, pos } = field;
  let any = false;
  shift.fill(0);
  for (let i = 0; i < units; i++) {
    if (healthOf(field, row, i) <= 0) continue;
    const a = f + pos + 2 * i;
    const radius = RADIUS[typeOf(field, row, i)]!;
    for (let j = i + 1; j < units; j++) {
      const b = f + pos + 2 * j;
      const x = floats[a]! - floats[b]!;
      const y = floats[a + 1]! - floats[b + 1]!;
      const reach = radius + RADIUS[typeOf(field, row, j)]!;
      if (x >= reach || -x >= reach || y >= reach || -y >= reach || healthOf(field, row, j) <= 0) continue;
      const overlap = reach / (sqrt(x * x + y * y) + 1e-6) - 1;
      if (overlap <= 0) continue;
      any = true;
      const [dx, dy] = [(x * overlap) / 2, (y * overlap) / 2];
      shift[2 * i] = shift[2 * i]! + dx;
      shift[2 * i + 1] = shift[2 * i + 1]! + dy;
      shift[2 * j] = shift[2 * j]! - dx;
      shift[2 * j + 1] = shift[2 * j + 1]! - dy;
    }
  }
  if (any) for (let k = 0; k < 2 * units; k++) floats[f + pos + k] = floats[f + pos + k]! + shift[k]!;
}

const clamp = (x: number, most: number): number => (x < 0 ? 0 : x > most ? most : x);

/** One world step with the moves and attacks of the row; `draw(i)` is uniform in [0, 1), asked for each unit that fires. */
export function worldStep(field: Field, row: Row, scratch: Scratch, draw: (unit: number) => number): void {
  const { floats, words, f, w } = row;
  const { units, pos, health, cooldown, move, attack, dt, width, height } = field;
  const { damage, fired } = scratch;
  damage.fill(0);
  for (let i = 0; i < units; i++) {
    const action = words[w + attack + i]!;
    fired[i] = 0;
    if (action < ATTACK || floats[f + cooldown + i]! > 0 || !canAttack(field, row, i, action - ATTACK)) continue;
    fired[i] = 1;
    const j = foeOf(field, i, action - ATTACK);
    damage[j] = damage[j]! + DAMAGE[typeOf(field, row, i)]!;
  }
  for (let i = 0; i < units; i++) {
    const type = typeOf(field, row, i);
    const at = f + pos + 2 * i;
    if (floats[f + health + i]! > 0) {
      const far = VELOCITY[type]! * dt;
      floats[at] = clamp(floats[at]! + floats[f + move + 2 * i]! * far, width);
      floats[at + 1] = clamp(floats[at + 1]! + floats[f + move + 2 * i + 1]! * far, height);
    }
    const left = floats[f + health + i]! - damage[i]!;
    floats[f + health + i] = left > 0 ? left : 0;
    floats[f + cooldown + i] = fired[i] === 1 ? COOLDOWN[type]! + (3 * draw(i) - 1) * dt : floats[f + cooldown + i]! - dt;
    const [x, y] = [floats[at]!, floats[at + 1]!];
    if (field.wallsKill && (x <= 0 || y <= 0 || x >= width || y >= height)) floats[f + health + i] = 0;
  }
  push(field, row, scratch);
}

/** Sets move and attack of a unit from an action number. */
export function order(field: Field, { floats, words, f, w }: Row, i: number, action: number): void {
  floats[f + field.move + 2 * i] = MOVE_X[action] ?? 0;
  floats[f + field.move + 2 * i + 1] = MOVE_Y[action] ?? 0;
  words[w + field.attack + i] = action >= ATTACK ? action : 0;
}

/**
 * Sets move and attack of a unit from the numbers of a continuous action: radius and angle in [0, 1], and what was drawn of the other two.
 * `moves`: it moves instead of shooting; `nearest`: it shoots at the foe nearest to the point named, dead ones included, else as before.
 */
export function orderContinuous(field: Field, row: Row, i: number, moves: boolean, nearest: boolean, radius: number, angle: number): void {
  const { floats, words, f, w } = row;
  const [x, y] = [radius * cos(2 * Math.PI * angle), radius * sin(2 * Math.PI * angle)];
  floats[f + field.move + 2 * i] = moves ? x : 0;
  floats[f + field.move + 2 * i + 1] = moves ? y : 0;
  const before = words[w + field.attack + i]!;
  words[w + field.attack + i] = moves ? 0 : before;
  if (moves || !nearest) return;
  const at = f + field.pos + 2 * i;
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < foesOf(field, i); k++) {
    const to = f + field.pos + 2 * foeOf(field, i, k);
    const [dx, dy] = [floats[to]! - floats[at]! - x, floats[to + 1]! - floats[at + 1]! - y];
    const far = dx * dx + dy * dy;
    if (far >= best) continue;
    best = far;
    words[w + field.attack + i] = ATTACK + k;
  }
}
