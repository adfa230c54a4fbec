/**
 * When a rally is lost, after VolleyBots: six faults per side, tested in every control step. Side 0 is at x > 0; the first half of the
 * drones is side 0. Faults: 0 wrong turn or second touch, 1 touched with the body, 2 a drone crossed the net plane, 3 ball on the
 * ground in its own half, 4 ball out after its hit (one against one: at any height; teams: when it lands), 5 ball in the net after its hit.
 * Source: `thu-uav/VolleyBots` at 680493a `envs/competitive/utils/rules.py`.
 */
import { RADIUS } from './ball.ts';

export const FAULTS = 6;
const LANDED = 0.2; // m

export interface Court {
  readonly length: number; // m, along x
  readonly width: number;
  readonly net: number; // height of its upper edge
}

/** Side that is at fault when the ball is lost: one against one the side whose turn it is not (`turn`), in teams the last hitting one. */
export interface Rally {
  readonly teamSize: number;
  turn: number; // one against one: whose turn it is now; teams: who hit last
  readonly wrongTurn: Uint8Array; // [drones]
  readonly wrongRacket: Uint8Array; // [drones]
}

export interface Verdict {
  result: number; // 1 side 0 wins, -1 side 1 wins, 0 neither
  draw: boolean;
  readonly faults: Uint8Array; // [2, FAULTS]
}

export function verdict(): Verdict {
  return { result: 0, draw: false, faults: new Uint8Array(2 * FAULTS) };
}

/** `droneX(k)`: x of drone k. Ball at s[b..b+2]. */
export function judge(court: Court, rally: Rally, s: ArrayLike<number>, b: number, droneX: (k: number) => number, out: Verdict): Verdict {
  const { faults } = out;
  faults.fill(0);
  const x = s[b]!;
  const y = s[b + 1]!;
  const z = s[b + 2]!;
  const n = rally.teamSize;
  const outside = Math.abs(x) > court.length / 2 || Math.abs(y) > court.width / 2;
  const landed = z < LANDED;
  const inNet = Math.abs(x) < 3 * RADIUS && Math.abs(y) < court.width / 2 && z < court.net;
  let anyWrong = false;
  for (let k = 0; k < 2 * n; k++) if (rally.wrongTurn[k] === 1 || rally.wrongRacket[k] === 1) anyWrong = true;
  for (let side = 0; side < 2; side++) {
    const at = side * FAULTS;
    let wrong = false;
    for (let k = side * n; k < (side + 1) * n; k++) {
      if (rally.wrongTurn[k] === 1) faults[at] = 1;
      if (rally.wrongRacket[k] === 1) faults[at + 1] = 1;
      if (rally.wrongTurn[k] === 1 || rally.wrongRacket[k] === 1) wrong = true;
      if ((side === 0 ? 1 : -1) * droneX(k) < 0) faults[at + 2] = 1;
    }
    if (landed && !outside && (side === 0 ? x > 0 : x < 0)) faults[at + 3] = 1;
    const answers = n === 1 ? wrong || (!anyWrong && rally.turn !== side) : rally.turn === side;
    if (answers && outside && (n === 1 || landed)) faults[at + 4] = 1;
    if (answers && inNet) faults[at + 5] = 1;
  }
  let lost0 = false;
  let lost1 = false;
  for (let i = 0; i < FAULTS; i++) {
    if (faults[i] === 1) lost0 = true;
    if (faults[FAULTS + i] === 1) lost1 = true;
  }
  out.draw = lost0 && lost1;
  out.result = out.draw ? 0 : (lost1 ? 1 : 0) - (lost0 ? 1 : 0);
  return out;
}
