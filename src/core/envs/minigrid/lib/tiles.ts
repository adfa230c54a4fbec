/** What the map editor may paint on a MiniGrid world: the tokens of cells.ts, in the words of frames. */
import type { MapFormat, MapTile } from '#contract/game/maps.ts';
import { CLOSED, COLOURS, LOCKED, OPEN } from './cells.ts';

const plain = (code: string, title: string, look: MapTile['look'], colour: string, more: Partial<MapTile> = {}): MapTile => ({
  code,
  title,
  look,
  colour,
  ...more,
});
const coloured = (code: string, title: string, look: MapTile['look'], more: Partial<MapTile> = {}): MapTile => ({
  code,
  title,
  look,
  coloured: true,
  ...more,
});

/** `most`: cells along a side. Not every task has a goal square, so none is asked for. */
export function tokenMap(most: number): MapFormat {
  return {
    apart: true,
    edge: 'WE',
    size: [3, most],
    start: 'start',
    colours: COLOURS.map((name) => ({ code: name === 'grey' ? 'E' : (name[0] as string).toUpperCase(), name })),
    tiles: [
      { code: '..', title: 'empty', look: 'empty' },
      plain('WE', 'wall', 'wall', 'grey', { walk: 'never' }),
      plain('GG', 'goal', 'goal', 'green'),
      plain('VR', 'lava', 'lava', 'red', { walk: 'fatal' }),
      coloured('D', 'closed door', 'door', { state: CLOSED, walk: 'cleared' }),
      coloured('L', 'locked door', 'door', { state: LOCKED, walk: 'unlocked' }),
      coloured('O', 'open door', 'door', { state: OPEN }),
      coloured('K', 'key', 'key', { walk: 'cleared', key: true }),
      coloured('A', 'ball', 'ball', { walk: 'cleared' }),
      coloured('B', 'box', 'box', { walk: 'cleared' }),
      coloured('F', 'floor', 'floor'),
    ],
    rules: [
      {
        rule: 'reach',
        from: [],
        to: ['GG'],
        says: 'The goal cannot be reached from the start. Open a way, or add the key of the door.',
      },
    ],
  };
}
