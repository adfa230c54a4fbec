/**
 * Observation rows as a network wants them. Boxes and one-hot states pass as they are; grid codes become one-hot, channel
 * by channel, by comparing with 0, 1, 2, ...: no gather, and a code that is out of range is all zeros.
 * Rows may be wider than the space (padded to the widest agent): the rest is dropped.
 */
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { concat, eq, iota, reshape, sliceAxis } from '../engine/ops.ts';
import type { Graph, Tensor } from '../engine/types.ts';

/** One-hot length of all channels of a grid cell. */
const cellSize = (codes: readonly number[]): number => codes.reduce((a, b) => a + b, 0);

/** Columns that `encode` gives. */
export function encodedSize(space: ObsSpace): number {
  if (space.kind !== 'grid') return obsSize(space);
  return space.shape[0] * space.shape[1] * cellSize(space.codes) + space.extra;
}

/** What lies in space as [H, W, C] in front of an encoded row, for convolutions; undefined if nothing does. */
export function encodedImage(space: ObsSpace): readonly [number, number, number] | undefined {
  if (space.kind === 'grid') return [space.shape[0], space.shape[1], cellSize(space.codes)];
  if (space.kind === 'box' && space.shape.length === 3) return [space.shape[0]!, space.shape[1]!, space.shape[2]!];
  return undefined;
}

/** obs [B, >= obsSize(space)] -> [B, encodedSize(space)]. */
export function encode(g: Graph, obs: Tensor, space: ObsSpace): Tensor {
  const rows = obs.shape[0]!;
  if (space.kind !== 'grid') return sliceAxis(obs, 1, 0, obsSize(space));
  const [h, w, channels] = space.shape;
  const cells = h * w;
  const codes = reshape(sliceAxis(obs, 1, 0, cells * channels), [rows, cells, channels]);
  const hot = space.codes.map((n, c) => eq(sliceAxis(codes, 2, c, 1), iota(g, n))); // [B, cells, n] each
  const image = reshape(concat(hot, 2), [rows, cells * cellSize(space.codes)]);
  return space.extra === 0 ? image : concat([image, sliceAxis(obs, 1, cells * channels, space.extra)], 1);
}
