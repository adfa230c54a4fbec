/**
 * Moves things in a state: an agent or point to another place, what lies on a cell to another cell. Where a state keeps a place is not
 * told by names but found by trying: a change of the state counts if the picture then shows exactly the wanted change. Places are those
 * of the frame (contract/game/frames.ts): cells in grids, metres in planes. Throws LabError('incompatible') where nothing can be moved so.
 */

import { type FrameLayout, frameSize, type GridLayout, isGrid, type Places, placesOf } from '#contract/game/frames.ts';
import { fail, present } from '#contract/kit/errors.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import { fieldLength } from '../../envs/api/state.ts';
import type { EnvEntry, Environment, EnvMeta, StateField, StepBuffers } from '../../envs/api/types.ts';

/** Looks that no agent can stand on. */
const SOLID = new Set(['wall', 'counter', 'brick', 'dispenser', 'pot', 'serving', 'unseen']);
/** Rows of a list that are tried, the likeliest first. */
const MOST_ROWS = 4;
/** Frames are float32. */
const CLOSE = 1e-4;

/** A state being changed: its fields by name and index, straight in the bytes (JSON may read otherwise: see golden.toJson). */
class Draft {
  readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly places = new Map<string, { readonly at: number; readonly field: StateField }>();

  constructor(fields: readonly StateField[], state: Uint8Array) {
    this.bytes = state.slice();
    this.view = new DataView(this.bytes.buffer);
    let at = 8;
    for (const field of fields) {
      this.places.set(field.name, { at, field });
      at += fieldLength(field) * (field.type === 'f64' ? 8 : 4);
    }
  }

  private place(name: string): { readonly at: number; readonly field: StateField } {
    return present(this.places.get(name), `state field "${name}"`);
  }

  get(name: string, index = 0): number {
    const { at, field } = this.place(name);
    return field.type === 'f64' ? this.view.getFloat64(at + 8 * index, true) : this.view.getUint32(at + 4 * index, true);
  }

  add(name: string, index: number, change: number): void {
    const { at, field } = this.place(name);
    if (field.type === 'f64') this.view.setFloat64(at + 8 * index, this.get(name, index) + change, true);
    else this.view.setUint32(at + 4 * index, this.get(name, index) + change, true);
  }
}

export class StateEditor {
  readonly meta: EnvMeta;
  readonly env: Environment;
  private readonly buffers: StepBuffers;

  constructor(entry: EnvEntry, config: unknown) {
    this.env = entry.create(config, 1);
    this.meta = this.env.meta;
    this.buffers = createBuffers(this.meta, 1);
    this.env.reset(Uint32Array.of(1), this.buffers);
  }

  picture(state: Uint8Array): Float32Array {
    this.env.load(0, state, this.buffers);
    const frame = new Float32Array(frameSize(this.meta.frame));
    this.env.frame(0, frame);
    return frame;
  }

  draft(state: Uint8Array): Draft {
    return new Draft(this.meta.state.fields, state);
  }

  /** The picture after a change of fields; null: no such state. */
  attempt(state: Uint8Array, change: (draft: Draft) => void): { readonly state: Uint8Array; readonly frame: Float32Array } | null {
    const draft = this.draft(state);
    change(draft);
    try {
      return { state: draft.bytes, frame: this.picture(draft.bytes) };
    } catch {
      return null; // a guess that is no state: the next one may be
    }
  }
}

/** Where things stand in a frame. Throws `incompatible` where nothing can be moved. */
function movable(layout: FrameLayout): Places {
  const places = placesOf(layout);
  if (places !== null) return places;
  throw fail('incompatible', 'In this environment nothing can be moved by hand.', 'Choose another action, or remove an agent.', 'change');
}

/** The state with an agent (grids) or a point (planes) at another place. */
export function moveThing(entry: EnvEntry, config: unknown, state: Uint8Array, thing: number, x: number, y: number): Uint8Array {
  const editor = new StateEditor(entry, config);
  const { meta } = editor;
  const { count, bounds, column } = movable(meta.frame);
  if (!(thing >= 0 && thing < count))
    throw fail('incompatible', `There is no thing ${thing} in the picture.`, 'Choose one that is.', 'change');
  const before = editor.picture(state);
  const at = column(thing);
  const [x0, y0] = [before[at]!, before[at + 1]!];
  const grid = isGrid(meta.frame) ? meta.frame : null;
  if (grid !== null) checkFree(grid, before, thing, x, y);
  else checkInside(bounds, x, y);

  const shown = (frame: Float32Array): boolean => {
    for (let other = 0; other < count; other++) {
      const c = column(other);
      const [wantX, wantY] = other === thing ? [x, y] : [before[c]!, before[c + 1]!];
      if (Math.abs(frame[c]! - wantX) > CLOSE || Math.abs(frame[c + 1]! - wantY) > CLOSE) return false;
    }
    return true;
  };
  if (grid !== null && thing === 0) {
    const place = editor.env.placements?.(0).find(({ cell }) => cell === y * grid.width + x);
    if (place !== undefined && shown(editor.picture(place.state))) return place.state;
  }
  for (const write of guesses(meta.state.fields, editor.draft(state), x0, y0, x - x0, y - y0, grid?.width ?? 0)) {
    const got = editor.attempt(state, write);
    if (got !== null && shown(got.frame)) return got.state;
  }
  throw fail('incompatible', 'This thing cannot be moved there.', 'Try another place, or another change.', 'change');
}

/** Ways in which a state may keep the place (x0, y0), each as a change by (dx, dy). */
function* guesses(
  fields: readonly StateField[],
  current: Draft,
  x0: number,
  y0: number,
  dx: number,
  dy: number,
  width: number,
): Generator<(draft: Draft) => void> {
  const all = fields.filter(({ name }) => name !== 'rng');
  // a list of places: two numbers of each row
  for (const { name, shape } of all) {
    const size = shape[1] ?? 0;
    if (shape.length !== 2 || size < 2) continue;
    for (const [ix, iy] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const near = Array.from({ length: shape[0]! }, (_, r) => ({
        r,
        far: Math.abs(current.get(name, r * size + ix) - x0) + Math.abs(current.get(name, r * size + iy) - y0),
      }))
        .sort((a, b) => a.far - b.far)
        .slice(0, MOST_ROWS);
      for (const { r } of near)
        yield (draft) => {
          draft.add(name, r * size + ix, dx);
          draft.add(name, r * size + iy, dy);
        };
    }
  }
  // two fields, each a number per thing or one alone
  const flat = all.filter(({ shape }) => shape.length < 2);
  const holds = (field: StateField, x: number): number[] =>
    Array.from({ length: fieldLength(field) }, (_, i) => i).filter((i) => Math.abs(current.get(field.name, i) - x) <= CLOSE);
  for (const a of flat)
    for (const i of holds(a, x0))
      for (const b of flat)
        for (const j of holds(b, y0))
          if (a !== b && (a.shape.length === 0 || i === j))
            yield (draft) => {
              draft.add(a.name, i, dx);
              draft.add(b.name, j, dy);
            };
  if (width === 0) return;
  // the index of a cell
  for (const field of flat) for (const i of holds(field, y0 * width + x0)) yield (draft) => draft.add(field.name, i, dy * width + dx);
}

function checkInside([minX, minY, maxX, maxY]: Places['bounds'], x: number, y: number): void {
  if (!(x >= minX && x <= maxX && y >= minY && y <= maxY))
    throw fail('incompatible', 'That place lies outside the picture.', 'Choose one inside.', 'change');
}

function checkFree(grid: GridLayout, frame: Float32Array, thing: number, x: number, y: number): void {
  const inside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < grid.width && y < grid.height;
  if (!inside) throw fail('incompatible', 'That cell is not on the map.', 'Choose one that is.', 'change');
  const look = grid.looks[frame[(y * grid.width + x) * 3]!]!;
  if (SOLID.has(look)) throw fail('incompatible', `No agent can stand there: ${look}.`, 'Choose a free cell.', 'change');
  for (let other = 0; other < grid.agents; other++) {
    const c = grid.width * grid.height * 3 + other * 6;
    if (other !== thing && frame[c] === x && frame[c + 1] === y && frame[c + 5] !== 0)
      throw fail('incompatible', 'Another agent stands there.', 'Choose a free cell.', 'change');
  }
}

/** The state with what lies on two cells changed over. */
export function swapCells(entry: EnvEntry, config: unknown, state: Uint8Array, from: number, to: number): Uint8Array {
  const editor = new StateEditor(entry, config);
  const { meta } = editor;
  const { frame: layout } = meta;
  if (!isGrid(layout)) throw fail('incompatible', 'Only the cells of a grid can be changed over.', 'Move a thing instead.', 'change');
  const { width, height } = layout;
  const cells = width * height;
  if (![from, to].every((cell) => Number.isInteger(cell) && cell >= 0 && cell < cells) || from === to)
    throw fail('incompatible', 'Two different cells of the map are needed.', 'Choose them on the map.', 'change');
  const before = editor.picture(state);
  for (let agent = 0; agent < layout.agents; agent++) {
    const c = cells * 3 + agent * 6;
    const cell = before[c + 1]! * width + before[c]!;
    if (before[c + 5] !== 0 && (cell === from || cell === to))
      throw fail('incompatible', 'An agent stands on that cell.', 'Move the agent first, or choose another cell.', 'change');
  }
  const shown = (frame: Float32Array): boolean => {
    for (let cell = 0; cell < cells; cell++) {
      const source = cell === from ? to : cell === to ? from : cell;
      for (let c = 0; c < 3; c++) if (frame[cell * 3 + c] !== before[source * 3 + c]) return false;
    }
    return true;
  };
  const kept = meta.state.fields.filter(({ shape }) => shape.length === 2 && shape[0] === height && shape[1] === width);
  // one field alone, or all that are as large as the map
  for (const fields of [...kept.map((field) => [field]), ...(kept.length > 1 ? [kept] : [])]) {
    const got = editor.attempt(state, (draft) => {
      for (const { name } of fields) {
        const change = draft.get(name, to) - draft.get(name, from);
        draft.add(name, from, change);
        draft.add(name, to, -change);
      }
    });
    if (got !== null && shown(got.frame)) return got.state;
  }
  throw fail('incompatible', 'What lies on these cells cannot be changed over here.', 'Try other cells, or another change.', 'change');
}
