/** What chasing scenarios share: contact of two bodies, the penalty for leaving the square, and rules for hunters and prey. */
import { exp } from '#math/functions.ts';

export function touches(floats: Float64Array, a: number, b: number, reach: number): boolean {
  const dx = floats[a]! - floats[b]!;
  const dy = floats[a + 1]! - floats[b + 1]!;
  return Math.sqrt(dx * dx + dy * dy) < reach;
}

/** Price of being at `x` on one axis: none up to 0.9, rising to 1 at 1, then e^(2x - 2), at most 10. */
export function bound(x: number): number {
  const far = Math.abs(x);
  if (far < 0.9) return 0;
  if (far < 1) return (far - 0.9) * 10;
  return Math.min(exp(2 * far - 2), 10);
}
