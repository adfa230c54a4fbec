/**
 * What happens in a control step on every court: commands to rotors, four physics steps of drones and ball, touches. A touch counts
 * only more than three control steps after the drone's last one, as VolleyBots counts. Rules and rewards belong to the game (game.ts).
 */
import { checkQuaternions } from '../../api/checks.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { allocateRows } from '../../api/state.ts';
import type { DrawSource, Environment, EnvMeta, StepBuffers } from '../../api/types.ts';
import { airframeOf } from './airframes.ts';
import { bounce, moveBall, NONE } from './ball.ts';
import type { HallConfig } from './config.ts';
import { hallFrame } from './frame.ts';
import type { Game, Hall } from './game.ts';
import { moveQuad, Pilotage, POS, QUAD, QUAT, THROTTLE, type Wrench } from './quad.ts';

const SUBSTEPS = 4;
const GAP = 3; // control steps

export function createHall(
  given: HallConfig,
  meta: EnvMeta,
  game: Game,
  batch: number,
  options: { readonly draws?: DrawSource } | undefined,
): Environment {
  const c = { ...given };
  const frame = airframeOf(c.airframe, c.gravity);
  const rows = allocateRows(meta.state, batch);
  const { floats, words, floatStride, wordStride } = rows;
  const N = game.drones;
  const O = meta.obsSize;
  const D = meta.actionSize;
  const drones = rows.offset('drones');
  const ball = game.ball ? rows.offset('ball') : 0;
  const last = rows.offset('lastTouch');
  const steps = rows.offset('steps');
  let pilotage = new Pilotage(frame, c.actionType, c.dt, c.gravity, c.topSpeed);
  const wrenches: Wrench[] = Array.from({ length: N }, () => ({ lift: 0, tx: 0, ty: 0, tz: 0 }));
  const touches = new Uint8Array(N);
  const rewards = new Float64Array(N);
  const rings = new Float32Array(4 * batch); // place and strength of the last touch, for the eye
  const draws = new Draws(rows.rng, options?.draws);
  const hover = Math.sqrt((frame.hoverCommand + 1) / 2);
  const hall: Hall = {
    config: c,
    frame,
    floats,
    words,
    rows,
    draws,
    at: (row, k) => row * floatStride + drones + k * QUAD,
    ballAt: (row) => row * floatStride + ball,
    put(row, k, x, y, z, yaw) {
      const at = row * floatStride + drones + k * QUAD;
      const shake = () => c.startNoise * (2 * draws.uniform(row, 'start') - 1);
      floats.fill(0, at, at + QUAD);
      floats[at + POS] = x + shake();
      floats[at + POS + 1] = y + shake();
      floats[at + POS + 2] = z + shake();
      floats[at + QUAT + 2] = yaw === 0 ? 0 : 1; // 0 or half a turn
      floats[at + QUAT + 3] = yaw === 0 ? 1 : 0;
      floats.fill(hover, at + THROTTLE, at + THROTTLE + 4);
    },
    putBall(row, x, y, z) {
      const b = row * floatStride + ball;
      floats.fill(0, b, b + 6);
      floats[b] = x;
      floats[b + 1] = y;
      floats[b + 2] = z;
    },
    steps: (row) => words[row * wordStride + steps]!,
  };
  const bound = game.bind(hall);
  const dt = c.dt / SUBSTEPS;

  const observe = (row: number, out: StepBuffers) => {
    for (let k = 0; k < N; k++) bound.observe(row, k, out.obs, (row * N + k) * O);
    if (out.alive) out.alive.fill(1, row * N, (row + 1) * N);
    if (out.state) {
      const from = row * N * O;
      for (let i = 0; i < N * O; i++) out.state[from + i] = out.obs[from + i]!;
    }
  };

  const fly = (row: number) => {
    const b = row * floatStride + ball;
    const now = words[row * wordStride + steps]!; // before this step is counted
    for (let n = 0; n < SUBSTEPS; n++) {
      for (let k = 0; k < N; k++)
        moveQuad(floats, row * floatStride + drones + k * QUAD, frame, wrenches[k] as Wrench, c.gravity, c.wind, c.drag, dt);
      if (!game.ball) continue;
      moveBall(floats, b, c.gravity, dt);
      for (let k = 0; k < N; k++) {
        const what = bounce(floats, b, row * floatStride + drones + k * QUAD, c.restitution);
        if (what === NONE) continue;
        const w = row * wordStride + last + k;
        if (touches[k] === NONE && (words[w]! === 0 || now + 1 - words[w]! > GAP)) touches[k] = what;
        words[w] = now + 1;
        for (let i = 0; i < 3; i++) rings[4 * row + i] = floats[b + i]!;
        rings[4 * row + 3] = 1;
      }
    }
  };

  return assemble(meta, batch, rows, {
    start(row) {
      floats.fill(0, row * floatStride, (row + 1) * floatStride);
      words.fill(0, row * wordStride, (row + 1) * wordStride - 4); // all but the generator
      rings[4 * row + 3] = 0;
      bound.start(row);
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        touches.fill(0);
        rings[4 * row + 3] = 0;
        for (let k = 0; k < N; k++)
          pilotage.apply(floats, row * floatStride + drones + k * QUAD, actions, (row * N + k) * D, game.sideOf(k), wrenches[k] as Wrench);
        fly(row);
        const count = words[row * wordStride + steps]! + 1;
        words[row * wordStride + steps] = count;
        rewards.fill(0);
        let end = bound.judge(row, touches, rewards);
        if (end === 0 && count >= meta.maxSteps) end = 2;
        for (let k = 0; k < N; k++) out.reward[row * N + k] = rewards[k]!;
        out.terminated[row] = end === 1 ? 1 : 0;
        out.truncated[row] = end === 2 ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      checkQuaternions(floats, row * floatStride + drones, N, QUAD, QUAT);
      rings[4 * row + 3] = 0;
    },
    configure(next) {
      Object.assign(c, next);
      pilotage = new Pilotage(frame, c.actionType, c.dt, c.gravity, c.topSpeed);
    },
    frame: (row, out) => hallFrame(hall, game, bound, row, rings, out),
  });
}
