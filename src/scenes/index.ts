/** Every kind of picture: one line each. The type asks for one per kind of layout (contract/game/frames.ts). */
import type { FrameLayout } from '#contract/game/frames.ts';
import { bodies } from './bodies.ts';
import { grid } from './grid.ts';
import type { SceneKind } from './lib/define.ts';
import { plain, type Say } from './lib/words.ts';
import { network } from './network.ts';
import { picture } from './picture.ts';
import { points } from './points.ts';
import { table } from './table.ts';

const KINDS: { readonly [K in FrameLayout['kind']]: SceneKind<Extract<FrameLayout, { kind: K }>> } = {
  grid,
  points,
  bodies,
  table,
  network,
  picture,
};

export const sceneKinds: readonly SceneKind[] = Object.values(KINDS);

export function sceneOf(layout: FrameLayout): SceneKind {
  return KINDS[layout.kind];
}

/** What a frame shows, in words: the picture's text for people who do not see it. `t` says them in the reader's language. */
export function describeFrame(layout: FrameLayout, frame: Float32Array, names: readonly string[] = [], t: Say = plain): string {
  return sceneOf(layout).describe(layout, frame, names, t);
}
