/** A room of one heat capacity behind one thermal resistance: C dT/dt = (outdoors - T) / R + heat. J/K, K/W, W, °C, s. */
import { exp } from '#math/functions.ts';

export interface Zone {
  readonly capacity: number;
  readonly resistance: number;
  readonly dt: number;
}

/** The temperature after a step in which heat and weather stay as they are. */
export function zoneStep(z: Zone, temperature: number, outdoors: number, heat: number, solver: 'exact' | 'euler'): number {
  if (solver === 'euler') return temperature + (z.dt / z.capacity) * ((outdoors - temperature) / z.resistance + heat);
  const rest = outdoors + z.resistance * heat; // where it would end
  return rest + (temperature - rest) * exp(-z.dt / (z.resistance * z.capacity));
}

/** The heat that brings the room to a temperature in one step. */
export function heatFor(z: Zone, temperature: number, outdoors: number, wanted: number, solver: 'exact' | 'euler'): number {
  if (solver === 'euler') return ((wanted - temperature) * z.capacity) / z.dt - (outdoors - temperature) / z.resistance;
  const left = exp(-z.dt / (z.resistance * z.capacity));
  return ((wanted - temperature * left) / (1 - left) - outdoors) / z.resistance;
}
