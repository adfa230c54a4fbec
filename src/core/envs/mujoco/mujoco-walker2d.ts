/**
 * A flat two-legged body with six motors: walk ahead without falling. Gymnasium Walker2d-v5.
 * Obs [height, pitch, joint angles rad, and the speeds of x, height, pitch and joints, cut to +-10]; the position x comes first unless it is
 * left out. Action: torques over the gears (100 Nm), -1..1. Reward forward weight x speed + healthy reward - control weight x |action|².
 * Healthy: height and pitch in their ranges. Ends when unhealthy; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `walker2d_v5.py`; dimensions of its `walker2d_v5.xml`; 4 x 0.002 s, RK4.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import type { Body } from './lib/mjcf.ts';
import { spreadStart } from './lib/rules.ts';
import { holds } from './lib/scripts.ts';
import { type Leg, legOf, torso, UPRIGHT_LOOK, UPRIGHT_TERMS, uprightFields, uprightRules } from './lib/upright.ts';

const SOURCE = 'Gymnasium Walker2d-v5';
const leg: Omit<Leg, 'side' | 'say'> = { grip: [0.9, 1.9], foot: [0.2, 0.1, 0.1] };

const body: Body = {
  name: 'walker2d',
  timestep: 0.002,
  integrator: 'RK4',
  usual: {
    joint: { armature: 0.01, damping: 0.1 },
    shape: { contype: 1, conaffinity: 0, condim: 3, friction: [0.7, 0.1, 0.1], density: 1000 },
  },
  ground: [{ type: 'plane', name: 'floor', size: [40, 40, 40], conaffinity: 1 }],
  parts: [
    torso({ friction: [0.9] }, [
      legOf({ ...leg, side: '', say: 'right ' }),
      legOf({ ...leg, side: '_left', say: 'left ', look: 'accent' }),
    ]),
  ],
  motors: ['', '_left'].flatMap((side) => ['thigh', 'leg', 'foot'].map((name) => ({ joint: `${name}${side}_joint`, gear: 100 }))),
  strength: 1,
};

const config = z.strictObject(uprightFields(SOURCE, [0.8, 2], 1));

export const mujocoWalker2d = defineBody<z.infer<typeof config>>({
  id: 'mujoco-walker2d',
  title: 'Walker 2D (MuJoCo)',
  summary: 'Walk ahead on two legs without falling.',
  config,
  body,
  actions: ['right thigh', 'right leg', 'right foot', 'left thigh', 'left leg', 'left foot'],
  terms: UPRIGHT_TERMS,
  look: UPRIGHT_LOOK,
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules: (c) => uprightRules(body, c.frameSkip * body.timestep, c, () => true),
  policies: holds(body, 3, 0.1),
  references: [
    { name: 'random', value: 1.5, source: 'uniform actions, 947 episodes' },
    { name: 'published PPO', value: 2288, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: 3591, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published TD3', value: 4246, source: 'CleanRL benchmark, 1M steps' },
  ],
});
