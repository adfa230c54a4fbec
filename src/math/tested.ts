/** What a test of a few episodes says of a policy: the mean of what they gave, and how far it can be trusted. */

import { mean } from './stats.ts';
import { meanInterval, normalCritical } from './stats-compare.ts';

export interface Tested {
  readonly value: number;
  /** 95 % interval of the mean: Wilson's for shares of games, Student's t for returns. NaN for fewer than two episodes. */
  readonly low: number;
  readonly high: number;
  /** Standard error: half of the interval in units of the normal distribution, so that few episodes count for what they are. */
  readonly error: number;
  readonly episodes: number;
}

const Z = normalCritical(0.05);

/** Wilson's 95 % interval of a share of `n` games. A draw counts as half a win, for which it is a little too wide. */
export function shareInterval(share: number, n: number): readonly [low: number, high: number] {
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** `scores`: what each episode gave, at least one. `shares`: 1, 0.5 or 0 for a game won, drawn or lost. */
export function testedBy(scores: ArrayLike<number>, shares: boolean): Tested {
  const value = mean(scores);
  const episodes = scores.length;
  if (episodes < 2) return { value, low: Number.NaN, high: Number.NaN, error: Number.POSITIVE_INFINITY, episodes };
  if (shares) {
    const [low, high] = shareInterval(value, episodes);
    return { value, low, high, error: (high - low) / (2 * Z), episodes };
  }
  const { halfWidth } = meanInterval(scores);
  return { value, low: value - halfWidth, high: value + halfWidth, error: halfWidth / Z, episodes };
}
