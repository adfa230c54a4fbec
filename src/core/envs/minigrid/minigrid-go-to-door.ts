/**
 * A room with four doors of different colours; stand next to the one the mission names and say done. Minigrid GoToDoor.
 * Obs: behind the direction the door's colour as one-hot (6). Step, observation and reward: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { CLOSED, COLOURS, cell, colourOf, DOOR } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

export const minigridGoToDoor = defineMiniGrid({
  id: 'minigrid-go-to-door',
  title: 'MiniGrid GoToDoor',
  summary: 'Walk to the door that the mission names and say done.',
  defaults: { width: 5, height: 5, seeThroughWalls: true, maxStepsText: '4 x width x height' },
  extra: {},
  recommended: { algo: 'ppo', preset: 'minigrid', steps: 800_000 },
  presets: [
    { id: '5x5', title: '5x5', config: {} },
    { id: '6x6', title: '6x6', config: { width: 6, height: 6 } },
    { id: '8x8', title: '8x8', config: { width: 8, height: 8 } },
  ],
  rule: 'done-next-to',
  maxSteps: (c) => 4 * c.width * c.height,
  mission: (_c, _a, b) => `go to the ${COLOURS[b % COLOURS.length]} door`,
  missionCode: {
    size: 6,
    write(words, base, a, _b, out, at) {
      out.fill(0, at, at + 6);
      out[at + colourOf(words[base + a]!)] = 1;
    },
  },
  check(c) {
    if (c.width < 5 || c.height < 5) throw badConfig('width', 'The room is too small for its doors.', 'Width and height 5 or more.');
  },
  generate(_c, b) {
    const width = b.int(5, b.width, 'room width');
    const height = b.int(5, b.height, 'room height');
    b.walls(0, 0, width, height);
    const colours = [0, 1, 2, 3, 4, 5];
    b.shuffle(colours, 'colours');
    const doors = [
      [b.int(2, width - 3, 'door'), 0],
      [b.int(2, width - 3, 'door'), height - 1],
      [0, b.int(2, height - 3, 'door')],
      [width - 1, b.int(2, height - 3, 'door')],
    ] as const;
    doors.forEach(([x, y], i) => {
      b.set(x, y, cell(DOOR, colours[i]!, CLOSED));
    });
    b.placeAgent(0, 0, width, height);
    const target = b.int(0, 3, 'target');
    const [x, y] = doors[target] as readonly [number, number];
    b.a = b.index(x, y);
    b.b = colours[target]!;
  },
});
