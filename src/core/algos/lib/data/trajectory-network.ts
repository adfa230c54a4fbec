/**
 * A causal transformer over recorded steps, three places each: what is still to be paid, what is seen, what is done (Chen et al. 2021). Each
 * is brought to the width by a layer of its own, the step's number in the episode is added as a learned vector, all are normalised; the blocks
 * are GPT-2's without dropout. The action is read where the observation stands, so that it may depend on all before it and not on itself.
 * Shapes: M segments, K steps, O numbers seen, N actions or D numbers of an action.
 */
import { add, broadcastTo, concat, gather, iota, mul, reshape, sliceAxis, stack, sub, tanh } from '#core/engine/ops.ts';
import type { Engine, Graph, Param, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { gaussian } from '#core/nets/init.ts';
import { dense, type Net, norm } from '#core/nets/mlp.ts';
import { familyShape, transformer, transformerBlocks } from '#core/nets/transformer.ts';
import type { Rng } from '#math/rng.ts';
import { type MomentsSettings, momentsOf } from './moments.ts';
import type { DataRows } from './source.ts';

const PLACES = 3; // of a step
const TABLE_STD = 0.02; // GPT-2

export interface TrajectorySettings extends MomentsSettings {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly context: number; // K
}

/** Shapes of the inputs of a program over `rows` segments. */
export const trajectoryInputs = (meta: EnvMeta, rows: number, K: number) =>
  ({
    toGo: [rows, K],
    obs: [rows, K, meta.obsSize],
    action: meta.actionCount > 0 ? [rows, K] : [rows, K, meta.actionSize],
    time: [rows, K],
    mask: [rows, K],
  }) as const;
export type TrajectoryInputs = { readonly [name in keyof ReturnType<typeof trajectoryInputs>]: Tensor };

/** Whole numbers [M, K] by a table [N, W], or points [M, K, D] by a layer: [M, K, W]. */
type Embed = (g: Graph, action: Tensor) => Tensor;
const fromTable =
  (vectors: Param): Embed =>
  (g, action) =>
    gather(g.read(vectors), action);
const fromLayer =
  (layer: Net): Embed =>
  (_, action) => {
    const [M, K, D] = action.shape as [number, number, number];
    const out = layer(reshape(action, [M * K, D]));
    return reshape(out, [M, K, ...out.shape.slice(1)]);
  };

/** `rows` null: the network alone, whose numbers are loaded. */
export function trajectoryNetwork(engine: Engine, meta: EnvMeta, c: TrajectorySettings, rng: Rng, rows: DataRows | null) {
  const { width: W, context: K } = c;
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const actions = discrete ? meta.actionCount : meta.actionSize;
  const inputs = encodedSize(space);
  const shape = familyShape('b', { vocabulary: 1, width: W, layers: c.layers, heads: c.heads, context: PLACES * K });
  const group = engine.group('policy');
  const table = (name: string, count: number) => group.param(name, [count, W], gaussian(rng, count * W, TABLE_STD));
  const embedReturn = dense(group, 'toGo', rng, 1, W, { init: 'torch' });
  const embedObs = dense(group, 'obs', rng, inputs, W, { init: 'torch' });
  const embedAction = discrete
    ? fromTable(table('action', actions))
    : fromLayer(dense(group, 'action', rng, actions, W, { init: 'torch' }));
  const times = table('time', meta.evalMaxSteps);
  const entrance = norm(group, 'entrance', W);
  const weights = transformer(group, rng, shape, false);
  const head = dense(group, 'head', rng, W, actions, { init: 'torch' });
  const moments = engine.group('moments'); // no optimiser has it: constants that a snapshot keeps
  const { mean, scale, steady } = momentsOf(rows, meta.obsSize, inputs, c);
  const [shift, stretch] = [moments.param('mean', [inputs], mean), moments.param('scale', [inputs], scale)];

  /** Logits [M, K, N], or actions [M, K, D] in [-1, 1], of every step. */
  const answers = (g: Graph, x: TrajectoryInputs): Tensor => {
    const M = x.toGo.shape[0]!;
    const wide = (y: Tensor): Tensor => reshape(y, [M, K, W]);
    const seen = mul(sub(encode(g, reshape(x.obs, [M * K, meta.obsSize]), space), g.read(shift)), g.read(stretch));
    const done = embedAction(g, x.action);
    const when = gather(g.read(times), x.time);
    const parts = [wide(embedReturn(reshape(x.toGo, [M * K, 1]))), wide(embedObs(seen)), done].map((part) => add(part, when));
    const stream = entrance(reshape(stack(parts, 2), [M * K * PLACES, W]));
    const mask = reshape(
      concat(
        Array.from({ length: PLACES }, () => reshape(x.mask, [M, K, 1])),
        2,
      ),
      [M, PLACES * K],
    );
    const positions = broadcastTo(iota(g, PLACES * K), [M, PLACES * K]);
    const { states } = transformerBlocks(shape, weights(g), reshape(stream, [M, PLACES * K, W]), { positions, mask });
    const atObs = reshape(sliceAxis(reshape(states, [M, K, PLACES, W]), 2, 1, 1), [M * K, W]);
    const out = head(atObs);
    return reshape(discrete ? out : tanh(out), [M, K, actions]);
  };
  return { group, moments, steady, discrete, actions, answers };
}
export type TrajectoryNetwork = ReturnType<typeof trajectoryNetwork>;
