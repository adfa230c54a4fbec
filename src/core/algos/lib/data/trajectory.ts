/**
 * A causal transformer over recorded steps, three places each: what is still to be paid, what is seen, what is done (Chen et al. 2021). Each
 * is brought to the width by a layer of its own, the step's number in the episode is added as a learned vector, all are normalised; the blocks
 * are GPT-2's without dropout. The action is read where the observation stands, so that it may depend on all before it and not on itself.
 * Shapes: M segments, K steps, O numbers seen, N actions or D numbers of an action.
 *
 * The policy that acts by it: a row remembers its last K steps and what is still to be paid, which falls by what the last action was paid
 * (ActQuery.paid; without it the return asked for stays). Memory of a row: steps so far, what is still to be paid, then K steps, the newest last,
 * each as that number, the observation and the action.
 */
import { add, broadcastTo, concat, gather, iota, mul, reshape, sliceAxis, stack, sub, tanh } from '#core/engine/ops.ts';
import type { Engine, Graph, Param, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { gaussian } from '#core/nets/init.ts';
import { dense, type Net, norm } from '#core/nets/mlp.ts';
import { familyShape, transformer, transformerBlocks } from '#core/nets/transformer.ts';
import { log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { argmax, categorical } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import { boxOf } from '../box.ts';
import { type MomentsSettings, momentsOf } from './moments.ts';
import type { DataRows } from './source.ts';

const PLACES = 3; // of a step
const TABLE_STD = 0.02; // GPT-2
const HEAD = 2;
const NO_NOISE = log(1e-6); // log std of a deterministic action

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

export interface Asked {
  /** What an agent is to be paid in an episode. */
  readonly target: number;
  /** By which returns are multiplied before the network sees them. */
  readonly scale: number;
}

export function trajectoryPolicy(
  engine: Engine,
  meta: EnvMeta,
  net: TrajectoryNetwork,
  K: number,
  { target, scale }: Asked,
  dispose?: () => void,
): Policy {
  const { obsSize: O, agentCount, actionSize, evalMaxSteps } = meta;
  const A = net.discrete ? 1 : actionSize;
  const place = 1 + O + A;
  const width = HEAD + K * place;
  const { centre, half } = boxOf(meta);
  const compile = (rows: number) =>
    engine.compile(trajectoryInputs(meta, rows, K), (x, g) => ({ answers: net.answers(g, x) }), { name: 'policy' });
  const programs = new Map<number, ReturnType<typeof compile>>();
  const programOf = (rows: number) => {
    const found = programs.get(rows) ?? compile(rows);
    programs.set(rows, found);
    return found;
  };

  /** The step that begins: the newest place, its action still 0. */
  function begin(memory: Float32Array, obs: Float32Array, paid: number): void {
    const owed = memory[0] === 0 ? target * scale : memory[1]! - paid * scale;
    memory.copyWithin(HEAD, HEAD + place);
    memory[0] = memory[0]! + 1;
    memory[1] = owed;
    const newest = width - place;
    memory[newest] = owed;
    memory.set(obs, newest + 1);
    memory.fill(0, newest + 1 + O);
  }

  /** Fills row m of a program's inputs with what a row remembers. */
  function show(memory: Float32Array, into: ReturnType<typeof compile>['in'], m: number): void {
    const steps = memory[0]!;
    for (let k = 0; k < K; k++) {
      const behind = K - 1 - k;
      const known = behind < steps;
      const at = HEAD + k * place;
      const to = m * K + k;
      into.mask[to] = known ? 1 : 0;
      into.time[to] = known ? Math.min(steps - 1 - behind, evalMaxSteps - 1) : 0;
      into.toGo[to] = known ? memory[at]! : 0;
      for (let j = 0; j < O; j++) into.obs[to * O + j] = known ? memory[at + 1 + j]! : 0;
      for (let d = 0; d < A; d++) into.action[to * A + d] = known ? memory[at + 1 + O + d]! : 0;
    }
  }

  return {
    initial: (rows) => new Float32Array(rows * width),
    async act({ rows, obs, hidden: before, rng, greedy, agent, paid }) {
      const hidden = before.slice();
      const N = net.actions;
      const answers = new Float32Array(rows * N); // of the newest step
      for (let row = 0; row < rows; row++)
        begin(hidden.subarray(row * width, (row + 1) * width), obs.subarray(row * O, (row + 1) * O), paid?.[row] ?? 0);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const count = Math.min(size, rows - from);
        const program = programOf(size);
        for (let m = 0; m < count; m++) show(hidden.subarray((from + m) * width, (from + m + 1) * width), program.in, m);
        const pending = program.run();
        if (pending) await pending;
        for (let m = 0; m < count; m++) {
          const last = (m * K + K - 1) * N;
          answers.set(program.out.answers.subarray(last, last + N), (from + m) * N);
        }
        from += count;
      }
      const newest = (row: number): number => (row + 1) * width - A;
      if (net.discrete) {
        const actions = new Int32Array(rows);
        for (let row = 0; row < rows; row++) {
          actions[row] = greedy ? argmax(answers, row * N, N) : categorical(answers, row * N, N, rng.uniform());
          hidden[newest(row)] = actions[row]!;
        }
        return { actions, hidden, logits: answers };
      }
      const mean = new Float32Array(rows * A);
      for (let i = 0; i < mean.length; i++) {
        const row = Math.floor(i / A);
        const of = (agent[row]! % agentCount) * A + (i % A);
        mean[i] = centre[of]! + half[of]! * answers[i]!;
        hidden[newest(row) + (i % A)] = answers[i]!;
      }
      return { actions: mean.slice(), hidden, mean, logStd: new Float32Array(rows * A).fill(NO_NOISE) };
    },
    dispose() {
      dispose?.();
    },
  };
}
