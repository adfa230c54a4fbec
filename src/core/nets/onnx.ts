/**
 * A policy as an ONNX model: normaliser, network and action distribution in one graph, for any number of rows.
 *   inputs   obs [batch, O]; mask [batch, N] (1: legal) where actions are masked; state [batch, S] of recurrent ones, zeros at the start of
 *            an episode; whatever else the method's network asks for, by its name
 *   outputs  discrete    logits [batch, N] (action values: q), probabilities [batch, N], action [batch] int64, the most probable (best) one
 *            continuous  mean and std [batch, D] of the Gaussian before it is squashed or cut, action [batch, D], the mean in the
 *                        environment's units; without std: mean in [-1, 1]
 *            value [batch] where the policy has one; next_state [batch, S]
 * Outputs are float32 unless said otherwise. Throws Error for networks that cannot take any number of rows.
 */

import { present } from '#contract/kit/errors.ts';
import type { OnnxFile } from '#contract/session/onnx.ts';
import { NORMALISE_EPSILON } from '#math/normalise.ts';
import { lower, type Traced } from '../engine/onnx/lower.ts';
import { OnnxModel } from '../engine/onnx/model.ts';
import type { Param, Shape, Tensor } from '../engine/types.ts';
import type { ActionBox, AgentNetwork } from './agent-network.ts';

/** What is the same at both numbers of rows does not depend on them. */
const ROWS = [97, 101] as const;

export interface OnnxOptions {
  readonly name: string;
  readonly metadata: { readonly [key: string]: string };
  readonly read: (param: Param) => Float32Array;
}

export function networkToOnnx(network: AgentNetwork, { name, metadata, read }: OnnxOptions): Omit<OnnxFile, 'agents'> {
  const model = new OnnxModel();
  const traces = [traceAt(network, ROWS[0]), traceAt(network, ROWS[1])] as const;
  const obs = model.input({ name: 'obs', type: 'float32', shape: ['batch', network.obsWidth] });
  const rows = model.node('Slice', [model.node('Shape', [obs]), model.integers([0]), model.integers([1])]);
  const row = (values: ArrayLike<number>): string => model.floats(Float32Array.from(values), [1, values.length]);
  const seen = normalised(model, network, obs, rows, row);
  const feeds = new Map([['obs', seen]]);
  const input = (key: string): string => {
    let found = feeds.get(key);
    if (found === undefined) {
      const [one, other] = traces.map(({ shapes }) => present(shapes.get(key), `the shape of the input "${key}"`));
      const shape = present(one, 'the first shape').map((size, i) => (size === other?.[i] ? size : 'batch'));
      feeds.set(key, (found = model.input({ name: key, type: 'float32', shape })));
    }
    return found;
  };
  const names = lower({ model, traces, input, rows, read });
  const { outputs } = traces[0];
  // the first axis of whatever a policy answers is its rows
  const give = (key: string, from: string, type: 'float32' | 'int64', like: Shape): void =>
    model.output({ name: key, type, shape: like.map((size, axis) => (axis === 0 ? 'batch' : size)) }, from);

  for (const key of ['logits', 'q'] as const) {
    const head = outputs[key];
    if (head === undefined) continue;
    const scores = key === 'q' && traces[0].shapes.has('mask') ? masked(model, nameIn(names, key), input('mask')) : nameIn(names, key);
    give(key, nameIn(names, key), 'float32', head.shape);
    if (key === 'logits') give('probabilities', model.node('Softmax', [scores], { axis: -1 }), 'float32', head.shape);
    give('action', model.node('ArgMax', [scores], { axis: -1, keepdims: 0 }), 'int64', head.shape.slice(0, 1));
  }
  const { mean, logStd, value, state } = outputs;
  if (mean !== undefined) {
    const centre = nameIn(names, 'mean');
    give('mean', centre, 'float32', mean.shape);
    if (logStd !== undefined) give('std', model.node('Exp', [nameIn(names, 'logStd')]), 'float32', mean.shape);
    const box = present(network.box, 'the bounds of continuous actions');
    give('action', acted(model, box, centre, logStd !== undefined, row), 'float32', mean.shape);
  }
  if (value !== undefined) {
    const unit = Float32Array.of(0, 1);
    network.restore?.(unit);
    const [offset, one] = [unit[0]!, unit[1]!];
    const scale = model.floats(Float32Array.of(one - offset), []);
    const restored = model.node('Add', [model.node('Mul', [nameIn(names, 'value'), scale]), model.floats(Float32Array.of(offset), [])]);
    give('value', restored, 'float32', value.shape);
  }
  if (state !== undefined) give('next_state', nameIn(names, 'state'), 'float32', state.shape);
  return { bytes: model.encode(name, metadata), ...model.ports };
}

interface Found extends Traced {
  readonly shapes: ReadonlyMap<string, Shape>;
}

const WANTED = ['logits', 'q', 'mean', 'logStd', 'value', 'state'];

/** The expressions of the network at this many rows, as far as a model gives them out. */
function traceAt(network: AgentNetwork, rows: number): Found {
  let outputs: { readonly [name: string]: Tensor } = {};
  const whole = network.program(rows);
  const traced = whole.derive((all) => {
    outputs = Object.fromEntries(Object.entries(all).filter(([name]) => WANTED.includes(name)));
    return outputs;
  });
  const shapes = new Map<string, Shape>();
  for (const { op, attrs } of Object.values(outputs)[0]?.graph.nodes ?? []) if (op === 'input') shapes.set(attrs.name, attrs.shape);
  traced.dispose();
  return { rows, outputs, shapes };
}

const nameIn = (names: ReadonlyMap<string, string>, output: string): string => present(names.get(output), `the output "${output}"`);

type Row = (values: ArrayLike<number>) => string;

/** The observation as the network gets it: with the agent's number, clip((x - mean) / sqrt(variance + 1e-8)). */
function normalised(model: OnnxModel, network: AgentNetwork, obs: string, rows: string, row: Row): string {
  const { number, normaliser } = network;
  let seen = obs;
  if (number.length > 0) {
    const width = model.integers([number.length]);
    const shape = model.node('Concat', [rows, width], { axis: 0 });
    seen = model.node('Concat', [seen, model.node('Expand', [row(number), shape])], { axis: 1 });
  }
  if (normaliser === null) return seen;
  const { moments, clip } = normaliser;
  const scale = moments.variance.map((v) => 1 / Math.sqrt(v + NORMALISE_EPSILON));
  const scaled = model.node('Mul', [model.node('Sub', [seen, row(moments.mean)]), row(scale)]);
  return model.node('Clip', [scaled, model.floats(Float32Array.of(-clip), []), model.floats(Float32Array.of(clip), [])]);
}

function masked(model: OnnxModel, scores: string, mask: string): string {
  const legal = model.node('Greater', [mask, model.floats(Float32Array.of(0), [])]);
  return model.node('Where', [legal, scores, model.floats(Float32Array.of(-1e8), [])]);
}

function acted(model: OnnxModel, box: ActionBox, mean: string, squashed: boolean, row: Row): string {
  if (box.form === 'clipped') return model.node('Min', [model.node('Max', [mean, row(box.low)]), row(box.high)]);
  const unit = squashed ? model.node('Tanh', [mean]) : mean;
  return model.node('Add', [model.node('Mul', [unit, row(box.half)]), row(box.centre)]);
}
