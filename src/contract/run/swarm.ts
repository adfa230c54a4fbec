/** A swarm that moves and is drawn on the graphics device (page `#/swarm`): what the page asks of its worker, and what it is told. */
import type { JsonObject } from '../kit/json.ts';

export const SWARM_MODELS = ['boids', 'vicsek-swarm'] as const;
export type SwarmModel = (typeof SWARM_MODELS)[number];
/** Sizes that the page offers. */
export const SWARM_SIZES = [1000, 10_000, 100_000] as const;

export interface SwarmAsk {
  readonly model: SwarmModel;
  readonly members: number;
  /** Settings of the environment of that name; the number of members is the one above. */
  readonly config: JsonObject;
  readonly seed: number;
}

/** The page's canvas, handed over to the worker. */
export interface SwarmCanvas {
  width: number;
  height: number;
  getContext(id: 'webgpu'): unknown;
}

export interface SwarmFrame {
  /** Steps before the picture; 0: only draw. */
  readonly steps: number;
  /** Of the canvas, device pixels. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, 0 to 1. */
  readonly paper: readonly [number, number, number];
  readonly dark: boolean;
}

export interface SwarmTold {
  /** Length of the mean direction after the frame before the last, 0 to 1; the device is a frame ahead of what it tells. */
  readonly order: number;
}
