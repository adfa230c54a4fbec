/**
 * What a view hands to a scene and gets back. Nothing here imports three.js, so views may import it statically and load
 * the renderer itself (scene.ts) on demand; flat.ts implements the same interface on a 2D canvas.
 */
import type { FrameSource, Pull } from '#contract/game/frames.ts';

export type CameraPreset = 'home' | 'top' | 'side' | 'follow';

/** A thin layer over a picture that can be switched on and off. */
export type SceneLayer = 'values' | 'policy' | 'visits' | 'view' | 'trails' | 'rays' | 'messages' | 'forces' | 'payouts' | 'potential';

/** One sign on a cell. `dir` 0 right, 1 down, 2 left, 3 up; `weight` 0..1 scales it; `main` marks the preferred one. */
export interface CellSign {
  readonly cell: number;
  readonly kind: 'move' | 'turn-left' | 'turn-right' | 'act' | 'stay';
  readonly dir: number;
  readonly weight: number;
  readonly main: boolean;
}

/** What an explanation says of one thing of a picture: an agent of a grid, a point, a body, a node, by its place in the layout. */
export interface ThingMark {
  readonly thing: number;
  /** -1..1 of the strongest. Above 0 the ring is closed, below 0 broken, at 0 a thin dotted one. */
  readonly strength: number;
  /** Stands below the ring; '': nothing. */
  readonly words: string;
}

/** An arc over the picture from one thing to another; `weight` 0..1 of the widest. */
export interface ThingTie {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Thin layers over a picture; null and false leave a layer away. Cells are row-major. */
export interface SceneOverlay {
  /** What stands on each agent; those beyond the list have their place, from 0. */
  readonly agents: readonly string[];
  readonly marks: readonly ThingMark[];
  readonly ties: readonly ThingTie[];
  /** One value per cell, such as a potential, NaN where there is none, coloured from `range`. */
  readonly values: ArrayLike<number> | null;
  readonly range: readonly [low: number, high: number];
  readonly signs: readonly CellSign[];
  /** Visit counts per cell: discs whose area is the share of the most visited cell. */
  readonly visits: ArrayLike<number> | null;
  /** The agent's field of view. */
  readonly view: boolean;
  /** Ways that things have come. */
  readonly trails: boolean;
  /** What agents measure: lidar. */
  readonly rays: boolean;
  /** What agents say. */
  readonly messages: boolean;
  /** Thrust of rotors, forces of contacts. */
  readonly forces: boolean;
  /** What levers pay. */
  readonly payouts: boolean;
  /** Cells that agents go to: a flag in the colour of the agent. */
  readonly flags: readonly { readonly cell: number; readonly agent: number }[];
  /** A cell to outline, -1: none. */
  readonly marked: number;
}

export const NO_OVERLAY: SceneOverlay = {
  agents: [],
  marks: [],
  ties: [],
  values: null,
  range: [0, 1],
  signs: [],
  visits: null,
  view: false,
  trails: true,
  rays: true,
  messages: true,
  forces: false,
  payouts: true,
  flags: [],
  marked: -1,
};

/** A canvas and its WebGL context, to be drawn in by one renderer. */
export interface Context {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
}

export interface SceneOptions {
  readonly reducedMotion: boolean;
  /** The pictures are drawn by the processor, not by a graphics card: fewer pictures a second, and coarser ones while something moves. */
  readonly lean: boolean;
  /** The WebGL context of the canvas where it has one already, without antialiasing and in its first state. */
  readonly context?: WebGL2RenderingContext | undefined;
  /** The grid cell under the pointer, row-major; -1: none. */
  readonly onHover?: (cell: number) => void;
  readonly onPick?: (cell: number) => void;
  /** A part that may be pulled is held with the mouse, from when it is pressed until it is let go: null, which may follow at once. */
  readonly onPull?: (pull: Pull | null) => void;
  /** The graphics context went away or came back. */
  readonly onContext?: (state: 'lost' | 'restored') => void;
}

export interface Scene {
  setSource(source: FrameSource | null): void;
  /** Draws between frame t and t + 1; alpha 0..1. False: that frame is not there yet, the picture stays as it is. */
  show(t: number, alpha: number): boolean;
  /** What was shown last is not on the canvas yet. */
  waits(): boolean;
  setOverlay(overlay: SceneOverlay): void;
  setCamera(preset: CameraPreset): void;
  /** Turns the camera (radians) and scales its distance: what keys do. */
  orbit(turn: number, tilt: number, zoom: number): void;
  resize(width: number, height: number, pixelRatio: number): void;
  /** Reads colours from the page's CSS variables again. */
  refreshTheme(): void;
  setReducedMotion(on: boolean): void;
  dispose(): void;
}

/** One of many small scenes that share a renderer: it has a fixed camera and no layers, and is drawn when it is shown. */
export type SmallScene = Pick<Scene, 'setSource' | 'resize' | 'refreshTheme' | 'dispose'> & {
  /** As Scene.show; `seconds` since the picture before, as long as it really was if left out: cameras move by it. */
  show(t: number, alpha: number, seconds?: number): boolean;
};

/** Draws any number of small scenes, each on a 2D canvas of its own. */
export interface SceneWall {
  /** Colours are read from the style of the canvas, which must be in the document. */
  scene(canvas: HTMLCanvasElement): Promise<SmallScene>;
  /** Whether another picture may be drawn now without taking the machine from what else runs; ms as performance.now() tells them. */
  ready(now: number): boolean;
  /** Its context, where the processor draws and no scene is left; the next scene gets another. null: it is needed, or there is none. */
  release(): Context | null;
}
