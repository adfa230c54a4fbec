/** What the map editor may paint on a Sokoban level, in its usual letters, and what a level needs. */
import type { MapFormat } from '#contract/game/maps.ts';

export const LEVEL: MapFormat = {
  size: [3, 16],
  edge: '#',
  tiles: [
    { code: '-', title: 'floor', look: 'empty' },
    { code: '#', title: 'wall', look: 'wall', walk: 'never' },
    { code: '$', title: 'box', look: 'box', state: 0, colour: 'brown', walk: 'cleared' },
    { code: '.', title: 'target', look: 'target', colour: 'green' },
    { code: '*', title: 'box on target', look: 'box', state: 1, colour: 'green', walk: 'cleared' },
    { code: '@', title: 'player', look: 'agent', once: true },
    { code: '+', title: 'player on target', look: 'agent', glyph: '+', once: true },
  ],
  rules: [
    { rule: 'count', of: ['@', '+'], least: 1, most: 1, says: 'There must be one player. Paint it once.' },
    { rule: 'count', of: ['$', '*'], least: 1, says: 'There is no box to push. Paint one.' },
    { rule: 'equal', of: ['$', '*'], as: ['.', '*', '+'], says: 'There must be as many targets as boxes.' },
    { rule: 'reach', from: ['@', '+'], to: ['$'], beside: true, says: 'The player does not come to any box. Open a way.' },
  ],
};
