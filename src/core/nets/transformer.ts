/**
 * A decoder-only transformer with pre-norm blocks, x += attention(norm x); x += mlp(norm x), a final norm and a head over the vocabulary
 * (Radford et al. 2019; with RoPE, Su et al. 2021, and SwiGLU, Shazeer 2020, as Llama has them). Shapes: B rows, T places, D width, H heads,
 * V vocabulary. A token may look at itself and at real tokens before it; positions count real tokens, so that padding on either side
 * changes nothing for the others. Two ways through the same parameters: `transformerStates` over whole rows, for learning, and
 * `transformerStep` for one more token of every row, with the keys and values of those before it as inputs.
 */
import { exp as exponential, log as logarithm } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import {
  abs,
  add,
  concat,
  cos,
  div,
  eq,
  exp,
  gather,
  gelu,
  iota,
  layerNorm,
  lt,
  matmul,
  mean,
  mul,
  neg,
  reshape,
  sigmoid,
  sign,
  sin,
  sliceAxis,
  softmax,
  sqrt,
  square,
  stack,
  sub,
  sum,
  transpose,
  where,
} from '../engine/ops.ts';
import { lastSize, sizeOf } from '../engine/shapes.ts';
import type { Graph, ParamGroup, Shape, Tensor } from '../engine/types.ts';
import { attend, causalMask } from './attention.ts';
import { constant, gaussian, zeros } from './init.ts';

export type RopeLayout = 'interleaved' | 'half';

export interface TransformerShape {
  readonly vocabulary: number; // V
  readonly width: number; // D, a multiple of `heads`; with RoPE of 2 x heads
  readonly layers: number;
  readonly heads: number;
  /** Hidden units of the mlp. */
  readonly hidden: number;
  /** Positions with an embedding of their own; RoPE has no such limit. */
  readonly context: number;
  readonly norm: 'rms' | 'layer';
  readonly mlp: 'gelu' | 'gelu-erf' | 'swiglu';
  readonly positions: 'learned' | 'rope';
  readonly ropeLayout: RopeLayout;
  /** The head is the transposed token table. */
  readonly tied: boolean;
  readonly bias: boolean;
  /** Beside the mean square in norms. */
  readonly eps: number;
}

/** a: RMSNorm, GELU (tanh), learned positions, tied, no bias. b: LayerNorm, biases, GELU (erf), untied (GPT-2). c: RMSNorm, SwiGLU, RoPE, tied (Llama). */
export type TransformerFamily = 'a' | 'b' | 'c';

/** The shape of a family: `context` positions, mlps of four times the width (SwiGLU: 8/3 of it, the same number of weights). */
export function familyShape(
  family: TransformerFamily,
  size: Pick<TransformerShape, 'vocabulary' | 'width' | 'layers' | 'heads' | 'context'>,
): TransformerShape {
  const usual = { ...size, hidden: 4 * size.width, ropeLayout: 'interleaved', eps: 1e-5 } as const;
  switch (family) {
    case 'a':
      return { ...usual, norm: 'rms', mlp: 'gelu', positions: 'learned', tied: true, bias: false };
    case 'b':
      return { ...usual, norm: 'layer', mlp: 'gelu-erf', positions: 'learned', tied: false, bias: true };
    case 'c': {
      const hidden = 4 * Math.ceil((2 * size.width) / 3); // 8/3 of the width, in fours
      return { ...usual, hidden, norm: 'rms', mlp: 'swiglu', positions: 'rope', tied: true, bias: false, eps: 1e-6 };
    }
  }
}

/** The tensor of a parameter, by its name in `transformerParameters`. */
export type Weights = (name: string) => Tensor;

export interface TransformerParameter {
  readonly name: string;
  readonly shape: Shape;
  /** Deviation of the normal numbers it starts from; a gain starts at 1, a bias at 0. */
  readonly init: number | 'gain' | 'bias';
}

/**
 * Names, shapes and starts of all parameters: tok, pos (learned positions only), l0.n1.g (l0.n1.b), l0.wq wk wv wo (bq bk bv bo), l0.n2.g
 * (l0.n2.b), l0.w1 (b1) w2 (b2) or l0.wg wu wd, ..., nf.g (nf.b), head (untied only). Tables N(0, 0.02), matrices N(0, 1 / inputs), those
 * that add to the stream divided by sqrt(2 layers).
 */
export function transformerParameters(c: TransformerShape): TransformerParameter[] {
  const { vocabulary: V, width: D, hidden: F } = c;
  const out: TransformerParameter[] = [];
  const put = (name: string, shape: Shape, init: TransformerParameter['init']): void => {
    out.push({ name, shape, init });
  };
  const normed = (name: string): void => {
    put(`${name}.g`, [D], 'gain');
    if (c.norm === 'layer') put(`${name}.b`, [D], 'bias');
  };
  const adding = 1 / Math.sqrt(2 * c.layers);
  put('tok', [V, D], 0.02);
  if (c.positions === 'learned') put('pos', [c.context, D], 0.02);
  for (let l = 0; l < c.layers; l++) {
    normed(`l${l}.n1`);
    for (const name of ['wq', 'wk', 'wv']) put(`l${l}.${name}`, [D, D], 1 / Math.sqrt(D));
    put(`l${l}.wo`, [D, D], adding / Math.sqrt(D));
    if (c.bias) for (const name of ['bq', 'bk', 'bv', 'bo']) put(`l${l}.${name}`, [D], 'bias');
    normed(`l${l}.n2`);
    if (c.mlp === 'swiglu') {
      for (const name of ['wg', 'wu']) put(`l${l}.${name}`, [D, F], 1 / Math.sqrt(D));
      put(`l${l}.wd`, [F, D], adding / Math.sqrt(F));
      continue;
    }
    put(`l${l}.w1`, [D, F], 1 / Math.sqrt(D));
    if (c.bias) put(`l${l}.b1`, [F], 'bias');
    put(`l${l}.w2`, [F, D], adding / Math.sqrt(F));
    if (c.bias) put(`l${l}.b2`, [D], 'bias');
  }
  normed('nf');
  if (!c.tied) put('head', [D, V], 1 / Math.sqrt(D));
  return out;
}

/** Parameters of a vocabulary and its places, which a stream that is embedded otherwise does not have. */
const TABLES: readonly string[] = ['tok', 'pos', 'head'];

/**
 * Adds the parameters to a group, without `tables` those of the blocks alone; the answer reads them in any program. Throws Error if sizes do
 * not fit together.
 */
export function transformer(group: ParamGroup, rng: Rng, c: TransformerShape, tables = true): (g: Graph) => Weights {
  checkShape(c);
  const wanted = transformerParameters(c).filter(({ name }) => tables || !TABLES.includes(name));
  const params = new Map(
    wanted.map(({ name, shape, init }) => {
      const n = shape.reduce((a, b) => a * b, 1);
      const start = init === 'gain' ? constant(n, 1) : init === 'bias' ? zeros(n) : gaussian(rng, n, init);
      return [name, group.param(name, shape, start)];
    }),
  );
  return (g) => (name) => {
    const param = params.get(name);
    if (param === undefined) throw new Error(`transformer: there is no parameter "${name}"`);
    return g.read(param);
  };
}

function checkShape(c: TransformerShape): void {
  const part = c.positions === 'rope' ? 2 * c.heads : c.heads;
  if (c.width % part !== 0) throw new Error(`transformer: the width ${c.width} is not a multiple of ${part}`);
}

/** x / sqrt(mean x^2 + eps) * gain along the last axis (Zhang & Sennrich 2019). */
export function rmsNorm(x: Tensor, gain: Tensor, eps = 1e-5): Tensor {
  return mul(div(x, sqrt(add(mean(square(x), -1, true), eps))), gain);
}

/** x sigmoid(x). */
export const silu = (x: Tensor): Tensor => mul(x, sigmoid(x));

/** The error function to 1.5e-7 (Abramowitz & Stegun 1964, 7.1.26). */
export function erf(x: Tensor): Tensor {
  const t = div(1, add(mul(abs(x), 0.3275911), 1));
  const coefficients = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const sumOfPowers = coefficients.reduce<Tensor | undefined>((so, a) => mul(so === undefined ? a : add(so, a), t), undefined);
  if (sumOfPowers === undefined) throw new Error('erf: no coefficients');
  return mul(sign(x), sub(1, mul(sumOfPowers, exp(neg(square(x))))));
}

/** x/2 (1 + erf(x / sqrt 2)). */
export const geluErf = (x: Tensor): Tensor => mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1));

/**
 * Rotary positions: pair i of the last axis (size E) turns by position * base^(-2i / E). interleaved: pairs (0, 1), (2, 3), ..; half:
 * (i, i + E/2). x [..., T, E], positions [..., T] (broadcasting over the axes between).
 */
export function rope(x: Tensor, positions: Tensor, layout: RopeLayout = 'interleaved', base = 10_000): Tensor {
  const E = x.shape.at(-1) ?? 0;
  const half = E / 2;
  // double precision once, so that the angle has no other error than that of position * frequency
  const frequencies = Float32Array.from({ length: half }, (_, i) => exponential((-2 * i * logarithm(base)) / E));
  const angle = mul(reshape(positions, [...positions.shape, 1]), x.graph.constant(frequencies)); // [..., T, half]
  const c = cos(angle);
  const s = sin(angle);
  const lead = x.shape.slice(0, -1);
  if (layout === 'half') {
    const a = sliceAxis(x, -1, 0, half);
    const b = sliceAxis(x, -1, half, half);
    return concat([sub(mul(a, c), mul(b, s)), add(mul(a, s), mul(b, c))], -1);
  }
  const pairs = reshape(x, [...lead, half, 2]);
  const a = reshape(sliceAxis(pairs, -1, 0, 1), [...lead, half]);
  const b = reshape(sliceAxis(pairs, -1, 1, 1), [...lead, half]);
  return reshape(stack([sub(mul(a, c), mul(b, s)), add(mul(a, s), mul(b, c))], lead.length + 1), x.shape);
}

/** Rows of tokens with their places: all [B, T], whole numbers as floats. */
export interface TokenRows {
  readonly ids: Tensor;
  /** max(0, number of real tokens up to here - 1). */
  readonly positions: Tensor;
  /** 1 real, 0 padding. Missing: all real. */
  readonly mask?: Tensor;
  /** Missing: each row is a line. Else ids are [1, N], the tokens of several lines one after the other. */
  readonly packed?: PackedLines | undefined;
}

/**
 * How the tokens of one row stand in lines, in which alone they look at each other, and which of them are asked for: the last layer gives the
 * states of those alone. A line has its tokens at its beginning; where a place has none, any may be named.
 */
export interface PackedLines {
  readonly lines: number;
  /** Places of a line. */
  readonly reach: number;
  /** [lines * reach] the token at each place. */
  readonly tokenAt: Tensor;
  /** [N] the place of each token among these. */
  readonly placeOf: Tensor;
  /** [M] the tokens that are asked for; [M] their places; [lines * reach] which of them stands at each place. */
  readonly asked: Tensor;
  readonly askedPlace: Tensor;
  readonly askedAt: Tensor;
}

function normalise(c: TransformerShape, w: Weights, name: string, x: Tensor): Tensor {
  return c.norm === 'rms' ? rmsNorm(x, w(`${name}.g`), c.eps) : layerNorm(x, w(`${name}.g`), w(`${name}.b`), c.eps);
}

function project(c: TransformerShape, w: Weights, layer: number, name: string, x: Tensor): Tensor {
  const y = matmul(x, w(`l${layer}.w${name}`));
  return c.bias ? add(y, w(`l${layer}.b${name}`)) : y;
}

function think(c: TransformerShape, w: Weights, l: number, x: Tensor): Tensor {
  if (c.mlp === 'swiglu') return matmul(mul(silu(matmul(x, w(`l${l}.wg`))), matmul(x, w(`l${l}.wu`))), w(`l${l}.wd`));
  const hidden = project(c, w, l, '1', x);
  return project(c, w, l, '2', c.mlp === 'gelu' ? gelu(hidden) : geluErf(hidden));
}

function embed(c: TransformerShape, w: Weights, { ids, positions }: TokenRows): Tensor {
  const tokens = gather(w('tok'), ids);
  return c.positions === 'rope' ? tokens : add(tokens, gather(w('pos'), positions));
}

/** Heads turned by their positions: x [B, T, D], positions [B, T]. */
function turned(c: TransformerShape, x: Tensor, positions: Tensor): Tensor {
  if (c.positions !== 'rope') return x;
  const [B, T, D] = x.shape as [number, number, number];
  return reshape(rope(reshape(x, [B, T, c.heads, D / c.heads]), reshape(positions, [B, T, 1]), c.ropeLayout), [B, T, D]);
}

/** 1 where query t may see key s: [B, T, T]; without a mask [T, T]. */
export function allowedKeys(g: Graph, T: number, mask: Tensor | undefined): Tensor {
  const causal = causalMask(g, T);
  return mask === undefined ? causal : mul(causal, reshape(mask, [mask.shape[0]!, 1, T]));
}

export interface States {
  /** After the final norm: [B, T, D]; of packed lines those that are asked for, as are the last of `stream`. */
  readonly states: Tensor;
  /** Per layer [B, T, D], keys turned by their positions where there is RoPE: what a step program is given. */
  readonly keys: readonly Tensor[];
  readonly values: readonly Tensor[];
  /** Before the first layer and after each: [B, T, D]. */
  readonly stream: readonly Tensor[];
  /** Per layer [B, heads, T, T], B and T those of packed lines where there are such: how much a place (third axis) draws from each place, 1 in all. */
  readonly attention: readonly Tensor[];
}

/** Whole rows at once. */
export function transformerStates(c: TransformerShape, w: Weights, x: TokenRows): States {
  return transformerBlocks(c, w, embed(c, w, x), x);
}

/** The blocks and the final norm, over places that stand in the stream already: `start` [B, T, D]. */
export function transformerBlocks(
  c: TransformerShape,
  w: Weights,
  start: Tensor,
  x: Pick<TokenRows, 'positions' | 'mask' | 'packed'>,
): States {
  const { packed } = x;
  const allowed = allowedKeys(start.graph, packed?.reach ?? start.shape[1]!, x.mask);
  const keys: Tensor[] = [];
  const values: Tensor[] = [];
  const attention: Tensor[] = [];
  const passed = [start];
  let stream = start;
  for (let l = 0; l < c.layers; l++) {
    const asked = l === c.layers - 1 ? packed?.asked : undefined;
    /** What the layer goes on with of all tokens: those that are asked for, in the last one. */
    const kept = (y: Tensor): Tensor => (asked === undefined ? y : takeTokens(y, asked, [1, sizeOf(asked.shape)]));
    const seen = normalise(c, w, `l${l}.n1`, stream);
    const q = turned(c, project(c, w, l, 'q', kept(seen)), kept(x.positions));
    const k = turned(c, project(c, w, l, 'k', seen), x.positions);
    const v = project(c, w, l, 'v', seen);
    keys.push(k);
    values.push(v);
    const options = { mask: allowed, heads: c.heads };
    const { mixed, weights } = packed === undefined ? attend(q, k, v, options) : attendLines(q, k, v, { ...options, packed, asked });
    attention.push(weights);
    stream = add(kept(stream), project(c, w, l, 'o', mixed));
    stream = add(stream, think(c, w, l, normalise(c, w, `l${l}.n2`, stream)));
    passed.push(stream);
  }
  return { states: finalNorm(c, w, stream), keys, values, stream: passed, attention };
}

/** The tokens `index` of [.., N, D] or [.., N], as [...shape, D] or of this shape. */
function takeTokens(y: Tensor, index: Tensor, shape: Shape): Tensor {
  const width = y.shape.length === 3 ? y.shape[2]! : 1;
  return reshape(gather(reshape(y, [sizeOf(y.shape) / width, width]), index), y.shape.length === 3 ? [...shape, width] : shape);
}

interface LineAttention {
  readonly mask: Tensor;
  readonly heads: number;
  readonly packed: PackedLines;
  /** The queries are those of these tokens alone. */
  readonly asked: Tensor | undefined;
}

/** Attention among the tokens of each line; all [1, N, D]. */
function attendLines(q: Tensor, k: Tensor, v: Tensor, { mask, heads, packed, asked }: LineAttention): ReturnType<typeof attend> {
  const { lines, reach } = packed;
  const inLines = (y: Tensor, index: Tensor): Tensor => takeTokens(y, index, [lines, reach]);
  const queries = inLines(q, asked === undefined ? packed.tokenAt : packed.askedAt);
  const { mixed, weights } = attend(queries, inLines(k, packed.tokenAt), inLines(v, packed.tokenAt), { mask, heads });
  return { mixed: takeTokens(mixed, asked === undefined ? packed.placeOf : packed.askedPlace, [1, q.shape[1]!]), weights };
}

/** What the head is given of the stream [..., D]; before the last layer, too, it can be read so (the logit lens). */
export const finalNorm = (c: TransformerShape, w: Weights, stream: Tensor): Tensor => normalise(c, w, 'nf', stream);

/** Logits over the vocabulary: states [..., D] -> [..., V]. */
export function tokenLogits(c: TransformerShape, w: Weights, states: Tensor): Tensor {
  return matmul(states, c.tied ? transpose(w('tok')) : w('head'));
}

/** One more token of every row. */
export interface StepInputs {
  /** [B] */
  readonly ids: Tensor;
  /** [B] how many tokens of this row came before: only so many cached places are looked at. */
  readonly positions: Tensor;
  /** [layers, B, heads, D / heads, T] */
  readonly keys: Tensor;
  /** [layers, B, heads, T, D / heads] */
  readonly values: Tensor;
}

export interface StepOutputs {
  /** [B, D] */
  readonly states: Tensor;
  /** [layers, B, D]: what belongs into the cache at this token's place. */
  readonly keys: Tensor;
  readonly values: Tensor;
}

export const cacheShapes = (c: TransformerShape, rows: number, places: number) =>
  ({
    keys: [c.layers, rows, c.heads, c.width / c.heads, places],
    values: [c.layers, rows, c.heads, places, c.width / c.heads],
  }) as const;

/** The same function of the same tokens as `transformerStates`, equal to rounding, for one token at a time. */
export function transformerStep(c: TransformerShape, w: Weights, x: StepInputs): StepOutputs {
  const B = x.ids.shape[0]!;
  const T = x.keys.shape[4]!;
  const E = c.width / c.heads;
  const heads = (t: Tensor): Tensor => reshape(t, [B, c.heads, 1, E]);
  const past = reshape(lt(iota(x.ids.graph, T), reshape(x.positions, [B, 1])), [B, 1, 1, T]);
  const newKeys: Tensor[] = [];
  const newValues: Tensor[] = [];
  const layerOf = (t: Tensor, l: number): Tensor => reshape(sliceAxis(t, 0, l, 1), t.shape.slice(1));
  const positions = reshape(x.positions, [B, 1]);
  let stream = reshape(embed(c, w, { ids: x.ids, positions: x.positions }), [B, c.width]);
  for (let l = 0; l < c.layers; l++) {
    const seen = normalise(c, w, `l${l}.n1`, stream);
    const turn = (t: Tensor): Tensor => reshape(turned(c, reshape(t, [B, 1, c.width]), positions), [B, c.width]);
    const q = heads(turn(project(c, w, l, 'q', seen)));
    const k = turn(project(c, w, l, 'k', seen));
    const v = project(c, w, l, 'v', seen);
    newKeys.push(k);
    newValues.push(v);
    const scale = 1 / Math.sqrt(E);
    const before = where(past, mul(matmul(q, layerOf(x.keys, l)), scale), -1e8); // [B, H, 1, T]
    const own = mul(sum(mul(q, heads(k)), -1, true), scale); // [B, H, 1, 1]
    const weights = softmax(concat([before, own], -1));
    const fromPast = matmul(sliceAxis(weights, -1, 0, T), layerOf(x.values, l));
    const mixed = add(fromPast, mul(sliceAxis(weights, -1, T, 1), heads(v)));
    stream = add(stream, project(c, w, l, 'o', reshape(mixed, [B, c.width])));
    stream = add(stream, think(c, w, l, normalise(c, w, `l${l}.n2`, stream)));
  }
  return { states: normalise(c, w, 'nf', stream), keys: stack(newKeys), values: stack(newValues) };
}

/** Mean cross-entropy over places whose target is not `ignore`; 0 and without gradient where there are none. logits [N, V], targets [N]. */
export function crossEntropy(logProbs: Tensor, targets: Tensor, ignore: number): { readonly perToken: Tensor; readonly count: Tensor } {
  const V = lastSize('crossEntropy', logProbs.shape);
  const counted = sub(1, eq(targets, ignore));
  const hot = eq(reshape(targets, [...targets.shape, 1]), iota(targets.graph, V));
  return { perToken: neg(mul(sum(mul(logProbs, hot), -1), counted)), count: sum(counted) };
}
