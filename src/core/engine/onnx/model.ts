/**
 * An ONNX model under construction (IR version 8, operator set 17; https://onnx.ai/onnx/repo-docs/IR.html): nodes in the order in which
 * they are computed, constants, named inputs and outputs. Everything is float32 but indices, which are int64.
 * Field numbers are those of onnx.proto3.
 */
import { floatBytes } from '#contract/kit/bytes.ts';
import type { OnnxPort } from '#contract/session/onnx.ts';
import { Message } from './protobuf.ts';

const IR_VERSION = 8;
const OPERATOR_SET = 17;

/** TensorProto.DataType */
export const FLOAT = 1;
export const INT64 = 7;
export const BOOL = 9;
type ElementType = typeof FLOAT | typeof INT64;

/** AttributeProto.AttributeType */
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

type NodeAttributes = { readonly [name: string]: number | readonly number[] | { readonly float: number } };

export class OnnxModel {
  private readonly nodes: Message[] = [];
  private readonly initialisers: Message[] = [];
  private readonly constants = new Map<string, string>();
  private readonly inputs: OnnxPort[] = [];
  private readonly outputs: OnnxPort[] = [];
  private count = 0;

  /** One node; answers the name of what it gives. */
  node(op: string, inputs: readonly string[], attributes: NodeAttributes = {}, name = this.fresh(op)): string {
    const message = new Message();
    for (const input of inputs) message.text(1, input);
    message.text(2, name).text(3, name).text(4, op);
    for (const [key, value] of Object.entries(attributes)) message.message(5, attribute(key, value));
    this.nodes.push(message);
    return name;
  }

  /** A float32 constant; `name` where it has one of its own. */
  floats(data: Float32Array, shape: readonly number[], name = this.fresh('constant')): string {
    this.initialisers.push(tensor(name, FLOAT, shape, floatBytes([data])));
    return name;
  }

  /** int64 constants; equal ones are stored once. */
  integers(data: readonly number[], shape: readonly number[] = [data.length]): string {
    const key = `${data.join()}:${shape.join()}`;
    const known = this.constants.get(key);
    if (known !== undefined) return known;
    const raw = new Uint8Array(data.length * 8);
    const view = new DataView(raw.buffer);
    data.forEach((value, i) => {
      view.setBigInt64(i * 8, BigInt(value), true);
    });
    const name = this.fresh('indices');
    this.initialisers.push(tensor(name, INT64, shape, raw));
    this.constants.set(key, name);
    return name;
  }

  input(port: OnnxPort): string {
    this.inputs.push(port);
    return port.name;
  }

  /** Gives `from` out under the port's name. */
  output(port: OnnxPort, from: string): void {
    this.node('Identity', [from], {}, port.name);
    this.outputs.push(port);
  }

  get ports(): { readonly inputs: readonly OnnxPort[]; readonly outputs: readonly OnnxPort[] } {
    return { inputs: this.inputs, outputs: this.outputs };
  }

  /** The file. */
  encode(name: string, metadata: { readonly [key: string]: string }): Uint8Array {
    const graph = new Message();
    for (const node of this.nodes) graph.message(1, node);
    graph.text(2, name);
    for (const constant of this.initialisers) graph.message(5, constant);
    for (const port of this.inputs) graph.message(11, valueInfo(port));
    for (const port of this.outputs) graph.message(12, valueInfo(port));
    const model = new Message().int(1, IR_VERSION).text(2, 'rl-workbench').message(7, graph);
    model.message(8, new Message().text(1, '').int(2, OPERATOR_SET));
    for (const [key, value] of Object.entries(metadata)) model.message(14, new Message().text(1, key).text(2, value));
    return model.finish();
  }

  private fresh(what: string): string {
    return `${what.toLowerCase()}_${this.count++}`;
  }
}

function attribute(name: string, value: NodeAttributes[string]): Message {
  const message = new Message().text(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE_INT);
  if ('float' in value) return message.float(2, value.float).int(20, ATTRIBUTE_FLOAT);
  return message.ints(8, value).int(20, ATTRIBUTE_INTS);
}

const tensor = (name: string, type: ElementType, shape: readonly number[], raw: Uint8Array): Message =>
  new Message().ints(1, shape).int(2, type).text(8, name).bytes(9, raw);

function valueInfo({ name, type, shape }: OnnxPort): Message {
  const dimensions = new Message();
  for (const size of shape) dimensions.message(1, typeof size === 'number' ? new Message().int(1, size) : new Message().text(2, size));
  const typed = new Message().int(1, type === 'float32' ? FLOAT : INT64).message(2, dimensions);
  return new Message().text(1, name).message(2, new Message().message(1, typed));
}
