/**
 * What an agent sees: a window that turns with it, [ahead + 1 + behind, 2 * side + 1, channels], its own heading up. The map is kept
 * as bits per cell with a wide frame of walls around it, so that a window never leaves it. Layers: one channel per kind of thing,
 * 0 or 1. Colours: red, green, blue in 0..1, the palette of the reference, where beams cover agents and agents cover the ground.
 * With `windows` above 1 the windows of agents that share theirs follow the own one, channels after channels.
 */
import { AHEAD_COLUMN, AHEAD_ROW } from './ground.ts';

export const WALL = 1;
export const APPLE = 2;
export const WASTE = 4;
export const WATER = 8;
export const FIRED = 16;
export const CLEANED = 32;
const OUTSIDE = 64;
const AGENT = 256; // times the agent's number + 1

export interface Window {
  readonly ahead: number;
  readonly behind: number;
  readonly side: number;
  readonly colours: boolean;
  /** Bits that have a layer, in order; the last layer is other agents. */
  readonly layers: readonly number[];
  /** Windows in one observation: the own one and as many as others share. */
  readonly windows: number;
}

const GREY = 180;
const AGENT_COLOURS = [
  [0, 0, 255],
  [2, 81, 154],
  [204, 0, 204],
  [216, 30, 54],
  [254, 151, 0],
  [100, 255, 255],
  [99, 99, 255],
  [250, 204, 255],
  [238, 223, 16],
] as const;
const BLACK = [0, 0, 0] as const;

function colourOf(bits: number): readonly [number, number, number] {
  if ((bits & CLEANED) !== 0) return [100, 255, 255];
  if ((bits & FIRED) !== 0) return [255, 255, 0];
  if (bits >= AGENT) return AGENT_COLOURS[((bits >> 8) - 1) % AGENT_COLOURS.length] as (typeof AGENT_COLOURS)[0];
  if ((bits & WALL) !== 0) return [GREY, GREY, GREY];
  if ((bits & APPLE) !== 0) return [0, 255, 0];
  if ((bits & WASTE) !== 0) return [99, 156, 194];
  if ((bits & WATER) !== 0) return [113, 75, 24];
  return BLACK;
}

/** Kinds of things and of beams in a cell: a cell's mix is thing + THINGS * beam. */
const THINGS = 3;
const MIXES = 12;

export class Views {
  /** Numbers in one observation. */
  readonly size: number;
  /** Of one window. */
  readonly channels: number;
  private readonly window: Window;
  private readonly width: number;
  private readonly height: number;
  private readonly pad: number;
  private readonly stride: number;
  /** The map with its frame, per cell: a bit per layer, or with colours the bits above and who stands there. */
  private readonly seen: Uint16Array;
  private readonly code: Uint16Array; // [kind of ground, mix] what is to be seen there
  private readonly base: Uint16Array; // [cells] where the cell's kind of ground begins in `code`
  private readonly others: number; // the bit of the layer that shows other agents

  /**
   * `still` [cells]: bits of what never changes, WALL or WATER; `mixes` [12]: bits of each thing and beam together, thing + 3 * beam.
   * Waste hides what lies below.
   */
  constructor(width: number, height: number, window: Window, still: Uint16Array, mixes: Uint16Array) {
    this.window = window;
    this.width = width;
    this.height = height;
    this.channels = window.colours ? 3 : window.layers.length + 1;
    this.size = (window.ahead + 1 + window.behind) * (2 * window.side + 1) * this.channels * window.windows;
    this.pad = Math.max(window.ahead, window.behind, window.side);
    this.stride = width + 2 * this.pad;
    const layered = (bits: number) => window.layers.reduce((code, layer, c) => ((bits & layer) === 0 ? code : code | (1 << c)), 0);
    const codeOf = (bits: number) => (window.colours ? bits : layered(bits));
    const kinds = [...new Set(still)];
    this.code = Uint16Array.from(kinds.flatMap((below) => Array.from(mixes, (bits) => codeOf((bits & WASTE) === 0 ? bits | below : bits))));
    this.base = Uint16Array.from(still, (below) => MIXES * kinds.indexOf(below));
    this.others = 1 << window.layers.length;
    this.seen = new Uint16Array(this.stride * (height + 2 * this.pad)).fill(window.colours ? OUTSIDE : layered(WALL));
  }

  /** Takes the map as it is now, without agents: things and beams of a row begin at these places in `words`. */
  lay(words: Uint32Array, things: number, beams: number): void {
    cover(this.seen, this.code, this.base, words, things, beams, this.width, this.height, this.pad);
  }

  /** An agent stands in a cell. */
  stand(cell: number, agent: number): void {
    const at = this.placeOf(cell);
    this.seen[at] = this.seen[at]! + (this.window.colours ? AGENT * (agent + 1) : this.others);
  }

  /** Writes the window of the agent in `cell` as the `nth` of an observation that begins at out[from] and was cleared before. */
  write(cell: number, heading: number, out: Float32Array, from: number, nth = 0): void {
    const { stride, channels, window } = this;
    const { ahead, behind, side, colours } = window;
    const step = channels * window.windows;
    const wide = 2 * side + 1;
    const forth = AHEAD_ROW[heading]! * stride + AHEAD_COLUMN[heading]!;
    const right = (heading + 1) % 4;
    const aside = AHEAD_ROW[right]! * stride + AHEAD_COLUMN[right]!;
    const corner = this.placeOf(cell) + ahead * forth - side * aside;
    const deep = ahead + 1 + behind;
    const to = from + nth * channels;
    if (colours) paint(this.seen, corner, forth, aside, deep, wide, out, to, step);
    else {
      mark(this.seen, corner, forth, aside, deep, wide, out, to, step);
      out[to + (ahead * wide + side) * step + channels - 1] = 0; // no agent sees itself
    }
  }

  private placeOf(cell: number): number {
    return (Math.floor(cell / this.width) + this.pad) * this.stride + (cell % this.width) + this.pad;
  }
}

// The loops over cells stand outside the class, where V8 makes better code of them.

function cover(
  seen: Uint16Array,
  code: Uint16Array,
  base: Uint16Array,
  words: Uint32Array,
  things: number,
  beams: number,
  width: number,
  height: number,
  pad: number,
): void {
  let cell = 0;
  for (let y = 0; y < height; y++) {
    let at = (y + pad) * (width + 2 * pad) + pad;
    for (let x = 0; x < width; x++, cell++, at++) {
      // as small integers: sums of 32-bit words would be made in floating point
      const mix = (words[things + cell]! | 0) + Math.imul(THINGS, words[beams + cell]!);
      seen[at] = code[(base[cell]! + mix) | 0]!;
    }
  }
}

/** A one for every bit of every cell of a window. */
function mark(
  seen: Uint16Array,
  corner: number,
  forth: number,
  aside: number,
  deep: number,
  wide: number,
  out: Float32Array,
  to: number,
  step: number,
): void {
  for (let f = 0; f < deep; f++, corner -= forth)
    for (let s = 0, at = corner; s < wide; s++, at += aside, to += step)
      for (let left = seen[at]!; left !== 0; left &= left - 1) out[to + 31 - Math.clz32(left & -left)] = 1;
}

/** The colour of every cell of a window. */
function paint(
  seen: Uint16Array,
  corner: number,
  forth: number,
  aside: number,
  deep: number,
  wide: number,
  out: Float32Array,
  to: number,
  step: number,
): void {
  for (let f = 0; f < deep; f++, corner -= forth)
    for (let s = 0, at = corner; s < wide; s++, at += aside, to += step) {
      const bits = seen[at]!;
      if (bits === 0 || bits === OUTSIDE) continue;
      const [red, green, blue] = colourOf(bits);
      out[to] = red / 255;
      out[to + 1] = green / 255;
      out[to + 2] = blue / 255;
    }
}
