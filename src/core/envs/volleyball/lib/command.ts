/** Turns a wish into the action of whatever command type a court uses. */
import type { Airframe } from './airframes.ts';
import type { HallConfig } from './config.ts';
import { pilotTo, type Wish } from './pilot.ts';
import { TOP_RATE } from './quad.ts';

const ctbr = new Float32Array(4);
const RATE_GAIN = 14; // 1/s, of the rate loop for rotor commands

/** Own numbers of the observation begin at `o`; the action goes to out[a..]. */
export function command(
  c: HallConfig,
  f: Airframe,
  obs: Float32Array,
  o: number,
  to: Wish,
  out: Float32Array | Int32Array,
  a: number,
): void {
  if (c.actionType === 'ctbr') {
    pilotTo(obs, o, to, f, c.gravity, out, a);
    return;
  }
  const n = (i: number) => obs[o + i]!;
  if (c.actionType === 'velocity') {
    for (let i = 0; i < 3; i++) {
      const place = i === 0 ? to.x : i === 1 ? to.y : to.z;
      const speed = i === 0 ? to.vx : i === 1 ? to.vy : to.vz;
      out[a + i] = Math.min(1, Math.max(-1, (speed + 2.5 * (place - n(i))) / c.topSpeed));
    }
    return;
  }
  pilotTo(obs, o, to, f, c.gravity, ctbr, 0);
  // rates in the body's axes: heading, the third axis, and up x heading
  const [hx, hy, hz, ux, uy, uz] = [n(13), n(14), n(15), n(16), n(17), n(18)];
  const [wx, wy, wz] = [n(10), n(11), n(12)];
  const p = wx * hx + wy * hy + wz * hz;
  const q = wx * (uy * hz - uz * hy) + wy * (uz * hx - ux * hz) + wz * (ux * hy - uy * hx);
  const r = wx * ux + wy * uy + wz * uz;
  const wanted = (i: number) => (ctbr[i]! * TOP_RATE * Math.PI) / 180;
  const [jx, jy, jz] = f.inertia;
  const tx = jx * RATE_GAIN * (wanted(0) - p);
  const ty = jy * RATE_GAIN * (wanted(1) - q);
  const tz = jz * 0.3 * RATE_GAIN * (wanted(2) - r);
  const lift = (ctbr[3]! + 1) * 2 * f.fullThrust;
  for (let i = 0; i < 4; i++) {
    const thrust = 0.25 * (lift + tx / f.y[i]! - ty / f.x[i]! - (f.directions[i]! * tz * f.fullThrust) / f.fullMoment);
    out[a + i] = Math.min(1, Math.max(-1, (2 * thrust) / f.fullThrust - 1));
  }
}
