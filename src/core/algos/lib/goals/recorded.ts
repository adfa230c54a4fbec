/**
 * Recorded states as goals of one another, for methods that learn to get from any of them to any other (Park et al. 2025, OGBench,
 * impls/utils/datasets.py). Of a step from state i, whose episode's last state is e, the goal is
 *   state i itself with chance `current`; else with chance later / (1 - current) a later state of its episode, else any recorded state
 *   later, geometric: min(i + G, e), P(G = k) = (1 - gamma) gamma^(k - 1);  later, uniform: round(u min(i + 1, e) + (1 - u) e)
 * The reward is -1 a step, and 0 where the goal is the very state i; nothing follows there. A state that looks like the goal but is another row
 * of the recording is not there yet. A row that is learned from is the observation with what the goal's state has achieved in the goal's place.
 */

import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { log, log1p } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import { learnerActions } from '../box.ts';
import { sourceFields } from '../data/source.ts';

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

/** Updates between two looks at the signs of advantages. */
export const SIGNS_EVERY = 256;

/** Goals of values in OGBench. */
export const valueGoals = (gamma: number): GoalShares => ({ current: 0.2, later: 0.5, random: 0.3, how: gamma });
/** Goals of its policies. */
export const actorGoals = (random: number): GoalShares => ({ current: 0, later: 1 - random, random, how: 'evenly' });

export interface ValueInputs {
  readonly obs: Float32Array; // [M, O]
  readonly nextObs: Float32Array; // [M, O]
  readonly reward: Float32Array; // [M]
  readonly discount: Float32Array; // [M]
}

/**
 * Fills a minibatch for values of jumps of `jump` steps, never beyond the goal or the episode. -1 a jump; 0 where the goal is the state itself,
 * behind which nothing follows.
 */
export function drawValueRows(
  rng: Rng,
  rows: GoalRows,
  M: number,
  gamma: number,
  into: ValueInputs,
  jump = 1,
  shares = valueGoals(gamma),
): void {
  for (let row = 0; row < M; row++) {
    const i = rows.drawStep(rng);
    const goal = rows.goal(rng, i, shares);
    const there = goal === i;
    const end = rows.lastOf(i);
    const next = Math.min(i + jump, goal > i && goal < end ? goal : end);
    rows.write(i, goal, into.obs, row);
    rows.write(next, goal, into.nextObs, row);
    into.reward[row] = there ? 0 : -1;
    into.discount[row] = there ? 0 : gamma;
  }
}

export const goalMetrics: readonly MetricCard[] = [
  { id: 'valueLoss', title: 'value loss', description: 'Expectile loss of the values, mean since the last row.' },
  { id: 'value', title: 'mean value', description: 'Mean value of recorded states: about minus the discounted steps to their goals.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Cost of the recorded actions, weighted by how much nearer they came.' },
  { id: 'weight', title: 'mean weight', description: 'Mean of exp(alpha A), at most 100.' },
  {
    id: 'wrongSigns',
    title: 'wrong signs',
    description:
      'Share of recorded ways of some steps where the values say nearer to a goal and the shortest way says farther, or the reverse. 0.5 is chance. Only where the environment knows shortest ways.',
  },
];

export const OGBENCH = 'OGBench';

/** All but their own: data, networks and step sizes. `expectile`, `alpha`: the usual values. */
export function goalFields({ expectile, alpha, source }: { readonly expectile: number; readonly alpha: number; readonly source: string }) {
  const { share: _, ...data } = sourceFields(`${source} records 1,000,000 steps`);
  return {
    ...data,
    lr: fields.lr(3e-4, source, { description: 'Step size of Adam, for values and policies.' }),
    gamma: fields.gamma(0.99, `${source}; 0.995 in the giant maze`),
    tau: fields.tau(0.005, source),
    expectile: fields.real(expectile, {
      min: 0.5,
      max: 0.999,
      title: 'expectile',
      description: '0.5 is the mean of recorded ways to a goal; towards 1 the fastest of them counts.',
      slider: [0.5, 0.99],
      source,
      depth: 'teach',
    }),
    alpha: fields.real(alpha, {
      min: 0,
      max: 100,
      title: 'inverse temperature',
      description: '0 clones everything alike; the larger, the more only steps that come nearer are cloned.',
      slider: [0, 20],
      source,
      live: true,
      depth: 'teach',
    }),
    randomGoals: fields.real(0, {
      min: 0,
      max: 1,
      title: 'policy’s random goals',
      description: 'Share of the policy’s goals that come from anywhere in the recording; the rest come later in the same episode.',
      slider: [0, 1],
      source: `${source}: 0, and 0.5 for stitched recordings`,
      group: 'data',
    }),
    batchSize: fields.batchSize(256, `${source}: 1024`),
    hidden: fields.hidden([128, 128], `${source}: 512-512-512`, {
      description: 'Units of each layer, in policies and values; GELU between them.',
    }),
  };
}

export const goalPresets: readonly Preset[] = [
  { id: 'stitch', title: 'stitched recordings: half of the policy’s goals from anywhere (OGBench)', config: { randomGoals: 0.5 } },
  {
    id: 'small',
    title: 'a small maze in seconds: small networks, large steps',
    config: { recordSteps: 50_000, hidden: [64, 64], batchSize: 128, lr: 2e-3, tau: 0.02 },
  },
];
