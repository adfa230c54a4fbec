/**
 * Put one thing next to another that the mission names. Minigrid PutNear. Obs: behind the direction the mission as one-hot: the
 * thing to move (key, ball, box, six colours), then the place (the same). Step, observation and reward: minigrid/lib/core.ts.
 */
import { z } from 'zod';
import { badConfig } from '../api/parse.ts';
import { BALL, BOX, cell, KEY } from './lib/cells.ts';
import { defineMiniGrid, thingMission, thingName } from './lib/define.ts';

export const minigridPutNear = defineMiniGrid({
  id: 'minigrid-put-near',
  title: 'MiniGrid PutNear',
  summary: 'Carry one thing to another.',
  defaults: { width: 6, height: 6, seeThroughWalls: true, maxStepsText: '5 x width' },
  extra: {
    objects: z
      .int()
      .min(2)
      .max(12)
      .default(2)
      .meta({ title: 'things', description: 'Things that lie around, all different.', source: 'Minigrid PutNear-6x6-N2' }),
  },
  presets: [
    { id: '6x6-n2', title: '6x6, 2 things', config: {} },
    { id: '8x8-n3', title: '8x8, 3 things', config: { width: 8, height: 8, objects: 3 } },
  ],
  rule: 'put-near',
  maxSteps: (c) => 5 * c.width,
  mission: (_c, a, b) => `put the ${thingName(a)} near the ${thingName(b >>> 16)}`,
  missionCode: {
    size: 18,
    write(words, base, a, b, out, at, cells) {
      thingMission.write(words, base, a, 0, out, at, cells);
      thingMission.write(words, base, b >>> 16, 0, out, at + 9, cells);
    },
  },
  check(c) {
    if (c.objects * 9 > (c.width - 1) * (c.height - 1) * 1.5)
      throw badConfig('objects', 'So many things do not fit apart.', 'Fewer things or a larger room.');
  },
  generate(c, b) {
    b.walls(0, 0, b.width, b.height);
    const kinds: number[] = [];
    const places: number[] = [];
    const apart = (x: number, y: number) =>
      places.every((at) => Math.abs(x - (at % b.width)) > 1 || Math.abs(y - Math.floor(at / b.width)) > 1);
    while (kinds.length < c.objects) {
      const kind = cell(b.pick([KEY, BALL, BOX], 'thing'), b.int(0, 5, 'colour'));
      if (kinds.includes(kind)) continue;
      places.push(b.place(kind, 'thing', 0, 0, b.width, b.height, apart));
      kinds.push(kind);
    }
    b.placeAgent();
    const moved = b.int(0, c.objects - 1, 'moved');
    const others = kinds.map((_, i) => i).filter((i) => i !== moved);
    b.a = kinds[moved]!;
    const target = b.pick(others, 'target');
    b.b = places[target]! | (kinds[target]! << 16);
  },
});
