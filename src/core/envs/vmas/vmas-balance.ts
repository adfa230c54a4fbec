/**
 * A team under a line carries a ball up to a goal against gravity. VMAS balance. Obs per agent: own place and velocity; self - ball,
 * self - line, ball - goal, velocity of the ball, of the line, turning speed of the line, its angle modulo pi. Shared reward: 100 *
 * (decrease of the distance of ball and goal) - 10 when line or ball touch the floor. Terminates then, or when the ball overlaps the goal.
 * Physics: vmas/lib/world.ts. Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/balance.py`.
 */
import { z } from 'zod';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, gap, massField, OWN, own, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { discMeetsBox, lineToBox } from './lib/geometry.ts';
import { references } from './lib/references.ts';
import { balanceRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets, THICK } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(3, 2),
  packageMass: massField(5, 'ball', [0.5, 20]),
  gravity: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .meta({
      title: 'gravity',
      unit: 'm/s²',
      description: 'Pulls everything down.',
      source: 'VMAS',
      live: true,
      group: 'physics',
      slider: [0, 0.1],
    }),
  maxSteps: limitField(100),
  ...drag,
  collisionForce: contactField(100),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const RADIUS = 0.03;
const BALL = 0.05;
const LENGTH = 0.8;
const FLOOR = [10, 1] as const;
const GOAL = 0;
const PACKAGE = 2;
const LINE = 4;
const GROUND = 6;

function scene(c: Config): Scene {
  const A = c.agents;
  const at = offsets(A, 4);
  const place = (s: number, which: number) => s + at.landmark + which;
  const down = (floats: Float64Array, s: number): boolean => {
    const line = place(s, LINE);
    const ball = place(s, PACKAGE);
    const floor = place(s, GROUND);
    const tilt = floats[s + at.angle + 3]!;
    if (
      lineToBox(floats[line]!, floats[line + 1]!, floats[s + at.angle + 2]!, LENGTH, floats[floor]!, floats[floor + 1]!, tilt, ...FLOOR) <
      THICK
    )
      return true;
    return discMeetsBox(floats[floor]!, floats[floor + 1]!, tilt, ...FLOOR, floats[ball]!, floats[ball + 1]!, BALL, THICK);
  };
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    gravity: -c.gravity,
    halfY: 1,
    agents: agents(A, RADIUS),
    landmarks: [
      disc('goal', BALL, { collides: false }),
      disc('ball', BALL, { moves: true, mass: c.packageMass }),
      { name: 'line', shape: 'line', size: [LENGTH], mass: 5, moves: true, turns: true, collides: true },
      { name: 'floor', shape: 'box', size: FLOOR, mass: 1, moves: false, turns: false, collides: true },
    ],
    looks: [
      { shape: 'goal', colour: 2 },
      { shape: 'ball', colour: 3 },
      { shape: 'box', colour: 7 },
      { shape: 'box', colour: 7, drawn: [2.2, 0.04, FLOOR[1] / 2 - 0.02] },
    ],
    scripted: 0,
    multiplier: 0.7,
    sees: [
      ...OWN,
      'from ball dx',
      'from ball dy',
      'from line dx',
      'from line dy',
      'ball from goal dx',
      'ball from goal dy',
      'ball vx',
      'ball vy',
      'line vx',
      'line vy',
      'line turning',
      'line angle',
    ],
    flags: null,
    shared: true,
    bounds: 1.1,
    references: references('vmas-balance', isStandard(c)),
    start(floats, s, u) {
      const goal = place(s, GOAL);
      floats[goal] = 2 * u() - 1;
      floats[goal + 1] = u();
      const line = place(s, LINE);
      floats[line] = (1 - LENGTH / 2) * (2 * u() - 1);
      floats[line + 1] = -1 + 2 * RADIUS;
      floats[place(s, PACKAGE)] = floats[line]! + (LENGTH / 2 - BALL) * (2 * u() - 1);
      floats[place(s, PACKAGE) + 1] = floats[line + 1]! + BALL;
      floats[place(s, GROUND) + 1] = -1 - FLOOR[1] / 2 - RADIUS;
      for (let i = 0; i < A; i++) {
        floats[s + 2 * i] = floats[line]! - (LENGTH - RADIUS) / 2 + (i * (LENGTH - RADIUS)) / (A - 1);
        floats[s + 2 * i + 1] = floats[line + 1]! - 2 * RADIUS;
      }
    },
    before(floats, s, memo) {
      memo[0] = gap(floats, place(s, PACKAGE), place(s, GOAL));
    },
    reward(floats, s, _words, _w, memo, out, from) {
      const fallen = down(floats, s);
      const far = gap(floats, place(s, PACKAGE), place(s, GOAL));
      out.fill((fallen ? -10 : 0) + 100 * (memo[0]! - far), from, from + A);
      return fallen || far - 2 * BALL < 0;
    },
    observe(floats, s, _words, _w, out, from) {
      const ball = place(s, PACKAGE);
      const line = place(s, LINE);
      const v = s + at.landmarkVelocity;
      const angle = floats[s + at.angle + 2]!;
      for (let i = 0; i < A; i++) {
        const k = own(floats, s, A, i, out, from + 16 * i);
        for (let d = 0; d < 2; d++) {
          out[k + d] = floats[s + 2 * i + d]! - floats[ball + d]!;
          out[k + 2 + d] = floats[s + 2 * i + d]! - floats[line + d]!;
          out[k + 4 + d] = floats[ball + d]! - floats[place(s, GOAL) + d]!;
          out[k + 6 + d] = floats[v + PACKAGE + d]!;
          out[k + 8 + d] = floats[v + LINE + d]!;
        }
        out[k + 10] = floats[s + at.spin + 2]!;
        out[k + 11] = angle - Math.PI * Math.floor(angle / Math.PI);
      }
    },
  };
}

export const vmasBalance = defineVmas<Config>({
  id: 'vmas-balance',
  title: 'VMAS Balance',
  summary: 'Carry a ball on a plank to a goal above, without letting either fall.',
  config,
  presets: [
    { id: '3-agents', title: '3 agents', config: {} },
    { id: '2-agents', title: '2 agents, light ball', config: { agents: 2, packageMass: 2 } },
    { id: '5-agents', title: '5 agents, heavy ball', config: { agents: 5, packageMass: 10 } },
  ],
  scene,
  policies: { scripted: (c) => balanceRule(c) },
});
