/**
 * Values of getting to a goal, learned from recorded steps alone (Park et al. 2025, OGBench: gcivl.py, hiql.py; Kostrikov et al. 2022 without Q):
 *   y_j = r + d V_j'(s', g),  A = r + d min(V_1', V_2')(s', g) - mean_j V_j'(s, g)
 *   V_j: mean |tau - 1{A < 0}| (y_j - V_j(s, g))^2;  r is -1 a step, 0 at the goal, where d is 0 too
 * so V(s, g) is about -(1 - gamma^n) / (1 - gamma) where the fastest recorded way has n steps. Layers: dense, GELU, then layer normalisation
 * (as there); Glorot's first weights. Observations hold state and goal; the goal's numbers can be taken out and another code put there.
 */
import { present } from '#contract/kit/errors.ts';
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
import type { Rng } from '#math/rng.ts';
import type { Policy } from '../../api/types.ts';
import { boxPolicy } from '../box.ts';
import { type DataActor, likeness } from '../data/networks.ts';
import { networkPolicy } from '../network-policy.ts';
import type { GoalRows } from './recorded.ts';

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

/**
 * How often values say "closer" where it is farther: over pairs of recorded states `way` steps apart, and goals drawn from the recording, the share
 * in which V(later, g) - V(earlier, g) has another sign than the exact distance to the goal says (Environment.goalDistance; Ahn et al. 2025 ask
 * how well values are in order along a way). A draw that changes nothing in the distance is left out. For measuring alone.
 */
const PAIRS = 256;

/** Answers a share 0..1; NaN where no draw had a sign. null: the environment knows no distances. */
export function signMeter(
  engine: Engine,
  values: GoalValues,
  meta: EnvMeta,
  rows: GoalRows,
  { goalDistance }: Pick<Environment, 'goalDistance'>,
  way: number,
): ((rng: Rng) => Promise<number>) | null {
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
