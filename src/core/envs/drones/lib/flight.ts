/**
 * What every drone environment does in a step: commands to motor speeds, physics steps, the task's judgement, observations, frames.
 * A task adds its own state, observed numbers and reward (task.ts). Axes x ahead, y left, z up; SI units.
 * Observation of a drone: position 3, roll, pitch, yaw, velocity 3, turning rate 3 (world axes), then the actions of the last
 * `memory` control steps, oldest first, then the task's numbers; free flight shows the 20 numbers of the reference's state instead.
 */
import { checkQuaternions } from '../../api/checks.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { allocateRows } from '../../api/state.ts';
import type { DrawSource, Environment, EnvMeta, StepBuffers } from '../../api/types.ts';
import { actionNumbers, Commands, usesPid } from '../../lib/drones/actions.ts';
import { advance, angles, BODY, downwashForce, POS, QUAT, RATES, RPM, SPIN, setAttitude, VEL } from '../../lib/drones/body.ts';
import { craftOf, type FlightConfig, startOf } from '../../lib/drones/config.ts';
import { PID_MEMORY } from '../../lib/drones/dsl-pid.ts';
import type { Flight, Task } from '../../lib/drones/task.ts';
import { droneContacts, floorContact } from './contact.ts';
import { flightFrame } from './frame.ts';

const FAR = 1000; // m: beyond it, or faster or spinning more than any drone can, a flight is over (the numbers would run away)
const FAST = 500; // m/s
const SPINNING = 2000; // rad/s

/** Observed numbers of one drone without the task's. */
export function ownNumbers(c: FlightConfig, memory: number): number {
  return memory < 0 ? BODY : 12 + memory * actionNumbers(c.actionType);
}

export function createFlight(
  given: FlightConfig,
  meta: EnvMeta,
  task: Task,
  memory: number,
  batch: number,
  options: { readonly draws?: DrawSource } | undefined,
): Environment {
  const c = { ...given };
  const craft = { ...craftOf(c) };
  const rows = allocateRows(meta.state, batch);
  const { floats, words, floatStride, wordStride } = rows;
  const N = c.drones;
  const D = actionNumbers(c.actionType);
  const O = meta.obsSize;
  const H = Math.max(0, memory);
  const bodies = rows.offset('drones');
  const steps = rows.offset('steps');
  const pids = usesPid(c.actionType) ? rows.offset('pid') : 0;
  const past = H > 0 ? rows.offset('past') : 0;
  const substeps = c.physicsHz / c.controlHz;
  const isCoupled = () => N > 1 && (craft.air.downwash || c.contact);
  let coupled = isCoupled();
  const commands = new Commands(c.actionType, craft.frame, c.controlHz);
  const rpm = new Float64Array(4 * N);
  const push = new Float64Array(N);
  const places = new Float64Array(3 * N);
  for (let k = 0; k < N; k++) startOf(c, k, places.subarray(3 * k, 3 * k + 3));
  const rpy = new Float64Array(3 * N); // of the row at hand
  const rewards = new Float64Array(N);
  const flight: Flight = {
    config: c,
    craft,
    floats,
    words,
    draws: new Draws(rows.rng, options?.draws),
    rows,
    rpy,
    at: (row, k) => row * floatStride + bodies + k * BODY,
    put(row, k, x, y, z, yaw) {
      const at = row * floatStride + bodies + k * BODY;
      floats.fill(0, at, at + BODY);
      floats[at] = x;
      floats[at + 1] = y;
      floats[at + 2] = z;
      setAttitude(0, 0, yaw, floats, at + QUAT);
    },
    steps: (row) => words[row * wordStride + steps]!,
  };
  const bound = task.bind(flight);

  const look = (row: number) => {
    for (let k = 0; k < N; k++) angles(floats, row * floatStride + bodies + k * BODY + QUAT, rpy, 3 * k);
  };
  const past0 = memory < 0 ? BODY : 12; // observed numbers before the actions
  /** Everything but past actions; needs `look`. */
  const write = (row: number, out: StepBuffers) => {
    const { obs } = out;
    for (let k = 0; k < N; k++) {
      const s = row * floatStride + bodies + k * BODY;
      const from = (row * N + k) * O;
      let o = from;
      for (let i = 0; i < 3; i++) obs[o + i] = floats[s + POS + i]!;
      if (memory < 0) {
        for (let i = 0; i < 4; i++) obs[o + 3 + i] = floats[s + QUAT + i]!;
        for (let i = 0; i < 4; i++) obs[o + 16 + i] = floats[s + RPM + i]!;
        o += 4;
      }
      for (let i = 0; i < 3; i++) {
        obs[o + 3 + i] = rpy[3 * k + i]!;
        obs[o + 6 + i] = floats[s + VEL + i]!;
        obs[o + 9 + i] = floats[s + SPIN + i]!;
      }
      bound.observe?.(row, k, obs, from + past0 + H * D);
    }
    if (out.alive) out.alive.fill(1, row * N, (row + 1) * N);
    if (out.state) {
      const from = row * N * O;
      for (let i = 0; i < N * O; i++) out.state[from + i] = obs[from + i]!;
    }
  };
  const observe = (row: number, out: StepBuffers) => {
    look(row);
    for (let k = 0; k < N; k++) {
      const from = row * floatStride + past + k * H * D;
      const o = (row * N + k) * O + past0;
      for (let i = 0; i < H * D; i++) out.obs[o + i] = floats[from + i]!;
    }
    write(row, out);
  };
  /** The action at `a` becomes the newest of the past ones, in the state and in the observation. */
  const remember = (row: number, k: number, actions: ArrayLike<number>, a: number, obs: Float32Array) => {
    const from = row * floatStride + past + k * H * D;
    const o = (row * N + k) * O + past0;
    const older = (H - 1) * D;
    for (let i = 0; i < older; i++) {
      const v = floats[from + D + i]!;
      floats[from + i] = v;
      obs[o + i] = v;
    }
    for (let d = 0; d < D; d++) {
      floats[from + older + d] = actions[a + d]!;
      obs[o + older + d] = actions[a + d]!;
    }
  };

  /** Physics steps one at a time, where drones feel each other or solid things. */
  const together = (row: number) => {
    const base = row * floatStride + bodies;
    for (let n = 0; n < substeps; n++) {
      if (craft.air.downwash)
        for (let k = 0; k < N; k++) {
          let force = 0;
          for (let i = 0; i < N; i++) {
            const a = base + i * BODY;
            const b = base + k * BODY;
            const dz = floats[a + 2]! - floats[b + 2]!;
            if (!(dz > 0)) continue;
            const dx = floats[a]! - floats[b]!;
            const dy = floats[a + 1]! - floats[b + 1]!;
            const side = Math.sqrt(dx * dx + dy * dy);
            if (side < 10) force += downwashForce(craft.frame, dz, side);
          }
          push[k] = force;
        }
      for (let k = 0; k < N; k++) {
        const at = base + k * BODY;
        advance(floats, at, craft, rpm[4 * k]!, rpm[4 * k + 1]!, rpm[4 * k + 2]!, rpm[4 * k + 3]!, push[k]!, 1);
        if (c.contact) floorContact(floats, at, craft);
      }
      if (c.contact) droneContacts(floats, base, N, craft);
    }
  };

  const gone = (at: number): boolean => {
    for (let i = 0; i < 3; i++) {
      if (!(Math.abs(floats[at + POS + i]!) < FAR)) return true;
      if (!(Math.abs(floats[at + VEL + i]!) < FAST)) return true;
      if (!(Math.abs(floats[at + RATES + i]!) < SPINNING)) return true;
    }
    return false;
  };

  return assemble(meta, batch, rows, {
    start(row) {
      floats.fill(0, row * floatStride, (row + 1) * floatStride);
      words.fill(0, row * wordStride, row * wordStride + steps + 1);
      for (let k = 0; k < N; k++) {
        flight.put(row, k, places[3 * k]!, places[3 * k + 1]!, places[3 * k + 2]!, 0);
      }
      bound.start?.(row);
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const base = row * floatStride;
        for (let k = 0; k < N; k++) {
          const a = (row * N + k) * D;
          const at = base + bodies + k * BODY;
          if (H > 0) remember(row, k, actions, a, out.obs);
          bound.command?.(row, k, commands);
          commands.apply(actions, a, floats, at, floats, base + pids + k * PID_MEMORY, rpm, 4 * k);
          if (!coupled && !c.contact)
            advance(floats, at, craft, rpm[4 * k]!, rpm[4 * k + 1]!, rpm[4 * k + 2]!, rpm[4 * k + 3]!, 0, substeps);
        }
        if (coupled || c.contact) together(row);
        const count = words[row * wordStride + steps]! + 1;
        words[row * wordStride + steps] = count;
        look(row);
        let end = bound.judge(row, rewards);
        for (let k = 0; k < N; k++) {
          out.reward[row * N + k] = rewards[k]!;
          if (end === 0 && gone(base + bodies + k * BODY)) end = 2;
        }
        if (end === 0 && meta.maxSteps > 0 && count >= meta.maxSteps) end = 2;
        out.terminated[row] = end === 1 ? 1 : 0;
        out.truncated[row] = end === 2 ? 1 : 0;
        write(row, out);
      }
    },
    observe,
    loaded(row) {
      checkQuaternions(floats, row * floatStride + bodies, N, BODY, QUAT);
      bound.loaded?.(row);
    },
    configure(next) {
      Object.assign(c, next);
      Object.assign(craft, craftOf(c)); // tasks hold both
      coupled = isCoupled();
      push.fill(0);
    },
    frame: (row, out) => flightFrame(flight, task, bound, row, out),
    extras(row) {
      const at = row * floatStride + bodies;
      return { rpm: Array.from({ length: N }, (_, k) => Array.from(floats.subarray(at + k * BODY + RPM, at + (k + 1) * BODY))) };
    },
  });
}
