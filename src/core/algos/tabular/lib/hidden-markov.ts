/**
 * Hidden Markov models of several tasks, fitted by expectation maximisation (Baum et al. 1970; Rabiner 1989), with actions that move the hidden place.
 * K tasks, L places, N actions, O symbols. Tasks may share what a place shows.
 */
import { log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';

export interface Sizes {
  readonly tasks: number;
  readonly places: number;
  readonly actions: number;
  readonly symbols: number;
  readonly shared: boolean;
}

/** Numbers of a model, all in one array. */
export class HiddenModels {
  readonly sizes: Sizes;
  readonly numbers: Float64Array;
  readonly start: Float64Array; // [K, L]
  readonly move: Float64Array; // [K, N, L, L]
  readonly show: Float64Array; // [K, L, O]; equal for all tasks where they share it
  readonly pay: Float64Array; // [K, L] mean reward of a step that ends there

  constructor(sizes: Sizes) {
    const { tasks: K, places: L, actions: N, symbols: O } = sizes;
    const [starts, moves, shows] = [K * L, K * N * L * L, K * L * O];
    this.sizes = sizes;
    this.numbers = new Float64Array(starts + moves + shows + starts);
    this.start = this.numbers.subarray(0, starts);
    this.move = this.numbers.subarray(starts, starts + moves);
    this.show = this.numbers.subarray(starts + moves, starts + moves + shows);
    this.pay = this.numbers.subarray(starts + moves + shows);
  }

  /** Chances near even, tilted at random: what a fit begins from. */
  scatter(rng: Rng): void {
    const { tasks: K, places: L, symbols: O, shared } = this.sizes;
    const tilt = (rows: Float64Array, width: number) => {
      for (let i = 0; i < rows.length; i++) rows[i] = 0.2 + rng.uniform();
      normalise(rows, width);
    };
    tilt(this.start, L);
    tilt(this.move, L);
    tilt(this.show, O);
    if (shared) for (let k = 1; k < K; k++) this.show.copyWithin(k * L * O, 0, L * O);
    this.pay.fill(0);
  }

  /** The belief [L] about the place after a symbol of a task, to `out`, which may be `before`; the symbol's chance. `before` null: it is the first. */
  update(before: Float64Array | null, task: number, action: number, symbol: number, out: Float64Array): number {
    const { places: L, actions: N, symbols: O } = this.sizes;
    const next = new Float64Array(L);
    let sum = 0;
    for (let s2 = 0; s2 < L; s2++) {
      let p = 0;
      if (before === null) p = this.start[task * L + s2]!;
      else for (let s = 0; s < L; s++) p += before[s]! * this.move[((task * N + action) * L + s) * L + s2]!;
      next[s2] = p * this.show[(task * L + s2) * O + symbol]!;
      sum += next[s2]!;
    }
    for (let s = 0; s < L; s++) out[s] = sum > 0 ? next[s]! / sum : 1 / L;
    return sum;
  }
}

/** Recorded play: one entry for each thing seen, episodes behind each other. */
export interface Recorded {
  readonly size: number;
  readonly first: Uint8Array; // 1: an episode begins here
  readonly task: Int32Array;
  readonly symbol: Int32Array;
  /** What was done before this was seen, and what it paid. */
  readonly action: Uint8Array;
  readonly reward: Float64Array;
}

function normalise(rows: Float64Array, width: number): void {
  for (let at = 0; at < rows.length; at += width) {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += rows[at + i]!;
    for (let i = 0; i < width; i++) rows[at + i]! /= sum;
  }
}

/** Imagined visits of every outcome, so that no chance is 0. */
const PRIOR = 0.05;

/** Mean of -log chance of every symbol given what was seen before it, nats. */
export function surprise(models: HiddenModels, data: Recorded): number {
  const belief = new Float64Array(models.sizes.places);
  let sum = 0;
  for (let i = 0; i < data.size; i++) {
    const chance = models.update(data.first[i] === 1 ? null : belief, data.task[i]!, data.action[i]!, data.symbol[i]!, belief);
    sum -= log(Math.max(chance, 1e-300));
  }
  return sum / Math.max(1, data.size);
}

/** One step of expectation maximisation (Rabiner 1989, scaled); answers the surprise before it. */
export function maximiseOnce(models: HiddenModels, data: Recorded): number {
  const { tasks: K, places: L, actions: N, symbols: O, shared } = models.sizes;
  const counts = new HiddenModels(models.sizes);
  for (const part of [counts.start, counts.move, counts.show]) part.fill(PRIOR);
  const mass = new Float64Array(K * L).fill(PRIOR); // of places that were arrived at, for the mean reward
  const alpha = new Float64Array(data.size * L);
  const scale = new Float64Array(data.size);
  const belief = new Float64Array(L);
  let total = 0;
  for (let i = 0; i < data.size; i++) {
    scale[i] = Math.max(
      1e-300,
      models.update(data.first[i] === 1 ? null : belief, data.task[i]!, data.action[i]!, data.symbol[i]!, belief),
    );
    alpha.set(belief, i * L);
    total -= log(scale[i]!);
  }
  const beta = new Float64Array(L).fill(1);
  const before = new Float64Array(L);
  for (let i = data.size - 1; i >= 0; i--) {
    const task = data.task[i]!;
    if (i === data.size - 1 || data.first[i + 1] === 1) beta.fill(1);
    for (let s = 0; s < L; s++) {
      const posterior = alpha[i * L + s]! * beta[s]!;
      counts.show[((shared ? 0 : task) * L + s) * O + data.symbol[i]!]! += posterior;
      if (data.first[i] === 1) counts.start[task * L + s]! += posterior;
      else {
        counts.pay[task * L + s]! += posterior * data.reward[i]!;
        mass[task * L + s]! += posterior;
      }
    }
    if (data.first[i] === 1) continue;
    const row = (task * N + data.action[i]!) * L * L;
    for (let s = 0; s < L; s++) {
      let sum = 0;
      for (let s2 = 0; s2 < L; s2++) {
        const seen = models.show[(task * L + s2) * O + data.symbol[i]!]! * beta[s2]!;
        const through = (models.move[row + s * L + s2]! * seen) / scale[i]!;
        counts.move[row + s * L + s2]! += alpha[(i - 1) * L + s]! * through;
        sum += through;
      }
      before[s] = sum;
    }
    beta.set(before);
  }
  if (shared) for (let k = 1; k < K; k++) counts.show.copyWithin(k * L * O, 0, L * O);
  normalise(counts.start, L);
  normalise(counts.move, L);
  normalise(counts.show, O);
  counts.pay.forEach((sum, i) => {
    counts.pay[i] = sum / mass[i]!;
  });
  models.numbers.set(counts.numbers);
  return total / Math.max(1, data.size);
}

/** Values [K, L, N] of the actions for one who would see the place from the next step on (QMDP; Littman et al. 1995). */
export function placeValues({ sizes, move, pay }: HiddenModels, gamma: number): Float64Array {
  const { tasks: K, places: L, actions: N } = sizes;
  const q = new Float64Array(K * L * N);
  const value = new Float64Array(K * L);
  for (let sweep = 0; sweep < 300; sweep++) {
    for (let k = 0; k < K; k++)
      for (let s = 0; s < L; s++) {
        let best = Number.NEGATIVE_INFINITY;
        for (let a = 0; a < N; a++) {
          let sum = 0;
          for (let s2 = 0; s2 < L; s2++) sum += move[((k * N + a) * L + s) * L + s2]! * (pay[k * L + s2]! + gamma * value[k * L + s2]!);
          q[(k * L + s) * N + a] = sum;
          best = Math.max(best, sum);
        }
        value[k * L + s] = best;
      }
  }
  return q;
}
