/** Where shares of strategies lie in a picture: a line for two, a triangle for three, a square for two players of two. Unit coordinates, y up. */
import type { SharesReport } from '#contract/game/population.ts';

export type Shape = 'line' | 'triangle' | 'square';

/** How these populations can be drawn; null: too many strategies, their shares are drawn over time instead. */
export function shapeOf({ populations }: SharesReport): Shape | null {
  const sizes = populations.map(({ strategies }) => strategies.length);
  if (sizes.length === 1) return sizes[0] === 2 ? 'line' : sizes[0] === 3 ? 'triangle' : null;
  return sizes.length === 2 && sizes.every((n) => n === 2) ? 'square' : null;
}

const ROOT3 = Math.sqrt(3);

/** Corners of a triangle: first strategy at the top, the second at the left, the third at the right. Also of changes: it is linear. */
export function place(shape: Shape, shares: readonly number[]): readonly [x: number, y: number] {
  const [a = 0, , c = 0] = shares;
  switch (shape) {
    case 'line':
      return [a, 0];
    case 'triangle':
      return [0.5 * a + c, (ROOT3 / 2) * a];
    case 'square':
      return [a, c];
  }
}

/** Where the change leads, as a vector in the picture. */
export function direction(shape: Shape, change: readonly number[]): readonly [x: number, y: number] {
  return place(shape, change);
}

export interface Arrow {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  /** 0..1 of the fastest. */
  readonly speed: number;
}

/** Arrows of the flow, longest `length`; slow places get short ones. */
export function arrowsOf(shape: Shape, flow: SharesReport['flow'], length: number): readonly Arrow[] {
  const all = flow.map(({ at, change }) => ({ from: place(shape, at), by: direction(shape, change) }));
  const fastest = Math.max(1e-12, ...all.map(({ by }) => Math.hypot(...by)));
  return all.map(({ from, by }) => {
    const speed = Math.hypot(...by) / fastest;
    const scale = speed === 0 ? 0 : (length * Math.sqrt(speed)) / (speed * fastest);
    return { from, to: [from[0] + by[0] * scale, from[1] + by[1] * scale], speed };
  });
}
