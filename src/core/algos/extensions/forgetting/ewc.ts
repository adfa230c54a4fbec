/**
 * Elastic weight consolidation (Kirkpatrick et al. 2017). Where a task ends, the weights theta* and their importance F are kept; from then on
 *   loss + strength / 2 sum_i F_i (theta_i - theta*_i)^2
 * F is the diagonal of the Fisher information: the mean over samples of squared gradients of the log-likelihood of each.
 *   EWC          one such penalty for each task k. Their sum is, up to a constant, one penalty with F = sum_k F_k around the mean of the
 *                theta*_k weighted by F_k; that one is kept, so memory does not grow with tasks.
 *   online EWC   F <- decay F + F_k around the newest theta* (Schwarz et al. 2018)
 */
import { gradients } from '#core/engine/autodiff.ts';
import { add, div, gt, mul, square, sub, sum, where } from '#core/engine/ops.ts';
import type { Engine, Graph, InputShapes, InputsOf, Param, ParamGroup, Tensor } from '#core/engine/types.ts';

export interface EwcSettings {
  readonly kind: 'EWC' | 'online EWC';
  readonly strength: number;
  /** Of online EWC. */
  readonly decay?: number;
  /** Samples of which the Fisher information is the mean. */
  readonly samples: number;
}

/** sum of importance (theta - anchor)^2, without strength / 2. */
export const distance = (theta: Tensor, anchor: Tensor, importance: Tensor): Tensor => sum(mul(importance, square(sub(theta, anchor))));

/** Importance after another task, whose Fisher information is `found`: of online EWC with `decay` < 1. */
export const grownImportance = (before: Tensor, found: Tensor, decay: number): Tensor =>
  add(decay === 1 ? before : mul(before, decay), found);

/** Around which weights the sum of the penalties of earlier tasks and of this one lies; where nothing matters, at those of now. */
function meanAnchor(anchor: Tensor, before: Tensor, theta: Tensor, found: Tensor): Tensor {
  const total = add(before, found);
  const some = gt(total, 0);
  return where(some, div(add(mul(before, anchor), mul(found, theta)), where(some, total, 1)), theta);
}

interface Kept {
  readonly theta: Param;
  readonly anchor: Param;
  readonly importance: Param;
  /** Sum of squared gradients over the samples so far. */
  readonly found: Param;
}

/** What keeps the parameters of a network: groups of the engine, so that they are saved with it. To be made before programs are compiled. */
export function keepWeights(engine: Engine, network: ParamGroup, { kind, strength, decay = 1, samples }: EwcSettings) {
  const group = engine.group(`${network.name} kept`);
  const kept = network.params.map((theta): Kept => {
    const size = theta.shape.reduce((all, n) => all * n, 1);
    const zeros = (name: string): Param => group.param(`${theta.name} ${name}`, theta.shape, new Float32Array(size));
    return { theta, anchor: zeros('anchor'), importance: zeros('importance'), found: zeros('found') };
  });
  const online = kind === 'online EWC';

  return {
    /** strength / 2 sum_i F_i (theta_i - theta*_i)^2 [], 0 before the first task has ended. */
    penalty: (g: Graph): Tensor =>
      mul(
        kept
          .map(({ theta, anchor, importance }) => distance(g.read(theta), g.read(anchor), g.read(importance)))
          .reduce((a, b) => add(a, b)),
        strength / 2,
      ),

    /**
     * `likelihood`: log-likelihood [] of the one sample that is fed. `sample` adds its squared gradients: run it for each of the samples.
     * `consolidate` then keeps the weights as they are now.
     */
    programs<const S extends InputShapes>(inputs: S, likelihood: (inputs: InputsOf<S>) => Tensor) {
      const sample = engine.compile(
        inputs,
        (x, g) => {
          const value = likelihood(x);
          const slopes = gradients(
            value,
            kept.map(({ theta }) => g.read(theta)),
          );
          for (const [i, { found }] of kept.entries()) g.assign(found, add(g.read(found), mul(square(slopes[i]!), 1 / samples)));
          return { value };
        },
        { name: 'Fisher information' },
      );
      const keep = engine.compile(
        {},
        (_, g) => {
          for (const { theta, anchor, importance, found } of kept) {
            const [now, before, fisher] = [g.read(theta), g.read(importance), g.read(found)];
            g.assign(anchor, online ? now : meanAnchor(g.read(anchor), before, now, fisher));
            g.assign(importance, grownImportance(before, fisher, online ? decay : 1));
            g.assign(found, mul(fisher, 0));
          }
          return {};
        },
        { name: 'consolidate' },
      );
      return { sample, consolidate: () => keep.run({ read: false }) };
    },
  };
}
