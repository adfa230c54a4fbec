/** What the map editor may paint in a kitchen, and what a kitchen needs. */
import type { MapFormat } from '#contract/game/maps.ts';
import { LAYOUTS } from './kitchen.ts';

export const KITCHEN: MapFormat = {
  size: [3, 20],
  edge: 'X',
  begin: { by: 'layout', rows: LAYOUTS },
  tiles: [
    { code: ' ', title: 'floor', look: 'floor' },
    { code: 'X', title: 'counter', look: 'counter', walk: 'never' },
    { code: 'O', title: 'onions', look: 'onion', colour: 'yellow', glyph: 'O', walk: 'never' },
    { code: 'T', title: 'tomatoes', look: 'tomato', colour: 'red', glyph: 'T', walk: 'never' },
    { code: 'D', title: 'dishes', look: 'dish', colour: 'blue', glyph: 'D', walk: 'never' },
    { code: 'P', title: 'pot', look: 'pot', colour: 'grey', glyph: 'P', walk: 'never' },
    { code: 'S', title: 'serving', look: 'serving', walk: 'never' },
    { code: '1', title: 'cook 1', look: 'agent', glyph: '1', once: true },
    { code: '2', title: 'cook 2', look: 'agent', glyph: '2', once: true },
  ],
  rules: [
    { rule: 'count', of: [' ', '1', '2'], least: 2, says: 'There is no room for two cooks. Leave two cells of floor.' },
    { rule: 'count', of: ['O', 'T'], least: 1, says: 'There is nothing to cook. Paint onions or tomatoes.' },
    { rule: 'count', of: ['P'], least: 1, says: 'There is no pot on this map, so no soup can be cooked.' },
    { rule: 'count', of: ['D'], least: 1, says: 'There are no dishes on this map, so no soup can be carried.' },
    { rule: 'count', of: ['S'], least: 1, says: 'There is no place to serve, so nothing is ever paid.' },
    { rule: 'reach', from: ['1', '2'], to: ['O', 'T'], beside: true, says: 'No cook comes to anything to cook. Open a way.' },
    { rule: 'reach', from: ['1', '2'], to: ['P'], beside: true, says: 'No cook comes to a pot. Open a way.' },
    { rule: 'reach', from: ['1', '2'], to: ['D'], beside: true, says: 'No cook comes to the dishes. Open a way.' },
    { rule: 'reach', from: ['1', '2'], to: ['S'], beside: true, says: 'No cook comes to a place to serve. Open a way.' },
  ],
};
