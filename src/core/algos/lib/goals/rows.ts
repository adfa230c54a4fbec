/**
 * Recorded states as goals of one another, for methods that learn to get from any of them to any other (Park et al. 2025, OGBench,
 * impls/utils/datasets.py). Of a step from state i, whose episode's last state is e, the goal is
 *   state i itself with chance `current`; else with chance later / (1 - current) a later state of its episode, else any recorded state
 *   later, geometric: min(i + G, e), P(G = k) = (1 - gamma) gamma^(k - 1);  later, uniform: round(u min(i + 1, e) + (1 - u) e)
 * The reward is -1 a step, and 0 where the goal is the very state i; nothing follows there. A state that looks like the goal but is another row
 * of the recording is not there yet. A row that is learned from is the observation with what the goal's state has achieved in the goal's place.
 */
import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { log, log1p } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { learnerActions } from '../box.ts';

/** Where goals are taken from; the three add up to 1. */
export interface GoalShares {
  readonly current: number;
  readonly later: number;
  readonly random: number;
  /** How a later state is drawn: by this discount, or evenly. */
  readonly how: number | 'evenly';
}

export interface GoalRows {
  /** States, T + E: those before every step and the last one of each episode. */
  readonly states: number;
  /** Steps that are recorded, T. */
  readonly steps: number;
  /** A state that has a next one, each with the same chance. */
  drawStep(rng: Rng): number;
  /** The last state of its episode. */
  lastOf(i: number): number;
  goal(rng: Rng, i: number, shares: GoalShares): number;
  /** Writes state i with state j as its goal into row `row` of [M, O]. */
  write(i: number, j: number, into: Float32Array, row: number): void;
  /** The action after state i into row `row` of [M] or [M, D]. Of a last state: throws Error. */
  action(i: number, into: Float32Array, row: number): void;
}

/** How many steps later a goal lies, 1 and up: the first success in draws that fail with chance `discount`. */
export function stepsAhead(rng: Rng, discount: number): number {
  if (discount <= 0) return 1;
  return 1 + Math.floor(log1p(-rng.uniform()) / log(discount));
}

/** Throws LabError('incompatible') where observations hold no goal, or several agents act. */
export function checkGoals(meta: EnvMeta, title: string): void {
  if (meta.goals !== undefined && meta.agentCount === 1) return;
  throw fail(
    'incompatible',
    `${title} learns to reach goals that stand in an agent’s observation, and ${meta.goals === undefined ? 'here none does' : 'here several agents act'}.`,
    'Choose a maze, Bit flip, or a robot that reaches or pushes.',
    'env.id',
  );
}

export function goalRows(meta: EnvMeta, data: Dataset): GoalRows {
  const { size, achieved, desired } = present(meta.goals, 'the goals of an environment');
  const { steps: T, episodes: E, obsSize: O } = data.header;
  const D = meta.actionCount > 0 ? 1 : meta.actionSize;
  const actions = learnerActions(meta, data.actions);
  const bounds = episodeBounds(data);
  const states = T + E;
  const obs = new Float32Array(states * O);
  const last = new Int32Array(states);
  const stepOf = new Int32Array(states).fill(-1);
  const stateOf = new Int32Array(T);
  for (let e = 0, s = 0; e < E; e++) {
    const [from, to] = [bounds[e]!, bounds[e + 1]!];
    obs.set(data.observations.subarray(from * O, to * O), s * O);
    obs.set(data.finals.subarray(e * O, (e + 1) * O), (s + to - from) * O);
    last.fill(s + to - from, s, s + to - from + 1);
    for (let t = from; t < to; t++, s++) {
      stepOf[s] = t;
      stateOf[t] = s;
    }
    s++;
  }
  return {
    states,
    steps: T,
    drawStep: (rng) => stateOf[rng.int(T)]!,
    lastOf: (i) => last[i]!,
    goal(rng, i, { current, later, how }) {
      if (rng.uniform() < current) return i;
      if (rng.uniform() >= later / (1 - current)) return rng.int(states);
      const end = last[i]!;
      if (how !== 'evenly') return Math.min(i + stepsAhead(rng, how), end);
      const u = rng.uniform();
      return Math.round(u * Math.min(i + 1, end) + (1 - u) * end);
    },
    write(i, j, into, row) {
      const to = row * O;
      for (let k = 0; k < O; k++) into[to + k] = obs[i * O + k]!;
      for (let k = 0; k < size; k++) into[to + desired + k] = obs[j * O + achieved + k]!;
    },
    action(i, into, row) {
      const t = stepOf[i]!;
      if (t < 0) throw new Error('nothing was done in the last state of an episode');
      for (let d = 0; d < D; d++) into[row * D + d] = actions[t * D + d]!;
    },
  };
}
