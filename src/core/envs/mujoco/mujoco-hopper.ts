/**
 * A flat one-legged body with three motors: hop ahead without falling. Gymnasium Hopper-v5.
 * Obs [height, pitch, joint angles rad, and the speeds of x, height, pitch and joints, cut to +-10]; the position x comes first unless it is
 * left out. Action: torques over the gears (200 Nm), -1..1. Reward forward weight x speed + healthy reward - control weight x |action|².
 * Healthy: height and pitch in their ranges, all other numbers of the state in theirs. Ends when unhealthy; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `hopper_v5.py` (Erez, Tassa and Todorov 2011); dimensions of its `hopper_v5.xml`; 4 x 0.002 s, RK4.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import type { Body } from './lib/mjcf.ts';
import { spreadStart } from './lib/rules.ts';
import { holds } from './lib/scripts.ts';
import { rangeField, within } from './lib/settings.ts';
import { legOf, torso, UPRIGHT_LOOK, UPRIGHT_TERMS, uprightFields, uprightRules } from './lib/upright.ts';

const SOURCE = 'Gymnasium Hopper-v5';

const body: Body = {
  name: 'hopper',
  timestep: 0.002,
  integrator: 'RK4',
  usual: {
    joint: { armature: 1, damping: 1 },
    shape: { contype: 1, conaffinity: 1, condim: 1, margin: 0.001, solimp: [0.8, 0.8, 0.01] },
  },
  ground: [{ type: 'plane', name: 'floor', size: [20, 20, 0.125], condim: 3 }],
  parts: [torso({ friction: [0.9] }, [legOf({ side: '', say: '', grip: [0.9, 2], foot: [0.13, 0.065, 0.195] })])],
  motors: ['thigh', 'leg', 'foot'].map((name) => ({ joint: `${name}_joint`, gear: 200 })),
  strength: 1,
};

const config = z.strictObject({
  ...uprightFields(SOURCE, [0.7, null], 0.2),
  healthyStateRange: rangeField(-100, 100, 'healthy state', 'Of all positions but x and height, and of all velocities.', SOURCE),
});

export const mujocoHopper = defineBody<z.infer<typeof config>>({
  id: 'mujoco-hopper',
  title: 'Hopper (MuJoCo)',
  summary: 'Hop ahead on one leg without falling.',
  config,
  body,
  actions: ['thigh', 'leg', 'foot'],
  terms: UPRIGHT_TERMS,
  look: UPRIGHT_LOOK,
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules: (c) =>
    uprightRules(body, c.frameSkip * body.timestep, c, (qpos, qvel) => {
      for (let i = 2; i < qpos.length; i++) if (!within(qpos[i]!, c.healthyStateRange)) return false;
      for (let i = 0; i < qvel.length; i++) if (!within(qvel[i]!, c.healthyStateRange)) return false;
      return true;
    }),
  policies: holds(body, 1, 0.05),
  references: [
    { name: 'random', value: 17, source: 'uniform actions, 910 episodes' },
    { name: 'published PPO', value: 2383, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: 2310, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published TD3', value: 3392, source: 'CleanRL benchmark, 1M steps' },
    { name: 'solved', value: 3800, source: 'Gymnasium, reward threshold of Hopper-v5' },
  ],
});
