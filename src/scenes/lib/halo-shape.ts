/** Rings and arcs of explanations as numbers, the same for both renderers. Lengths in the picture's own units. Pure. */

/** Rings differ by shape before they differ by colour: what adds is closed, what takes away broken, what may be nothing a row of dots. */
export type RingKind = 'closed' | 'broken' | 'dotted';

/** Widths of a ring as shares of its radius; the first is that of dots. */
export const RING_WIDTHS = [0.035, 0.05, 0.08, 0.12, 0.165] as const;
/** Pieces of a broken ring and of a dotted one, and how much of the way round each leaves free. */
export const PIECES = { closed: [1, 0], broken: [9, 0.36], dotted: [28, 0.66] } as const;

/** `strength` -1..1 of the strongest. */
export function ringOf(strength: number): { readonly kind: RingKind; readonly level: number } {
  if (strength === 0 || !Number.isFinite(strength)) return { kind: 'dotted', level: 0 };
  const level = Math.max(1, Math.ceil(Math.min(1, Math.abs(strength)) * (RING_WIDTHS.length - 1)));
  return { kind: strength > 0 ? 'closed' : 'broken', level };
}

/**
 * Outer radius of the ring round a thing of this radius: the area between them grows with the strength. `reach`: how far the strongest ring
 * lies outside; less round small things, so that those of a flock keep apart.
 */
export function haloRadius(thing: number, strength: number, reach: number): number {
  const far = Math.min(reach, Math.max(0.35 * reach, 2 * thing));
  return thing * 1.12 + far * (0.22 + 0.78 * Math.sqrt(Math.min(1, Math.abs(strength))));
}

/** Angles from and to, radians, of the pieces of a ring. */
export function ringPieces(kind: RingKind): readonly (readonly [from: number, to: number])[] {
  const [count, gap] = PIECES[kind];
  const turn = (2 * Math.PI) / count;
  return Array.from({ length: count }, (_, i) => [i * turn - Math.PI / 2, (i + 1 - gap) * turn - Math.PI / 2] as const);
}

export type Place = readonly [x: number, y: number, z: number];

/**
 * An arc from one thing to another: up by `rise` of its length, and to its right, so that there and back are two arcs; of things that touch
 * it goes from middle to middle. Three points of a quadratic curve; y is up. null: they are at the same place.
 */
export function arcBetween(a: Place, aRadius: number, b: Place, bRadius: number, rise: number): readonly [Place, Place, Place] | null {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const far = Math.hypot(dx, dy, dz);
  if (far < 1e-9) return null;
  const start = Math.min(0.15, (0.7 * aRadius) / far);
  const end = Math.max(0.85, 1 - (1.1 * bRadius) / far);
  // a short arc is as high as one over both things
  const wide = Math.max(1, (2 * (aRadius + bRadius)) / far);
  const at = (s: number, up: number, right: number): Place => [
    a[0] + dx * s - dz * right * wide,
    a[1] + dy * s + far * up * wide,
    a[2] + dz * s + dx * right * wide,
  ];
  return [at(start, 0, 0), at((start + end) / 2, 2 * rise, 0.24), at(end, 0, 0)];
}

/** The point at s 0..1 of such an arc. */
export function alongArc([p, q, r]: readonly [Place, Place, Place], s: number): Place {
  const [u, v, w] = [(1 - s) * (1 - s), 2 * s * (1 - s), s * s];
  return [u * p[0] + v * q[0] + w * r[0], u * p[1] + v * q[1] + w * r[1], u * p[2] + v * q[2] + w * r[2]];
}
