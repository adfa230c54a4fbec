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
import {
  add,
  clip,
  concat,
  div,
  gelu,
  lt,
  mean,
  minimum,
  mul,
  sliceAxis,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { Environment, EnvMeta } from '#core/envs/api/types.ts';
import { column, dense, type Net, norm } from '#core/nets/mlp.ts';
import { log, log1p } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import type { RowMeans } from '../../api/metrics.ts';
import type { Policy } from '../../api/types.ts';
import { actionShape, boxPolicy, learnerActions } from '../box.ts';
import { advantageWeight } from '../data/losses.ts';
import { type DataActor, likeness } from '../data/networks.ts';
import { sourceFields } from '../data/source.ts';
import { networkPolicy } from '../network-policy.ts';

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

/** Goals of values in OGBench. */
export const valueGoals = (gamma: number): GoalShares => ({ current: 0.2, later: 0.5, random: 0.3, how: gamma });
/** Goals of its policies. */
export const actorGoals = (random: number): GoalShares => ({ current: 0, later: 1 - random, random, how: 'evenly' });
/** Goals that are any recorded state. */
export const ANYWHERE: GoalShares = { current: 0, later: 0, random: 1, how: 'evenly' };

/** Draws a recorded step and a goal, and writes the step's two states into a row. Returns the first of them. */
export function drawStepRow(
  rng: Rng,
  rows: GoalRows,
  shares: GoalShares,
  into: { readonly obs: Float32Array; readonly nextObs: Float32Array },
  row: number,
): number {
  const i = rows.drawStep(rng);
  const goal = rows.goal(rng, i, shares);
  rows.write(i, goal, into.obs, row);
  rows.write(i + 1, goal, into.nextObs, row);
  return i;
}

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

/**
 * Values of getting to a goal, learned from recorded steps alone (Park et al. 2025, OGBench: gcivl.py, hiql.py; Kostrikov et al. 2022 without Q):
 *   y_j = r + d V_j'(s', g),  A = r + d min(V_1', V_2')(s', g) - mean_j V_j'(s, g)
 *   V_j: mean |tau - 1{A < 0}| (y_j - V_j(s, g))^2;  r is -1 a step, 0 at the goal, where d is 0 too
 * so V(s, g) is about -(1 - gamma^n) / (1 - gamma) where the fastest recorded way has n steps. Layers: dense, GELU, then layer normalisation
 * (as there); Glorot's first weights. Observations hold state and goal; the goal's numbers can be taken out and another code put there.
 */
const LAYER = { init: 'xavier', gain: 1 } as const;

/** Hidden layers with GELU, normalised behind it if `normalised`; the last layer is linear. */
export function goalStack(group: ParamGroup, name: string, rng: Rng, sizes: readonly number[], normalised: boolean): Net {
  const layers = sizes.slice(1).map((outputs, i) => {
    const layer = dense(group, `${name}.${i}`, rng, sizes[i]!, outputs, LAYER);
    if (i === sizes.length - 2) return layer;
    const after: Net = normalised ? norm(group, `${name}.${i}.norm`, outputs) : (x) => x;
    return (x: Tensor) => after(gelu(layer(x)));
  });
  return (x) => layers.reduce((h, layer) => layer(h), x);
}

/** Observations [M, O] without the goal's numbers, [M, O - G]. */
export function withoutGoal(meta: EnvMeta, obs: Tensor): Tensor {
  const { desired, size } = present(meta.goals, 'the goals of an environment');
  const after = meta.obsSize - desired - size;
  const parts = [...(desired > 0 ? [sliceAxis(obs, 1, 0, desired)] : []), ...(after > 0 ? [sliceAxis(obs, 1, desired + size, after)] : [])];
  return parts.length === 1 ? parts[0]! : concat(parts, 1);
}

/** What observations [M, O] show as achieved, and what they show as wanted, [M, G] each. */
export const achievedIn = (meta: EnvMeta, obs: Tensor): Tensor => goalNumbers(meta, obs, 'achieved');
export const wantedIn = (meta: EnvMeta, obs: Tensor): Tensor => goalNumbers(meta, obs, 'desired');

function goalNumbers(meta: EnvMeta, obs: Tensor, which: 'achieved' | 'desired'): Tensor {
  const goals = present(meta.goals, 'the goals of an environment');
  return sliceAxis(obs, 1, goals[which], goals.size);
}

/** Rows of `x` [M, C] with length sqrt(C). */
export function ofLength(x: Tensor): Tensor {
  const C = x.shape[1]!;
  return mul(div(x, sqrt(add(sum(square(x), -1, true), 1e-12))), Math.sqrt(C));
}

/** V(s, g) [M] of two networks that differ in their first weights. */
export type GoalValues = (g: Graph, obs: Tensor) => readonly [Tensor, Tensor];

/** Read state and goal as they stand in the observation. */
export function goalValues(group: ParamGroup, rng: Rng, meta: EnvMeta, hidden: readonly number[]): GoalValues {
  const nets = [1, 2].map((j) => goalStack(group, `value${j}`, rng, [meta.obsSize, ...hidden, 1], true));
  return (_, obs) => [column(nets[0]!(obs)), column(nets[1]!(obs))];
}

/** Values that read a goal through a code of `code` numbers, phi(s, g) of length sqrt(code): HIQL's. */
export function codedValues(group: ParamGroup, rng: Rng, meta: EnvMeta, hidden: readonly number[], code: number) {
  const { size } = present(meta.goals, 'the goals of an environment');
  const encoder = goalStack(group, 'phi', rng, [meta.obsSize, ...hidden, code], true);
  const nets = [1, 2].map((j) => goalStack(group, `value${j}`, rng, [meta.obsSize - size + code, ...hidden, 1], true));
  const phi = (obs: Tensor): Tensor => ofLength(encoder(obs));
  const values: GoalValues = (_, obs) => {
    const seen = concat([withoutGoal(meta, obs), phi(obs)], 1);
    return [column(nets[0]!(seen)), column(nets[1]!(seen))];
  };
  return { phi, values };
}

/** What a state is worth: the mean of the two. */
export const worth = (values: GoalValues, g: Graph, obs: Tensor): Tensor => {
  const [a, b] = values(g, obs);
  return mul(add(a, b), 0.5);
};

/** One update of values on `rows` recorded steps: inputs obs, nextObs [M, O], reward, discount [M]. */
export function compileGoalValues(
  engine: Engine,
  nets: { readonly group: ParamGroup; readonly values: GoalValues; readonly target: GoalValues },
  meta: EnvMeta,
  { rows: M, expectile, name }: { readonly rows: number; readonly expectile: number; readonly name: string },
) {
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], nextObs: [M, O], reward: [M], discount: [M] },
    (x, g) => {
      const [next1, next2] = nets.target(g, x.nextObs);
      const now = worth(nets.target, g, x.obs);
      const y = (next: Tensor): Tensor => stopGradient(add(x.reward, mul(x.discount, next)));
      const advantage = stopGradient(sub(y(minimum(next1, next2)), now));
      const weight = where(lt(advantage, 0), 1 - expectile, expectile);
      const [v1, v2] = nets.values(g, x.obs);
      const loss = (v: Tensor, next: Tensor): Tensor => mean(mul(weight, square(sub(y(next), v))));
      return { loss: add(loss(v1, next1), loss(v2, next2)), value: mean(v1) };
    },
    { minimise: 'loss', group: nets.group, with: adam(), name },
  );
}

/**
 * Policies that are told where to go: a network over state and goal, or state and the code of a subgoal. Discrete actions get logits,
 * continuous ones the mean of a Gaussian of deviation 1, cut to the box when acted (OGBench, GCActor with a constant deviation).
 */
export interface GoalActor extends Pick<DataActor, 'cost' | 'agreement'> {
  /** Logits [M, N] or means [M, D] of what is seen, [M, inputs]. */
  readonly head: (seen: Tensor) => Tensor;
}

export const goalActor = (group: ParamGroup, rng: Rng, meta: EnvMeta, inputs: number, hidden: readonly number[]): GoalActor => ({
  head: goalStack(group, 'actor', rng, [inputs, ...hidden, meta.actionCount > 0 ? meta.actionCount : meta.actionSize], false),
  ...likeness(meta.actionCount > 0),
});

/** `of`: from observations [M, O] to what the actor's head answers, and what the state is worth [M]. */
export function goalPolicy(
  engine: Engine,
  meta: EnvMeta,
  of: (g: Graph, obs: Tensor) => { readonly head: Tensor; readonly value: Tensor },
  dispose?: () => void,
): Policy {
  const compile = (rows: number) =>
    engine.compile(
      { obs: [rows, meta.obsSize] },
      ({ obs }, g) => {
        const { head, value } = of(g, obs);
        return meta.actionCount > 0 ? { logits: head, value } : { mean: clip(head, -1, 1), value };
      },
      { name: 'goal policy' },
    ) as Program<{ readonly obs: Float32Array }>;
  const rest = dispose === undefined ? {} : { dispose };
  return meta.actionCount > 0 ? networkPolicy({ meta, compile, ...rest }) : boxPolicy({ meta, compile, ...rest });
}

/** Clones recorded actions by how much nearer they came: -exp(alpha (V(s', g) - V(s, g))), at most 100, times ln pi(a | s, g). */
export function compileNearerActor(
  engine: Engine,
  { group, values, pi }: { readonly group: ParamGroup; readonly values: GoalValues; readonly pi: GoalActor },
  meta: EnvMeta,
  { rows: M, name }: { readonly rows: number; readonly name: string },
) {
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], nextObs: [M, O], action: actionShape(meta, M), alpha: [1] },
    (x, g) => {
      const weight = advantageWeight(worth(values, g, x.nextObs), worth(values, g, x.obs), x.alpha);
      const head = pi.head(x.obs);
      return { loss: mean(mul(weight, pi.cost(head, x.action))), weight: mean(weight), agreement: mean(pi.agreement(head, x.action)) };
    },
    { minimise: 'loss', group, with: adam(), name },
  );
}

/** Updates between two measurements. */
const EVERY = 256;
/** Steps between the states whose values are compared, where a method has no such number itself: HIQL's. */
export const WAY = 25;

/**
 * How often values say "closer" where it is farther: over pairs of recorded states `way` steps apart, and goals drawn from the recording, the share
 * in which V(later, g) - V(earlier, g) has another sign than the exact distance to the goal says (Environment.goalDistance; Ahn et al. 2025 ask
 * how well values are in order along a way). A draw that changes nothing in the distance is left out. For measuring alone.
 */
const PAIRS = 256;

type SignMeter = (rng: Rng) => Promise<number>;

/** Answers a share 0..1; NaN where no draw had a sign. null: the environment knows no distances. */
export function signMeter(
  engine: Engine,
  values: GoalValues,
  meta: EnvMeta,
  rows: GoalRows,
  { goalDistance }: Pick<Environment, 'goalDistance'>,
  way: number,
): SignMeter | null {
  if (goalDistance === undefined) return null;
  const O = meta.obsSize;
  const program = engine.compile({ obs: [2 * PAIRS, O] }, ({ obs }, g) => ({ value: worth(values, g, obs) }), { name: 'value signs' });
  return async (rng) => {
    for (let row = 0; row < PAIRS; row++) {
      const i = rows.drawStep(rng);
      const goal = rng.int(rows.states);
      rows.write(i, goal, program.in.obs, row);
      rows.write(Math.min(i + way, rows.lastOf(i)), goal, program.in.obs, PAIRS + row);
    }
    const pending = program.run();
    if (pending) await pending;
    const { value } = program.out;
    let [wrong, counted] = [0, 0];
    for (let row = 0; row < PAIRS; row++) {
      const nearer = goalDistance(program.in.obs, row * O) - goalDistance(program.in.obs, (PAIRS + row) * O);
      if (nearer === 0) continue;
      counted++;
      if (Math.sign(value[PAIRS + row]! - value[row]!) !== Math.sign(nearer)) wrong++;
    }
    return counted === 0 ? Number.NaN : wrong / counted;
  };
}

/** Measured in the last of every 256 updates; `update`: how many were made before. */
export async function addSigns(signs: SignMeter | null, rng: Rng, update: number, means: RowMeans<string>): Promise<void> {
  if (signs === null || update % EVERY !== EVERY - 1) return;
  const wrong = await signs(rng);
  if (!Number.isNaN(wrong)) means.add('wrongSigns', wrong);
}
