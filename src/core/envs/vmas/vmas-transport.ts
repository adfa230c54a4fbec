/**
 * A team pushes a heavy box to a goal. VMAS transport. Obs per agent: own place and velocity; box - goal, box - self, velocity of the box,
 * whether it is on the goal. Shared reward: 100 * (decrease of the distance of box and goal) while not on it. Terminates when the box
 * overlaps the goal. Physics: vmas/lib/world.ts. Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/transport.py`.
 */
import { z } from 'zod';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, gap, massField, OWN, own, scatter, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { discMeetsBox } from './lib/geometry.ts';
import { references } from './lib/references.ts';
import { transportRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets, THICK } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(4),
  packageMass: massField(50, 'box', [1, 200]),
  maxSteps: limitField(500),
  ...drag,
  collisionForce: contactField(100),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const SIDE = 0.15; // m
const RADIUS = 0.03;
const GOAL = 0.15;
const HALF = 1 + 2 * RADIUS + SIDE;

function scene(c: Config): Scene {
  const A = c.agents;
  const at = offsets(A, 2);
  const goal = at.landmark;
  const box = at.landmark + 2;
  const onGoal = (floats: Float64Array, s: number) =>
    discMeetsBox(
      floats[s + box]!,
      floats[s + box + 1]!,
      floats[s + at.angle + 1]!,
      SIDE,
      SIDE,
      floats[s + goal]!,
      floats[s + goal + 1]!,
      GOAL,
      THICK,
    );
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    halfX: HALF,
    halfY: HALF,
    agents: agents(A, RADIUS),
    landmarks: [
      disc('goal', GOAL, { collides: false }),
      { name: 'package 0', shape: 'box', size: [SIDE, SIDE], mass: c.packageMass, moves: true, turns: false, collides: true },
    ],
    looks: [
      { shape: 'goal', colour: 2 },
      { shape: 'box', colour: 3 },
    ],
    scripted: 0,
    multiplier: 0.6,
    sees: [...OWN, 'box to goal dx', 'box to goal dy', 'box dx', 'box dy', 'box vx', 'box vy', 'on goal'],
    flags: null,
    shared: true,
    bounds: HALF,
    references: references('vmas-transport', isStandard(c)),
    start(floats, s, u) {
      const taken: number[] = [];
      for (let i = 0; i < A; i++) {
        scatter(floats, s + 2 * i, taken, 2 * RADIUS, 1, u);
        taken.push(s + 2 * i);
      }
      const apart = (SIDE / 2) * Math.SQRT2 + GOAL + 0.01;
      for (const place of [goal, box]) {
        scatter(floats, s + place, taken, apart, 1, u);
        taken.push(s + place);
      }
    },
    before(floats, s, memo) {
      memo[0] = gap(floats, s + goal, s + box);
    },
    reward(floats, s, _words, _w, memo, out, at0) {
      const there = onGoal(floats, s);
      out.fill(there ? 0 : 100 * (memo[0]! - gap(floats, s + goal, s + box)), at0, at0 + A);
      return there;
    },
    observe(floats, s, _words, _w, out, from) {
      const there = onGoal(floats, s) ? 1 : 0;
      for (let i = 0; i < A; i++) {
        const k = own(floats, s, A, i, out, from + 11 * i);
        for (let d = 0; d < 2; d++) {
          out[k + d] = floats[s + box + d]! - floats[s + goal + d]!;
          out[k + 2 + d] = floats[s + box + d]! - floats[s + 2 * i + d]!;
          out[k + 4 + d] = floats[s + at.landmarkVelocity + 2 + d]!;
        }
        out[k + 6] = there;
      }
    },
  };
}

export const vmasTransport = defineVmas<Config>({
  id: 'vmas-transport',
  title: 'VMAS Transport',
  summary: 'A box too heavy for one: the team pushes it to the goal together.',
  config,
  learnNote:
    'Not learned by anything here yet: the reward comes with the movement of a heavy package, which agents that act at random do not move. IPPO does not find it in half a million steps, with a discount of 0.9 neither (one seed), nor does PPO on normalised observations and rewards in a million (one seed).',
  presets: [
    { id: '4-agents', title: '4 agents, 50 kg', config: {} },
    { id: 'light', title: '4 agents, 10 kg', config: { packageMass: 10 } },
    { id: '2-agents', title: '2 agents, 20 kg', config: { agents: 2, packageMass: 20 } },
  ],
  scene,
  policies: { scripted: () => transportRule() },
});
