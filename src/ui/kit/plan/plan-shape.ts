/** A rigid body as it looks from the side, for drawings: a rectangle that turns, or a circle. Metres; pure. */
import type { FrameLayout } from '#contract/game/frames.ts';

export interface PlanShape {
  readonly round: boolean;
  readonly width: number;
  readonly height: number;
  /** Degrees, clockwise on the page. */
  readonly turn: number;
  /** It stands for the world and cannot be dragged. */
  readonly still: boolean;
}

/** null: other things than bodies are discs. */
export function planShape(layout: FrameLayout, frame: Float32Array, thing: number): PlanShape | null {
  const part = layout.kind === 'bodies' ? layout.parts[thing] : undefined;
  if (layout.kind !== 'bodies' || part === undefined) return null;
  const zUp = layout.up === 'z';
  const [a = 0.1, b = a, c = b] = part.size;
  const still = part.colour === 'structure' || part.colour === 'ground';
  const turned = (width: number, height: number): PlanShape => {
    const o = thing * 7;
    const radians = zUp ? 2 * Math.atan2(frame[o + 4]!, frame[o + 6]!) : -2 * Math.atan2(frame[o + 5]!, frame[o + 6]!);
    return { round: false, width, height, turn: (radians * 180) / Math.PI, still };
  };
  switch (part.shape) {
    case 'sphere':
      return { round: true, width: 2 * a, height: 2 * a, turn: 0, still };
    case 'box':
    case 'mesh':
      return turned(a, zUp ? c : b);
    case 'ellipsoid':
      return turned(2 * a, 2 * (zUp ? c : b));
    case 'cylinder':
      return turned(2 * a, b);
    case 'capsule':
      return turned(2 * a, b + 2 * a);
  }
}
