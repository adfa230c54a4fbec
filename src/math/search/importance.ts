/** How much of the spread of a search's scores one field explains by itself. */
import { mean } from '../stats.ts';
import { studentCritical } from '../stats-compare.ts';
import { choiceAt, type Dimension, type Point } from './space.ts';

/** Groups that a range is cut into, alike in number of points. */
const PARTS = 4;

export interface Importance {
  /**
   * Share of the variance of scores between the groups, corrected for chance (epsilon squared; Kelley 1935): about 0 for a field
   * without effect. null: it cannot be told, because no value has two scores, or only one value has any.
   */
  readonly share: number | null;
  /** 95 % interval by the jackknife; null below eight scores or where a group would be empty. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** The group of every point in a dimension. */
function groupsOf(dimension: Dimension, points: readonly Point[], d: number): readonly number[] {
  if (dimension.kind === 'choice') return points.map((point) => choiceAt(dimension.values.length, point[d]!));
  const order = points.map((_, i) => i).sort((a, b) => points[a]![d]! - points[b]![d]!);
  const groups = new Array<number>(points.length).fill(0);
  order.forEach((point, rank) => {
    groups[point] = Math.floor((rank * PARTS) / points.length);
  });
  return groups;
}

/** null where nothing is left to compare: chance is measured by scores that share a group. */
function epsilonSquared(scores: readonly number[], groups: readonly number[]): number | null {
  const centre = mean(scores);
  const members = new Map<number, number[]>();
  scores.forEach((score, i) => {
    const group = members.get(groups[i]!);
    if (group === undefined) members.set(groups[i]!, [score]);
    else group.push(score);
  });
  let [between, within] = [0, 0];
  for (const group of members.values()) {
    const at = mean(group);
    between += group.length * (at - centre) ** 2;
    for (const score of group) within += (score - at) ** 2;
  }
  const total = between + within;
  const free = scores.length - members.size;
  if (free <= 0 || members.size < 2) return null;
  if (total === 0) return 0; // all scores are alike
  return (between - ((members.size - 1) * within) / free) / total;
}

/** For each dimension, over points with their scores. */
export function importance(dimensions: readonly Dimension[], points: readonly Point[], scores: readonly number[]): readonly Importance[] {
  const n = scores.length;
  return dimensions.map((dimension, d) => {
    const groups = groupsOf(dimension, points, d);
    const share = epsilonSquared(scores, groups);
    const without = scores.map((_, i) => epsilonSquared(scores.toSpliced(i, 1), groups.toSpliced(i, 1)));
    const known = without.filter((value) => value !== null);
    const flat = scores.every((score) => score === scores[0]);
    if (n < 8 || share === null || known.length < n || flat) return { share, interval: null };
    const centre = mean(known);
    const error = Math.sqrt(((n - 1) / n) * known.reduce((sum, value) => sum + (value - centre) ** 2, 0));
    const half = studentCritical(0.05, n - 1) * error;
    return { share, interval: [share - half, Math.min(1, share + half)] };
  });
}
