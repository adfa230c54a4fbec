/**
 * What a rollout on the device consists of beside network and world, as rules over a kit, one thread a copy (or a place of the rollout).
 * Memories, N copies, T steps, O numbers of an observation, A actions:
 *   obs [N, O], logProbs [N, A], value [N]      what the policy sees and says now
 *   seen [T, N, O], taken, chosen, valued [T, N] observations, actions, their log-probabilities and values
 *   last [T, N, O], finalValues [T, N]           last observations of truncated episodes, and their values
 *   told [2 T N + 4 N + 8]                       what the host reads: rewards, how steps ended (1 terminated, 2 truncated), of every copy
 *                                                the sums of targets, their squares, errors and their squares, and the report of the update
 *   advantage, target [T, N], order [T N]
 */
import type { Kit } from '../engine/kit.ts';
import { Row, type StateLayout, uniformOf } from './row.ts';
import type { Rules } from './world.ts';

export const TERMINATED = 1;
export const TRUNCATED = 2;

export interface Sizes {
  readonly copies: number;
  readonly steps: number;
  readonly obs: number;
  readonly actions: number;
}

/** Where the parts of `told` begin. */
export function toldPlaces({ copies, steps }: Sizes) {
  const total = copies * steps;
  const sums = 2 * total;
  const report = sums + 4 * copies;
  return { rewards: 0, ends: total, sums, report, size: report + 8 };
}

/** Adds a word to the position (low, high) of a stream. */
function ahead<F, W, B>(k: Kit<F, W, B>, low: W, high: W, by: W): { readonly low: W; readonly high: W } {
  const sum = k.plus(low, by);
  return { low: sum, high: k.plus(high, k.choose(k.less(sum, low), 1, 0)) };
}

/** An action of one copy by inverse CDF, as math/sampling.ts does. `uniform` in [0, 1]. */
export function sample<F, W, B>(k: Kit<F, W, B>, actions: number, from: W, uniform: F): W {
  const top = k.floatVariable(k.float('logProbs', from));
  k.loop(actions, (i) => top.set(k.max(top.get(), k.float('logProbs', k.plus(from, i)))));
  const weight = (i: W): F => k.exp(k.sub(k.float('logProbs', k.plus(from, i)), top.get()));
  const total = k.floatVariable(0);
  k.loop(actions, (i) => total.set(k.add(total.get(), weight(i))));
  const goal = k.mul(uniform, total.get());
  const sum = k.floatVariable(0);
  const found = k.wordVariable(0);
  const open = k.wordVariable(1);
  k.loop(actions, (i) => {
    const w = weight(i);
    // The last possible one, should rounding leave the goal at the very end.
    k.when(k.both(k.same(open.get(), 1), k.below(0, w)), () => {
      found.set(i);
      sum.set(k.add(sum.get(), w));
      k.when(k.below(goal, sum.get()), () => open.set(0));
    });
  });
  return found.get();
}

/**
 * One step of one copy: draws an action, keeps what was seen and said, moves on, starts anew where an episode ended.
 * Inputs: which step of the rollout, key and position of the stream of actions before this step (word `copy` of it is this copy's).
 */
export function step<F, W, B>(k: Kit<F, W, B>, copy: W, sizes: Sizes, rules: Rules, layout: StateLayout): void {
  const { copies, obs, actions } = sizes;
  const at = k.plus(k.times(k.word('feed', 0), copies), copy);
  const place = ahead(k, k.word('feed', 3), k.word('feed', 4), copy);
  const uniform = uniformOf(k, k.random(k.word('feed', 1), k.word('feed', 2), place.low, place.high));
  const said = k.times(copy, actions);
  const action = sample(k, actions, said, uniform);
  const own = k.times(copy, obs);
  const kept = k.times(at, obs);
  k.loop(obs, (i) => k.setFloat('seen', k.plus(kept, i), k.float('obs', k.plus(own, i))));
  k.setFloat('taken', at, k.toFloat(action));
  k.setFloat('chosen', at, k.float('logProbs', k.plus(said, action)));
  k.setFloat('valued', at, k.float('value', copy));

  const row = new Row(k, layout, copy);
  const { reward, terminated, truncated } = rules.step(k, row, action);
  k.setFloat('told', at, reward);
  k.setWord('told', k.plus(at, copies * sizes.steps), k.choose(terminated, TERMINATED, k.choose(truncated, TRUNCATED, 0)));
  k.when(k.both(truncated, k.not(terminated)), () => rules.observe(k, row, (i, value) => k.setFloat('last', k.plus(kept, i), value)));
  k.when(k.either(terminated, truncated), () => rules.start(k, row));
  rules.observe(k, row, (i, value) => k.setFloat('obs', k.plus(own, i), value));
}

/**
 * Advantages and targets of one copy (math/gae.ts), and the sums that its explained variance needs. Copy 0 clears the report.
 * Inputs: gamma, lambda as the bits of floats.
 */
export function advantages<F, W, B>(k: Kit<F, W, B>, copy: W, sizes: Sizes, bootstrap: boolean): void {
  const { copies, steps } = sizes;
  const told = toldPlaces(sizes);
  const gamma = k.float('feed', 0);
  const lambda = k.float('feed', 1);
  const next = k.floatVariable(k.float('value', copy));
  const advantage = k.floatVariable(0);
  const sums = Array.from({ length: 4 }, () => k.floatVariable(0));
  k.loop(steps, (back) => {
    const at = k.plus(k.times(k.minus(steps - 1, back), copies), copy);
    const ended = k.word('told', k.plus(at, told.ends));
    k.when(k.less(0, ended), () => {
      advantage.set(0);
      next.set(bootstrap ? k.pick(k.same(ended, TRUNCATED), k.float('finalValues', at), 0) : 0);
    });
    const value = k.float('valued', at);
    const delta = k.sub(k.add(k.float('told', at), k.mul(gamma, next.get())), value);
    advantage.set(k.add(delta, k.mul(k.mul(gamma, lambda), advantage.get())));
    const now = advantage.get();
    const target = k.add(now, value);
    k.setFloat('advantage', at, now);
    k.setFloat('target', at, target);
    next.set(value);
    [target, k.mul(target, target), now, k.mul(now, now)].forEach((x, i) => {
      sums[i]?.set(k.add(sums[i].get(), x));
    });
  });
  const own = k.plus(k.times(copy, 4), told.sums);
  sums.forEach((sum, i) => {
    k.setFloat('told', k.plus(own, i), sum.get());
  });
  k.when(k.same(copy, 0), () => k.loop(8, (i) => k.setFloat('told', k.plus(told.report, i), 0)));
}

const ROUNDS = 6;

/**
 * Where place i goes in a random order of n: a Feistel network over the smallest even number of bits that holds n, its rounds Philox words
 * under a key of its own, walked along its cycle until the place is below n (Black and Rogaway 2002). Every thread for itself, no sorting.
 */
export function shuffled<F, W, B>(k: Kit<F, W, B>, i: W, n: number, key0: W, key1: W): W {
  let half = 1;
  while (4 ** half < n) half++;
  const mask = 2 ** half - 1;
  const place = k.wordVariable(i);
  const turn = (): void => {
    const a = k.wordVariable(k.right(place.get(), half));
    const b = k.wordVariable(k.and(place.get(), mask));
    k.loop(ROUNDS, (round) => {
      const right = b.get();
      const mixed = k.xor(a.get(), k.and(k.random(key0, key1, k.left(right, 2), round), mask));
      a.set(right);
      b.set(mixed);
    });
    place.set(k.or(k.left(a.get(), half), b.get()));
  };
  turn();
  k.whilst(() => k.not(k.less(place.get(), n)), turn);
  return place.get();
}

/** The order of an epoch. Inputs: the key. */
export function order<F, W, B>(k: Kit<F, W, B>, i: W, n: number): void {
  k.setFloat('order', i, k.toFloat(shuffled(k, i, n, k.word('feed', 0), k.word('feed', 1))));
}

/** Adds the share of one minibatch to the report. */
export function report<F, W, B>(k: Kit<F, W, B>, sizes: Sizes, names: readonly string[], minibatches: number): void {
  const from = toldPlaces(sizes).report;
  names.forEach((name, i) => {
    k.setFloat('told', from + i, k.add(k.float('told', from + i), k.mul(k.float(`result ${name}`, 0), 1 / minibatches)));
  });
}
