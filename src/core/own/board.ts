/** Pictures on a board of cells, as frames of the grid layout. */

import { type GridLayout, type GridLook, OFF_BOARD } from '#contract/game/frames.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { show, type ViewForm, wrong } from './form.ts';
import { type Drawing, type Item, type Members, numberOr, pair, room } from './items.ts';

/** Every look there is; the type asks for each. */
const LOOKS: { readonly [look in GridLook]: true } = {
  unseen: true,
  empty: true,
  wall: true,
  floor: true,
  door: true,
  key: true,
  ball: true,
  box: true,
  goal: true,
  lava: true,
  agent: true,
  ice: true,
  hole: true,
  start: true,
  cliff: true,
  paddle: true,
  brick: true,
  trail: true,
  food: true,
  water: true,
  counter: true,
  target: true,
  waste: true,
  soil: true,
  grass: true,
  coin: true,
  treasure: true,
  snake: true,
  pot: true,
  onion: true,
  tomato: true,
  dish: true,
  soup: true,
  dispenser: true,
  serving: true,
  cross: true,
  nought: true,
  disc: true,
  fish: true,
  diver: true,
  submarine: true,
  alien: true,
  ship: true,
  car: true,
  bullet: true,
  person: true,
  gauge: true,
  chicken: true,
  square: true,
  pyramid: true,
  hex: true,
  star: true,
  pad: true,
};

const COLOURS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey', 'orange', 'white', 'black', 'brown', 'cyan', 'pink'];
const MEMBERS: Members = { cell: ['look', 'colour', 'state'], agent: ['facing', 'colour', 'alive'] };
const FACINGS = ['right', 'down', 'left', 'up'];
/** Colour of a look that is drawn without one. */
const USUAL: { readonly [look in GridLook]?: string } = {
  goal: 'green',
  food: 'red',
  key: 'yellow',
  ball: 'blue',
  box: 'brown',
  car: 'orange',
};

const isLook = (look: unknown): look is GridLook => typeof look === 'string' && Object.hasOwn(LOOKS, look);

function lookOf(item: Item): GridLook {
  const { look = 'box' } = item;
  if (isLook(look)) return look;
  throw wrong('draw', `There is no look ${show(look)}.`, whichOf(look, Object.keys(LOOKS)));
}

function colourOf(item: Item, usual: string): number {
  const { colour = usual } = item;
  const index = typeof colour === 'string' ? COLOURS.indexOf(colour) : -1;
  if (index >= 0) return index;
  throw wrong('draw', `There is no colour ${show(colour)} on a board.`, whichOf(colour, COLOURS));
}

function facingOf({ facing }: Item): number {
  if (facing === undefined) return 0;
  const index = typeof facing === 'string' ? FACINGS.indexOf(facing) : -1;
  if (index >= 0) return index;
  throw wrong('draw', `An agent cannot face ${show(facing)}.`, whichOf(facing, FACINGS));
}

function aliveOf({ alive = true }: Item): boolean {
  if (typeof alive === 'boolean') return alive;
  throw wrong('draw', `"alive" of an agent is ${show(alive)}.`, 'Write alive: false for one that is out of the game.');
}

/** The colour of each agent, by its place among those that are drawn: a layout keeps what the first picture says that has so many. */
function tintsOf(samples: readonly (readonly Item[])[], agents: number): Pick<GridLayout, 'tints'> {
  const drawn = samples.map((items) => items.filter((item) => 'agent' in item));
  if (!drawn.flat().some((item) => item.colour !== undefined)) return {};
  const usual = ['blue', 'orange', 'green', 'purple'];
  const tints = Array.from({ length: agents }, (_, i) => {
    const first = drawn.find((items) => items[i]?.colour !== undefined)?.[i];
    return COLOURS[colourOf(first ?? {}, usual[i % usual.length] ?? 'blue')] ?? 'blue';
  });
  return { tints };
}

export function boardOf(view: Extract<ViewForm, { cells: unknown }>, samples: readonly (readonly Item[])[]): Drawing {
  const [width, height] = view.cells;
  const seen = samples.flat().flatMap((item) => ('cell' in item ? [lookOf(item)] : []));
  const looks = [...new Set<GridLook>(['empty', 'wall', 'goal', 'box', ...seen])];
  const counts = new Set(samples.map((items) => items.filter((item) => 'agent' in item).length));
  const agents = counts.size === 1 ? Math.max(...counts) : room(Math.max(0, ...counts));
  const headings = samples.flat().some((item) => 'agent' in item && item.facing !== undefined);
  const teams = Array.from({ length: agents }, (_, i) => i);
  const tints = tintsOf(samples, agents);
  const layout: GridLayout = { kind: 'grid', width, height, agents, headings, looks, colours: COLOURS, view: 0, teams, ...tints };
  const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height;
  return {
    layout,
    members: MEMBERS,
    write(items, out) {
      out.fill(0);
      for (let i = 0; i < agents; i++) out.fill(OFF_BOARD, width * height * 3 + i * 6, width * height * 3 + i * 6 + 2);
      let agent = 0;
      let lost = 0;
      for (const item of items) {
        if ('cell' in item) {
          const [x, y] = pair(item.cell, 'cell');
          const look = lookOf(item);
          const code = looks.indexOf(look);
          if (!(Number.isInteger(x) && Number.isInteger(y) && inside(x, y)) || code < 0) {
            lost++;
            continue;
          }
          out.set([code, colourOf(item, USUAL[look] ?? 'grey'), numberOr(item, 'state', 0)], (y * width + x) * 3);
        } else if ('agent' in item) {
          const [x, y] = pair(item.agent, 'agent');
          if (agent === agents || !inside(x, y)) lost++;
          else out.set([x, y, facingOf(item), 0, 0, aliveOf(item) ? 1 : 0], width * height * 3 + agent++ * 6);
        } else
          throw wrong(
            'draw',
            `On a board, something drawn has neither "cell" nor "agent": ${Object.keys(item).slice(0, 4).join(', ') || 'nothing'}.`,
            "Write { cell: [x, y], look: 'wall' } or { agent: [x, y] }.",
          );
      }
      return lost;
    },
  };
}
