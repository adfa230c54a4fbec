/** From a finished rollout to better networks: value targets, then some epochs of shuffled minibatches on the objective (losses.ts). */

import { add, mean, mul, reshape, sub } from '#core/engine/ops.ts';
import type { Graph, Program, Tensor } from '#core/engine/types.ts';
import { gae } from '#math/gae.ts';
import type { ValueNorm } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { standardiseWeighted } from './advantages.ts';
import { teamPolicyLoss, teamValueError, weightedMean } from './losses.ts';
import type { Actor, Critic } from './networks.ts';
import { arrangeSequences, type Memory } from './recurrent.ts';
import type { Rollout, ValueTrack } from './rollout.ts';

export interface EstimateOptions {
  readonly gamma: number;
  readonly lambda: number;
  readonly bootstrapAtTruncation: boolean;
}

/** Advantages, value targets, and these as the critic learns them. ValueNorm sees each rollout once, not once per minibatch. */
export function estimate(track: ValueTrack, norm: ValueNorm | null, options: EstimateOptions): void {
  gae({ ...track, ...options }, track.advantages, track.targets);
  if (norm === null) {
    track.goals.set(track.targets);
    return;
  }
  norm.update(track.targets);
  norm.normalise(track.targets, track.goals);
}

export interface ObjectiveOptions {
  readonly clipValue: boolean;
  readonly huberDelta: number | null;
}

type Terms = { readonly [name: string]: Tensor };

/** Over M rows: inputs obs, action, oldLogProb, advantage, weight and the scalars clip, entropyCoef; `factor` for HAPPO. */
export function policyObjective(g: Graph, actor: Actor, rows: number, factored = false): Terms & { readonly loss: Tensor } {
  const row = (name: string): Tensor => g.input(name, [rows]);
  const { logProb, entropy } = actor.judge(g, rows);
  const weight = row('weight');
  const factor = factored ? row('factor') : undefined;
  const policy = teamPolicyLoss(logProb, row('oldLogProb'), row('advantage'), g.input('clip', [1]), weight, factor);
  const undecided = weightedMean(entropy, weight);
  const loss = reshape(sub(policy.loss, mul(g.input('entropyCoef', [1]), undecided)), []);
  return { loss, policyLoss: policy.loss, entropy: undecided, approxKl: policy.kl, clipFraction: policy.clipFraction };
}

/** Inputs obs or critic, goal, counted, oldValue if clipped, and the scalar clip. */
export function valueObjective(g: Graph, critic: Critic, rows: number, options: ObjectiveOptions): Tensor {
  const row = (name: string): Tensor => g.input(name, [rows]);
  const clip = options.clipValue ? g.input('clip', [1]) : null;
  const value = critic.value(g, rows);
  const error = teamValueError(value, clip === null ? value : row('oldValue'), row('goal'), clip, options.huberDelta);
  return weightedMean(error, row('counted'));
}

/** Policy and value together. */
export function jointObjective(g: Graph, actor: Actor, critic: Critic, rows: number, options: ObjectiveOptions): Terms {
  const policy = policyObjective(g, actor, rows);
  const valueLoss = valueObjective(g, critic, rows, options);
  return { ...policy, valueLoss, loss: reshape(add(policy.loss, mul(g.input('valueCoef', [1]), mean(valueLoss))), []) };
}

const REPORTED = ['policyLoss', 'valueLoss', 'entropy', 'approxKl', 'clipFraction', 'gradNorm'] as const;
/** Means over the minibatches of the last epoch; what the program does not compute is missing. */
export type UpdateReport = { [K in (typeof REPORTED)[number]]?: number };

export interface EpochOptions {
  readonly lr: number;
  readonly epochs: number;
  readonly minibatches: number;
  readonly clip: number;
  readonly entropyCoef: number;
  readonly valueCoef: number;
  readonly advantages: 'minibatch' | 'rollout' | 'none';
}

/** What a learning program may read of a rollout: its own inputs decide which. */
export interface Batchwise {
  readonly learn: Program;
  readonly rollout: ValueTrack & Partial<Rollout>;
  readonly order: Int32Array; // [T * R] a permutation, kept between updates
  /** Recurrent: what was remembered, and a permutation of the rows, kept between updates. */
  readonly memory?: Memory | null;
  readonly envOrder?: Int32Array; // [R]
  /** HAPPO. [T, R] */
  readonly factor?: Float32Array;
}

export async function improve(batchwise: Batchwise, options: EpochOptions, shuffling: Rng): Promise<UpdateReport> {
  const { learn, rollout, order, factor, memory, envOrder } = batchwise;
  const { advantages: how, minibatches } = options;
  const feed = learn.in;
  const size = order.length / minibatches;
  const report: UpdateReport = {};
  const advantages = how === 'rollout' ? new Float32Array(order.length) : rollout.advantages;
  if (how === 'rollout') standardiseWeighted(rollout.advantages, rollout.weights ?? rollout.counted, 1e-5, advantages);
  const sources: readonly (readonly [string, Float32Array | undefined])[] = [
    ['obs', rollout.obs],
    ['critic', rollout.critic],
    ['mask', rollout.masks],
    ['action', rollout.actions],
    ['oldLogProb', rollout.logProbs],
    ['weight', rollout.weights],
    ['advantage', advantages],
    ['factor', factor],
    ['goal', rollout.goals],
    ['oldValue', rollout.outputs],
    ['counted', rollout.counted],
    ['starts', memory?.starts],
  ];
  const wanted = sources.flatMap(([name, source]) => (feed[name] !== undefined && source !== undefined ? [{ name, source }] : []));
  // Where everybody counts, the weights are the same in every minibatch.
  const even = wanted.filter(({ name, source }) => (name === 'weight' || name === 'counted') && source.every((w) => w === 1));
  for (const { name } of even) feed[name]!.fill(1);
  const gathered = wanted.filter((entry) => !even.includes(entry));
  const begins = new Int32Array(memory ? order.length / memory.sequence : 0);
  feed.lr![0] = options.lr;
  feed.clip?.fill(options.clip);
  feed.entropyCoef?.fill(options.entropyCoef);
  feed.valueCoef?.fill(options.valueCoef);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    if (memory && envOrder) {
      shuffling.shuffle(envOrder);
      arrangeSequences(envOrder, rollout.steps, memory.sequence, minibatches, order, begins);
    } else shuffling.shuffle(order);
    // Reading back costs a round trip on a GPU, so only the epoch that is reported is read.
    const read = epoch === options.epochs - 1;
    for (let from = 0; from < order.length; from += size) {
      for (const { name, source } of gathered) {
        const into = feed[name]!;
        gatherRows(order, from, size, source, into.length / size, into);
      }
      if (memory) gatherRows(begins, from / memory.sequence, size / memory.sequence, memory.states, memory.size, feed.state!);
      if (how === 'minibatch' && feed.advantage !== undefined) standardiseWeighted(feed.advantage, feed.weight!, 1e-8, feed.advantage);
      const learned = learn.run({ read });
      if (learned) await learned;
      if (!read) continue;
      for (const name of REPORTED) {
        const said = learn.out[name];
        if (said !== undefined) report[name] = (report[name] ?? 0) + said[0]! / minibatches;
      }
    }
  }
  return report;
}
