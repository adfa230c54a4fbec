/** How much a choice changes when it is made on other grounds: KL(p || q) of one row of two answers of a policy. */

import { exp, log } from '#math/functions.ts';
import type { Act } from '../../api/types.ts';

type Said = Pick<Act, 'logits' | 'mean' | 'logStd'>;

function categoricalKlRow(p: Float32Array, q: Float32Array, at: number, n: number): number {
  let topP = Number.NEGATIVE_INFINITY;
  let topQ = Number.NEGATIVE_INFINITY;
  for (let i = at; i < at + n; i++) {
    topP = Math.max(topP, p[i]!);
    topQ = Math.max(topQ, q[i]!);
  }
  let sumP = 0;
  let sumQ = 0;
  for (let i = at; i < at + n; i++) {
    sumP += exp(p[i]! - topP);
    sumQ += exp(q[i]! - topQ);
  }
  let kl = 0;
  for (let i = at; i < at + n; i++) {
    const weight = exp(p[i]! - topP) / sumP;
    if (weight > 0) kl += weight * (p[i]! - topP - log(sumP) - (q[i]! - topQ - log(sumQ)));
  }
  return Math.max(0, kl);
}

function gaussianKlRow(p: Said, q: Said, at: number, d: number): number {
  let kl = 0;
  for (let i = at; i < at + d; i++) {
    const spreadP = p.logStd![i]!;
    const spreadQ = q.logStd![i]!;
    const off = p.mean![i]! - q.mean![i]!;
    kl += spreadQ - spreadP + 0.5 * ((exp(2 * spreadP) + off * off) * exp(-2 * spreadQ) - 1);
  }
  return Math.max(0, kl);
}

/** In nats; 0 where the answers hold neither logits nor a mean with its deviation. */
export function changeOfMind(p: Said, q: Said, row: number, actionCount: number, actionSize: number): number {
  if (p.logits !== undefined && q.logits !== undefined) return categoricalKlRow(p.logits, q.logits, row * actionCount, actionCount);
  if (p.mean !== undefined && q.mean !== undefined && p.logStd !== undefined && q.logStd !== undefined)
    return gaussianKlRow(p, q, row * actionSize, actionSize);
  return 0;
}
