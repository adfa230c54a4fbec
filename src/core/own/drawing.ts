/**
 * What a world's `draw` gives, as frames that the scenes of grids and points show. A list of plain objects, each with one of these members:
 *   board  cell: [x, y] with look, colour, state; agent: [x, y] with facing, colour, and alive: false for one that is out
 *   plane  disc, ball, ring, zone, goal, food: [x, y] with radius; pointer: [x, y] with radius and heading (rad); box: [x, y] with
 *          size: [w, h] and turn (rad); line and arrow: [x1, y1, x2, y2] with strength 0 to 1; bar: [x, y] (lower left) with size and value 0 to 1;
 *          text: 'words' with at: [x, y] and size; number: 'name' with value, shown beside the picture
 * A layout holds what the sampled pictures show and half as much again; more than that is left out, which `write` counts.
 * Throws LabError('world-invalid') naming the item.
 */
import type { Environment } from '../envs/api/types.ts';
import { boardOf } from './board.ts';
import { isObject, show, type ViewForm, wrong } from './form.ts';
import { type Drawing, type Item, pair } from './items.ts';
import { planeOf } from './plane.ts';

/** What an own world draws in a copy now, for the checks. */
export const drawnBy = new WeakMap<Environment, (row: number) => { readonly items: readonly Item[]; readonly drawing: Drawing }>();

/** `samples`: pictures of some states, which the layout must hold. */
export function drawingOf(view: ViewForm, samples: readonly (readonly Item[])[]): Drawing {
  return 'cells' in view ? boardOf(view, samples) : planeOf(view, samples);
}

/** Checks a view. */
export function readView(view: unknown): ViewForm {
  const fix = 'Write view: { cells: [width, height] } for a board, or view: { x: [0, 10], y: [0, 5] } for a plane.';
  if (!isObject(view)) throw wrong('view', `"view" is ${show(view)}.`, fix);
  const known = 'cells' in view ? ['cells'] : ['x', 'y', 'side'];
  const other = Object.keys(view).find((key) => !known.includes(key));
  if (other !== undefined) throw wrong('view', `"view" has a member "${other.slice(0, 40)}".`, fix);
  if ('cells' in view) {
    const [width, height] = pair(view.cells, 'view.cells', 'view');
    if (![width, height].every((n) => Number.isInteger(n) && n >= 1 && n <= 100))
      throw wrong('view', 'A board has 1 to 100 cells each way.', 'Give two whole numbers.');
    return { cells: [width, height] };
  }
  const x = pair(view.x, 'view.x', 'view');
  const y = pair(view.y, 'view.y', 'view');
  if (!(x[1] > x[0] && y[1] > y[0])) throw wrong('view', 'An end of the view is not above its beginning.', fix);
  return { x, y, ...(view.side === true && { side: true }) };
}
