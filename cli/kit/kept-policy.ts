/** Policies that lie beside the page: whose, and how they are stored. */
import { gzipSync } from 'node:zlib';
import { iqm } from '#math/stats.ts';

/** Index of the score nearest to the IQM; null where no run has one. */
export function typical(scores: readonly (number | null)[]): number | null {
  const known = scores.flatMap((score, i) => (score === null ? [] : [{ score, i }]));
  if (known.length === 0) return null;
  const middle = iqm(known.map(({ score }) => score));
  return known.reduce((a, b) => (Math.abs(b.score - middle) < Math.abs(a.score - middle) ? b : a)).i;
}

/** A policy file as it is kept beside the page. */
export const packed = (text: string): Buffer => gzipSync(text, { level: 9 });
