/**
 * What an agent sees: a window that turns with it, [ahead + 1 + behind, 2 * side + 1, channels], its own heading up. The map is kept
 * as bits per cell with a wide frame of OUTSIDE around it, so that a window never leaves it. Layers: one channel per kind of thing,
 * 0 or 1. Colours: red, green, blue in 0..1, the palette of the reference, where beams cover agents and agents cover the ground.
 * With `windows` above 1 the windows of others who share theirs stand behind the own one, channels after channels.
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
  private readonly bits: Uint16Array;

  constructor(width: number, height: number, window: Window) {
    this.window = window;
    this.width = width;
    this.height = height;
    this.channels = window.colours ? 3 : window.layers.length + 1;
    this.size = (window.ahead + 1 + window.behind) * (2 * window.side + 1) * this.channels * window.windows;
    this.pad = Math.max(window.ahead, window.behind, window.side);
    this.stride = width + 2 * this.pad;
    this.bits = new Uint16Array(this.stride * (height + 2 * this.pad)).fill(OUTSIDE);
  }

  /** Takes the map as it is now: bits of each cell, and who stands there (+ 1). */
  lay(ground: Uint16Array, stands: Int32Array): void {
    const { bits, width, height, pad, stride } = this;
    let cell = 0;
    for (let y = 0; y < height; y++) {
      let at = (y + pad) * stride + pad;
      for (let x = 0; x < width; x++, cell++, at++) bits[at] = (ground[cell] as number) + AGENT * (stands[cell] as number);
    }
  }

  /** Writes the window of the agent in `cell` as the `nth` of an observation that begins at out[from] and was cleared before. */
  write(cell: number, heading: number, out: Float32Array, from: number, nth = 0): void {
    const { bits, stride, pad, channels, window } = this;
    const { ahead, behind, side, layers, colours } = window;
    const step = channels * window.windows;
    const forth = (AHEAD_ROW[heading] as number) * stride + (AHEAD_COLUMN[heading] as number);
    const right = (heading + 1) % 4;
    const aside = (AHEAD_ROW[right] as number) * stride + (AHEAD_COLUMN[right] as number);
    const centre = (Math.floor(cell / this.width) + pad) * stride + (cell % this.width) + pad;
    let to = from + nth * channels;
    for (let f = ahead; f >= -behind; f--) {
      let at = centre + f * forth - side * aside;
      for (let s = -side; s <= side; s++, at += aside, to += step) {
        const seen = bits[at] as number;
        if (seen === 0) continue;
        if (colours) {
          if (seen === OUTSIDE) continue;
          const [red, green, blue] = colourOf(seen);
          out[to] = red / 255;
          out[to + 1] = green / 255;
          out[to + 2] = blue / 255;
          continue;
        }
        const known = seen === OUTSIDE ? WALL : seen;
        for (let c = 0; c < layers.length; c++) if ((known & (layers[c] as number)) !== 0) out[to + c] = 1;
        if (known >= AGENT && at !== centre) out[to + layers.length] = 1;
      }
    }
  }
}
