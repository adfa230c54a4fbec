/**
 * Ratings from results. Elo: expected score 1 / (1 + 10^((b - a) / 400)), moved by K times the surprise after every game, so it depends on
 * their order. Bradley and Terry 1952: the ratings under which all results together are likeliest, by minorise-maximise (Hunter 2004);
 * a draw counts as half a win for each. Golden: eval-elo-crossplay.
 */
import { exp, log, pow } from './functions.ts';
import type { Matrix } from './linear.ts';

const SCALE = 400;

/** What a player of rating `a` is expected to score against one of rating `b`: 1 a win, 0.5 a draw. */
export function expectedScore(a: number, b: number): number {
  return 1 / (1 + pow(10, (b - a) / SCALE));
}

/** Both ratings after a game that the first scored `score` in. */
export function eloUpdate(a: number, b: number, score: number, k = 32): readonly [number, number] {
  const change = k * (score - expectedScore(a, b));
  return [a + change, b - change];
}

export interface BradleyTerry {
  readonly strength: readonly number[]; // geometric mean 1
  readonly elo: readonly number[]; // mean 0
}

/**
 * `wins[i][j]`: games that i won against j. `prior`: wins added to both sides of every pair that met, without which a player that never
 * lost has no finite rating.
 */
export function bradleyTerry(wins: Matrix, prior = 0): BradleyTerry {
  const n = wins.length;
  const won = (i: number, j: number): number => {
    const own = wins[i]![j]!;
    return own + (own + wins[j]![i]! > 0 ? prior : 0);
  };
  const total = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_unused, j) => (i === j ? 0 : won(i, j))));
  let strength = new Array<number>(n).fill(1);
  for (let round = 0; round < 10_000; round++) {
    let change = 0;
    const next = strength.map((s, i) => {
      let wonAll = 0;
      let weight = 0;
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        wonAll += total[i]![j]!;
        const games = total[i]![j]! + total[j]![i]!;
        weight += games / (s + strength[j]!);
      }
      return weight === 0 ? s : wonAll / weight;
    });
    const scaled = centred(next);
    scaled.forEach((s, i) => {
      change = Math.max(change, Math.abs(s - strength[i]!) / s);
    });
    strength = scaled;
    if (!(change > 1e-13)) break;
  }
  return { strength, elo: strength.map((s) => (SCALE * log(s)) / Math.LN10) };
}

function centred(strength: readonly number[]): number[] {
  const mean = strength.reduce((sum, s) => sum + log(s), 0) / strength.length;
  return strength.map((s) => s / exp(mean));
}

export interface CrossPlay {
  readonly selfPlay: number;
  readonly crossPlay: number;
  readonly gap: number;
}

/** Mean of the diagonal, mean of all other cells, and what is lost between them; NaN where there is nothing to average. */
export function crossPlay(matrix: Matrix): CrossPlay {
  let own = 0;
  let all = 0;
  matrix.forEach((row, i) => {
    row.forEach((v, j) => {
      all += v;
      if (i === j) own += v;
    });
  });
  const n = matrix.length;
  const selfPlay = own / n;
  const others = (all - own) / (n * n - n);
  return { selfPlay, crossPlay: others, gap: selfPlay - others };
}
