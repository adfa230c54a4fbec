/**
 * Units that answer nothing, started anew (ReDo; Sokar et al. 2023). The score of a unit is its mean absolute activation over samples, in units of
 * the mean over its layer; at or below a threshold tau it is dormant: its incoming weights and its bias are drawn again, its outgoing
 * weights become 0, so that what the network computes changes only by what the unit still gave.
 * Differs: the running moments of Adam stay.
 */
import type { Engine, Param, ParamGroup } from '#core/engine/types.ts';
import { kaimingUniform } from '#core/nets/init.ts';
import type { Rng } from '#math/rng.ts';

/** Scores [units] of activations [samples, units]; all 0 where the whole layer is silent. */
export function dormancy(activations: ArrayLike<number>, units: number): Float64Array {
  const scores = new Float64Array(units);
  for (let i = 0; i < activations.length; i++) scores[i % units]! += Math.abs(activations[i]!);
  let all = 0;
  for (const score of scores) all += score;
  if (all > 0) for (let j = 0; j < units; j++) scores[j] = (scores[j]! * units) / all;
  return scores;
}

/** Which units are dormant. */
export const dormantUnits = (scores: ArrayLike<number>, tau: number): readonly number[] =>
  Array.from(scores).flatMap((score, unit) => (score <= tau ? [unit] : []));

/** A dense layer in a stack: weights [inputs, outputs] and bias [outputs]. */
export interface Layer {
  readonly w: Param;
  readonly b: Param;
}

/** The layers `q.0`, `q.1`, ... of a plain stack (nets/mlp.ts), the first one first; none where the network is made otherwise. */
export function stackedLayers({ params }: ParamGroup): readonly Layer[] {
  const named = new Map(params.map((param) => [param.name, param]));
  const layers: Layer[] = [];
  for (;;) {
    const [w, b] = [named.get(`q.${layers.length}.w`), named.get(`q.${layers.length}.b`)];
    if (w === undefined || b === undefined) return layers;
    layers.push({ w, b });
  }
}

/** Starts these units of layer `i` anew. */
export async function startAnew(engine: Engine, layers: readonly Layer[], i: number, units: readonly number[], rng: Rng): Promise<void> {
  const [into, out] = [layers[i], layers[i + 1]];
  if (into === undefined || out === undefined || units.length === 0) return;
  const [inputs, width] = into.w.shape as readonly [number, number];
  const next = out.w.shape[1]!;
  const [w, b, outgoing] = [await engine.read(into.w), await engine.read(into.b), await engine.read(out.w)];
  for (const unit of units) {
    const drawn = kaimingUniform(rng, inputs, inputs + 1);
    for (let k = 0; k < inputs; k++) w[k * width + unit] = drawn[k]!;
    b[unit] = drawn[inputs]!;
    outgoing.fill(0, unit * next, (unit + 1) * next);
  }
  engine.write(into.w, w);
  engine.write(into.b, b);
  engine.write(out.w, outgoing);
}
