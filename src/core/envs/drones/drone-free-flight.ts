/**
 * Quadrotors without a task: explicit rigid-body physics at 240 Hz under motor speeds in rpm, one control step per physics step.
 * Obs (20) position, quaternion x y z w, roll, pitch, yaw, velocity, turning rate (world), rpm. Reward 0. Never ends of itself; cut
 * off (truncated) 1 km away or beyond 500 m/s or 2000 rad/s, where the numbers would run away.
 * Source: Panerati et al. 2021; `utiasDSL/gym-pybullet-drones` at 90b178a, CtrlAviary in its DYN mode. Throws config-invalid if the
 * control rate does not divide the physics rate.
 */
import { z } from 'zod';
import { flightShape } from '../lib/drones/config.ts';
import type { Task } from '../lib/drones/task.ts';
import { flightChecks } from './lib/checks.ts';
import { goldenController } from './lib/controller.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';

const config = z.strictObject({
  ...flightShape({ drones: [1, 64, 1], actions: ['motor-rpm', 'thrust', 'pid-offset', 'vel'], controlHz: 240 }),
});
type Config = z.infer<typeof config>;

function task(c: Config): Task {
  const reach = Math.max(0.5, 0.2 * c.drones);
  return {
    labels: [],
    fields: [],
    parts: [],
    fixtures: [],
    bounds: [-reach, -reach, 0, reach, reach, c.start === 'stack' ? 0.2 + 0.5 * c.drones : 0.6],
    extra: [],
    bind: () => ({
      judge(_row, rewards) {
        rewards.fill(0);
        return 0;
      },
    }),
  };
}

export const droneFreeFlight = defineFlight<Config>({
  id: 'drone-free-flight',
  title: 'Drone free flight',
  summary: 'Quadrotors without a task: motor speeds in, motion out; air and contact to switch on.',
  source: GYM_DRONES,
  config,
  presets: [
    { id: 'one-cf2x', title: 'one CF2X, motor speeds', config: {} },
    {
      id: 'by-hand',
      title: 'by hand: targets near the drone',
      config: { actionType: 'pid-offset', controlHz: 48, physics: 'dyn-all', contact: true },
    },
    {
      id: 'stacked',
      title: 'four, one above the other, in each other’s downwash',
      config: { drones: 4, start: 'stack', physics: 'dyn-dw', actionType: 'pid-offset', controlHz: 48 },
    },
    { id: 'racer', title: 'a racer', config: { model: 'RACE', actionType: 'thrust', controlHz: 48 } },
    {
      id: 'windy',
      title: 'in a side wind of 4 m/s',
      config: { wind: [0, 4, 0], physics: 'dyn-drag', actionType: 'pid-offset', controlHz: 48 },
    },
  ],
  memory: () => -1,
  task,
  unrewarded: true,
  maxSteps: () => 0,
  score: 'mean',
  references: () => [],
  checks: flightChecks,
  controller: goldenController,
});
