/**
 * Units that answer nothing, started anew (ReDo; Sokar et al. 2023). The score of a unit is its mean absolute activation over samples, in units of
 * the mean over its layer; at or below a threshold tau it is dormant: its incoming weights and its bias are drawn again, its outgoing
 * weights become 0, so that what the network computes changes only by what the unit still gave.
 * `renew` draws as the layer was made and clears the optimiser's moments of all these weights. `revive` is what the kind "several" does: it draws
 * from U(+-1 / sqrt(inputs)) whatever the layer was made with, and the moments stay; its numbers are those of published runs.
 */
import type { Saved } from '#contract/run/events.ts';
import { type Activation, linear } from '#core/engine/ops.ts';
import { paramKey } from '#core/engine/saved.ts';
import type { Engine, Graph, Param, ParamGroup, Tensor } from '#core/engine/types.ts';
import { kaimingUniform } from '#core/nets/init.ts';
import { type Init, weights } from '#core/nets/mlp.ts';
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
  /** What hidden layers were drawn by; orthogonal ones with a gain of sqrt(2). */
  readonly init: Init;
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
  type Read = (rng: Rng, into: Float32Array) => void;
  /** Dormant units of every hidden layer. */
  async function look(read: Read) {
    const row = new Float32Array(width);
    for (let k = 0; k < LOOKED; k++) {
      read(rng, row);
      seen.in.obs.set(row, k * width);
    }
    const pending = seen.run();
    if (pending) await pending;
    return stacks.flatMap(({ layers, init }, s) =>
      layers.slice(0, -1).map(({ b }, i) => ({
        layers,
        i,
        init,
        units: dormantUnits(dormancy(seen.out[`h${s}.${i}`]!, b.shape[0]!), tau),
        of: b.shape[0]!,
      })),
    );
  }
  return {
    rng,
    async revive(read: Read): Promise<void> {
      for (const { layers, i, units } of await look(read)) await startAnew(engine, layers, i, units, rng);
    },
    /** Gives the share of hidden units that were dormant. */
    async renew(read: Read): Promise<number> {
      const found = await look(read);
      const dormant = found.reduce((sum, { units }) => sum + units.length, 0);
      if (dormant > 0) {
        const saved = await engine.save();
        for (const { layers, i, units, init } of found) renewed(saved, layers, i, units, init, rng);
        engine.load(saved);
      }
      return (
        dormant /
        Math.max(
          1,
          found.reduce((sum, { of }) => sum + of, 0),
        )
      );
    },
  };
}

/** These units of layer `i` as they began, in what an engine saved: weights, and the optimiser's moments of them. */
function renewed({ arrays }: Saved, layers: readonly Layer[], i: number, units: readonly number[], init: Init, rng: Rng): void {
  const [into, out] = [layers[i], layers[i + 1]];
  if (into === undefined || out === undefined || units.length === 0) return;
  const [inputs, width] = into.w.shape as readonly [number, number];
  const next = out.w.shape[1]!;
  const drawn = weights(rng, inputs, width, init, Math.SQRT2);
  const bias = init === 'torch' ? kaimingUniform(rng, inputs, width) : new Float32Array(width);
  /** The values of a parameter and whatever the optimiser keeps beside them. */
  const each = ({ group, name }: Param, change: (data: Float32Array, isValue: boolean) => void): void => {
    const key = paramKey(group.name, name);
    for (const [found, data] of Object.entries(arrays))
      if (data instanceof Float32Array && (found === key || found.startsWith(`${key}#`))) change(data, found === key);
  };
  each(into.w, (data, isValue) => {
    for (const unit of units) for (let k = 0; k < inputs; k++) data[k * width + unit] = isValue ? drawn[k * width + unit]! : 0;
  });
  each(into.b, (data, isValue) => {
    for (const unit of units) data[unit] = isValue ? bias[unit]! : 0;
  });
  each(out.w, (data) => {
    for (const unit of units) data.fill(0, unit * next, (unit + 1) * next);
  });
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
