/** Ways through the air: places and velocities by phase (0..2 pi for a round). Metres; `size` is the half width, the middle is at (0, 0, height). */
import { cos, sin } from '#math/functions.ts';

export const PATHS = ['circle', 'eight', 'helix', 'knot'] as const;
export type PathName = (typeof PATHS)[number];

const RISE = 0.3; // of the size: how far helix and knot leave their height

/** Place to out[0..2], derivative by phase to out[3..5]. */
export function pathAt(name: PathName, phase: number, size: number, height: number, out: Float64Array): void {
  const s = sin(phase);
  const c = cos(phase);
  switch (name) {
    case 'circle':
    case 'helix': {
      const up = name === 'helix' ? RISE * size : 0;
      out[0] = size * c;
      out[1] = size * s;
      out[2] = height + up * sin(2 * phase);
      out[3] = -size * s;
      out[4] = size * c;
      out[5] = 2 * up * cos(2 * phase);
      break;
    }
    case 'eight':
      out[0] = size * s;
      out[1] = size * s * c;
      out[2] = height;
      out[3] = size * c;
      out[4] = size * (c * c - s * s);
      out[5] = 0;
      break;
    case 'knot':
      out[0] = size * s;
      out[1] = size * sin(2 * phase);
      out[2] = height + RISE * size * sin(3 * phase);
      out[3] = size * c;
      out[4] = 2 * size * cos(2 * phase);
      out[5] = 3 * RISE * size * cos(3 * phase);
      break;
  }
}

/** Points x, y, z of a round, for drawing. */
export function pathPoints(name: PathName, size: number, height: number, count: number): readonly number[] {
  const out = new Float64Array(6);
  return Array.from({ length: count }, (_, i) => {
    pathAt(name, (2 * Math.PI * i) / count, size, height, out);
    return Array.from(out.subarray(0, 3));
  }).flat();
}
