/**
 * Nine rooms with doors of any colour and twelve things in them, no task and no reward: for exploration. Minigrid Playground.
 * Step and observation: minigrid/lib/core.ts.
 */

import { badConfig } from '../api/parse.ts';
import { BALL, BOX, CLOSED, cell, DOOR, KEY } from './lib/cells.ts';
import { defineMiniGrid } from './lib/define.ts';

const THINGS = 12;

export const minigridPlayground = defineMiniGrid({
  id: 'minigrid-playground',
  title: 'MiniGrid Playground',
  summary: 'Nine rooms full of things, nothing to win.',
  defaults: { width: 19, height: 19, maxStepsText: '100' },
  extra: {},
  presets: [{ id: 'standard', title: '19x19', config: {} }],
  rule: 'none',
  maxSteps: () => 100,
  mission: () => '',
  check(c) {
    if (c.width % 3 !== 1 || c.height % 3 !== 1 || c.width < 10 || c.height < 10)
      throw badConfig('width', 'Three by three rooms share their walls.', 'Width and height 10, 13, 16, 19 and so on.');
  },
  generate(_c, b) {
    b.walls(0, 0, b.width, b.height);
    const across = Math.floor(b.width / 3);
    const down = Math.floor(b.height / 3);
    const door = () => cell(DOOR, b.int(0, 5, 'door colour'), CLOSED);
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) {
        const [left, top] = [i * across, j * down];
        if (i < 2) {
          b.vertical(left + across, top, down);
          b.set(left + across, b.int(top + 1, top + down - 2, 'door y'), door());
        }
        if (j < 2) {
          b.horizontal(left, top + down, across);
          b.set(b.int(left + 1, left + across - 2, 'door x'), top + down, door());
        }
      }
    b.placeAgent();
    for (let n = 0; n < THINGS; n++) b.place(cell(b.pick([KEY, BALL, BOX], 'thing'), b.int(0, 5, 'colour')), 'thing');
  },
});
