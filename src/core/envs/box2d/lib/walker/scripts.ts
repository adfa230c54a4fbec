/** The reference's heuristic: a machine of three states that swings one leg ahead, puts it down and pushes off with the other. It has no idea of balance. */
import type { Environment, ScriptedPolicy } from '../../../api/types.ts';

const [SWING, PUT_DOWN, PUSH_OFF] = [0, 1, 2];
const SPEED = 0.29;
const KNEE = 0.1;

interface Gait {
  state: number;
  moving: 0 | 1;
  knee: number;
}
const begin = (): Gait => ({ state: SWING, moving: 0, knee: KNEE });
const clip = (x: number): number => Math.min(1, Math.max(-1, x));

/** What the reset leaves: in the air, hips as they were put, knees at their limit. */
const fresh = (obs: Float32Array, at: number): boolean =>
  obs[at + 8] === 0 &&
  obs[at + 13] === 0 &&
  Math.abs(obs[at + 4]! + 0.05) < 0.02 &&
  Math.abs(obs[at + 9]! - 0.05) < 0.02 &&
  obs[at + 22] === 1;

export function walkerHeuristic(): ScriptedPolicy {
  const gaits = new WeakMap<Environment, Gait[]>();
  return {
    act(env, { obs, terminated, truncated }, out) {
      let rows = gaits.get(env);
      if (rows === undefined) gaits.set(env, (rows = Array.from({ length: env.batch }, begin)));
      for (let row = 0; row < env.batch; row++) {
        const at = 24 * row;
        if (terminated[row] === 1 || truncated[row] === 1 || fresh(obs, at)) rows[row] = begin();
        step(rows[row]!, obs, at, out, 4 * row);
      }
    },
  };
}

function step(gait: Gait, obs: Float32Array, at: number, out: { [i: number]: number }, to: number): void {
  const s = (i: number): number => obs[at + i]!;
  const other = 1 - gait.moving;
  const movingAt = 4 + 5 * gait.moving;
  const standingAt = 4 + 5 * other;
  const hip: [number, number] = [0, 0]; // 0: no aim
  const knee: [number, number] = [0, 0];
  if (gait.state === SWING) {
    hip[gait.moving] = 1.1;
    knee[gait.moving] = -0.6;
    gait.knee = Math.min(gait.knee + (s(2) > SPEED ? 0.06 : 0.03), KNEE);
    knee[other] = gait.knee;
    if (s(standingAt) < 0.1) gait.state = PUT_DOWN;
  }
  if (gait.state === PUT_DOWN) {
    hip[gait.moving] = 0.1;
    knee[gait.moving] = KNEE;
    knee[other] = gait.knee;
    if (s(movingAt + 4) > 0) {
      gait.state = PUSH_OFF;
      gait.knee = Math.min(s(movingAt + 2), KNEE);
    }
  }
  if (gait.state === PUSH_OFF) {
    knee[gait.moving] = gait.knee;
    knee[other] = 1;
    if (s(standingAt + 2) > 0.88 || s(2) > 1.2 * SPEED) {
      gait.state = SWING;
      gait.moving = other as 0 | 1;
    }
  }
  for (const leg of [0, 1] as const) {
    const joint = 4 + 5 * leg;
    const hipTurn = hip[leg] === 0 ? 0 : 0.9 * (hip[leg] - s(joint)) - 0.25 * s(joint + 1);
    const kneeTurn = knee[leg] === 0 ? 0 : 4 * (knee[leg] - s(joint + 2)) - 0.25 * s(joint + 3);
    out[to + 2 * leg] = clip(0.5 * (hipTurn - (0.9 * -s(0) - 1.5 * s(1)))); // holds the head level
    out[to + 2 * leg + 1] = clip(0.5 * (kneeTurn - 15 * s(3))); // damps bouncing
  }
}
