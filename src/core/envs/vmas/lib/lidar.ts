/** Rays from a point, evenly round from +x, that measure the distance to discs. Source: VMAS `vmas/simulator/sensors.py`, `core.py`. */
import { cos, sin } from '#math/functions.ts';

export interface Lidar {
  readonly rays: number;
  readonly range: number;
  /** Into out[at..]: the distance along each ray to the nearest of the discs whose places stand at `places` (offsets), else the range. */
  measure(floats: Float64Array, own: number, s: number, places: readonly number[], radius: number, out: Float32Array, at: number): void;
}

export function createLidar(rays: number, range: number): Lidar {
  const dirX = Float64Array.from({ length: rays }, (_, k) => cos((2 * Math.PI * k) / rays));
  const dirY = Float64Array.from({ length: rays }, (_, k) => sin((2 * Math.PI * k) / rays));
  return {
    rays,
    range,
    measure(floats, own, s, places, radius, out, at) {
      out.fill(range, at, at + rays);
      for (const place of places) {
        const p = s + place;
        if (p === own) continue;
        const dx = floats[p]! - floats[own]!;
        const dy = floats[p + 1]! - floats[own + 1]!;
        const square = dx * dx + dy * dy;
        const reach = range + radius;
        if (square > reach * reach) continue;
        for (let k = 0; k < rays; k++) {
          const along = dx * dirX[k]! + dy * dirY[k]!;
          const across = square - along * along;
          if (along <= 0 || across >= radius * radius) continue;
          const far = along - Math.sqrt(radius * radius - Math.max(0, across));
          if (far < out[at + k]!) out[at + k] = far;
        }
      }
    },
  };
}
