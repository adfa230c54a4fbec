/**
 * Vectors of rewards, all to be made large: which are best, how much of the space they cover, and what they are worth to a user whose
 * weights are not known. Hypervolume counts against a reference point that every point should exceed; what does not counts nothing.
 * Method: slices along the last objective, one dimension less in each (While et al. 2006), exact for any number of objectives.
 * Measures: Zintgraf et al. 2015 (expected utility, maximum utility loss), Xu et al. 2020 (sparsity).
 */
export type Point = readonly number[];

const ROUNDING = 1e-9; // share of a product below which it counts as 0

/** At least as good everywhere and better somewhere. */
export function dominates(a: Point, b: Point): boolean {
  return a.every((x, k) => x >= b[k]!) && a.some((x, k) => x > b[k]!);
}

/** Indices of the points that no other dominates, in the order given; of equal points the first. */
export function nonDominated(points: readonly Point[]): readonly number[] {
  const same = (a: Point, b: Point) => a.every((x, k) => x === b[k]);
  return points.flatMap((p, i) => (points.some((q, j) => dominates(q, p) || (j < i && same(q, p))) ? [] : [i]));
}

export function hypervolume(points: readonly Point[], reference: Point): number {
  const inside = points.filter((p) => p.every((x, k) => x > reference[k]!));
  if (inside.length === 0) return 0;
  const last = reference.length - 1;
  if (last === 0) return Math.max(...inside.map((p) => p[0]!)) - reference[0]!;
  const sorted = [...inside].sort((a, b) => b[last]! - a[last]!);
  let volume = 0;
  for (let i = 0; i < sorted.length; i++) {
    const top = sorted[i]![last]!;
    const below = i + 1 < sorted.length ? sorted[i + 1]![last]! : reference[last]!;
    if (top > below)
      volume +=
        (top - below) *
        hypervolume(
          sorted.slice(0, i + 1).map((p) => p.slice(0, last)),
          reference.slice(0, last),
        );
  }
  return volume;
}

export function weightedSum(point: Point, weights: Point): number {
  let sum = 0;
  for (let k = 0; k < point.length; k++) sum += weights[k]! * point[k]!;
  return sum;
}

const best = (points: readonly Point[], weights: Point): number => Math.max(...points.map((p) => weightedSum(p, weights)));

/** What a user gets on average who picks the best point for weights drawn from this list. */
export function expectedUtility(points: readonly Point[], weights: readonly Point[]): number {
  return weights.reduce((sum, w) => sum + best(points, w), 0) / weights.length;
}

/** What the unluckiest of these users loses against picking from the reference front. */
export function maximumUtilityLoss(points: readonly Point[], front: readonly Point[], weights: readonly Point[]): number {
  return Math.max(...weights.map((w) => best(front, w) - best(points, w)));
}

/** Mean squared gap between neighbours along each objective, summed over objectives; 0 below two points. */
export function sparsity(points: readonly Point[]): number {
  if (points.length < 2) return 0;
  let sum = 0;
  for (let k = 0; k < (points[0] as Point).length; k++) {
    const values = points.map((p) => p[k]!).sort((a, b) => a - b);
    for (let i = 1; i < values.length; i++) sum += (values[i]! - values[i - 1]!) ** 2;
  }
  return sum / (points.length - 1);
}

/** All vectors of n shares that are multiples of 1/parts and sum to 1, first share rising. [C(parts + n - 1, n - 1), n] */
export function simplex(n: number, parts: number): readonly Point[] {
  const out: number[][] = [];
  const fill = (head: readonly number[], left: number): void => {
    if (head.length === n - 1) out.push([...head, left / parts]);
    else for (let i = 0; i <= left; i++) fill([...head, i / parts], left - i);
  };
  fill([], parts);
  return out;
}

/**
 * Indices of the points of two objectives that some weighted sum likes best, first objective rising: the corners of the upper right
 * hull. What lies in its dents no weighted sum finds (Das and Dennis 1997). With `ties`, those on its edges too, which a weighted sum
 * likes as much as their neighbours.
 */
export function supported(points: readonly Point[], ties = false): readonly number[] {
  const at = (i: number, k: 0 | 1): number => (points[i] as Point)[k]!;
  const order = [...nonDominated(points)].sort((i, j) => at(i, 0) - at(j, 0));
  const hull: number[] = [];
  for (const i of order) {
    while (hull.length >= 2) {
      const [a, b] = [hull[hull.length - 2]!, hull[hull.length - 1]!];
      // b lies on or below the line from a to i
      const [up, over] = [(at(b, 0) - at(a, 0)) * (at(i, 1) - at(a, 1)), (at(b, 1) - at(a, 1)) * (at(i, 0) - at(a, 0))];
      if (up - over < (ties ? ROUNDING * (Math.abs(up) + Math.abs(over)) : 0)) break;
      hull.pop();
    }
    hull.push(i);
  }
  return hull;
}
