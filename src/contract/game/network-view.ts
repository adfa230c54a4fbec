/** A policy's network as layers with their weights, and what its units do at one state. Plain data; rows of a matrix are inputs, columns units. */

export type LayerKind =
  /** Numbers as the network gets them: normalised, codes as one-hot. */
  | 'input'
  /** What a recurrent cell comes with. */
  | 'memory'
  | 'dense'
  | 'conv'
  /** GRU or LSTM: its weights hold one block of columns per gate. */
  | 'cell'
  /** Computed from other layers without weights: a sum, an expectation over atoms. */
  | 'mix';

/** A run of numbers of another layer. */
export interface LayerPart {
  readonly layer: number;
  readonly offset: number;
  readonly count: number;
}

export interface WeightsView {
  /** The parameter: what stands behind the group's name in a policy file. */
  readonly name: string;
  readonly weights: Float32Array; // [inputs, outputs]
  readonly inputs: number;
  readonly outputs: number;
  /** What the rows stand for, in order. Of a convolution: what its windows slide over. */
  readonly from: readonly LayerPart[];
  /** Of a cell: what each block of columns is; else empty. */
  readonly gates: readonly string[];
  /** [outputs]; null: none. */
  readonly bias: Float32Array | null;
}

export interface LayerView {
  readonly kind: LayerKind;
  readonly units: number;
  /** Of a convolution: places of each filter; its units are [height, width, filters]. */
  readonly map: readonly [height: number, width: number] | null;
  /** 'tanh', 'relu', ...; '': none. */
  readonly activation: string;
  /** Its sums are normalised over the layer before the activation. */
  readonly normed: boolean;
  /** Names of its numbers; empty: they are numbered. */
  readonly labels: readonly string[];
  readonly weights: readonly WeightsView[];
  /** Layers without weights that it is computed from. */
  readonly from: readonly number[];
}

export const OUTPUT_NAMES = ['logits', 'q', 'mean', 'logStd', 'value'] as const;
export type OutputName = (typeof OUTPUT_NAMES)[number];

export interface OutputView extends LayerPart {
  readonly name: OutputName;
}

export interface NetworkView {
  /** Each after those it is computed from. */
  readonly layers: readonly LayerView[];
  readonly outputs: readonly OutputView[];
  /** Numbers in all weights and biases shown. */
  readonly parameters: number;
  /** Whether inputs are normalised by running moments before the network sees them. */
  readonly normalised: boolean;
}

/** Whose slope is asked for: one number of one output; of logits the probability of that action. */
export interface SlopeQuestion {
  readonly output: Exclude<OutputName, 'logStd'>;
  readonly index: number;
}

export interface NetworkValues {
  /** Per layer what its units give [units]. */
  readonly layers: readonly Float32Array[];
  /** Before the activation; null: the layer has no sums of its own. */
  readonly sums: readonly (Float32Array | null)[];
  /** Per layer the slope of the asked output along its units; null: that output does not depend on it, or nothing was asked. */
  readonly slopes: readonly (Float32Array | null)[];
  /** What the network gives, values in units of the reward. */
  readonly outputs: { readonly [K in OutputName]?: Float32Array };
}

/** Shortest decimal that is this float32 and no other. */
export function exactFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/** More changes of one state are refused. */
export const MOST_EDITS = 64;

/** One change of the state or of what an agent sees in it. */
export type StateEdit =
  /** A thing of the picture (an agent, a point, a body) stands elsewhere; in the picture's units. */
  | { readonly kind: 'move'; readonly thing: number; readonly x: number; readonly y: number }
  /** What lies on two cells of a grid is changed over. */
  | { readonly kind: 'swap'; readonly from: number; readonly to: number }
  /** The asked agent sees these numbers; the world stays as it is. */
  | { readonly kind: 'observe'; readonly obs: readonly number[] };
