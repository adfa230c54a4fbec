/**
 * The network of llama2.c, one token at a time (Touvron et al. 2023; Karpathy 2023): RMSNorm, rotary places, attention whose keys and values several
 * heads may share, SwiGLU. Plain loops: for models of some million parameters, which are looked at and not trained.
 */
import { cos, exp, pow, sin, sqrt } from './functions.ts';

export interface LlamaNumbers {
  readonly shape: {
    readonly dim: number;
    readonly hiddenDim: number;
    readonly layers: number;
    readonly heads: number;
    readonly kvHeads: number;
    readonly vocabulary: number;
    readonly places: number;
  };
  readonly embedding: Float32Array;
  readonly attentionNorm: Float32Array;
  readonly wq: Float32Array;
  readonly wk: Float32Array;
  readonly wv: Float32Array;
  readonly wo: Float32Array;
  readonly hiddenNorm: Float32Array;
  readonly w1: Float32Array;
  readonly w2: Float32Array;
  readonly w3: Float32Array;
  readonly finalNorm: Float32Array;
  readonly classifier: Float32Array;
}

const EPSILON = 1e-5;

function product(out: Float32Array, x: Float32Array, w: Float32Array, from: number): void {
  const n = x.length;
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let j = 0, at = from + i * n; j < n; j++, at++) sum += w[at]! * x[j]!;
    out[i] = sum;
  }
}

function normed(out: Float32Array, x: Float32Array, gain: Float32Array, from: number): void {
  let squares = 0;
  for (const value of x) squares += value * value;
  const scale = 1 / sqrt(squares / x.length + EPSILON);
  for (let i = 0; i < x.length; i++) out[i] = gain[from + i]! * scale * x[i]!;
}

/** In place, the first `n`. */
export function softmax(x: Float32Array, n = x.length): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) most = Math.max(most, x[i]!);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i] = exp(x[i]! - most);
  for (let i = 0; i < n; i++) x[i]! /= sum;
}

/** Reads tokens one after the other. */
export interface LlamaReader {
  /** Tokens read. */
  readonly length: number;
  /** Reads one more token; logits of what follows it, overwritten by the next call. Throws RangeError where the row is full. */
  read(token: number): Float32Array;
}

export function llamaReader(m: LlamaNumbers): LlamaReader {
  const { dim, hiddenDim, layers, heads, kvHeads, vocabulary, places } = m.shape;
  const width = dim / heads;
  const keyed = width * kvHeads;
  const sharing = heads / kvHeads;
  const x = new Float32Array(dim);
  const seen = new Float32Array(dim);
  const drawn = new Float32Array(dim);
  const q = new Float32Array(dim);
  const gate = new Float32Array(hiddenDim);
  const up = new Float32Array(hiddenDim);
  const scores = new Float32Array(places);
  const keys = new Float32Array(layers * places * keyed);
  const values = new Float32Array(layers * places * keyed);
  const logits = new Float32Array(vocabulary);
  let at = 0;
  const turned = (row: Float32Array): void => {
    for (let i = 0; i < row.length; i += 2) {
      const angle = at / pow(10_000, (i % width) / width);
      const [c, s, a, b] = [cos(angle), sin(angle), row[i]!, row[i + 1]!];
      row[i] = a * c - b * s;
      row[i + 1] = a * s + b * c;
    }
  };
  return {
    get length() {
      return at;
    },
    read(token) {
      if (at >= places) throw new RangeError(`the row has ${places} places`);
      x.set(m.embedding.subarray(token * dim, (token + 1) * dim));
      for (let layer = 0; layer < layers; layer++) {
        const base = layer * places * keyed;
        const k = keys.subarray(base + at * keyed, base + (at + 1) * keyed);
        const v = values.subarray(base + at * keyed, base + (at + 1) * keyed);
        normed(seen, x, m.attentionNorm, layer * dim);
        product(q, seen, m.wq, layer * dim * dim);
        product(k, seen, m.wk, layer * dim * keyed);
        product(v, seen, m.wv, layer * dim * keyed);
        turned(q);
        turned(k);
        drawn.fill(0);
        for (let head = 0; head < heads; head++) {
          const own = head * width;
          const theirs = base + Math.floor(head / sharing) * width;
          for (let t = 0; t <= at; t++) {
            let sum = 0;
            for (let i = 0; i < width; i++) sum += q[own + i]! * keys[theirs + t * keyed + i]!;
            scores[t] = sum / sqrt(width);
          }
          softmax(scores, at + 1);
          for (let t = 0; t <= at; t++) for (let i = 0; i < width; i++) drawn[own + i]! += scores[t]! * values[theirs + t * keyed + i]!;
        }
        product(seen, drawn, m.wo, layer * dim * dim);
        for (let i = 0; i < dim; i++) x[i]! += seen[i]!;
        normed(seen, x, m.hiddenNorm, layer * dim);
        product(gate, seen, m.w1, layer * dim * hiddenDim);
        product(up, seen, m.w3, layer * dim * hiddenDim);
        for (let i = 0; i < hiddenDim; i++) gate[i] = (gate[i]! / (1 + exp(-gate[i]!))) * up[i]!;
        product(drawn, gate, m.w2, layer * dim * hiddenDim);
        for (let i = 0; i < dim; i++) x[i]! += drawn[i]!;
      }
      normed(seen, x, m.finalNorm, 0);
      product(logits, seen, m.classifier, 0);
      at++;
      return logits;
    },
  };
}
