/**
 * Hands that know the task, from what is observed alone. An action moves the servos' aim by at most REACH from where the hand is, so an aim
 * that is nearer is given as it is. Nothing is remembered between steps: what to do next follows from where hand and cube are.
 */
import { sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../../api/types.ts';
import { CUBE } from './model.ts';

/** m that a whole action moves the aim of the hand. */
export const REACH = 0.05;

/** Above a cube on the table, m. */
const CLEAR = 0.11;
/** Between the middles of cube and hand before a push, m. */
const BEHIND = 0.07;
/** Most of each number of an action that carries the cube. */
const CAREFUL = 0.5;
const SHUT = -1;
const WIDE = 1;

type Move = (obs: Float32Array, at: number, out: Float32Array, to: number) => void;

const each = (move: Move): ScriptedPolicy => ({
  act(env, { obs }, out) {
    const { obsSize } = env.meta;
    for (let row = 0; row < env.batch; row++) move(obs, row * obsSize, out as Float32Array, row * 4);
  },
});

/** The action that moves the hand towards a place; `most`: of each number of it. */
function towards(obs: Float32Array, at: number, place: readonly number[], fingers: number, out: Float32Array, to: number, most = 1): void {
  for (let i = 0; i < 3; i++) out[to + i] = Math.min(most, Math.max(-most, (place[i]! - obs[at + i]!) / REACH));
  out[to + 3] = fingers;
}

const triple = (obs: Float32Array, at: number): readonly [number, number, number] => [obs[at]!, obs[at + 1]!, obs[at + 2]!];

/** The goal stands in the last three numbers of the observation. */
export const reachExpert = each((obs, at, out, to) => towards(obs, at, triple(obs, at + 10), SHUT, out, to));

export const pushExpert = each((obs, at, out, to) => {
  const [x, y, z] = triple(obs, at);
  const [cubeX, cubeY] = triple(obs, at + 3);
  const [goalX, goalY] = triple(obs, at + 25);
  const way = sqrt((goalX - cubeX) ** 2 + (goalY - cubeY) ** 2);
  if (way < 0.015) return towards(obs, at, [x, y, z], SHUT, out, to);
  const [aheadX, aheadY] = [(goalX - cubeX) / way, (goalY - cubeY) / way];
  const behind = (cubeX - x) * aheadX + (cubeY - y) * aheadY;
  const aside = (cubeX - x) * aheadY - (cubeY - y) * aheadX;
  if (z < 0.05 && behind > 0.03 && Math.abs(aside) < 0.02) {
    // Behind it and low: along the line to the goal, slower the nearer it is.
    const step = Math.min(0.035, way + behind - 1.5 * CUBE);
    return towards(obs, at, [x + aheadX * step + 2 * aheadY * aside, y + aheadY * step - 2 * aheadX * aside, CUBE], SHUT, out, to);
  }
  const [startX, startY] = [cubeX - aheadX * BEHIND, cubeY - aheadY * BEHIND];
  const off = sqrt((startX - x) ** 2 + (startY - y) ** 2);
  if (off < 0.012) return towards(obs, at, [startX, startY, CUBE], SHUT, out, to);
  return towards(obs, at, z < CLEAR - 0.03 ? [x, y, CLEAR] : [startX, startY, CLEAR], SHUT, out, to);
});

export const pickExpert = each((obs, at, out, to) => {
  const [x, y, z] = triple(obs, at);
  const [cubeX, cubeY, cubeZ] = triple(obs, at + 3);
  const [left, right] = [obs[at + 9]!, obs[at + 10]!];
  const off = sqrt((cubeX - x) ** 2 + (cubeY - y) ** 2);
  const held = off < 0.015 && Math.abs(z - cubeZ) < 0.012;
  const closing = Math.abs(obs[at + 23]!) + Math.abs(obs[at + 24]!);
  if (held && left + right < 2 * CUBE + 0.004 && closing < 0.001) return towards(obs, at, triple(obs, at + 25), SHUT, out, to, CAREFUL);
  if (held) return towards(obs, at, [cubeX, cubeY, cubeZ], SHUT, out, to);
  if (off < 0.012) return towards(obs, at, [cubeX, cubeY, cubeZ], WIDE, out, to);
  return towards(obs, at, z < cubeZ + CLEAR - 0.04 ? [x, y, cubeZ + CLEAR] : [cubeX, cubeY, cubeZ + CLEAR], WIDE, out, to);
});
