/** Exact values of small models by dynamic programming in float64 (Bellman 1957); sweeps in place, in a fixed order. */
import type { Json } from '#contract/kit/json.ts';
import type { TabularModel } from '../../api/types.ts';

const TIE = 1e-9;
const MAX_SWEEPS = 1_000_000;

/** Expected reward plus discounted value of the next states; `values` counts 0 behind a terminated outcome. */
export function actionValue(model: TabularModel, values: Float64Array, gamma: number, s: number, a: number): number {
  const pair = s * model.actions + a;
  let sum = 0;
  for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++) {
    const later = model.terminated[i] === 1 ? 0 : gamma * values[model.next[i]!]!;
    sum += model.probability[i]! * (model.reward[i]! + later);
  }
  return sum;
}

/** Optimal values without a step limit, and all best actions (within 1e-9) of each state. */
export function optimalValues(model: TabularModel, gamma: number): { values: Float64Array; best: number[][] } {
  const values = new Float64Array(model.states);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let change = 0;
    let largest = 1;
    for (let s = 0; s < model.states; s++) {
      let best = -Infinity;
      for (let a = 0; a < model.actions; a++) best = Math.max(best, actionValue(model, values, gamma, s, a));
      change = Math.max(change, Math.abs(best - values[s]!));
      largest = Math.max(largest, Math.abs(best));
      values[s] = best;
    }
    if (change <= 1e-15 * largest) break;
  }
  const best = Array.from({ length: model.states }, (_, s) => {
    const q = Array.from({ length: model.actions }, (__, a) => actionValue(model, values, gamma, s, a));
    const top = Math.max(...q);
    return q.flatMap((x, a) => (x >= top - TIE ? [a] : []));
  });
  return { values, best };
}

/** Value of the first best action of a state (within 1e-12), which `take` hears of. */
function bestValue(model: TabularModel, values: Float64Array, gamma: number, s: number, take?: (action: number) => void): number {
  let best = -Infinity;
  for (let a = 0; a < model.actions; a++) {
    const q = actionValue(model, values, gamma, s, a);
    if (q > best + 1e-12) {
      best = q;
      take?.(a);
    }
  }
  return best;
}

/** Values after `limit` steps of a backup of one state. A limit may be a million: two arrays in turn, up to where nothing changes any more. */
function backedUp(states: number, limit: number, backup: (values: Float64Array, s: number) => number): Float64Array {
  let [values, next] = [new Float64Array(states), new Float64Array(states)];
  let changed = true;
  for (let left = 1; left <= limit && changed; left++) {
    changed = false;
    for (let s = 0; s < states; s++) {
      const value = backup(values, s);
      if (value !== values[s]) changed = true;
      next[s] = value;
    }
    [values, next] = [next, values];
  }
  return values;
}

/** Optimal values with `limit` steps left. */
export const finiteValues = (model: TabularModel, limit: number, gamma: number): Float64Array =>
  backedUp(model.states, limit, (values, s) => bestValue(model, values, gamma, s));

/** What to do with so many steps left: plan[left][state] is the first best action. */
export function finitePlan(model: TabularModel, limit: number, gamma: number): Uint8Array[] {
  let values = new Float64Array(model.states);
  const plan = [new Uint8Array(model.states)];
  for (let left = 1; left <= limit; left++) {
    const choice = new Uint8Array(model.states);
    const take = (s: number) => (action: number) => {
      choice[s] = action;
    };
    const next = values.map((_, s) => bestValue(model, values, gamma, s, take(s)));
    plan.push(choice);
    if (next.every((value, s) => value === values[s])) return plan.concat(Array.from({ length: limit - left }, () => choice));
    values = next;
  }
  return plan;
}

/** Undiscounted value of uniform random play over `limit` steps. */
export const uniformValues = (model: TabularModel, limit: number): Float64Array =>
  backedUp(model.states, limit, (values, s) => {
    let sum = 0;
    for (let a = 0; a < model.actions; a++) sum += actionValue(model, values, 1, s, a);
    return sum / model.actions;
  });

/** [S, N] What every action loses against the best one of its state, V*(s) - Q*(s, a), never below 0. `values` are the optimal ones, without discount. */
export function gapsOf(model: TabularModel, values: Float64Array): Float64Array {
  const gap = new Float64Array(model.states * model.actions);
  for (let s = 0; s < model.states; s++)
    for (let a = 0; a < model.actions; a++) gap[s * model.actions + a] = Math.max(0, values[s]! - actionValue(model, values, 1, s, a));
  return gap;
}

/** Mean over the start states. */
export function startValue(model: TabularModel, values: Float64Array): number {
  return model.start.reduce((sum, p, s) => sum + p * values[s]!, 0);
}

/** Golden check `transitions`: [probability, next, reward, terminated] by state and action. */
export function transitionTable(model: TabularModel): Json {
  const table: { [state: string]: { [action: string]: Json } } = {};
  for (let s = 0; s < model.states; s++) {
    const row: { [action: string]: Json } = {};
    for (let a = 0; a < model.actions; a++) {
      const list: Json[] = [];
      const pair = s * model.actions + a;
      for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++)
        list.push([model.probability[i]!, model.next[i]!, model.reward[i]!, model.terminated[i] === 1]);
      row[a] = list;
    }
    table[s] = row;
  }
  return { transitions: table };
}

/** Golden check `optimal-values`: values from `firstState` on; `bestAction` lists every best action of a state. */
export function optimalValuesCheck(model: TabularModel, gamma: number, firstState: number): Json {
  const { values, best } = optimalValues(model, gamma);
  return {
    values: Array.from(values).slice(firstState),
    bestAction: best.slice(firstState),
    startValue: startValue(model, values),
  };
}
