/**
 * One quadrotor shall rise from the floor to a target and stay. HoverAviary of gym-pybullet-drones with its explicit dynamics.
 * Obs (12 + half a second of actions): position, roll, pitch, yaw, velocity, turning rate (world), last actions, oldest first.
 * Reward max(0, 2 - distance^4) per control step of 1/30 s. Ends: drones/lib/hover.ts; 242 steps at most.
 * Largest return from the standard start 474.28 with motor speeds within 5 %, 481.2 through the controller.
 * Differs: past actions and the controller's memory are cleared at a reset (kept over episodes there); CF2P flies with its own mixer (that of
 * CF2X there); downwash closer than 0.2 m is bounded. Source: Panerati et al. 2021; `utiasDSL/gym-pybullet-drones` at 90b178a `envs/HoverAviary.py`.
 */
import { z } from 'zod';
import { episodeField, flightShape } from '../lib/drones/config.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';
import { hoverChecks, hoverExpert, hoverMemory, hoverSteps, hoverTask } from './lib/hover.ts';

const config = z.strictObject({
  ...flightShape({ drones: [1, 1, 1], actions: ['rpm', 'one-d-rpm', 'pid', 'vel', 'one-d-pid'], controlHz: 30 }),
  target: z.array(z.number().min(-10).max(10)).length(3).default([0, 0, 1]).meta({
    title: 'target',
    unit: 'm',
    description: 'Where to hover: x, y, z.',
    source: 'HoverAviary',
  }),
  episodeSeconds: episodeField(8, 'HoverAviary'),
});
type Config = z.infer<typeof config>;

const STANDARD = config.parse({});

/** What is known of a command type under the standard settings. */
const KNOWN: { readonly [type: string]: readonly { readonly name: string; readonly value: number; readonly source: string }[] } = {
  rpm: [
    { name: 'random', value: 17.6, source: 'uniform commands, 100 episodes here' },
    { name: 'optimal', value: 474.28, source: 'largest return from the standard start' },
    { name: 'published threshold', value: 467, source: 'examples/learn.py, PPO' },
  ],
  'one-d-rpm': [
    { name: 'random', value: 263.6, source: 'uniform commands, 100 episodes here' },
    { name: 'optimal', value: 474.28, source: 'largest return from the standard start' },
    { name: 'published threshold', value: 474, source: 'examples/learn.py, PPO' },
  ],
  pid: [
    { name: 'random', value: 25.6, source: 'uniform commands, 100 episodes here' },
    { name: 'controller', value: 481.18, source: 'DSL PID, target always (0, 0, 1)' },
    { name: 'published threshold', value: 467, source: 'examples/learn.py, PPO' },
  ],
  vel: [
    { name: 'random', value: 329.5, source: 'uniform commands, 100 episodes here' },
    { name: 'expert', value: 470.5, source: 'policy "expert" here' },
    { name: 'published threshold', value: 467, source: 'examples/learn.py, PPO' },
  ],
  'one-d-pid': [
    { name: 'random', value: 326.7, source: 'uniform commands, 100 episodes here' },
    { name: 'expert', value: 470.7, source: 'policy "expert" here' },
    { name: 'published threshold', value: 467, source: 'examples/learn.py, PPO' },
  ],
};

export const droneHover = defineFlight<Config>({
  id: 'drone-hover',
  title: 'Drone hover',
  summary: 'A quadrotor rises to a target and stays there.',
  source: GYM_DRONES,
  config,
  recommended: {
    algo: 'ppo',
    preset: 'drone-hover',
    steps: 1_000_000,
    config: { normaliseObs: true, normaliseReward: true },
  },
  presets: [
    { id: 'rpm', title: 'four motor speeds', config: {} },
    { id: 'one-d-rpm', title: 'one speed for all motors', config: { actionType: 'one-d-rpm' } },
    { id: 'pid', title: 'targets for the controller', config: { actionType: 'pid' } },
    { id: 'vel', title: 'velocities', config: { actionType: 'vel' } },
    { id: 'windy', title: 'in a gusty room: side wind of 3 m/s', config: { wind: [0, 3, 0], physics: 'dyn-drag', actionType: 'pid' } },
  ],
  memory: hoverMemory,
  task: (c) => hoverTask(c, c.target),
  maxSteps: hoverSteps,
  score: 'mean',
  references: (c) => (JSON.stringify({ ...c, actionType: 'rpm' }) === JSON.stringify(STANDARD) ? (KNOWN[c.actionType] ?? []) : []),
  policies: { expert: (c) => hoverExpert(c, c.target) },
  checks: hoverChecks<Config>((c) => c.target),
});
