/**
 * Units that answer nothing, started anew (ReDo; Sokar et al. 2023). The score of a unit is its mean absolute activation over samples, in units of
 * the mean over its layer; at or below a threshold tau it is dormant: its incoming weights and its bias are drawn again, its outgoing
 * weights become 0, so that what the network computes changes only by what the unit still gave.
 * Differs: the running moments of Adam stay.
 */
import { type Activation, linear } from '#core/engine/ops.ts';
import type { Engine, Graph, Param, ParamGroup, Tensor } from '#core/engine/types.ts';
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

/** The layers `NAME.0`, `NAME.1`, ... of a plain stack (nets/mlp.ts), the first one first; none where the network is made otherwise. */
export function stackedLayers({ params }: ParamGroup, name = 'q'): readonly Layer[] {
  const named = new Map(params.map((param) => [param.name, param]));
  const layers: Layer[] = [];
  for (;;) {
    const [w, b] = [named.get(`${name}.${layers.length}.w`), named.get(`${name}.${layers.length}.b`)];
    if (w === undefined || b === undefined) return layers;
    layers.push({ w, b });
  }
}

/** A stack of layers, the activation between them, and what goes into the first one. */
export interface Stack {
  readonly layers: readonly Layer[];
  readonly act: Activation;
  /** [rows, inputs] from what is fed. */
  inputs(g: Graph, fed: Tensor): Tensor;
}

/** States over which the activations of units are averaged. */
const LOOKED = 64;

/**
 * Starts dormant units of some stacks anew. `revive` looks at LOOKED rows of `width` numbers, each written by `read(into)`, and draws from `rng`.
 * To be made once the network is; the program that looks is called `name`.
 */
export function resetting(engine: Engine, stacks: readonly Stack[], width: number, tau: number, rng: Rng, name = 'activations') {
  const seen = engine.compile(
    { obs: [LOOKED, width] },
    (x, g) => {
      const outs: { [name: string]: Tensor } = {};
      for (const [s, { layers, act, inputs }] of stacks.entries())
        layers.slice(0, -1).reduce(
          (h, { w, b }, i) => {
            const out = linear(h, g.read(w), g.read(b), act);
            outs[`h${s}.${i}`] = out;
            return out;
          },
          inputs(g, x.obs),
        );
      return outs;
    },
    { name },
  );
  return {
    rng,
    async revive(read: (rng: Rng, into: Float32Array) => void): Promise<void> {
      const row = new Float32Array(width);
      for (let k = 0; k < LOOKED; k++) {
        read(rng, row);
        seen.in.obs.set(row, k * width);
      }
      const pending = seen.run();
      if (pending) await pending;
      for (const [s, { layers }] of stacks.entries())
        for (const [i, { b }] of layers.slice(0, -1).entries()) {
          const scores = dormancy(seen.out[`h${s}.${i}`]!, b.shape[0]!);
          await startAnew(engine, layers, i, dormantUnits(scores, tau), rng);
        }
    },
  };
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
