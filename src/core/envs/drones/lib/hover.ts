/**
 * Hovering tasks of gym-pybullet-drones: a target per drone, reward max(0, 2 - distance^4) summed over drones and paid to each.
 * Terminated within 0.1 mm of the targets (summed); truncated away from the room (x or y beyond 1.5 m, 2.0 m for several; above 2 m),
 * tilted beyond 0.4 rad, or when the time of control step n - 1 exceeds the limit.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { POS } from '../../lib/drones/body.ts';
import { type FlightConfig, startOf } from '../../lib/drones/config.ts';
import { putAt, type Task } from '../../lib/drones/task.ts';
import { ownNumbers } from './flight.ts';

const CLOSE = 1e-4; // m
const HIGH = 2; // m
const TILT = 0.4; // rad
const ROOM = 0.25; // m, of the picture round what stands in it

export interface HoverConfig extends FlightConfig {
  readonly episodeSeconds: number;
}

/** Actions kept in the observation: those of half a second. */
export const hoverMemory = (c: FlightConfig): number => Math.floor(c.controlHz / 2);

/** The reference tests the time before it counts the step: two steps more than the seconds have. */
export const hoverSteps = (c: HoverConfig): number => Math.floor(c.episodeSeconds * c.controlHz) + 2;

/** What a step is worth. */
interface Verdict {
  reward: number;
  terminated: boolean;
  truncated: boolean; // the clock apart
}

/** Judges drones at `pos` with `tilts` (roll, pitch each) against their targets; flat lists. */
function judge(pos: ArrayLike<number>, tilts: ArrayLike<number>, targets: ArrayLike<number>, n: number, into: Verdict): Verdict {
  const room = n === 1 ? 1.5 : 2;
  let distance = 0;
  into.reward = 0;
  into.truncated = false;
  for (let k = 0; k < n; k++) {
    const x = pos[3 * k]!;
    const y = pos[3 * k + 1]!;
    const z = pos[3 * k + 2]!;
    const dx = x - targets[3 * k]!;
    const dy = y - targets[3 * k + 1]!;
    const dz = z - targets[3 * k + 2]!;
    const square = dx * dx + dy * dy + dz * dz;
    into.reward += Math.max(0, 2 - square * square);
    distance += sqrt(square);
    if (Math.abs(x) > room || Math.abs(y) > room || z > HIGH) into.truncated = true;
    if (Math.abs(tilts[2 * k]!) > TILT || Math.abs(tilts[2 * k + 1]!) > TILT) into.truncated = true;
  }
  into.terminated = distance < CLOSE;
  return into;
}

/** A picture that holds the starts, the targets and the air between them. */
function frameOf(c: FlightConfig, targets: readonly number[]): Task['bounds'] {
  const start = new Float64Array(3);
  let [wide, high] = [0, 0];
  for (let k = 0; k < c.drones; k++) {
    startOf(c, k, start);
    for (let i = 0; i < 2; i++) wide = Math.max(wide, Math.abs(start[i]!), Math.abs(targets[3 * k + i]!));
    high = Math.max(high, start[2]!, targets[3 * k + 2]!);
  }
  return [-wide - ROOM, -wide - ROOM, 0, wide + ROOM, wide + ROOM, high + ROOM];
}

/** `targets`: three numbers per drone, m. */
export function hoverTask(c: FlightConfig, targets: readonly number[]): Task {
  const n = c.drones;
  return {
    labels: [],
    fields: [],
    parts: Array.from({ length: n }, (_, k) => ({
      name: n === 1 ? 'target' : `target ${k + 1}`,
      shape: 'sphere' as const,
      size: [0.05],
      colour: n === 1 ? ('goal' as const) : k,
      model: 'target' as const,
    })),
    fixtures: [],
    bounds: frameOf(c, targets),
    extra: ['distance (m)'],
    bind(flight) {
      const { floats } = flight;
      const pos = new Float64Array(3 * n);
      const tilts = new Float64Array(2 * n);
      const verdict: Verdict = { reward: 0, terminated: false, truncated: false };
      return {
        judge(row, rewards) {
          for (let k = 0; k < n; k++) {
            const s = flight.at(row, k);
            for (let i = 0; i < 3; i++) pos[3 * k + i] = floats[s + POS + i]!;
            tilts[2 * k] = flight.rpy[3 * k]!;
            tilts[2 * k + 1] = flight.rpy[3 * k + 1]!;
          }
          judge(pos, tilts, targets, n, verdict);
          rewards.fill(verdict.reward);
          return verdict.terminated ? 1 : verdict.truncated ? 2 : 0;
        },
        frame(_row, out, at) {
          for (let k = 0; k < n; k++) putAt(out, at + 7 * k, targets[3 * k]!, targets[3 * k + 1]!, targets[3 * k + 2]!);
        },
        extra(row, out, at) {
          let sum = 0;
          for (let k = 0; k < n; k++) {
            const s = flight.at(row, k);
            let square = 0;
            for (let i = 0; i < 3; i++) square += (floats[s + i]! - targets[3 * k + i]!) ** 2;
            sum += sqrt(square);
          }
          out[at] = sum / n;
        },
      };
    },
  };
}

/** Checks of golden files: one drone { pos, rpy }, or lists of them. */
export function hoverChecks<C extends HoverConfig>(targetsOf: (c: C) => readonly number[]) {
  const rows = (value: Json | undefined): readonly number[] =>
    (Array.isArray(value) ? (value as readonly Json[]).flat() : []) as readonly number[];
  return {
    'reward-and-end': (c: C, inputs: JsonObject): Json => {
      const rpy = rows(inputs.rpy);
      const tilts = rpy.filter((_, i) => i % 3 < 2);
      return { ...judge(rows(inputs.pos), tilts, targetsOf(c), c.drones, { reward: 0, terminated: false, truncated: false }) };
    },
    'observation-length': (c: C, inputs: JsonObject): Json => ({
      length: ownNumbers({ ...c, actionType: (inputs.actionType ?? c.actionType) as C['actionType'] }, hoverMemory(c)),
    }),
    'start-and-targets': (c: C): Json => {
      const place = new Float64Array(3);
      const start = Array.from({ length: c.drones }, (_, k) => {
        startOf(c, k, place);
        return Array.from(place);
      });
      const flat = targetsOf(c);
      return { start, target: start.map((_, k) => flat.slice(3 * k, 3 * k + 3)) };
    },
  };
}

const clip = (x: number) => Math.min(1, Math.max(-1, x));
/** m below the target: right on it the episode would end and pay no more. */
const BESIDE = 0.01;

/**
 * Flies every drone to its target along the vertical (rpm types: up and down as fast as stopping in time allows, which is the best
 * there is) or through the controller. Reads height and speed from the observation.
 */
export function hoverExpert<C extends HoverConfig>(c: C, targets: readonly number[]): ScriptedPolicy {
  const up = 0.98 * (1.05 ** 2 - 1) * c.gravity; // m/s^2 at full command
  const down = 0.98 * (1 - 0.95 ** 2) * c.gravity;
  const gain = c.controlHz;
  return {
    act(env, { obs }, out) {
      const { obsSize: O, actionSize: D } = env.meta;
      for (let slot = 0; slot < env.batch * c.drones; slot++) {
        const k = slot % c.drones;
        const o = slot * O;
        const [x, y, z] = [targets[3 * k]!, targets[3 * k + 1]!, targets[3 * k + 2]!];
        const error = z - BESIDE - obs[o + 2]!;
        const speed = obs[o + 8]!;
        const a = slot * D;
        switch (c.actionType) {
          case 'rpm':
          case 'one-d-rpm': {
            const room = Math.max(0, Math.abs(error) - Math.abs(speed) / gain);
            const wanted = error >= 0 ? sqrt(2 * down * room) : -sqrt(2 * up * room);
            const command = clip((wanted - speed) * gain);
            for (let d = 0; d < D; d++) out[a + d] = command;
            break;
          }
          case 'pid':
            out[a] = x;
            out[a + 1] = y;
            out[a + 2] = z;
            break;
          case 'vel': {
            const [dx, dy] = [x - obs[o]!, y - obs[o + 1]!];
            out[a] = dx;
            out[a + 1] = dy;
            out[a + 2] = error;
            out[a + 3] = Math.min(1, 6 * sqrt(dx * dx + dy * dy + error * error));
            break;
          }
          default:
            // the controller's integral lifts it by about a centimetre: it must stay below for good
            out[a] = clip(5 * (error - 2 * BESIDE));
        }
      }
    },
  };
}
