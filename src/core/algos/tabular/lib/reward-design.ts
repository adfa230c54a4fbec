/**
 * Rewards that are paid beside those of the world so that a learner gets on faster, and what they do to its optimum, exactly.
 *   fine       F(s,a) = -size (V*(s) - Q*(s,a)) at some places, 0 elsewhere: best actions cost nothing, so what was best stays best
 *   potential  F(s,a,s') = gamma phi(s') - phi(s), phi 0 behind the end: leaves the order of all policies as it is (Ng et al. 1999)
 * Places are chosen by what the learner loses there. By the performance difference lemma (Kakade and Langford 2002) its loss from the start is
 * V*(start) - V^pi(start) = sum_s mu(s) sum_a pi(a|s) (V*(s) - Q*(s,a)), mu: its discounted visits.
 */
import type { TabularModel } from '../../../envs/api/types.ts';
import { actionValue, optimalValues, startValue } from '../../../envs/lib/tabular/values.ts';
import { evaluatePolicy } from './evaluation.ts';

/** Visits with less weight than this are left out. */
const SMALL = 1e-4;

/** What a teacher knows of a world: optimal values [S], and what every action loses against the best one [S * N]. */
export function taught(model: TabularModel, gamma: number): { readonly values: Float64Array; readonly loss: Float64Array } {
  const { values } = optimalValues(model, gamma);
  const loss = Float64Array.from({ length: model.states * model.actions }, (_, pair) => {
    const s = Math.floor(pair / model.actions);
    const lost = values[s]! - actionValue(model, values, gamma, s, pair % model.actions);
    return lost > 1e-12 ? lost : 0; // rounding: the best actions lose nothing
  });
  return { values, loss };
}

/** Discounted visits [S] of a policy from the starts: sum over t of gamma^t P(s_t = s). `chances` [S * N]; gamma below 1. */
export function discountedVisits(model: TabularModel, chances: Float64Array, gamma: number): Float64Array {
  const visits = new Float64Array(model.states);
  let now = Float64Array.from(model.start);
  for (let weight = 1; weight > SMALL; weight *= gamma) {
    const next = new Float64Array(model.states);
    for (let s = 0; s < model.states; s++) {
      if (now[s] === 0) continue;
      visits[s]! += weight * now[s]!;
      for (let a = 0; a < model.actions; a++) {
        const pair = s * model.actions + a;
        const share = now[s]! * chances[pair]!;
        if (share === 0) continue;
        for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++)
          if (model.terminated[i] === 0) next[model.next[i]!]! += share * model.probability[i]!;
      }
    }
    now = next;
  }
  return visits;
}

/** The `budget` states at which a policy loses most, most first; fewer where it loses nothing elsewhere. */
export function costliest(
  model: TabularModel,
  loss: Float64Array,
  chances: Float64Array,
  gamma: number,
  budget: number,
): readonly number[] {
  const visits = discountedVisits(model, chances, gamma);
  const cost = Float64Array.from(visits, (visited, s) => {
    let lost = 0;
    for (let pair = s * model.actions; pair < (s + 1) * model.actions; pair++) lost += chances[pair]! * loss[pair]!;
    return visited * lost;
  });
  return Array.from(cost.keys())
    .filter((s) => cost[s]! > 0)
    .sort((a, b) => cost[b]! - cost[a]! || a - b)
    .slice(0, budget);
}

/** Writes the fines [S * N] of these places. */
export function writeFines(loss: Float64Array, places: readonly number[], actions: number, size: number, out: Float64Array): void {
  out.fill(0);
  for (const s of places) for (let pair = s * actions; pair < (s + 1) * actions; pair++) out[pair] = -size * loss[pair]!;
}

/** The world as its learner is paid: `extra` of every outcome is added to its reward. */
export function paidModel(model: TabularModel, extra: (pair: number, next: number, terminated: boolean) => number): TabularModel {
  const reward = model.reward.slice();
  for (let pair = 0; pair < model.states * model.actions; pair++)
    for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++)
      reward[i]! += extra(pair, model.next[i]!, model.terminated[i] !== 0);
  return { ...model, reward };
}

/** What a policy loses of the discounted optimum `best` from the start, exactly. `values` [S] is scratch. */
export function lossFromStart(model: TabularModel, chances: Float64Array, gamma: number, best: number, values: Float64Array): number {
  evaluatePolicy(model, chances, gamma, 1e-10, values.fill(0));
  return Math.max(0, best - startValue(model, values));
}

/** What the best policy of the world as it is paid loses in the world as it is: 0 where the design keeps the optimum. */
export function designLoss(model: TabularModel, paid: TabularModel, gamma: number, best: number): number {
  const chances = new Float64Array(model.states * model.actions);
  optimalValues(paid, gamma).best.forEach((equal, s) => {
    for (const a of equal) chances[s * model.actions + a] = 1 / equal.length;
  });
  return lossFromStart(model, chances, gamma, best, new Float64Array(model.states));
}
