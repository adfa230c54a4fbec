/**
 * A team turns a bar that is fixed in the middle at a wanted speed. VMAS wheel. Obs per agent: own place and velocity; bar, its two ends
 * relative to it; angle of the bar modulo pi, its speed, and how far that is from the wanted one. Shared reward: minus that difference.
 * Never terminates. Physics: vmas/lib/world.ts. Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/wheel.py`.
 */
import { z } from 'zod';
import { cos, sin } from '#math/functions.ts';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, massField, OWN, own, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { references } from './lib/references.ts';
import { wheelRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(4),
  lineLength: z
    .number()
    .min(0.1)
    .max(10)
    .default(2)
    .meta({ title: 'length of the bar', unit: 'm', description: 'End to end.', source: 'VMAS', group: 'physics', slider: [0.5, 4] }),
  lineMass: massField(30, 'bar', [1, 200]),
  desiredVelocity: z
    .number()
    .min(0)
    .max(10)
    .default(0.05)
    .meta({
      title: 'target speed',
      unit: 'rad/s',
      description: 'How fast the bar should turn, either way round.',
      source: 'VMAS',
      live: true,
      slider: [0, 0.3],
    }),
  maxSteps: limitField(100),
  ...drag,
  collisionForce: contactField(100),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

function scene(c: Config): Scene {
  const A = c.agents;
  const at = offsets(A, 2);
  const miss = (floats: Float64Array, s: number) => Math.abs(Math.abs(floats[s + at.spin]!) - c.desiredVelocity);
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    agents: agents(A, 0.03),
    landmarks: [
      { name: 'line', shape: 'line', size: [c.lineLength], mass: c.lineMass, moves: false, turns: true, collides: true },
      disc('center', 0.02, { collides: false }),
    ],
    looks: [
      { shape: 'box', colour: 7 },
      { shape: 'ball', colour: 7 },
    ],
    scripted: 0,
    multiplier: 0.6,
    sees: [...OWN, 'bar dx', 'bar dy', 'end 1 dx', 'end 1 dy', 'end 2 dx', 'end 2 dy', 'angle', 'speed', 'off the wanted speed'],
    flags: null,
    shared: true,
    bounds: Math.max(1.2, c.lineLength / 2 + 0.2),
    references: references('vmas-wheel', isStandard(c)),
    start(floats, s, u) {
      for (let k = 0; k < 2 * A; k++) floats[s + k] = 2 * u() - 1;
      floats[s + at.angle] = Math.PI * (u() - 0.5);
    },
    reward(floats, s, _words, _w, _memo, out, from) {
      out.fill(-miss(floats, s), from, from + A);
      return false;
    },
    observe(floats, s, _words, _w, out, from) {
      const angle = floats[s + at.angle]!;
      const ex = (c.lineLength / 2) * cos(angle);
      const ey = (c.lineLength / 2) * sin(angle);
      const turned = angle - Math.PI * Math.floor(angle / Math.PI);
      for (let i = 0; i < A; i++) {
        const k = own(floats, s, A, i, out, from + 13 * i);
        const x = floats[s + 2 * i]!;
        const y = floats[s + 2 * i + 1]!;
        out[k] = floats[s + at.landmark]! - x;
        out[k + 1] = floats[s + at.landmark + 1]! - y;
        out[k + 2] = ex - x;
        out[k + 3] = ey - y;
        out[k + 4] = -ex - x;
        out[k + 5] = -ey - y;
        out[k + 6] = turned;
        out[k + 7] = Math.abs(floats[s + at.spin]!);
        out[k + 8] = miss(floats, s);
      }
    },
  };
}

export const vmasWheel = defineVmas<Config>({
  id: 'vmas-wheel',
  title: 'VMAS Wheel',
  summary: 'A heavy bar that the team must turn at just the right speed.',
  config,
  recommended: { algo: 'sac', preset: 'small', steps: 150_000 },
  presets: [
    { id: '4-agents', title: '4 agents, 30 kg', config: {} },
    { id: 'fast', title: '4 agents, light bar, 0.2 rad/s', config: { lineMass: 10, desiredVelocity: 0.2 } },
    { id: '2-agents', title: '2 agents, 15 kg', config: { agents: 2, lineMass: 15 } },
  ],
  scene,
  policies: { scripted: (c) => wheelRule(c) },
});
