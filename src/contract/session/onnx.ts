/** A policy as a model for other programs, and how one of them runs it. */

export interface OnnxPort {
  readonly name: string;
  readonly type: 'float32' | 'int64';
  /** `batch`: any number of rows. */
  readonly shape: readonly (number | 'batch')[];
}

export interface OnnxFile {
  readonly bytes: Uint8Array;
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  /** Names of the agents, of which this is one's policy. */
  readonly agents: readonly string[];
}

/** A TensorFlow.js layers model: the text of model.json, which names weights.bin, and that file. */
export interface LayersModel {
  readonly model: string;
  readonly weights: Uint8Array;
}

/** `obs [batch, 4]` */
export const portText = ({ name, type, shape }: OnnxPort): string => `${name} [${shape.join(', ')}]${type === 'int64' ? ' int64' : ''}`;

/** Five lines of Python that ask the model for one action. */
export function onnxPython({ inputs }: Pick<OnnxFile, 'inputs'>, file: string): string {
  const widths = inputs.map(({ name, shape }) => ({ name, width: shape.slice(1).join(', ') }));
  const feeds = widths.map(({ name, width }) => {
    const fill = name === 'mask' ? 'ones' : 'zeros';
    return `"${name}": np.${fill}((1, ${width}), np.float32)`;
  });
  const state = inputs.some(({ name }) => name === 'state');
  return [
    'import numpy as np, onnxruntime as ort',
    `policy = ort.InferenceSession(${JSON.stringify(file)})`,
    `feed = {${feeds.join(', ')}}  # your observation in "obs"`,
    `answer = dict(zip([o.name for o in policy.get_outputs()], policy.run(None, feed)))`,
    state ? `print(answer["action"]); feed["state"] = answer["next_state"]` : 'print(answer["action"])',
  ].join('\n');
}
