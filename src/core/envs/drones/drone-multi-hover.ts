/**
 * Several quadrotors rise, drone k by 1/k metres above its start. MultiHoverAviary of gym-pybullet-drones with its explicit dynamics.
 * Obs per drone as in drone-hover; reward of each the sum of max(0, 2 - distance^4) over all, per control step of 1/30 s. Ends:
 * drones/lib/hover.ts; 242 steps at most. Largest return of two drones from the standard start 950.62 with motor speeds within 5 %.
 * Source: Panerati et al. 2021; `utiasDSL/gym-pybullet-drones` at 90b178a `envs/MultiHoverAviary.py`.
 */
import { z } from 'zod';
import { episodeField, flightShape, startOf } from '../lib/drones/config.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';
import { hoverChecks, hoverExpert, hoverMemory, hoverSteps, hoverTask } from './lib/hover.ts';

const config = z.strictObject({
  ...flightShape({ drones: [2, 64, 2], actions: ['rpm', 'one-d-rpm', 'pid', 'vel', 'one-d-pid'], controlHz: 30 }),
  episodeSeconds: episodeField(8, 'MultiHoverAviary'),
});
type Config = z.infer<typeof config>;

const STANDARD = config.parse({});

function targetsOf(c: Config): readonly number[] {
  const place = new Float64Array(3);
  return Array.from({ length: c.drones }, (_, k) => {
    startOf(c, k, place);
    return [place[0]!, place[1]!, place[2]! + 1 / (k + 1)];
  }).flat();
}

export const droneMultiHover = defineFlight<Config>({
  id: 'drone-multi-hover',
  title: 'Drone multi-hover',
  summary: 'Several quadrotors rise to heights of their own and stay there.',
  recommended: {
    algo: 'ppo',
    preset: 'drone-hover',
    steps: 1_000_000,
    config: { normaliseObs: true, normaliseReward: true },
  },
  source: GYM_DRONES,
  config,
  presets: [
    { id: '2-drones', title: 'two drones', config: {} },
    { id: '2-drones-one-d', title: 'two drones, one speed for all motors', config: { actionType: 'one-d-rpm' } },
    { id: '2-drones-pid', title: 'two drones, targets for the controller', config: { actionType: 'pid' } },
    { id: '8-drones', title: 'eight drones on a ring', config: { drones: 8, start: 'ring', spacing: 0.4 } },
    {
      id: 'downwash',
      title: 'two drones close together, with downwash and contact',
      config: { spacing: 0.1, physics: 'dyn-all', contact: true },
    },
  ],
  memory: hoverMemory,
  task: (c) => hoverTask(c, targetsOf(c)),
  maxSteps: hoverSteps,
  score: 'shared',
  references: (c) =>
    JSON.stringify({ ...c, actionType: 'rpm' }) === JSON.stringify(STANDARD) && (c.actionType === 'rpm' || c.actionType === 'one-d-rpm')
      ? [
          { name: 'random', value: c.actionType === 'rpm' ? 29.8 : 602.5, source: 'uniform commands, 100 episodes here' },
          { name: 'optimal', value: 950.62, source: 'largest return from the standard start' },
          c.actionType === 'rpm'
            ? { name: 'published threshold', value: 920, source: 'examples/learn.py, PPO' }
            : { name: 'published threshold', value: 949.5, source: 'examples/learn.py, PPO' },
        ]
      : [],
  policies: { expert: (c) => hoverExpert(c, targetsOf(c)) },
  checks: hoverChecks(targetsOf),
});
