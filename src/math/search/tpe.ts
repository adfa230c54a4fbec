/**
 * Tree-structured Parzen estimator (Bergstra, Bardenet, Bengio, Kegl 2011): the points tried so far are parted into the best ones and the
 * rest, a density is laid over each, and of points drawn from the first the one with the largest ratio l(x) / g(x) is tried next.
 * Dimensions are independent, as there; widths of the kernels are the larger gap to a neighbour, and a flat prior counts as one more point.
 */
import { exp, log } from '../functions.ts';
import type { Rng } from '../rng.ts';
import { categorical, normal } from '../sampling.ts';
import { choiceAt, type Dimension, type Point } from './space.ts';

/** A point and its score; null: it failed, or its run is not over. More is better. */
export interface Tried {
  readonly point: Point;
  readonly score: number | null;
}

/** Points that a search tries before the first proposal. */
export const WARM_UP = 8;
/** Points that are drawn from the density of the best. */
const CANDIDATES = 64;
/** Share of the best. */
const GOOD = 0.2;

/** A density over the unit interval that can be drawn from. */
interface Density {
  draw(rng: Rng): number;
  logAt(u: number): number;
}

/** Chances of the choices: as often as they were tried, and one time more for all together. */
function choices(values: readonly number[], count: number): Density {
  const weights = new Float64Array(count).fill(1 / count);
  for (const u of values) weights[choiceAt(count, u)]!++;
  const logits = Float32Array.from(weights, (w) => log(w / (values.length + 1)));
  return {
    draw: (rng) => (categorical(logits, 0, count, rng.uniform()) + 0.5) / count,
    logAt: (u) => logits[choiceAt(count, u)]!,
  };
}

/** Area of the normal curve below z; error below 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989422804014327 *
    exp((-z * z) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}

/** Normal kernels on the points, cut off at the ends of the interval, and a wide one in its middle. */
function kernels(values: readonly number[]): Density {
  const centres = [...values, 0.5];
  const sorted = [0, ...centres.toSorted((a, b) => a - b), 1];
  const least = 1 / Math.min(100, centres.length + 1);
  const parts = centres.map((centre, i) => {
    const at = sorted.indexOf(centre, 1);
    const gap = Math.max(centre - sorted[at - 1]!, sorted[at + 1]! - centre);
    const width = i === values.length ? 1 : Math.min(1, Math.max(least, gap));
    const inside = normalBelow((1 - centre) / width) - normalBelow(-centre / width);
    return { centre, width, scale: 0.3989422804014327 / (width * inside * centres.length) };
  });
  return {
    draw(rng) {
      const { centre, width } = parts[Math.floor(rng.uniform() * parts.length)]!;
      for (;;) {
        const u = centre + width * normal(rng);
        if (u >= 0 && u < 1) return u;
      }
    },
    logAt: (u) => log(parts.reduce((sum, { centre, width, scale }) => sum + scale * exp(-(((u - centre) / width) ** 2) / 2), 0)),
  };
}

function densities(dimensions: readonly Dimension[], points: readonly Point[]): readonly Density[] {
  return dimensions.map((dimension, d) => {
    const values = points.map((point) => point[d]!);
    return dimension.kind === 'choice' ? choices(values, dimension.values.length) : kernels(values);
  });
}

/** What is known of a search: where its best points lie. */
export interface Parzen {
  /** A point from the density of the best. */
  draw(rng: Rng): Point;
  /** log l(x) - log g(x): what is larger is tried first. */
  gain(point: Point): number;
}

/** Both densities over at least two points. Points without a score count among the rest, so that none is proposed twice in a row. */
export function parzen(dimensions: readonly Dimension[], tried: readonly Tried[]): Parzen {
  const scored = tried.filter(({ score }) => score !== null).sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const good = scored.slice(0, Math.max(1, Math.ceil(GOOD * scored.length)));
  const rest = tried.filter((entry) => !good.includes(entry));
  const l = densities(
    dimensions,
    good.map(({ point }) => point),
  );
  const g = densities(
    dimensions,
    rest.map(({ point }) => point),
  );
  return {
    draw: (rng) => l.map((density) => density.draw(rng)),
    gain: (point) => point.reduce((sum, u, d) => sum + l[d]!.logAt(u) - g[d]!.logAt(u), 0),
  };
}

/** The next point to try, from what is known of at least two. */
export function tpe(dimensions: readonly Dimension[], tried: readonly Tried[], rng: Rng): Point {
  const { draw, gain } = parzen(dimensions, tried);
  let best: Point = [];
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < CANDIDATES; i++) {
    const point = draw(rng);
    const gained = gain(point);
    if (gained > most) {
      most = gained;
      best = point;
    }
  }
  return best;
}
