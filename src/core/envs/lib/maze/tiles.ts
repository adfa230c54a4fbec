/** What the map editor may paint in a maze. */
import type { MapFormat } from '#contract/game/maps.ts';
import { GYMNASIUM_MAPS, LEAST_SIDE, MOST_SIDE } from './maps.ts';

export const MAZE_TILES: MapFormat = {
  size: [LEAST_SIDE, MOST_SIDE],
  edge: '#',
  tiles: [
    { code: '.', title: 'free', look: 'empty' },
    { code: '#', title: 'wall', look: 'wall', walk: 'never' },
    { code: 'r', title: 'start', look: 'empty', glyph: 'r', colour: 'blue' },
    { code: 'g', title: 'goal', look: 'goal', colour: 'green' },
    { code: 'c', title: 'start or goal', look: 'goal', glyph: 'c', colour: 'blue' },
  ],
  rules: [
    { rule: 'count', of: ['.', 'r', 'g', 'c'], least: 2, says: 'There must be two cells without a wall. Open one.' },
    { rule: 'whole', says: 'Some cells cannot be reached from the others. Open a way.' },
  ],
  begin: { by: 'map', rows: GYMNASIUM_MAPS },
};
