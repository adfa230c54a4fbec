/**
 * The game of SlimeVolley on flat rows: two half discs, a ball, a net with a round top. Lengths and speeds in units of the game
 * (court 48 wide, x 0 in the middle, y upwards), float64 in the order of operations of the reference, so that long rallies agree.
 * Floats of a row: ball x, y, vx, vy | left x, y, vx, vy | right x, y, vx, vy | the same twelve as last observed.
 * Words: lives left, lives right, delay, steps. Source: `hardmaru/slimevolleygym` at 8ac2243 `slimevolley.py`.
 */
import { sqrt } from '#math/functions.ts';

export const HALF = 24; // half of the court
export const GROUND = 1.5;
export const NET = 0.5; // half of its width, and the radius of its round top
export const PLAYER = 1.5; // radius
export const BALL = 0.5; // radius
export const START_X = 12;
export const START_Y = 12;
export const DELAY = 30; // steps a served ball is held
export const FORWARD = 1; // bits of buttons
export const BACKWARD = 2;
export const JUMP = 4;
const CEILING = 48;
export const DT = 1 / 30; // s
const NUDGE = 0.1;

export const FLOATS = 24;
export const SEEN = 12;
export const LEFT = 4;
export const RIGHT = 8;
export const WORDS = { livesLeft: 0, livesRight: 1, delay: 2, steps: 3 } as const;

/** What may be changed; the defaults are the reference's. */
export interface Physics {
  readonly gravity: number; // downwards
  readonly speed: number;
  readonly jump: number;
  readonly ballLimit: number;
  readonly netHeight: number;
}

/** Buttons of a person or a network as bits: on above 0. */
export function buttonsOf(forward: number, backward: number, jump: number): number {
  return (forward > 0 ? FORWARD : 0) | (backward > 0 ? BACKWARD : 0) | (jump > 0 ? JUMP : 0);
}

/** Moves one player; side -1 left, 1 right. */
function movePlayer(f: Float64Array, at: number, side: number, buttons: number, p: Physics): void {
  const pushed = buttons & (FORWARD | BACKWARD);
  const wantedX = pushed === FORWARD ? -p.speed : pushed === BACKWARD ? p.speed : 0;
  let x = f[at]!;
  let y = f[at + 1]!;
  let vy = f[at + 3]! - p.gravity * DT;
  if (y <= GROUND + NUDGE * DT) vy = buttons & JUMP ? p.jump : 0;
  let vx = wantedX === 0 ? 0 : wantedX * side; // never -0, which JSON does not keep
  x += vx * DT;
  y += vy * DT;
  if (y <= GROUND) {
    y = GROUND;
    vy = 0;
  }
  if (x * side <= NET + PLAYER) {
    vx = 0;
    x = side * (NET + PLAYER);
  }
  if (x * side >= HALF - PLAYER) {
    vx = 0;
    x = side * (HALF - PLAYER);
  }
  f[at] = x;
  f[at + 1] = y;
  f[at + 2] = vx;
  f[at + 3] = vy;
}

/** Lets the ball at `b` bounce off a disc; true if it touched. */
function bounce(f: Float64Array, b: number, px: number, py: number, pvx: number, pvy: number, radius: number): boolean {
  const reach = (BALL + radius) * (BALL + radius);
  let x = f[b]!;
  let y = f[b + 1]!;
  let dx = px - x;
  let dy = py - y;
  if (!(reach > dx * dx + dy * dy)) return false;
  let nx = x - px;
  let ny = y - py;
  const distance = sqrt(nx * nx + ny * ny);
  if (distance === 0) ny = 1;
  else {
    nx /= distance;
    ny /= distance;
  }
  while (reach > dx * dx + dy * dy) {
    x += nx * NUDGE;
    y += ny * NUDGE;
    dx = px - x;
    dy = py - y;
  }
  const ux = f[b + 2]! - pvx;
  const uy = f[b + 3]! - pvy;
  const un = ux * nx + uy * ny;
  f[b] = x;
  f[b + 1] = y;
  f[b + 2] = ux - nx * (un * 2) + pvx;
  f[b + 3] = uy - ny * (un * 2) + pvy;
  return true;
}

/** Walls, net sides, ceiling, ground. 1 if the ball landed on the left half (a point for the right player), -1 on the right half. */
function edges(f: Float64Array, b: number, before: number, netHeight: number): number {
  let x = f[b]!;
  let y = f[b + 1]!;
  if (x <= BALL - HALF) {
    f[b + 2] = 0 - f[b + 2]!;
    x = BALL - HALF + NUDGE * DT;
  }
  if (x >= HALF - BALL) {
    f[b + 2] = 0 - f[b + 2]!;
    x = HALF - BALL - NUDGE * DT;
  }
  f[b] = x;
  if (y <= BALL + GROUND) return x <= 0 ? 1 : -1;
  if (y >= CEILING - BALL) {
    f[b + 3] = 0 - f[b + 3]!;
    y = CEILING - BALL - NUDGE * DT;
    f[b + 1] = y;
  }
  if (x <= NET + BALL && before > NET + BALL && y <= netHeight) {
    f[b + 2] = 0 - f[b + 2]!;
    x = NET + BALL + NUDGE * DT;
  }
  if (x >= -NET - BALL && before < -NET - BALL && y <= netHeight) {
    f[b + 2] = 0 - f[b + 2]!;
    x = -NET - BALL - NUDGE * DT;
  }
  f[b] = x;
  return 0;
}

/** Bits of what the ball touched in a step. */
export const TOUCH = { left: 1, right: 2, net: 4 } as const;
let touches = 0;

/** What the ball touched in the last `play`. */
export function touched(): number {
  return touches;
}

/**
 * One step of the row whose floats begin at `b`: players (left first), ball unless it is `held`, bounces, edges. Returns the point
 * for the right player: 1, -1 or 0. The caller serves again after a point.
 */
export function play(f: Float64Array, b: number, held: boolean, left: number, right: number, p: Physics): number {
  movePlayer(f, b + LEFT, -1, left, p);
  movePlayer(f, b + RIGHT, 1, right, p);
  const before = f[b]!;
  touches = 0;
  if (!held) {
    let vx = f[b + 2]!;
    let vy = f[b + 3]! - p.gravity * DT;
    const square = vx * vx + vy * vy;
    if (square > p.ballLimit * p.ballLimit) {
      const speed = sqrt(square);
      vx = (vx / speed) * p.ballLimit;
      vy = (vy / speed) * p.ballLimit;
    }
    f[b + 2] = vx;
    f[b + 3] = vy;
    f[b] = before + vx * DT;
    f[b + 1] = f[b + 1]! + vy * DT;
  }
  for (let at = LEFT; at <= RIGHT; at += 4) {
    const hit = bounce(f, b, f[b + at]!, f[b + at + 1]!, f[b + at + 2]!, f[b + at + 3]!, PLAYER);
    if (hit) touches |= at === LEFT ? TOUCH.left : TOUCH.right;
  }
  if (bounce(f, b, 0, p.netHeight, 0, 0, NET)) touches |= TOUCH.net;
  return edges(f, b, before, p.netHeight);
}

/** Writes the twelve observed numbers of one player from the remembered ones: own side positive, all divided by 10. */
export function look(f: Float64Array, b: number, side: number, out: Float32Array | Float64Array, at: number): void {
  const me = b + SEEN + (side < 0 ? LEFT : RIGHT);
  const other = b + SEEN + (side < 0 ? RIGHT : LEFT);
  const ball = b + SEEN;
  for (let i = 0; i < 4; i++) {
    const mirrored = i === 0 || i === 2;
    out[at + i] = (f[me + i]! * (mirrored ? side : 1)) / 10;
    out[at + 4 + i] = (f[ball + i]! * (mirrored ? side : 1)) / 10;
    out[at + 8 + i] = (f[other + i]! * (mirrored ? -side : 1)) / 10;
  }
}
