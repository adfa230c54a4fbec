/**
 * What makes a kind of picture. Each kind is one file beside index.ts, registered there in one line; its drawing code (three.js, 2D
 * canvas) is loaded late. Nothing here imports three.js, so the page may import the registry at once.
 * Picture units: those of the layout (cells, metres, cards), x to the right and y down from the upper left corner of the flat picture.
 */
import type { FrameLayout } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { SceneLayer, SceneOverlay } from '../types.ts';
import type { Palette } from './theme.ts';
import type { View } from './view.ts';
import type { Say } from './words.ts';

/** What a 2D drawing is given: two neighbouring frames and the place between them, alpha 0..1. */
export interface FlatFrame<L extends FrameLayout = FrameLayout> {
  readonly layout: L;
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly alpha: number;
  readonly overlay: SceneOverlay;
  readonly palette: Palette;
  /** Between the two frames, where it is known. */
  readonly action?: number | undefined;
}

/** The 2D drawing of one layout. */
export interface FlatDrawing<L extends FrameLayout = FrameLayout> {
  /** Draws in picture units; rings and arcs of explanations are drawn over it by the caller. */
  draw(g: CanvasRenderingContext2D, frame: FlatFrame<L>): void;
}

/** The loaded three.js part of a kind. */
interface ViewPart<L extends FrameLayout> {
  create(layout: L, palette: Palette): View;
}

/** The loaded 2D part of a kind; a drawing may remember what it drew last. */
interface FlatPart<L extends FrameLayout> {
  create(): FlatDrawing<L>;
}

/** Where a thing is in the flat picture. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Palette index. */
  readonly colour: number;
}

/** A point in the layout's own coordinates: column and row of grids, metres of planes. `cell` is row-major, -1 where there are no cells. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly cell: number;
}

/** What can be marked in a picture, numbered from 0: agents of a grid, points, bodies, seats of a table, nodes. */
export interface Things {
  readonly count: number;
  /** Whether the layout names them; without, agents are called by their own names. */
  readonly named: boolean;
  name(thing: number): string;
  /** Whether it is an agent, not a landmark or a ball. */
  acts(thing: number): boolean;
  /** The thing that is the agent at this place among all agents. */
  ofAgent(place: number): number;
}

export type GlyphRole = 'cell' | 'wall' | 'goal' | 'agent' | 'line' | 'pole';

/** One shape of the small picture in a list of experiments, on a canvas of 64 x 64. */
export type GlyphShape = { readonly role: GlyphRole } & (
  | { readonly shape: 'rect'; readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly rx: number }
  | { readonly shape: 'circle'; readonly x: number; readonly y: number; readonly r: number }
  | { readonly shape: 'path'; readonly d: string }
);

export interface SceneKind<L extends FrameLayout = FrameLayout> {
  readonly kind: L['kind'];
  /** Loads the three.js drawing. */
  view(): Promise<ViewPart<L>>;
  /** Loads the 2D drawing. */
  flat(): Promise<FlatPart<L>>;
  /** Size of the flat picture, picture units. */
  extent(layout: L): readonly [width: number, height: number];
  /** The layout's own coordinates -> the flat picture. */
  place(layout: L, x: number, y: number): readonly [x: number, y: number];
  /** The flat picture -> the layout's own coordinates; the inverse of `place` (of a cell, its middle). */
  point(layout: L, x: number, y: number): Point;
  /** The frame in words, those of `t`; `names` of the agents as people read them, without them places are named. */
  describe(layout: L, frame: Float32Array, names: readonly string[], t: Say): string;
  things(layout: L): Things;
  /** Where a thing stands between two frames; null: it is not shown. */
  spot(layout: L, a: Float32Array, b: Float32Array, alpha: number, thing: number): Spot | null;
  /** How far the strongest ring reaches beyond its thing, and the height of its words; picture units. Without it nothing is marked. */
  halo?(layout: L): { readonly reach: number; readonly height: number };
  /** Layers that this layout has something for. */
  layers(layout: L): readonly SceneLayer[];
  glyph(layout: L, config: JsonObject): readonly GlyphShape[];
  /** False: agents do not carry their number, so that words about them must name them. Default true. */
  readonly numbered?: boolean;
  /** Whether observation features that name no thing are about the agent itself (positions and speeds of a body). Default false. */
  readonly bareFeaturesOwn?: boolean;
  /** What lies on a cell, '' where nothing does; kinds with cells only. */
  contents?(layout: L, frame: Float32Array, cell: number): string;
}

/** Types a kind of picture; adds nothing. */
export function defineScene<L extends FrameLayout>(kind: SceneKind<L>): SceneKind<L> {
  return kind;
}
