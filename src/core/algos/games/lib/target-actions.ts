/** What targets.ts needs to know of actions: those chosen from a list, and those that are numbers. */
import { add, broadcastTo, logSoftmax, mean, neg, pick, reshape, square, sub } from '#core/engine/ops.ts';
import type { ParamGroup, Tensor } from '#core/engine/types.ts';
import type { Actions } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb } from '#core/nets/heads.ts';
import { zeros } from '#core/nets/init.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { HALF_LOG_TWO_PI } from '#math/sampling.ts';
import type { Evaluation, HeadViews } from '../../lib/ppo/common.ts';

/** Draws of the adversary's action that a step is held against, where actions are numbers: as many as in the authors' code. */
const DRAWS = 10;

export interface TargetActions {
  /** Columns of an agent's action as networks read it: N as one-hot, D between -1 and 1. */
  readonly columns: number;
  /** Numbers of an action as it is kept: 1 or D. */
  readonly size: number;
  /** Columns of a head for one victim: N or D. */
  readonly outputs: number;
  /** Actions of the adversary that the model is asked about in every step. */
  readonly tried: number;
  /** Where those are drawn from; saved with the run. */
  readonly draws?: Rng;
  /** The action of agent i in copy b, to columns from `at` on, which are 0. */
  write(actions: Actions, b: number, i: number, into: Float32Array, at: number): void;
  /** Its stored form. */
  keep(actions: Actions, b: number, i: number, into: Float32Array, at: number): void;
  /** The action number v that is tried, in place of the adversary's own in the columns from `at` on. */
  tryOne(v: number, into: Float32Array, at: number): void;
  /** What the model says of the rows of a head [rows, outputs]. */
  guess(head: Tensor): Tensor;
  /** How wrong that was about the actions that followed: [rows]. */
  error(head: Tensor, action: Tensor): Tensor;
  /** What the oracle's head [V * n, outputs] offers to name. */
  offer(head: Tensor): { readonly logProbs: Tensor } | { readonly mean: Tensor; readonly logStd: Tensor };
  /** Of actions under it. */
  evaluate(head: Tensor, action: Tensor): Evaluation;
  /** Keeps an offer for V victims in n copies, from row `at` on. */
  keepOffer(offer: HeadViews, at: number): void;
  /** ln of the chance that row `row` gave to the action at `action[row * size]`. */
  logProb(row: number, action: Float32Array): number;
  /** G of victim j in copy b, from what the model says [B * tried * V, outputs]. */
  gain(guessed: Float32Array, b: number, j: number, actions: Actions, target: Float32Array): number;
}

/** G of one victim: ln q [variants, n], variants `stride` apart from `at` on; `legal` [variants] marks those that count. */
export function steeringGain(
  logProbs: Float32Array,
  at: number,
  stride: number,
  legal: ArrayLike<number>,
  chosen: number,
  target: number,
): number {
  let sum = 0;
  let count = 0;
  for (let v = 0; v < legal.length; v++) {
    if (legal[v] === 0) continue;
    sum += exp(logProbs[at + v * stride + target]!);
    count++;
  }
  return count === 0 ? 0 : exp(logProbs[at + chosen * stride + target]!) - sum / count;
}

/** G of one victim: how much nearer to `target` [d] the first of the means [variants, d] is than the others, of which each number counts alike. */
export function nearer(
  means: Float32Array,
  at: number,
  stride: number,
  variants: number,
  target: ArrayLike<number>,
  from: number,
  d: number,
): number {
  let gain = 0;
  for (let v = 0; v < variants; v++) {
    let away = 0;
    for (let k = 0; k < d; k++) {
      const named = Math.min(1, Math.max(-1, target[from + k]!));
      away += Math.abs(named - means[at + v * stride + k]!) / d;
    }
    gain += v === 0 ? -away : away / (variants - 1);
  }
  return gain;
}

interface Team {
  readonly env: VectorEnv;
  readonly agent: number;
  readonly victims: readonly number[];
  /** Rows that are kept: of all victims, copies and steps of a rollout. */
  readonly kept: number;
}

/** Targets are names of a list. `choices`: how many actions each agent has. */
export function listedTargets({ env, agent, victims, kept }: Team, choices: readonly number[]): TargetActions {
  const { agentCount: A, actionCount: N } = env.meta;
  const V = victims.length;
  const chances = new Float32Array(kept * N); // ln m of every action
  const legal = new Uint8Array(N);
  /** What no victim of that number can do is never named. */
  const missing = Float32Array.from({ length: V * N }, (_, j) => (j % N < choices[victims[Math.floor(j / N)]!]! ? 0 : -1e8));
  const named = (head: Tensor): Tensor => {
    const rows = head.shape[0]! / V;
    const all = reshape(head, [rows, V * N]);
    return reshape(add(all, head.graph.constant(missing, [1, V * N])), [rows * V, N]);
  };
  return {
    columns: N,
    size: 1,
    outputs: N,
    tried: N,
    write(actions, b, i, into, at) {
      into[at + actions[b * A + i]!] = 1;
    },
    keep(actions, b, i, into, at) {
      into[at] = actions[b * A + i]!;
    },
    tryOne(v, into, at) {
      into.fill(0, at, at + N);
      into[at + v] = 1;
    },
    guess: logSoftmax,
    error: (head, action) => neg(pick(logSoftmax(head), action)),
    offer: (head) => ({ logProbs: logSoftmax(named(head)) }),
    evaluate(head, action) {
      const logits = named(head);
      return { logProb: categoricalLogProb(logits, action), entropy: categoricalEntropy(logits) };
    },
    keepOffer(offer, at) {
      if ('logProbs' in offer) chances.set(offer.logProbs, at * N);
    },
    logProb: (row, action) => chances[row * N + action[row]!]!,
    gain(guessed, b, j, actions, target) {
      const { mask } = env.buffers;
      for (let v = 0; v < N; v++) legal[v] = Number(v < choices[agent]! && mask?.[(b * A + agent) * N + v] !== 0);
      return steeringGain(guessed, (b * N * V + j) * N, V * N, legal, actions[b * A + agent]!, target[b * V + j]!);
    },
  };
}

/** Targets are numbers: a Gaussian names them, the model gives means, and all of it counts in shares of half of the range of each number. */
export function numberTargets({ env, victims, kept }: Team, oracle: ParamGroup, draws: Rng): TargetActions {
  const { agentCount: A, actionSize: D, agents } = env.meta;
  const V = victims.length;
  const spread = oracle.param('logStd', [V, D], zeros(V * D));
  const means = new Float32Array(kept * D);
  const stds = new Float32Array(kept * D); // their logarithms
  const bounds = agents.flatMap(({ count, action }) =>
    Array.from({ length: count }, () => (action.kind === 'box' ? action : { low: [], high: [] })),
  );
  const low = Float64Array.from(bounds.flatMap((range) => range.low));
  const high = Float64Array.from(bounds.flatMap((range) => range.high));
  const keep = (actions: Actions, b: number, i: number, into: Float32Array, at: number): void => {
    for (let d = 0; d < D; d++) {
      const k = i * D + d;
      into[at + d] = (2 * (actions[b * A * D + k]! - low[k]!)) / (high[k]! - low[k]!) - 1;
    }
  };
  const spreadOf = (head: Tensor): Tensor => {
    const rows = head.shape[0]!;
    return reshape(broadcastTo(reshape(head.graph.read(spread), [1, V, D]), [rows / V, V, D]), [rows, D]);
  };
  return {
    columns: D,
    size: D,
    outputs: D,
    tried: DRAWS + 1,
    draws,
    write: keep,
    keep,
    tryOne(v, into, at) {
      // the first is the adversary's own
      if (v > 0) for (let d = 0; d < D; d++) into[at + d] = 2 * draws.uniform() - 1;
    },
    guess: (head) => head,
    error: (head, action) => mean(square(sub(head, action)), -1),
    offer: (head) => ({ mean: head, logStd: spreadOf(head) }),
    evaluate(head, action) {
      const logStd = spreadOf(head);
      return { logProb: gaussianLogProb(head, logStd, action), entropy: gaussianEntropy(logStd) };
    },
    keepOffer(offer, at) {
      if (!('mean' in offer)) return;
      means.set(offer.mean, at * D);
      stds.set(offer.logStd, at * D);
    },
    logProb(row, action) {
      let sum = 0;
      for (let i = row * D; i < (row + 1) * D; i++) {
        const z = (action[i]! - means[i]!) * exp(-stds[i]!);
        sum -= 0.5 * z * z + stds[i]! + HALF_LOG_TWO_PI;
      }
      return sum;
    },
    gain: (guessed, b, j, _, target) => nearer(guessed, (b * (DRAWS + 1) * V + j) * D, V * D, DRAWS + 1, target, (b * V + j) * D, D),
  };
}
