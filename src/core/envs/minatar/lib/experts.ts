/**
 * Rules of thumb that play MinAtar from its observations alone: no learning, no look at the hidden timers. Far from best play, but far
 * from random too; what each reaches is stated with its game.
 */

import type { ScriptedPolicy } from '../../api/types.ts';
import { SIZE } from './minatar.ts';

/** Whether a channel is set in a cell; false outside the board. */
type Look = (channel: number, row: number, column: number) => boolean;
export type Rule = (look: Look) => number;

const [NONE, LEFT, UP, RIGHT, DOWN, FIRE] = [0, 1, 2, 3, 4, 5] as const;
const inside = (i: number) => i >= 0 && i < SIZE;

export function ruled(channels: number, rule: Rule): ScriptedPolicy {
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const from = row * SIZE * SIZE * channels;
        out[row] = rule((channel, y, x) => inside(y) && inside(x) && obs[from + (y * SIZE + x) * channels + channel] === 1);
      }
    },
  };
}

/** Cells set in a channel as [row, column], row by row. */
function cellsOf(look: Look, channel: number): readonly (readonly [number, number])[] {
  const out: [number, number][] = [];
  for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) if (look(channel, y, x)) out.push([y, x]);
  return out;
}

const toward = (from: number, to: number) => (to < from ? LEFT : to > from ? RIGHT : NONE);

/** Is where the ball comes down: follows it through the side walls to the row above the paddle. */
export const breakoutRule: Rule = (look) => {
  const paddle = cellsOf(look, 0)[0]?.[1] ?? 0;
  const [ballY, ballX] = cellsOf(look, 1)[0] ?? [0, 0];
  const [trailY, trailX] = cellsOf(look, 2)[0] ?? [ballY, ballX];
  let x = ballX;
  if (ballY >= trailY) {
    let dx = Math.sign(ballX - trailX) || (x < SIZE / 2 ? 1 : -1);
    for (let y = ballY; y < SIZE - 2; y++) {
      if (!inside(x + dx)) dx = -dx;
      else x += dx;
    }
  }
  return toward(paddle, x);
};

const CHICKEN_COLUMN = 4;
/** The chicken stays this long in a row. */
const STAY = 3;

/** Steps until the car of a row can be at the chicken's column at the earliest. */
function arrival(look: Look, row: number): number {
  for (let x = 0; x < SIZE; x++) {
    if (!look(1, row, x)) continue;
    for (let speed = 1; speed <= 5; speed++)
      for (const side of [-1, 1]) {
        // the speed is shown behind the car
        if (!look(1 + speed, row, (x + side + SIZE) % SIZE)) continue;
        const cells = side < 0 ? (CHICKEN_COLUMN - x + SIZE) % SIZE : (x - CHICKEN_COLUMN + SIZE) % SIZE;
        return cells === 0 ? 0 : 1 + (cells - 1) * (speed + 1);
      }
  }
  return Infinity;
}

/** Up whenever the next row stays free for as long as it takes to leave it; back where its own row does not. */
export const freewayRule: Rule = (look) => {
  const row = cellsOf(look, 0)[0]?.[0] ?? SIZE - 1;
  const next = arrival(look, row - 1);
  if (next > STAY) return UP;
  if (arrival(look, row) > 1) return NONE;
  return arrival(look, row + 1) > next ? DOWN : UP;
};

/** Moves as [action, row, column]. */
const STEPS = [
  [NONE, 0, 0],
  [LEFT, 0, -1],
  [UP, -1, 0],
  [RIGHT, 0, 1],
  [DOWN, 1, 0],
] as const;

/** How bad a cell is: something is there, or would be after one or two of its moves. Its trail is behind it. */
function danger(look: Look, things: readonly number[], trail: number, y: number, x: number): number {
  for (const channel of things) {
    if (look(channel, y, x)) return 100;
    // it stands `ahead` cells to the side and comes here: its trail is farther out
    for (const [ahead, cost] of [
      [1, 40],
      [2, 8],
    ] as const)
      for (const side of [-1, 1]) if (look(channel, y, x + side * ahead) && look(trail, y, x + side * (ahead + 1))) return cost;
  }
  return 0;
}

/** To the nearest gold, around what is dangerous; waits in the middle. */
export const asterixRule: Rule = (look) => {
  const [y, x] = cellsOf(look, 0)[0] ?? [5, 5];
  const gold = cellsOf(look, 3);
  let best = -Infinity;
  let action: number = NONE;
  for (const [a, dy, dx] of STEPS) {
    const ny = Math.min(SIZE - 2, Math.max(1, y + dy));
    const nx = Math.min(SIZE - 1, Math.max(0, x + dx));
    let near = 2 * SIZE;
    for (const [gy, gx] of gold) near = Math.min(near, Math.abs(gy - ny) + Math.abs(gx - nx));
    // on the way up or down a row counts as much as what comes in from its side
    const worth = (gold.length > 0 ? -near : -0.1 * (Math.abs(nx - 4.5) + Math.abs(ny - 4.5))) - danger(look, [1], 2, ny, nx);
    if (worth > best) {
      best = worth;
      action = a;
    }
  }
  return action;
};

/** Out of the way of bullets, else under the nearest alien, shooting. */
export const invadersRule: Rule = (look) => {
  const x = cellsOf(look, 0)[0]?.[1] ?? 0;
  const threat = (column: number) => {
    for (let y = SIZE - 1; y >= SIZE - 4; y--) if (look(5, y, column) || look(1, y, column)) return SIZE - y;
    return 0;
  };
  const here = threat(x);
  if (here > 0) {
    const sides = [x - 1, x + 1].filter((column) => inside(column) && threat(column) === 0);
    const [first] = sides;
    if (first !== undefined) return toward(x, first);
  }
  // where each alien will be when a bullet fired now gets to its row: they move once in as many steps as there are of them, 12 at most
  const seen = cellsOf(look, 1);
  const right = seen.some(([row, column]) => look(3, row, column));
  const period = Math.min(12, seen.length);
  const ahead = seen.map(([row, column]) => {
    const to = column + (right ? 1 : -1) * Math.round((SIZE - 1 - row) / (period + 1));
    return [row, to < 0 ? -to : to >= SIZE ? 2 * (SIZE - 1) - to : to] as const;
  });
  const bullets = cellsOf(look, 4);
  // a bullet this low left less than five steps ago: the cannon is not ready
  const ready = !bullets.some(([row]) => row >= SIZE - 5);
  if (ready && ahead.some(([, column]) => column === x)) return FIRE;
  let target = x;
  let near = Infinity;
  for (const [row, column] of ahead) {
    const far = Math.abs(column - x) - 0.3 * row; // the lowest first
    if (far >= near || threat(x + Math.sign(column - x)) > 0) continue;
    near = far;
    target = column;
  }
  return toward(x, target);
};

/** Keeps out of the way, shoots what is ahead in its row, fetches divers, and comes up in time with one. */
export const seaquestRule: Rule = (look) => {
  const [y, x] = cellsOf(look, 0)[0] ?? [0, 0];
  const back = cellsOf(look, 1)[0]?.[1] ?? x;
  const facing = x >= back ? 1 : -1;
  const air = cellsOf(look, 7).length; // cells of the gauge
  const aboard = cellsOf(look, 8).length;
  const divers = cellsOf(look, 9);
  const low = air <= Math.max(2, Math.ceil(y / 4) + 1);
  const up = aboard > 0 && (low || aboard === 6);
  let best = -Infinity;
  let action: number = NONE;
  for (const [a, dy, dx] of STEPS) {
    // row 0 is the surface: up there without a diver the game is over
    const ny = Math.min(SIZE - 2, Math.max(0, y + dy));
    const nx = Math.min(SIZE - 1, Math.max(0, x + dx));
    let worth = -danger(look, [4, 5, 6], 3, ny, nx);
    if (ny === 0 && !up) worth -= 60;
    if (up) worth -= 2 * ny;
    else if (divers.length > 0) worth -= Math.min(...divers.map(([dyy, dxx]) => Math.abs(dyy - ny) + Math.abs(dxx - nx)));
    else worth -= 0.2 * (Math.abs(nx - 4.5) + Math.abs(ny - 4.5));
    if (worth > best) {
      best = worth;
      action = a;
    }
  }
  // a shot costs no move worth speaking of when nothing threatens
  let ahead = false;
  for (let k = x + facing; inside(k); k += facing) if (look(5, y, k) || look(6, y, k)) ahead = true;
  return ahead && danger(look, [4, 5, 6], 3, y, x) < 40 && !low ? FIRE : action;
};
