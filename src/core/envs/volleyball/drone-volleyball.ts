/**
 * Drone volleyball: two teams of one, three or six racket drones play a rally over a net. After VolleyBots, on own rigid-body physics:
 * rotors that lag, body-rate control, a ball that bounces off rackets with 0.8. Court 6 x 3, 12 x 6 or 18 x 9 m, net 2.43 m.
 * Obs and rewards: volleyball/lib/match.ts; 37, 57 or 78 numbers per drone. Actions: volleyball/lib/quad.ts. Terminated when the rally is
 * decided or drawn, a drone is below 0.3 m, or team mates come nearer than 0.8 m; truncated after 1000 steps of 0.02 s, 500 for teams.
 * Source: Xu et al. 2025; `thu-uav/VolleyBots` at 680493a. Isaac's contact details, floor and sensor noise are left out.
 */
import { z } from 'zod';
import { named } from '../api/vectors.ts';
import { volleyChecks } from './lib/checks.ts';
import { hallShape, isStandard } from './lib/config.ts';
import { defineHall } from './lib/define.ts';
import { matchGame } from './lib/match.ts';
import { rallyPolicy } from './lib/rally.ts';
import { deedsOf, volleySkills } from './lib/skills.ts';

const courtSide = (side: string, standard: string, slider: readonly [number, number]) =>
  z
    .number()
    .min(2)
    .max(40)
    .nullable()
    .default(null)
    .meta({
      title: `${side} of the court`,
      unit: 'm',
      description: `Empty: ${standard} by team size.`,
      source: 'VolleyBots',
      slider: [...slider],
    });

const config = z.strictObject({
  teamSize: z.literal([1, 3, 6]).default(1).meta({ title: 'team size', description: 'Drones per side.', source: 'VolleyBots' }),
  court: z
    .preprocess(
      (value) => named(['length', 'width'], value ?? {}),
      z.strictObject({ length: courtSide('length', '6, 12 or 18', [4, 30]), width: courtSide('width', '3, 6 or 9', [2, 15]) }),
    )
    .prefault({})
    .meta({ title: 'court', description: 'Its two sides.', group: 'court' }),
  netHeight: z
    .number()
    .min(0.5)
    .max(4)
    .default(2.43)
    .meta({ title: 'net', unit: 'm', description: 'Height of its upper edge.', source: 'VolleyBots', group: 'court' }),
  randomServe: z
    .boolean()
    .default(false)
    .meta({ title: 'random server', description: 'The serving side is drawn; off: the near side serves.', source: 'VolleyBots' }),
  ...hallShape,
  maxSteps: z.int().min(1).max(100_000).nullable().default(null).meta({
    title: 'step limit',
    unit: 'steps',
    description: 'A rally is cut (truncated) after this many steps; empty: 1000, for teams 500.',
    source: 'VolleyBots',
  }),
});
type Config = z.infer<typeof config>;

export const droneVolleyball = defineHall<Config>({
  id: 'drone-volleyball',
  title: 'Drone volleyball',
  summary: 'Racket drones play a rally over a net: one, three or six on each side.',
  config,
  presets: [
    { id: '1v1', title: 'one against one', config: {} },
    { id: '1v1-velocity', title: 'one against one, velocity commands', config: { actionType: 'velocity' } },
    { id: '3v3', title: 'three against three', config: { teamSize: 3 } },
    { id: '6v6', title: 'six against six', config: { teamSize: 6 } },
  ],
  game: matchGame,
  maxSteps: (c) => c.maxSteps ?? (c.teamSize === 1 ? 1000 : 500),
  score: (c) => Array.from({ length: c.teamSize }, (_, k) => k),
  references: (c) =>
    !isStandard(c) ||
    c.actionType !== 'ctbr' ||
    c.court.length !== null ||
    c.court.width !== null ||
    c.netHeight !== 2.43 ||
    c.randomServe ||
    c.maxSteps !== null
      ? []
      : c.teamSize === 1
        ? [
            { name: 'random', value: -51.3, source: 'uniform commands, 100 episodes here' },
            { name: 'rally', value: 62.4, source: 'policy "rally", 40 episodes here, 18 contacts each' },
          ]
        : c.teamSize === 3
          ? [
              { name: 'random', value: -23.9, source: 'uniform commands, 100 episodes here' },
              { name: 'rally', value: 95.2, source: 'policy "rally", 40 episodes here, seven contacts each' },
            ]
          : [
              { name: 'random', value: -6.2, source: 'uniform commands, 400 episodes here' },
              { name: 'rally', value: 83.1, source: 'policy "rally", 40 episodes here, six contacts each' },
            ],
  policies: { rally: rallyPolicy },
  skills: { names: (c) => deedsOf(c).map((deed) => deed.name), perform: volleySkills },
  checks: volleyChecks,
});
