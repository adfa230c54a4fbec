/** What a VMAS scenario says of itself: bodies, what is drawn at the start, what is paid and what is seen. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { PointGroup } from '#contract/game/frames.ts';
import type { WorldPlan } from './world.ts';

export interface Scene extends WorldPlan {
  /** Agents that act: the first ones, or all but the first `scripted`. */
  readonly scripted: number;
  readonly sees: readonly string[];
  /** Newtons of a full action. */
  readonly multiplier: number;
  /** Shape of each landmark in the frame. */
  readonly looks: readonly {
    readonly shape: PointGroup['shape'];
    readonly colour: number;
    /** A box that is drawn otherwise than it is: length, width, and how far above its middle. */
    readonly drawn?: readonly [length: number, width: number, above: number];
  }[];
  readonly lidar?: { readonly rays: number; readonly range: number };
  /** Flags kept in the state (eaten, covered): one per landmark. */
  readonly flags: string | null;
  readonly shared: boolean;
  readonly bounds: number; // half side of the picture, m
  readonly references: readonly ReferenceReturn[];
  /** Fills a row; `u` is uniform in [0, 1). */
  start(floats: Float64Array, s: number, u: () => number): void;
  /** Force of the scripted agents (in newtons) into drive. */
  script?(drive: Float64Array, steps: number): void;
  /** What rewards compare with, taken before the step, into memo [A]. */
  before?(floats: Float64Array, s: number, memo: Float64Array): void;
  /** Pays the agents, [A] from `at`; says whether the task has ended. May move landmarks with `u`. */
  reward(
    floats: Float64Array,
    s: number,
    words: Uint32Array,
    w: number,
    memo: Float64Array,
    out: Float32Array,
    at: number,
    u: () => number,
  ): boolean;
  observe(floats: Float64Array, s: number, words: Uint32Array, w: number, out: Float32Array, at: number): void;
  /** Distances of the rays of acting agent i, for the frame. */
  rays?(floats: Float64Array, s: number, i: number, out: Float32Array, at: number): void;
}
