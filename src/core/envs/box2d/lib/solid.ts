/** Outlines as solids, for pictures. */
import type { BodyPart } from '#contract/game/frames.ts';

/** A shape seen from the side as a solid of some depth. */
export function solidOf(corners: readonly number[], depth: number): Pick<BodyPart, 'shape' | 'size' | 'mesh'> {
  const count = corners.length / 2;
  const at = (i: number): [number, number] => [corners[2 * i]!, corners[2 * i + 1]!];
  const ring = (z: number): number[] => Array.from({ length: count }, (_, i) => [...at(i), z]).flat();
  const faces: number[] = [];
  for (let i = 1; i + 1 < count; i++) faces.push(0, i, i + 1, count, count + i + 1, count + i);
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    faces.push(i, count + i, j, j, count + i, count + j);
  }
  const span = (k: 0 | 1): number => {
    const values = Array.from({ length: count }, (_, i) => at(i)[k]);
    return Math.max(...values) - Math.min(...values);
  };
  return { shape: 'mesh', size: [span(0), span(1), depth], mesh: { corners: [...ring(depth / 2), ...ring(-depth / 2)], faces } };
}
