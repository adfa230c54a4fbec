/**
 * The lower level of goal-qmix.ts: one deep Q-network of all agents, told an observation and where its goal lies, [right, ahead].
 *   reward 1 where the goal is reached, which ends the way to it; else 0
 *   y = 1{reached} + gamma (1 - 1{reached or terminated}) Q'(o', g', argmax_b Q(o', g', b));  loss: half the mean of (Q(o, g, a) - y)^2
 * With chance `hindsight` a replayed step is learned from with another goal: a cell that the agent reached at most `within` steps later
 * (Andrychowicz et al. 2017), which it changed, or stood in.
 */
import { abs, add, concat, eq, iota, mean, mul, pick, reshape, sliceAxis, square, stopGradient, sub } from '#core/engine/ops.ts';
import type { Engine, Graph, Optimiser, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { mlp } from '#core/nets/mlp.ts';
import { nextValue } from '#core/nets/q-values.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import { offsetOf, POSE } from './cells.ts';

/** Farther goals look as far as this, to either side. */
const FARTHEST = 7;
const WIDTH = 2 * FARTHEST + 1;

/** Q [R, N] of observations [R, O] and goals [R, 2]. */
export type LowerQ = (g: Graph, obs: Tensor, goal: Tensor) => Tensor;

/** ReLU layers over the encoded observation and both numbers of the goal, one-hot. */
export function lowerNetwork(group: ParamGroup, rng: Rng, meta: EnvMeta, hidden: readonly number[]): LowerQ {
  const { obs: space } = meta.agents[0]!;
  const net = mlp(group, 'lower', rng, [encodedSize(space) + 2 * WIDTH, ...hidden, meta.actionCount], { act: 'relu', outGain: 1 });
  return (g, obs, goal) => {
    const places = add(iota(g, WIDTH), -FARTHEST);
    const hot = [0, 1].map((k) => eq(sliceAxis(goal, 1, k, 1), places));
    return net(concat([encode(g, obs, space), ...hot], 1));
  };
}

export const nearer = (cells: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, cells));

export function compileLowerActor(engine: Engine, q: LowerQ, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize], goal: [rows, 2] }, (x, g) => ({ q: q(g, x.obs, x.goal) }), { name: 'lower act' });
}

export function compileLowerLearner(
  engine: Engine,
  nets: { readonly online: ParamGroup; readonly q: LowerQ; readonly targetQ: LowerQ },
  meta: EnvMeta,
  M: number,
  optimiser: Optimiser,
  maxGradNorm: number,
) {
  const { obsSize: O } = meta;
  return engine.compile(
    { obs: [M, O], goal: [M, 2], action: [M], reward: [M], goesOn: [M], nextObs: [M, O], nextGoal: [M, 2], gamma: [1] },
    (x, g) => {
      const q = nets.q(g, x.obs, x.goal);
      const next = nextValue(nets.targetQ(g, x.nextObs, x.nextGoal), nets.q(g, x.nextObs, x.nextGoal));
      const y = add(x.reward, mul(mul(x.gamma, x.goesOn), next));
      const error = sub(pick(q, x.action), stopGradient(y));
      return { loss: reshape(mul(mean(square(error)), 0.5), []), errorMean: mean(abs(error)) };
    },
    { minimise: 'loss', group: nets.online, with: optimiser, maxGradNorm, name: 'lower learn' },
  );
}

interface LowerBatch {
  readonly obs: Float32Array;
  readonly goal: Float32Array;
  readonly action: Float32Array;
  readonly reward: Float32Array;
  readonly goesOn: Float32Array;
  readonly nextObs: Float32Array;
  readonly nextGoal: Float32Array;
}

/** A step of one agent: where it stood before and after, the goal's cell, and the cell that it changed. */
export interface LowerStep {
  readonly obs: Float32Array;
  readonly o: number;
  readonly nextObs: Float32Array;
  readonly action: number;
  readonly from: Int32Array; // poses of all rows
  readonly to: Int32Array;
  readonly goal: Int32Array; // cells of all rows
  readonly touched: Int32Array;
  readonly hasTouched: boolean;
  /** The episode is over; and whether it terminated. */
  readonly ended: boolean;
  readonly terminated: boolean;
}

/** The newest `capacity` steps, each row's one after the other: step i of row r stands at (i % length) * rows + r. */
export function lowerMemory(meta: EnvMeta, capacity: number, rows: number) {
  const O = meta.obsSize;
  const length = Math.max(2, Math.floor(capacity / rows));
  const total = length * rows;
  const obs = new Float32Array(total * O);
  const nextObs = new Float32Array(total * O);
  const action = new Int32Array(total);
  const from = new Int32Array(total * POSE);
  const to = new Int32Array(total * POSE);
  const goal = new Int32Array(total * 2);
  const touched = new Int32Array(total * 2);
  const flags = new Uint8Array(total); // 1 touched, 2 the episode is over, 4 it terminated
  const counters = { played: 0 };
  const place = new Int32Array(2);
  const wanted = new Int32Array(2);

  /** Whether the goal is reached at entry e. */
  const reaches = (e: number, x: number, y: number): boolean =>
    (to[e * POSE] === x && to[e * POSE + 1] === y) || ((flags[e]! & 1) === 1 && touched[2 * e] === x && touched[2 * e + 1] === y);

  const write = (pose: Int32Array, e: number, out: Float32Array, m: number): void => {
    offsetOf(pose, e * POSE, wanted[0]!, wanted[1]!, place);
    out[2 * m] = nearer(place[0]!);
    out[2 * m + 1] = nearer(place[1]!);
  };

  return {
    state: {
      counters,
      arrays: { obs, nextObs, action, from, to, goal, touched, flags },
    } satisfies StateLayout<typeof counters>,
    /** Steps of each row that are kept. */
    get kept(): number {
      return Math.min(counters.played, length);
    },
    put(row: number, step: LowerStep): void {
      const e = (counters.played % length) * rows + row;
      for (let j = 0; j < O; j++) {
        obs[e * O + j] = step.obs[step.o + j]!;
        nextObs[e * O + j] = step.nextObs[step.o + j]!;
      }
      action[e] = step.action;
      for (let j = 0; j < POSE; j++) {
        from[e * POSE + j] = step.from[row * POSE + j]!;
        to[e * POSE + j] = step.to[row * POSE + j]!;
      }
      for (let j = 0; j < 2; j++) {
        goal[2 * e + j] = step.goal[2 * row + j]!;
        touched[2 * e + j] = step.hasTouched ? step.touched[2 * row + j]! : 0;
      }
      flags[e] = (step.hasTouched ? 1 : 0) | (step.ended ? 2 : 0) | (step.terminated ? 4 : 0);
    },
    /** Behind the last row of a step. */
    next(): void {
      counters.played++;
    },
    read(rng: Rng, m: number, hindsight: number, within: number, out: LowerBatch): void {
      const kept = Math.min(counters.played, length);
      const step = counters.played - kept + rng.int(kept);
      const row = rng.int(rows);
      const e = (step % length) * rows + row;
      wanted[0] = goal[2 * e]!;
      wanted[1] = goal[2 * e + 1]!;
      if (rng.uniform() < hindsight) {
        let [last, f] = [step, e];
        for (let k = rng.int(within); k > 0 && last + 1 < counters.played && (flags[f]! & 2) === 0; k--) f = (++last % length) * rows + row;
        const changed = (flags[f]! & 1) === 1;
        wanted[0] = changed ? touched[2 * f]! : to[f * POSE]!;
        wanted[1] = changed ? touched[2 * f + 1]! : to[f * POSE + 1]!;
      }
      const there = reaches(e, wanted[0]!, wanted[1]!);
      for (let j = 0; j < O; j++) {
        out.obs[m * O + j] = obs[e * O + j]!;
        out.nextObs[m * O + j] = nextObs[e * O + j]!;
      }
      write(from, e, out.goal, m);
      write(to, e, out.nextGoal, m);
      out.action[m] = action[e]!;
      out.reward[m] = there ? 1 : 0;
      out.goesOn[m] = there || (flags[e]! & 4) !== 0 ? 0 : 1;
    },
  };
}
