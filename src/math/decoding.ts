/**
 * From logits to tokens, and what is estimated from several samples. float64; own exp and log. Order of restrictions: temperature, top-k,
 * top-p (on what is left), min-p. Ties go to the lower index. Sources: top-p Holtzman et al. 2020; pass@k Chen et al. 2021; speculative
 * sampling Leviathan et al. 2023.
 */
import { exp, log, pow } from './functions.ts';
import { argmax } from './sampling.ts';

export interface Restriction {
  /** 0: all on the largest. */
  readonly temperature?: number;
  readonly topK?: number;
  /** The shortest prefix, most probable first, whose sum reaches this; the token that crosses is kept. */
  readonly topP?: number;
  /** Keeps what is at least this share of the most probable. */
  readonly minP?: number;
  /** 0: not allowed. */
  readonly allowed?: ArrayLike<number>;
}

export function probabilities(logits: ArrayLike<number>): Float64Array {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) top = Math.max(top, logits[i]!);
  const out = Float64Array.from({ length: logits.length }, (_, i) =>
    logits[i] === Number.NEGATIVE_INFINITY ? 0 : exp(Math.max(-700, logits[i]! - top)),
  );
  return normalised(out);
}

function normalised(weights: Float64Array): Float64Array {
  let total = 0;
  for (const w of weights) total += w;
  return weights.map((w) => w / total);
}

/** Indices, most probable first. */
function ranking(values: ArrayLike<number>): number[] {
  return Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);
}

function keepOnly(p: Float64Array, kept: ReadonlySet<number>): Float64Array {
  return normalised(p.map((x, i) => (kept.has(i) ? x : 0)));
}

/** What is drawn from. */
export function restricted(logits: ArrayLike<number>, r: Restriction): Float64Array {
  const { temperature = 1, topK, topP, minP, allowed } = r;
  const open = Float64Array.from({ length: logits.length }, (_, i) =>
    allowed !== undefined && allowed[i] === 0 ? Number.NEGATIVE_INFINITY : logits[i]!,
  );
  if (temperature === 0) {
    const best = argmax(open, 0, open.length);
    return open.map((_, i) => (i === best ? 1 : 0));
  }
  let p = probabilities(open.map((x) => x / temperature));
  if (topK !== undefined) p = keepOnly(p, new Set(ranking(open).slice(0, topK)));
  if (topP !== undefined) {
    const kept = new Set<number>();
    let sum = 0;
    for (const i of ranking(p)) {
      kept.add(i);
      sum += p[i]!;
      // a sum of all may stay an ulp below 1
      if (sum >= topP) break;
    }
    p = keepOnly(p, kept);
  }
  if (minP !== undefined) {
    const most = Math.max(...p);
    p = keepOnly(p, new Set(ranking(p).filter((i) => p[i]! >= minP * most)));
  }
  return p;
}

/** The first index whose cumulative probability exceeds u in [0, 1). */
export function inverseCdf(p: ArrayLike<number>, u: number): number {
  let sum = 0;
  let last = 0;
  for (let i = 0; i < p.length; i++) {
    if (p[i]! <= 0) continue;
    last = i;
    sum += p[i]!;
    if (u < sum) return i;
  }
  return last;
}

/** logit - log(-log u): its largest entry is a draw from the softmax (Gumbel 1954). */
export function gumbel(logits: ArrayLike<number>, uniforms: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: logits.length }, (_, i) => logits[i]! - log(-log(uniforms[i]!)));
}

/** Logits of tokens seen before: positive ones divided by `penalty`, others multiplied, once each (Keskar et al. 2019). */
export function penaliseRepeats(logits: ArrayLike<number>, previous: readonly number[], penalty: number): Float64Array {
  const seen = new Set(previous);
  return Float64Array.from({ length: logits.length }, (_, i) => {
    const x = logits[i]!;
    return seen.has(i) ? (x > 0 ? x / penalty : x * penalty) : x;
  });
}

/** Takes `presence` off tokens seen before, and `frequency` for every time. */
export function penaliseFrequent(
  logits: ArrayLike<number>,
  previous: readonly number[],
  presence: number,
  frequency: number,
): Float64Array {
  const counts = new Map<number, number>();
  for (const i of previous) counts.set(i, (counts.get(i) ?? 0) + 1);
  return Float64Array.from({ length: logits.length }, (_, i) => {
    const n = counts.get(i) ?? 0;
    return logits[i]! - (n > 0 ? presence : 0) - frequency * n;
  });
}

export const entropyOf = (p: ArrayLike<number>): number => {
  let h = 0;
  for (let i = 0; i < p.length; i++) if (p[i]! > 0) h -= p[i]! * log(p[i]!);
  return h;
};

export interface Hypothesis {
  readonly tokens: readonly number[];
  readonly logp: number;
  /** logp / length^penalty, the end token counted. */
  readonly score: number;
}

function compareTokens(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/**
 * Beam search: every step expands all live beams and looks at the best 2 x `beams`; those that end are set aside, the first `beams` others
 * live on. Best first, by score. `next` gives log-probabilities of the token after a prefix.
 */
export function beamSearch(
  next: (prefix: readonly number[]) => ArrayLike<number>,
  c: { readonly end: number; readonly beams: number; readonly longest: number; readonly lengthPenalty: number },
): Hypothesis[] {
  type Beam = { readonly tokens: readonly number[]; readonly logp: number };
  let live: readonly Beam[] = [{ tokens: [], logp: 0 }];
  const finished: Beam[] = [];
  for (let t = 0; t < c.longest && live.length > 0; t++) {
    const grown = live.flatMap((beam) =>
      Array.from(next(beam.tokens), (logp, token): Beam => ({ tokens: [...beam.tokens, token], logp: beam.logp + logp })),
    );
    grown.sort((a, b) => b.logp - a.logp || compareTokens(a.tokens, b.tokens));
    const looked = grown.slice(0, 2 * c.beams);
    finished.push(...looked.filter((beam) => beam.tokens.at(-1) === c.end));
    live = looked.filter((beam) => beam.tokens.at(-1) !== c.end).slice(0, c.beams);
  }
  return [...finished, ...live]
    .map(({ tokens, logp }) => ({ tokens, logp, score: logp / pow(tokens.length, c.lengthPenalty) }))
    .sort((a, b) => b.score - a.score || compareTokens(a.tokens, b.tokens));
}

/** Chance that k of n samples, c of them right, hold a right one: 1 - C(n - c, k) / C(n, k). */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let miss = 1;
  for (let i = n - c + 1; i <= n; i++) miss *= 1 - k / i;
  return 1 - miss;
}

/** The most frequent answer, or the one of the largest total weight; null never votes; ties go to the one seen first. */
export function vote(
  answers: readonly (string | null)[],
  weights?: ArrayLike<number>,
): { readonly winner: string | null; readonly totals: ReadonlyMap<string, number> } {
  const totals = new Map<string, number>();
  answers.forEach((answer, i) => {
    if (answer !== null) totals.set(answer, (totals.get(answer) ?? 0) + (weights?.[i] ?? 1));
  });
  let winner: string | null = null;
  let most = Number.NEGATIVE_INFINITY;
  // sums of weights in another order differ in their last bits
  for (const [answer, total] of totals) {
    if (total <= most + 1e-9) continue;
    most = total;
    winner = answer;
  }
  return { winner, totals };
}

/** All subsets of k of 0 .. n - 1, in order. */
export function subsets(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: Math.max(0, n - from - k + 1) }, (_, i) => from + i).flatMap((i) =>
    subsets(n, k - 1, i + 1).map((rest) => [i, ...rest]),
  );
}

export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let out = 1;
  for (let i = 1; i <= k; i++) out = (out * (n - k + i)) / i;
  return out;
}

/** Chance that the best-scored of k of these samples is right, over all subsets. */
export function bestOfK(scores: ArrayLike<number>, correct: ArrayLike<number>, k: number): number {
  const order = Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => scores[a]! - scores[b]! || a - b);
  return order.reduce((sum, i, rank) => sum + choose(rank, k - 1) * correct[i]!, 0) / choose(scores.length, k);
}

/** log n - (n - 1) / n: an upper bound of the KL of best-of-n to what it picks from. */
export const bestOfNKl = (n: number): number => log(n) - (n - 1) / n;

/** Accepting draft tokens with min(1, target / draft) and drawing rejected ones from the rest keeps the target distribution. */
export function speculation(target: ArrayLike<number>, draft: ArrayLike<number>) {
  const accept = Float64Array.from({ length: target.length }, (_, i) => (draft[i]! > 0 ? Math.min(1, target[i]! / draft[i]!) : 1));
  const residual = normalised(Float64Array.from({ length: target.length }, (_, i) => Math.max(0, target[i]! - draft[i]!)));
  const rate = accept.reduce((sum, a, i) => sum + a * draft[i]!, 0);
  return { accept, residual, rate, output: accept.map((a, i) => a * draft[i]! + (1 - rate) * residual[i]!) };
}

/** Share of different texts, of different neighbours of `n` characters, and the entropy of the texts in nats. */
export function diversity(
  texts: readonly string[],
  n = 2,
): { readonly unique: number; readonly distinct: number; readonly entropy: number } {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const grams = texts.flatMap((text) => Array.from({ length: Math.max(0, text.length - n + 1) }, (_, i) => text.slice(i, i + n)));
  return {
    unique: counts.size / texts.length,
    distinct: grams.length === 0 ? 0 : new Set(grams).size / grams.length,
    entropy: entropyOf([...counts.values()].map((k) => k / texts.length)),
  };
}
