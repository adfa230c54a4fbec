/** How drone environments look: drones with their rotor speeds, the task's parts and fixtures, the wind as an arrow; z up. */
import type { BodiesLayout } from '#contract/game/frames.ts';
import { BODY, POS, QUAT, RPM } from '../../lib/drones/body.ts';
import { craftOf, type FlightConfig } from '../../lib/drones/config.ts';
import type { BoundTask, Flight, Task } from '../../lib/drones/task.ts';

const PART = 7;

export function flightLayout(c: FlightConfig, task: Task): BodiesLayout {
  const { frame } = craftOf(c);
  return {
    kind: 'bodies',
    up: 'z',
    parts: [
      ...Array.from({ length: c.drones }, (_, k) => ({
        name: `drone ${k + 1}`,
        shape: 'box' as const,
        size: [frame.arm, frame.propeller],
        colour: k,
        model: 'drone' as const,
        trail: c.drones <= 8,
        frame: c.model === 'CF2P' ? ('plus' as const) : ('cross' as const),
      })),
      ...task.parts,
    ],
    extra: task.extra,
    bounds: task.bounds,
    rotors: { count: 4, hover: frame.hoverRpm },
    arrows: 1,
    fixtures: [{ kind: 'floor' }, ...task.fixtures],
  };
}

export function flightFrame(flight: Flight, task: Task, bound: BoundTask, row: number, out: Float32Array): void {
  const { config: c, floats } = flight;
  let o = 0;
  for (let k = 0; k < c.drones; k++) {
    const s = flight.at(row, k);
    for (let i = 0; i < 3; i++) out[o + i] = floats[s + POS + i]!;
    for (let i = 0; i < 4; i++) out[o + 3 + i] = floats[s + QUAT + i]!;
    o += PART;
  }
  bound.frame?.(row, out, o);
  o += PART * task.parts.length;
  for (let k = 0; k < c.drones; k++) {
    const s = flight.at(row, k);
    for (let i = RPM; i < BODY; i++) out[o++] = floats[s + i]!;
  }
  const [minX, minY, , , , maxZ] = task.bounds;
  out[o] = minX;
  out[o + 1] = minY;
  out[o + 2] = maxZ * 0.8;
  out[o + 3] = 0.1 * c.wind.x;
  out[o + 4] = 0.1 * c.wind.y;
  out[o + 5] = 0.1 * c.wind.z;
  o += 6;
  bound.extra?.(row, out, o);
}
