/**
 * Several keys and balls; pick up the one that the mission names, another one ends the episode. Minigrid Fetch.
 * Obs: behind the direction the mission as one-hot (key, ball, box, then six colours).
 * Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import { BALL, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid, thingMission, thingName } from './lib/define.ts';

export const minigridFetch = defineMiniGrid({
  id: 'minigrid-fetch',
  title: 'MiniGrid Fetch',
  summary: 'Pick up the thing that the mission names.',
  learnNote:
    'Not learned by anything here yet: after a million steps of PPO it often takes the wrong thing, on one seed of three half of the return is reached.',
  defaults: { width: 8, height: 8, seeThroughWalls: true, maxStepsText: '5 x width x height' },
  extra: {
    objects: z
      .int()
      .min(1)
      .max(20)
      .default(3)
      .meta({ title: 'things', description: 'Keys and balls that lie around.', source: 'Minigrid Fetch-8x8-N3' }),
  },
  presets: [
    { id: '8x8-n3', title: '8x8, 3 things', config: {} },
    { id: '6x6-n2', title: '6x6, 2 things', config: { width: 6, height: 6, objects: 2 } },
    { id: '5x5-n2', title: '5x5, 2 things', config: { width: 5, height: 5, objects: 2 } },
  ],
  rule: 'fetch',
  maxSteps: (c) => 5 * c.width * c.height,
  mission: (_c, a) => `fetch a ${thingName(a)}`,
  missionCode: thingMission,
  check(c) {
    if (c.objects > ((c.width - 2) * (c.height - 2)) / 2)
      throw badConfig('objects', 'So many things do not fit.', 'Fewer things or a larger room.');
  },
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    const things = Array.from({ length: c.objects }, () => cell(b.pick([KEY, BALL], 'thing'), b.int(0, 5, 'colour')));
    for (const thing of things) b.place(thing, 'thing');
    b.placeAgent();
    b.a = b.pick(things, 'target');
  },
});
