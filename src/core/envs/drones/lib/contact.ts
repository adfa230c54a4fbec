/**
 * Solid floor and solid drones, resolved once per physics step by impulses. A drone touches the floor with the lower one of its two
 * discs (four points on the rim of its collision cylinder); it keeps a tenth of its speed of fall and slides with friction 0.5.
 * Drones touch where their cylinders, taken upright, overlap, and part along the shallower direction without gaining energy.
 * The reference leaves contact to Bullet, which is not reproduced: this is this project's own model.
 */
import { sqrt } from '#math/functions.ts';
import { BODY, type Craft, POS, QUAT, RATES, rotation, VEL } from '../../lib/drones/body.ts';

const RESTITUTION = 0.1;
const FRICTION = 0.5;
const PASSES = 3; // over the corners: each impulse disturbs the others
const KEPT_SPIN = 0.95; // of the turning rate per step on the floor: feet are not hard points
const R = new Float64Array(9);

/** The drone at `at` against the floor z = 0; true if it touches. */
export function floorContact(s: Float64Array, at: number, c: Craft): boolean {
  const { radius, height, inertia } = c.frame;
  if (s[at + POS + 2]! > radius + height) return false;
  rotation(s, at + QUAT, R);
  const lower = R[8]! >= 0 ? -height / 2 : height / 2;
  let deepest = 0;
  for (let i = 0; i < 4 * PASSES; i++) {
    const corner = i & 3;
    const bx = corner === 0 || corner === 3 ? radius : -radius;
    const by = corner < 2 ? radius : -radius;
    const rx = (bx * R[0]! + by * R[1]!) * Math.SQRT1_2 + lower * R[2]!;
    const ry = (bx * R[3]! + by * R[4]!) * Math.SQRT1_2 + lower * R[5]!;
    const rz = (bx * R[6]! + by * R[7]!) * Math.SQRT1_2 + lower * R[8]!;
    const depth = -(s[at + POS + 2]! + rz);
    if (depth <= 0) continue;
    deepest = Math.max(deepest, depth);
    push(s, at, c.mass, inertia, rx, ry, rz);
  }
  if (deepest === 0) return false;
  s[at + POS + 2] = s[at + POS + 2]! + deepest;
  for (let k = 0; k < 3; k++) s[at + RATES + k] = s[at + RATES + k]! * KEPT_SPIN;
  return true;
}

/** World rates of the body into (wx, wy, wz); the moment of inertia is taken as one number, its mean, which keeps the impulse simple. */
function push(
  s: Float64Array,
  at: number,
  mass: number,
  inertia: readonly [number, number, number],
  rx: number,
  ry: number,
  rz: number,
): void {
  const p = s[at + RATES]!;
  const q = s[at + RATES + 1]!;
  const r = s[at + RATES + 2]!;
  const wx = R[0]! * p + R[1]! * q + R[2]! * r;
  const wy = R[3]! * p + R[4]! * q + R[5]! * r;
  const wz = R[6]! * p + R[7]! * q + R[8]! * r;
  const ux = s[at + VEL]! + wy * rz - wz * ry;
  const uy = s[at + VEL + 1]! + wz * rx - wx * rz;
  const uz = s[at + VEL + 2]! + wx * ry - wy * rx;
  if (uz >= 0) return;
  const turn = 3 / (inertia[0] + inertia[1] + inertia[2]);
  const normal = (-(1 + (uz < -0.2 ? RESTITUTION : 0)) * uz) / (1 / mass + turn * (rx * rx + ry * ry));
  const slip = sqrt(ux * ux + uy * uy);
  const stop = slip / (1 / mass + turn * (rx * rx + ry * ry + rz * rz));
  const grip = slip > 1e-12 ? Math.min(FRICTION * normal, stop) / slip : 0;
  const jx = -grip * ux;
  const jy = -grip * uy;
  s[at + VEL] = s[at + VEL]! + jx / mass;
  s[at + VEL + 1] = s[at + VEL + 1]! + jy / mass;
  s[at + VEL + 2] = s[at + VEL + 2]! + normal / mass;
  const tx = turn * (ry * normal - rz * jy);
  const ty = turn * (rz * jx - rx * normal);
  const tz = turn * (rx * jy - ry * jx);
  s[at + RATES] = p + R[0]! * tx + R[3]! * ty + R[6]! * tz;
  s[at + RATES + 1] = q + R[1]! * tx + R[4]! * ty + R[7]! * tz;
  s[at + RATES + 2] = r + R[2]! * tx + R[5]! * ty + R[8]! * tz;
}

/** All pairs of `n` drones from `at`: overlapping cylinders part; returns how many pairs touched. */
export function droneContacts(s: Float64Array, at: number, n: number, c: Craft): number {
  const wide = 2 * c.frame.radius;
  const high = c.frame.height;
  let count = 0;
  for (let i = 0; i < n; i++) {
    for (let k = i + 1; k < n; k++) {
      const a = at + i * BODY;
      const b = at + k * BODY;
      const dx = s[b]! - s[a]!;
      const dy = s[b + 1]! - s[a + 1]!;
      const dz = s[b + 2]! - s[a + 2]!;
      const flat = sqrt(dx * dx + dy * dy);
      if (flat >= wide || Math.abs(dz) >= high) continue;
      count++;
      const sideways = wide - flat < (high - Math.abs(dz)) * (wide / high) && flat > 1e-9;
      const nx = sideways ? dx / flat : 0;
      const ny = sideways ? dy / flat : 0;
      const nz = sideways ? 0 : dz >= 0 ? 1 : -1;
      const depth = sideways ? wide - flat : high - Math.abs(dz);
      let approach = 0;
      for (let d = 0; d < 3; d++) {
        const along = d === 0 ? nx : d === 1 ? ny : nz;
        s[a + d] = s[a + d]! - 0.5 * depth * along;
        s[b + d] = s[b + d]! + 0.5 * depth * along;
        approach += along * (s[b + VEL + d]! - s[a + VEL + d]!);
      }
      if (approach >= 0) continue;
      for (let d = 0; d < 3; d++) {
        const along = d === 0 ? nx : d === 1 ? ny : nz;
        const half = 0.5 * (1 + RESTITUTION) * approach * along;
        s[a + VEL + d] = s[a + VEL + d]! + half;
        s[b + VEL + d] = s[b + VEL + d]! - half;
      }
    }
  }
  return count;
}
