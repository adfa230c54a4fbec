/**
 * Decisions that last: each agent (row) has one open decision, which is closed when its skill ends, with the discounted reward it earned
 * meanwhile and the discount of what comes after. A semi-Markov decision process (Sutton, Precup & Singh 1999), and its advantages.
 */
import { type RegisteredState, registerState } from '#core/state/checkpoint.ts';

/** R rows, O numbers seen, at most `capacity` closed decisions. */
export function createDecisions(rows: number, obsSize: number, capacity: number) {
  return {
    // open, one per row
    skill: new Int32Array(rows).fill(-1), // [R] -1: it has to choose now
    moment: new Int32Array(rows), // [R] as Skills.moment gave it
    steps: new Int32Array(rows), // [R] so far
    obs: new Float32Array(rows * obsSize), // [R, O] as the network saw them
    logProb: new Float32Array(rows), // [R]
    value: new Float32Array(rows), // [R]
    reward: new Float64Array(rows), // [R] sum of gamma^k r_k so far
    discount: new Float64Array(rows), // [R] gamma^steps
    // closed, [capacity, ..] in the order in which they were; `count` of them are filled
    closed: {
      row: new Int32Array(capacity),
      obs: new Float32Array(capacity * obsSize),
      skill: new Float32Array(capacity),
      steps: new Int32Array(capacity),
      logProb: new Float32Array(capacity),
      value: new Float32Array(capacity),
      reward: new Float64Array(capacity),
      discount: new Float64Array(capacity), // of what comes after; 0: the episode ended
    },
    count: 0,
  };
}
export type Decisions = ReturnType<typeof createDecisions>;

/** Opens a decision of a row. `seen`: the observations of all rows, as the network saw them. */
export function open(d: Decisions, row: number, skill: number, moment: number, logProb: number, value: number, seen: Float32Array): void {
  const width = d.obs.length / d.skill.length;
  for (let i = row * width; i < (row + 1) * width; i++) d.obs[i] = seen[i]!;
  d.skill[row] = skill;
  d.moment[row] = moment;
  d.logProb[row] = logProb;
  d.value[row] = value;
  d.steps[row] = 0;
  d.reward[row] = 0;
  d.discount[row] = 1;
}

/** One more step of a row's decision. */
export function earn(d: Decisions, row: number, reward: number, gamma: number): void {
  d.reward[row]! += d.discount[row]! * reward;
  d.discount[row]! *= gamma;
  d.steps[row]!++;
}

/** Closes a row's decision. `after`: what the state it ended in is worth if the episode ends here; null if it goes on. */
export function close(d: Decisions, row: number, after: number | null): void {
  const { closed, count: i } = d;
  const width = d.obs.length / d.skill.length;
  for (let k = 0; k < width; k++) closed.obs[i * width + k] = d.obs[row * width + k]!;
  closed.row[i] = row;
  closed.skill[i] = d.skill[row]!;
  closed.steps[i] = d.steps[row]!;
  closed.logProb[i] = d.logProb[row]!;
  closed.value[i] = d.value[row]!;
  closed.reward[i] = d.reward[row]! + (after === null ? 0 : d.discount[row]! * after);
  closed.discount[i] = after === null ? d.discount[row]! : 0;
  d.count++;
  d.skill[row] = -1;
}

/**
 * Generalised advantages of the closed decisions, over decisions instead of steps; `target` is advantage + value, both [count].
 *   delta_i = R_i + gamma^k_i V_{i+1} - V_i;   A_i = delta_i + gamma^k_i lambda A_{i+1}
 * with i + 1 the same row's next decision, at the end the one that is open: every row must have one.
 */
export function semiMarkovGae(d: Decisions, lambda: number, advantage: Float32Array, target: Float32Array): void {
  const { row, reward, value, discount } = d.closed;
  const nextValue = Float64Array.from(d.value);
  const next = new Float64Array(nextValue.length);
  for (let i = d.count - 1; i >= 0; i--) {
    const r = row[i]!;
    const delta = reward[i]! + discount[i]! * nextValue[r]! - value[i]!;
    const found = delta + discount[i]! * lambda * next[r]!;
    advantage[i] = found;
    target[i] = found + value[i]!;
    next[r] = found;
    nextValue[r] = value[i]!;
  }
}

/** The open decisions, to be saved; what is closed has been learned from. */
export function openDecisions({ skill, moment, steps, obs, logProb, value, reward, discount }: Decisions): RegisteredState {
  return registerState({ arrays: { skill, moment, steps, obs, logProb, value, reward, discount } });
}
