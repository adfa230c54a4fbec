/** What stands on cells, look by look: which shapes, in whose colour, how high. The ground below is drawn elsewhere (grid-cells.ts). */
import { type BufferGeometry, CylinderGeometry } from 'three';
import type { GridLook } from '#contract/game/frames.ts';
import { agentBody, agentEyes, agentFoot, agentVisor, apple, ball, block, crate, disc, key, ring } from '../lib/shapes.ts';
import type { Palette, Rgb } from '../lib/theme.ts';
import * as things from './things.ts';

export interface Layer {
  readonly shape: () => BufferGeometry;
  /** 'own': the cell's colour. */
  readonly tint: 'own' | ((palette: Palette) => Rgb);
  readonly lift?: number;
  readonly turn?: number;
  /** Turned by the state code, a direction. */
  readonly heads?: boolean;
  readonly flat?: boolean; // casts no shadow
  readonly glows?: number; // share of its colour that it emits
}

const fixed = (rgb: Rgb) => (): Rgb => rgb;
const DARK = fixed([24, 28, 38]);
const WHITE = fixed([248, 249, 251]);
const YELLOW = fixed([240, 188, 52]);

/** Height of a counter's top: what lies on it is lifted by this. */
export const COUNTER_TOP = 0.42;

export const THINGS: { readonly [look in GridLook]?: readonly Layer[] } = {
  key: [{ shape: () => key().scale(1.05, 1.05, 1.05), tint: 'own', lift: 0.02, turn: -0.6 }],
  ball: [{ shape: ball, tint: 'own' }],
  box: [{ shape: crate, tint: 'own' }],
  food: [{ shape: apple, tint: 'own' }],
  paddle: [{ shape: () => block(0.94, 0.3, 0.62, 0.1), tint: (p) => p.accent }],
  brick: [{ shape: () => block(0.92, 0.34, 0.92, 0.06), tint: 'own' }],
  trail: [{ shape: () => disc(0.2), tint: 'own', lift: 0.01, flat: true }],
  agent: [
    { shape: () => agentFoot().rotateY(-Math.PI / 2), tint: DARK },
    { shape: () => agentBody().rotateY(-Math.PI / 2), tint: 'own' },
    { shape: () => agentVisor().rotateY(-Math.PI / 2), tint: DARK },
    { shape: () => agentEyes().rotateY(-Math.PI / 2), tint: WHITE },
  ],
  target: [{ shape: things.targetMark, tint: (p) => p.goal, lift: 0.008, flat: true, glows: 0.3 }],
  waste: [{ shape: things.waste, tint: 'own' }],
  grass: [{ shape: things.grass, tint: fixed([84, 150, 92]) }],
  coin: [{ shape: things.coin, tint: 'own' }],
  treasure: [
    { shape: things.chest, tint: fixed([134, 88, 52]) },
    { shape: things.chestBands, tint: YELLOW },
  ],
  pot: [
    { shape: things.pot, tint: fixed([92, 100, 116]), lift: COUNTER_TOP },
    { shape: () => new CylinderGeometry(0.34, 0.36, 0.04, 24).translate(0, 0.02, 0), tint: DARK, lift: COUNTER_TOP },
  ],
  onion: [{ shape: things.onion, tint: fixed([226, 178, 78]), lift: COUNTER_TOP }],
  tomato: [{ shape: things.tomato, tint: fixed([214, 66, 52]), lift: COUNTER_TOP }],
  dish: [{ shape: things.dish, tint: WHITE, lift: COUNTER_TOP }],
  soup: [
    { shape: things.dish, tint: WHITE, lift: COUNTER_TOP },
    { shape: () => disc(0.22, 20), tint: fixed([226, 142, 50]), lift: COUNTER_TOP + 0.065, flat: true },
  ],
  cross: [{ shape: things.cross, tint: 'own' }],
  nought: [{ shape: things.nought, tint: 'own' }],
  disc: [{ shape: things.piece, tint: 'own' }],
  fish: [{ shape: things.fish, tint: 'own', heads: true }],
  diver: [{ shape: things.diver, tint: 'own', heads: true }],
  submarine: [{ shape: things.submarine, tint: 'own', heads: true }],
  alien: [{ shape: things.alien, tint: 'own', glows: 0.35 }],
  ship: [{ shape: things.ship, tint: 'own' }],
  car: [
    { shape: things.carBody, tint: 'own', heads: true },
    { shape: things.carTrim, tint: DARK, heads: true },
  ],
  bullet: [{ shape: things.bullet, tint: 'own', heads: true, glows: 0.5 }],
  square: [{ shape: things.cube, tint: 'own' }],
  pyramid: [{ shape: things.pyramid, tint: 'own' }],
  hex: [{ shape: things.hexPrism, tint: 'own' }],
  star: [{ shape: things.star, tint: 'own' }],
  pad: [{ shape: things.pad, tint: 'own', lift: 0.006, flat: true }],
  person: [{ shape: things.person, tint: 'own' }],
  gauge: [{ shape: () => block(0.98, 0.16, 0.4, 0.02), tint: 'own', glows: 0.3 }],
  chicken: [
    { shape: () => things.chicken().rotateY(Math.PI / 2), tint: WHITE },
    { shape: () => things.chickenTrim().rotateY(Math.PI / 2), tint: fixed([226, 92, 52]) },
  ],
  start: [{ shape: () => ring(0.29, 0.33), tint: (p) => p.muted, lift: 0.008, flat: true }],
};

/** Looks that lie on a counter where there are counters at all. */
export const ON_COUNTER: ReadonlySet<GridLook> = new Set(['pot', 'onion', 'tomato', 'dish', 'soup', 'dispenser', 'serving', 'counter']);

/** Looks that slide to a neighbouring cell when they vanish here and appear there. */
export const SLIDES: ReadonlySet<GridLook> = new Set([
  'box',
  'ball',
  'paddle',
  'agent',
  'fish',
  'diver',
  'submarine',
  'alien',
  'ship',
  'car',
  'bullet',
  'chicken',
]);
