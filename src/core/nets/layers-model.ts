/**
 * A dense policy as a TensorFlow.js layers model: a Sequential of Dense layers (https://www.tensorflow.org/js/guide/save_load), from the
 * observation to the probabilities of discrete actions, to action values, or to the mean action in the environment's units. The normaliser is a dense
 * layer of one weight per number; cutting to [low, high] is ReLU with a largest value between two shifts. A layer norm is a LayerNormalization
 * with the activation behind it. Only stacks of such layers have this form: memories and one-hot codes of grids do not, and throw
 * LabError('incompatible').
 */
import { floatBytes } from '#contract/kit/bytes.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { LayersModel } from '#contract/session/onnx.ts';
import { NORMALISE_EPSILON } from '#math/normalise.ts';
import type { Param } from '../engine/types.ts';
import type { AgentNetwork } from './agent-network.ts';
import { type Dense, outputsOf, stackTo, unmasked } from './dense-stack.ts';

const no = (why: string) =>
  fail('incompatible', `This policy has no form as a layers model: ${why}.`, 'Save it as ONNX instead, which holds any network.');

export function networkToLayers(network: AgentNetwork, read: (param: Param) => Float32Array): LayersModel {
  if (network.number.length > 0) throw no('its network is told the number of its agent');
  const outputs = outputsOf(network);
  const { logits, q, mean, logStd, state } = outputs;
  if (state !== undefined) throw no('it has a memory');
  const head = logits ?? q ?? mean;
  if (head === undefined) throw no('it has no such output');
  const layers = [...normaliserOf(network), ...stackTo(unmasked(head), network.obsWidth, { read, no })];
  if (logits !== undefined) layers.push(...softmaxOf(layers.pop()));
  if (mean !== undefined) layers.push(...actionOf(network, mean.shape[1] ?? 0, logStd !== undefined, layers));
  return encode(layers);
}

const diagonal = (values: readonly number[]): Float32Array => {
  const out = new Float32Array(values.length ** 2);
  values.forEach((value, i) => {
    out[i * values.length + i] = value;
  });
  return out;
};

/** y = scale x + shift, number by number. */
const scaled = (scale: readonly number[], shift: readonly number[], more: Partial<Dense> = {}): Dense => ({
  inputs: scale.length,
  units: scale.length,
  kernel: diagonal(scale),
  bias: Float32Array.from(shift),
  activation: 'linear',
  ...more,
});

/** clip((x - mean) / sqrt(variance + 1e-8)) as two layers: shifted up so that 0 is the lower bound, cut, shifted back. */
function normaliserOf({ normaliser }: AgentNetwork): Dense[] {
  if (normaliser === null) return [];
  const { moments, clip } = normaliser;
  const scale = Array.from(moments.variance, (v) => 1 / Math.sqrt(v + NORMALISE_EPSILON));
  const shift = scale.map((s, i) => clip - s * moments.mean[i]!);
  const ones = scale.map(() => 1);
  return [
    scaled(scale, shift, { cutAt: 2 * clip }),
    scaled(
      ones,
      ones.map(() => -clip),
    ),
  ];
}

const softmaxOf = (last: Dense | undefined): Dense[] => [{ ...present(last, 'the last layer'), activation: 'softmax' }];

/** From the mean to the action in the environment's units. */
function actionOf({ box }: AgentNetwork, size: number, squashed: boolean, layers: Dense[]): Dense[] {
  const bounds = present(box, 'the bounds of continuous actions');
  if (bounds.form === 'scaled') {
    const last = present(layers.pop(), 'the last layer');
    if (squashed && last.activation !== 'linear') throw no('its mean is bent twice');
    return [squashed ? { ...last, activation: 'tanh' } : last, scaled(bounds.half, bounds.centre)];
  }
  const { low, high } = bounds;
  const ones = Array.from({ length: size }, () => 1);
  const widths = ones.map((_, i) => high[i]! - low[i]!);
  if (!widths.every((width) => width === widths[0] && Number.isFinite(width))) throw no('the bounds of its actions are of several widths');
  return [
    scaled(
      ones,
      low.map((bound) => -bound),
      { cutAt: present(widths[0], 'a bound') },
    ),
    scaled(ones, low),
  ];
}

/** model.json and weights.bin. */
function encode(layers: readonly Dense[]): LayersModel {
  const weights = layers.flatMap(({ inputs, units, kernel, bias, norm }, i) => [
    { name: `dense_${i}/kernel`, shape: [inputs, units], data: kernel },
    { name: `dense_${i}/bias`, shape: [units], data: bias },
    ...(norm === undefined
      ? []
      : [
          { name: `norm_${i}/gamma`, shape: [units], data: norm.gain },
          { name: `norm_${i}/beta`, shape: [units], data: norm.shift },
        ]),
  ]);
  const config = layers.flatMap(({ inputs, units, activation, norm, cutAt }, i) => [
    {
      class_name: 'Dense',
      config: {
        name: `dense_${i}`,
        units,
        activation: norm === undefined ? activation : 'linear',
        use_bias: true,
        ...(i === 0 && { batch_input_shape: [null, inputs], dtype: 'float32' }),
      },
    },
    ...(norm === undefined
      ? []
      : [
          { class_name: 'LayerNormalization', config: { name: `norm_${i}`, axis: [-1], epsilon: norm.epsilon, center: true, scale: true } },
          { class_name: 'Activation', config: { name: `activation_${i}`, activation } },
        ]),
    ...(cutAt === undefined ? [] : [{ class_name: 'ReLU', config: { name: `cut_${i}`, max_value: cutAt } }]),
  ]);
  const bytes = floatBytes(weights.map(({ data }) => data));
  const model = {
    format: 'layers-model',
    generatedBy: 'rl-workbench',
    convertedBy: null,
    modelTopology: {
      class_name: 'Sequential',
      config: { name: 'policy', layers: config },
      keras_version: 'tfjs-layers 4.22.0',
      backend: 'tensor_flow.js',
    },
    weightsManifest: [{ paths: ['weights.bin'], weights: weights.map(({ name, shape }) => ({ name, shape, dtype: 'float32' })) }],
  };
  return { model: `${JSON.stringify(model, null, 1)}\n`, weights: bytes };
}
