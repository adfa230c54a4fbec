/** Networks of policies cut behind their first weighted sums, whatever they are made of: for questions about many alike observations. */
import { present } from '#contract/kit/errors.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { gradients } from '../engine/autodiff.ts';
import { type Cut, cut } from '../engine/cut.ts';
import { mul, softmax, sum } from '../engine/ops.ts';
import type { Graph, Program, Tensor } from '../engine/types.ts';

/** What a policy can be asked about without memory or mates: the probability of every action, its value, the mean of every dimension, the return. */
export type SplitOutput = 'probs' | 'q' | 'mean' | 'value';

/**
 * One output of a network cut behind its first weighted sums (engine/cut.ts). The sums of an observation add up over its numbers, each
 * with something of its own for every number, so those of a mixture of two observations follow from theirs. Arrays are valid until the next call.
 */
export interface SplitNetwork {
  readonly preActivationWidth: number; // W
  readonly width: number; // D: numbers of the output
  /** obs [rows, O] -> [rows, W] */
  preActivations(obs: Float32Array, rows: number): Promise<Float32Array>;
  /** sums [rows, W] -> [rows, D]; `mask` [N] of legal actions holds for all rows. */
  outputs(sums: Float32Array, rows: number, mask?: Uint8Array): Promise<Float32Array>;
  /** The output [rows, D] of sums [rows, W] that a program computes from inputs of its own; compiled once for a name. */
  behind(name: string, rows: number, sums: (g: Graph) => Tensor): SplitProgram;
  /** Slope of the output's numbers, weighed by `weights` [D] and added up, along each first sum [W]. */
  slope(sums: Float32Array, weights: Float32Array, mask?: Uint8Array): Promise<Float32Array>;
}

export interface SplitProgram {
  readonly in: Program['in'];
  run(mask?: Uint8Array): Promise<Float32Array>;
}

export interface SplitOptions {
  /** The whole network at this many rows. */
  program(rows: number): Program;
  /** Writes observations [count, O] from row `from` into the program's input, as the network wants them. */
  feed(obs: Float32Array, from: number, count: number, into: Float32Array): void;
  /** Values in units of the reward, in place, where the network's own numbers are others. */
  restore?(values: Float32Array): void;
  /** The mean action in the environment's units, where the network's own numbers are others. */
  scale?(outputs: Outputs): Tensor;
}

interface Outputs {
  readonly [name: string]: Tensor;
}
type Scale = SplitOptions['scale'];

function cutAt(outputs: Outputs, output: SplitOutput, scale: Scale): Cut | null {
  const found = output === 'probs' ? outputs.logits : outputs[output];
  if (found === undefined) return null;
  return cut({ [output]: output === 'probs' ? softmax(found) : output === 'mean' && scale ? scale(outputs) : found }, 'obs');
}

/** From observations to first sums; null: the network has no such output or cannot be cut. */
function frontOf(whole: Program, output: SplitOutput, scale: Scale): Program | null {
  let found = false;
  const front = whole.derive((outputs) => {
    const parts = cutAt(outputs, output, scale);
    found = parts !== null;
    return parts === null ? {} : { sums: parts.sums };
  });
  if (!found) front.dispose();
  return found ? front : null;
}

/** From first sums to the output. */
function backOf(whole: Program, output: SplitOutput, scale: Scale, sums: (g: Graph, shape: readonly number[]) => Tensor): Program {
  return whole.derive((outputs) => {
    const parts = present(cutAt(outputs, output, scale), 'the cut of a network that has been cut');
    return parts.behind(sums(parts.sums.graph, parts.sums.shape));
  });
}

function slopeOf(whole: Program, output: SplitOutput, scale: Scale): Program {
  return whole.derive((outputs) => {
    const parts = present(cutAt(outputs, output, scale), 'the cut of a network that has been cut');
    const { graph, shape } = parts.sums;
    const sums = graph.input('sums', shape);
    const found = parts.behind(sums)[output]!;
    return { slope: gradients(sum(mul(found, graph.input('weights', found.shape))), [sums])[0]! };
  });
}

function allow(program: Program, rows: number, mask: Uint8Array | undefined): void {
  const legal = program.in.mask;
  if (legal === undefined) return;
  const choices = legal.length / rows;
  for (let i = 0; i < legal.length; i++) legal[i] = mask === undefined ? 1 : mask[i % choices]!;
}

export function splitNetwork({ program, feed, restore, scale }: SplitOptions, output: SplitOutput): SplitNetwork | null {
  const first = frontOf(program(1), output, scale);
  if (first === null) return null;
  const fronts = new Map([[1, first]]);
  const backs = new Map<number, Program>();
  const named = new Map<string, SplitProgram>();
  const frontAt = (rows: number): Program => {
    let found = fronts.get(rows);
    if (found === undefined)
      fronts.set(rows, (found = present(frontOf(program(rows), output, scale), 'the cut of a network that has been cut')));
    return found;
  };
  const backAt = (rows: number): Program => {
    let found = backs.get(rows);
    if (found === undefined) backs.set(rows, (found = backOf(program(rows), output, scale, (g, shape) => g.input('sums', shape))));
    return found;
  };
  const preActivationWidth = present(first.out.sums, 'the output "sums"').length;
  const width = backAt(1).out[output]!.length;
  const run = async (back: Program, rows: number, mask: Uint8Array | undefined): Promise<Float32Array> => {
    allow(back, rows, mask);
    const pending = back.run();
    if (pending) await pending;
    const found = back.out[output]!;
    if (output === 'value') restore?.(found);
    return found;
  };
  let slopes: Program | null = null;
  let sums = new Float32Array(0);
  let outputs = new Float32Array(0);
  return {
    preActivationWidth,
    width,
    async preActivations(obs, rows) {
      if (sums.length < rows * preActivationWidth) sums = new Float32Array(rows * preActivationWidth);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const count = Math.min(size, rows - from);
        const front = frontAt(size);
        feed(obs, from, count, present(front.in.obs, 'the input "obs"'));
        const pending = front.run();
        if (pending) await pending;
        sums.set(present(front.out.sums, 'the output "sums"').subarray(0, count * preActivationWidth), from * preActivationWidth);
        from += count;
      }
      return sums;
    },
    async outputs(summed, rows, mask) {
      if (outputs.length < rows * width) outputs = new Float32Array(rows * width);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const count = Math.min(size, rows - from);
        const back = backAt(size);
        present(back.in.sums, 'the input "sums"').set(summed.subarray(from * preActivationWidth, (from + count) * preActivationWidth));
        const found = await run(back, size, mask);
        outputs.set(found.subarray(0, count * width), from * width);
        from += count;
      }
      return outputs;
    },
    behind(name, rows, make) {
      let found = named.get(name);
      if (found === undefined) {
        const back = backOf(program(rows), output, scale, make);
        named.set(name, (found = { in: back.in, run: (mask) => run(back, rows, mask) }));
      }
      return found;
    },
    async slope(summed, weights, mask) {
      slopes ??= slopeOf(program(1), output, scale);
      present(slopes.in.sums, 'the input "sums"').set(summed);
      present(slopes.in.weights, 'the input "weights"').set(weights);
      allow(slopes, 1, mask);
      const pending = slopes.run();
      if (pending) await pending;
      const found = present(slopes.out.slope, 'the output "slope"');
      if (output === 'value' && restore !== undefined) {
        const unit = Float32Array.of(0, 1);
        restore(unit);
        for (let k = 0; k < found.length; k++) found[k] = found[k]! * (unit[1]! - unit[0]!);
      }
      return found;
    },
  };
}
