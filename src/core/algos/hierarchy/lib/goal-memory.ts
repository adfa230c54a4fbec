/** What hiro.ts replays: steps with the goals they were made under, and goals with all that was seen and done until the next one. */
import type { Program } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';

/** Candidates of a replayed goal: the stored one, where it led, and others around that. */
export const LIKELIEST_OF = 10;

/** The numbers of an observation of which goals are offsets. */
export interface GoalPart {
  readonly from: number;
  readonly size: number;
}
export const goalPart = ({ goals, obsSize }: EnvMeta): GoalPart =>
  goals === undefined ? { from: 0, size: obsSize } : { from: goals.achieved, size: goals.size };

/** The goal of the next step: s + g - s'. */
export const goalTransition = (s: number, g: number, next: number): number => s + g - next;

/** Length of a goal. */
export function far(goal: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < goal.length; j++) sum += goal[j]! ** 2;
  return Math.sqrt(sum);
}

interface Sizes {
  readonly capacity: number;
  readonly obsSize: number;
  readonly actionSize: number;
  readonly goalSize: number;
}

interface Batch {
  readonly obs: Float32Array;
  readonly action: Float32Array;
  readonly reward: Float32Array;
  readonly discount: Float32Array;
  readonly nextObs: Float32Array;
}

/** Rows are observations with their goal behind. */
export function stepMemory({ capacity: N, obsSize: O, actionSize: D, goalSize: G }: Sizes) {
  const W = O + G;
  const obs = new Float32Array(N * W);
  const nextObs = new Float32Array(N * W);
  const action = new Float32Array(N * D);
  const reward = new Float32Array(N);
  const ended = new Uint8Array(N);
  const state = registerState({ counters: { total: 0 }, arrays: { obs, nextObs, action, reward, ended } });
  const { counters } = state;
  return {
    save: () => state.save(),
    load: state.load,
    get size(): number {
      return Math.min(N, counters.total);
    },
    add(
      seen: Float32Array,
      goal: Float32Array,
      done: Float32Array,
      paid: number,
      terminated: boolean,
      next: Float32Array,
      nextGoal: Float32Array,
    ): void {
      const i = counters.total % N;
      obs.set(seen, i * W);
      obs.set(goal, i * W + O);
      nextObs.set(next, i * W);
      nextObs.set(nextGoal, i * W + O);
      action.set(done, i * D);
      reward[i] = paid;
      ended[i] = terminated ? 1 : 0;
      counters.total++;
    },
    sample(rng: Rng, M: number, gamma: number, into: Batch): void {
      const size = Math.min(N, counters.total);
      for (let m = 0; m < M; m++) {
        const i = rng.int(size);
        into.obs.set(obs.subarray(i * W, (i + 1) * W), m * W);
        into.nextObs.set(nextObs.subarray(i * W, (i + 1) * W), m * W);
        into.action.set(action.subarray(i * D, (i + 1) * D), m * D);
        into.reward[m] = reward[i]!;
        into.discount[m] = ended[i] === 1 ? 0 : gamma;
      }
    },
  };
}

/** Goals are in units of their reach, [-1, 1]. */
export function goalMemory({ capacity: N, obsSize: O, actionSize: D, goalSize: G, every: K }: Sizes & { readonly every: number }) {
  const obs = new Float32Array(N * K * O);
  const actions = new Float32Array(N * K * D);
  const goal = new Float32Array(N * G);
  const last = new Float32Array(N * O);
  const reward = new Float32Array(N);
  const length = new Int32Array(N);
  const ended = new Uint8Array(N);
  const state = registerState({ counters: { total: 0 }, arrays: { obs, actions, goal, last, reward, length, ended } });
  const { counters } = state;

  /** Candidates [LIKELIEST_OF, G] of goal i. */
  const propose = (rng: Rng, i: number, { from }: GoalPart, reach: number, out: Float32Array, at: number): void => {
    for (let k = 0; k < LIKELIEST_OF; k++)
      for (let j = 0; j < G; j++) {
        const led = (last[i * O + from + j]! - obs[i * K * O + from + j]!) / reach;
        const found = k === 0 ? goal[i * G + j]! : k === 1 ? led : led + 0.5 * normal(rng);
        out[at + k * G + j] = Math.min(1, Math.max(-1, found));
      }
  };

  return {
    save: () => state.save(),
    load: state.load,
    get size(): number {
      return Math.min(N, counters.total);
    },
    add(seen: Float32Array, done: Float32Array, set: Float32Array, paid: number, terminated: boolean, next: Float32Array): void {
      const i = counters.total % N;
      obs.set(seen, i * K * O);
      actions.set(done, i * K * D);
      goal.set(set, i * G);
      last.set(next, i * O);
      reward[i] = paid;
      length[i] = seen.length / O;
      ended[i] = terminated ? 1 : 0;
      counters.total++;
    },
    /** `likely`: the lower policy on [M * LIKELIEST_OF * K] rows; null: goals stay as they were set. Share of goals that another one replaced. */
    async sample(
      rng: Rng,
      M: number,
      gamma: number,
      part: GoalPart,
      reach: number,
      likely: Program<{ readonly obs: Float32Array }, { readonly mean: Float32Array }> | null,
      into: Batch,
    ): Promise<number> {
      const size = Math.min(N, counters.total);
      const drawn = Int32Array.from({ length: M }, () => rng.int(size));
      const candidates = new Float32Array(M * LIKELIEST_OF * G);
      drawn.forEach((i, m) => {
        into.obs.set(obs.subarray(i * K * O, i * K * O + O), m * O);
        into.nextObs.set(last.subarray(i * O, (i + 1) * O), m * O);
        into.action.set(goal.subarray(i * G, (i + 1) * G), m * G);
        into.reward[m] = reward[i]!;
        into.discount[m] = ended[i] === 1 ? 0 : gamma;
      });
      if (likely === null) return 0;
      const W = O + G;
      const rows = likely.in.obs;
      rows.fill(0);
      drawn.forEach((i, m) => {
        propose(rng, i, part, reach, candidates, m * LIKELIEST_OF * G);
        for (let k = 0; k < LIKELIEST_OF; k++)
          for (let t = 0; t < length[i]!; t++) {
            const row = ((m * LIKELIEST_OF + k) * K + t) * W;
            const at = (i * K + t) * O;
            rows.set(obs.subarray(at, at + O), row);
            for (let j = 0; j < G; j++) {
              const start = obs[i * K * O + part.from + j]!;
              const g = candidates[(m * LIKELIEST_OF + k) * G + j]!;
              rows[row + O + j] = goalTransition(start / reach, g, obs[at + part.from + j]! / reach);
            }
          }
      });
      const pending = likely.run();
      if (pending) await pending;
      const { mean } = likely.out;
      let replaced = 0;
      drawn.forEach((i, m) => {
        let [best, least] = [0, Number.POSITIVE_INFINITY];
        for (let k = 0; k < LIKELIEST_OF; k++) {
          let cost = 0;
          for (let t = 0; t < length[i]!; t++)
            for (let d = 0; d < D; d++) cost += (actions[(i * K + t) * D + d]! - mean[((m * LIKELIEST_OF + k) * K + t) * D + d]!) ** 2;
          if (cost < least) [best, least] = [k, cost];
        }
        if (best > 0) replaced++;
        into.action.set(candidates.subarray((m * LIKELIEST_OF + best) * G, (m * LIKELIEST_OF + best + 1) * G), m * G);
      });
      return replaced / M;
    },
  };
}
