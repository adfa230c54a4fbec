/**
 * One agent walks to a landmark. MPE simple_v3. Obs [own velocity, landmark relative to it] in m/s and m. Reward -(distance)^2.
 * Physics, actions and the end of an episode: mpe/lib/world.ts, mpe/lib/define.ts.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple/simple.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { copied, OWN_VELOCITY, type Plan, seen, toward } from './lib/plan.ts';
import { arrive, scripted } from './lib/steer.ts';

const config = z.strictObject({
  ...shared,
  agentSize: sizeField(0.05),
  mass: massField(),
  force: forceField(5),
  ...physics,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

function plan(c: Config): Plan {
  return {
    agents: [
      {
        name: 'agent_0',
        group: 'agent',
        size: c.agentSize,
        force: c.force,
        mass: c.mass,
        collides: false,
        moves: true,
        speaks: false,
        sees: [...OWN_VELOCITY, ...toward('landmark')],
      },
    ],
    landmarks: [{ name: 'landmark 0', look: 'goal', size: 0.05, collides: false, colour: 3 }],
    symbols: 0,
    picks: [],
    score: 'mean',
    spread: 1,
    references: isStandard(c) ? measured(-39.59, -7.42) : [],
    reward(floats, s, _words, _w, out, at) {
      const dx = floats[s]! - floats[s + 4]!;
      const dy = floats[s + 1]! - floats[s + 5]!;
      out[at] = -(dx * dx + dy * dy);
    },
    observe(floats, s, _words, _w, out, at) {
      seen(floats, s, s + 4, out, copied(floats, s + 2, out, at));
    },
  };
}

export const mpeSimple = defineScenario<Config>({
  id: 'mpe-simple',
  title: 'Particle: one landmark',
  summary: 'One particle walks to a landmark: the smallest of the particle worlds.',
  config,
  presets: [
    { id: 'standard', title: 'simple_v3', config: {} },
    { id: 'continuous', title: 'continuous actions', config: { continuousActions: true } },
  ],
  plan,
  policies: {
    scripted: (c) =>
      scripted((obs, at, _agent, wish) => {
        wish.x = arrive(c, obs[at + 2]!, obs[at]!);
        wish.y = arrive(c, obs[at + 3]!, obs[at + 1]!);
      }),
  },
});
