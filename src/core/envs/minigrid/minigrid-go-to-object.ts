/**
 * A room with keys, balls and boxes; stand next to the one the mission names and say done. Minigrid GoToObject. A toggle or a done
 * elsewhere ends the episode with 0; what counts is where the thing lay at the start, even if it was carried away.
 * Obs: behind the direction the mission as one-hot (key, ball, box, then six colours). Step and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import { BALL, BOX, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid, thingMission, thingName } from './lib/define.ts';

export const minigridGoToObject = defineMiniGrid({
  id: 'minigrid-go-to-object',
  title: 'MiniGrid GoToObject',
  summary: 'Walk to the thing that the mission names and say done.',
  defaults: { width: 8, height: 8, seeThroughWalls: true, maxStepsText: '5 x width x height' },
  extra: {
    objects: z
      .int()
      .min(1)
      .max(12)
      .default(2)
      .meta({ title: 'things', description: 'Things that lie around, all different.', source: 'Minigrid GoToObject-8x8-N2' }),
  },
  presets: [
    { id: '8x8-n2', title: '8x8, 2 things', config: {} },
    { id: '6x6-n2', title: '6x6, 2 things', config: { width: 6, height: 6 } },
  ],
  rule: 'done-next-to',
  maxSteps: (c) => 5 * c.width * c.height,
  mission: (_c, _a, b) => `go to the ${thingName(b)}`,
  missionCode: {
    size: thingMission.size,
    write: (words, base, _a, b, out, at, cells) => thingMission.write(words, base, b, 0, out, at, cells),
  },
  check(c) {
    if (c.objects > ((c.width - 2) * (c.height - 2)) / 2)
      throw badConfig('objects', 'So many things do not fit.', 'Fewer things or a larger room.');
  },
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    const kinds: number[] = [];
    const places: number[] = [];
    while (kinds.length < c.objects) {
      const kind = cell(b.pick([KEY, BALL, BOX], 'thing'), b.int(0, 5, 'colour'));
      if (kinds.includes(kind)) continue;
      places.push(b.place(kind, 'thing'));
      kinds.push(kind);
    }
    b.placeAgent();
    const target = b.int(0, c.objects - 1, 'target');
    b.a = places[target]!;
    b.b = kinds[target]!;
  },
});
