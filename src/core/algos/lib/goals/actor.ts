/**
 * Policies that are told where to go: a network over state and goal, or state and the code of a subgoal. Discrete actions get logits,
 * continuous ones the mean of a Gaussian of deviation 1, cut to the box when acted (OGBench, GCActor with a constant deviation).
 */
import { clip } from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import type { Policy } from '../../api/types.ts';
import { boxPolicy } from '../box.ts';
import { type DataActor, likeness } from '../data/networks.ts';
import { networkPolicy } from '../network-policy.ts';
import { goalStack } from './values.ts';

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
