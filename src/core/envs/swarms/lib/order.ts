/** Order parameters of members with places and velocities, [N, 2] each, velocities behind the places. */

export interface Order {
  /** Length of the mean unit velocity, 0 to 1. */
  polarisation: number;
  /** Absolute mean of the cross product of the unit vector from the centroid and the unit velocity, 0 to 1. */
  milling: number;
  /** Centroid, m. */
  x: number;
  y: number;
}

export function measureOrder(n: number, floats: Float64Array, s: number, out: Order): void {
  let cx = 0;
  let cy = 0;
  for (let i = 0; i < n; i++) {
    cx += floats[s + 2 * i]!;
    cy += floats[s + 2 * i + 1]!;
  }
  cx /= n;
  cy /= n;
  let ux = 0;
  let uy = 0;
  let turn = 0;
  for (let i = 0; i < n; i++) {
    const vx = floats[s + 2 * n + 2 * i]!;
    const vy = floats[s + 2 * n + 2 * i + 1]!;
    const speed = Math.sqrt(vx * vx + vy * vy);
    if (speed === 0) continue;
    ux += vx / speed;
    uy += vy / speed;
    const dx = floats[s + 2 * i]! - cx;
    const dy = floats[s + 2 * i + 1]! - cy;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far > 0) turn += (dx * vy - dy * vx) / (far * speed);
  }
  out.polarisation = Math.sqrt(ux * ux + uy * uy) / n;
  out.milling = Math.abs(turn) / n;
  out.x = cx;
  out.y = cy;
}

/** Mean distance to the nearest other member on the open plane, m; O(N^2). */
export function meanNearest(n: number, floats: Float64Array, s: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const dx = floats[s + 2 * i]! - floats[s + 2 * j]!;
      const dy = floats[s + 2 * i + 1]! - floats[s + 2 * j + 1]!;
      least = Math.min(least, dx * dx + dy * dy);
    }
    sum += Math.sqrt(least);
  }
  return sum / n;
}
