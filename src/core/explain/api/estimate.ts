/**
 * Mean and spread of estimates that come draw by draw (Welford's updates), with the covariance between players, so that the
 * difference of two players has an interval of its own. Intervals are Student's, 95 %, over draws. Where all draws are alike they say nothing of what is
 * rare: then the rule of three holds (Hanley and Lippman-Hand 1983), 3 / draws of the largest step that was seen.
 */

const FEW = [Number.POSITIVE_INFINITY, 12.706, 4.303, 3.182, 2.776];

/** 97.5 % quantile of Student's t: from a table for few degrees of freedom, then by expansion, within 0.01 (Abramowitz & Stegun 26.7.5). */
export function tQuantile(degrees: number): number {
  if (degrees < FEW.length) return FEW[Math.max(0, degrees)]!;
  const z = 1.959964;
  const [z3, z5, z7] = [z ** 3, z ** 5, z ** 7];
  const g1 = (z3 + z) / 4;
  const g2 = (5 * z5 + 16 * z3 + 3 * z) / 96;
  const g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  return z + g1 / degrees + g2 / degrees ** 2 + g3 / degrees ** 3;
}

/** Mean, and half of its 95 % interval (Student): infinite for one number. */
export function spreadOf(values: readonly number[]): { readonly mean: number; readonly halfWidth: number } {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const square = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  if (n < 2) return { mean, halfWidth: Number.POSITIVE_INFINITY };
  return { mean, halfWidth: square === 0 ? 0 : tQuantile(n - 1) * Math.sqrt(square / (n - 1) / n) };
}

export class Estimate {
  readonly players: number;
  /** Whether differences of players are asked for: they need the covariance of every pair. */
  private readonly pairs: boolean;
  draws = 0;
  readonly mean: Float64Array; // [players]
  /** Sums of products of deviations, [players + 2, players + 2] (without pairs of squares, [players + 2]); the last two are v(none) and v(all). */
  private readonly spread: Float64Array;
  private readonly centre: Float64Array; // [players + 2]
  private readonly delta: Float64Array;
  /** Student's quantile, and of how many draws: all widths of a moment ask for the same. */
  private quantile = 0;
  private quantileAt = -1;
  /** Whether draws are of coalitions, so that a player who is seldom decisive may add the same in all of them. */
  private readonly rare: boolean;
  /** The largest step that a player made in a draw. */
  private largest = 0;

  constructor(players: number, pairs = true, rare = false) {
    this.players = players;
    this.pairs = pairs;
    this.rare = rare;
    this.centre = new Float64Array(players + 2);
    this.mean = this.centre.subarray(0, players);
    this.spread = new Float64Array(pairs ? (players + 2) ** 2 : players + 2);
    this.delta = new Float64Array(players + 2);
  }

  add(value: Float64Array, none: number, all: number): void {
    const { players, centre, delta, spread } = this;
    const size = players + 2;
    this.draws++;
    for (let i = 0; i < size; i++) {
      const x = i < players ? value[i]! : i === players ? none : all;
      delta[i] = x - centre[i]!;
      centre[i]! += delta[i]! / this.draws;
      if (i < players) this.largest = Math.max(this.largest, Math.abs(x));
    }
    this.largest = Math.max(this.largest, Math.abs(all - none));
    const factor = (this.draws - 1) / this.draws;
    if (this.pairs) for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) spread[i * size + j]! += factor * delta[i]! * delta[j]!;
    else for (let i = 0; i < size; i++) spread[i]! += factor * delta[i]! * delta[i]!;
  }

  get vEmpty(): number {
    return this.centre[this.players]!;
  }

  get vGrand(): number {
    return this.centre[this.players + 1]!;
  }

  /** What the values do not account for: 0 up to rounding for all schemes but Banzhaf's. */
  get efficiencyGap(): number {
    return this.vGrand - this.vEmpty - this.mean.reduce((sum, x) => sum + x, 0);
  }

  private error(variance: number): number {
    return this.draws < 2 ? Number.POSITIVE_INFINITY : Math.sqrt(Math.max(0, variance) / (this.draws - 1) / this.draws);
  }

  private get factor(): number {
    if (this.quantileAt !== this.draws) this.quantile = tQuantile((this.quantileAt = this.draws) - 1);
    return this.quantile;
  }

  /** Half the width of the 95 % interval of a player's value; infinite before two draws. */
  halfWidth(player: number): number {
    const stride = this.pairs ? this.players + 3 : 1;
    const error = this.error(this.spread[player * stride]!);
    return player < this.players ? this.widthOf(error) : error === 0 ? 0 : error * this.factor;
  }

  /** Rounding is no spread. */
  private widthOf(error: number): number {
    if (error > 1e-12 * this.largest) return error * this.factor;
    return this.rare ? (3 / this.draws) * this.largest : 0;
  }

  /** Half the width of the interval of v(none) and v(all). */
  get vEmptyHalfWidth(): number {
    return this.halfWidth(this.players);
  }

  get vGrandHalfWidth(): number {
    return this.halfWidth(this.players + 1);
  }

  /** Half the width of the interval of value(i) - value(j). */
  differenceHalfWidth(i: number, j: number): number {
    const size = this.players + 2;
    const at = (a: number, b: number): number => this.spread[Math.max(a, b) * size + Math.min(a, b)]!;
    return this.widthOf(this.error(at(i, i) + at(j, j) - 2 * at(i, j)));
  }

  get widest(): number {
    let most = 0;
    for (let i = 0; i < this.players; i++) most = Math.max(most, this.halfWidth(i));
    return most;
  }
}

/** Looked at only when the number of draws has doubled, so that looking often does not end the sampling early by luck. */
export function checkStopping(draws: number): boolean {
  return draws >= 16 && (draws & (draws - 1)) === 0;
}

/** Draws for a half width: (1.96 sd / width)^2. @internal Tests draw as an estimate does. */
export function drawsFor(sd: number, halfWidth: number): number {
  return Math.ceil((1.959964 * sd) ** 2 / halfWidth ** 2);
}
