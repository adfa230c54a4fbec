/**
 * Where the agent of a map stands and looks, when it is no cell but a field of its own: [x, y, direction]. Also the map that the scene
 * shows now, read back from its frame, so that drawing begins with what is seen.
 */
import type { FrameSource, GridLayout } from '#contract/game/frames.ts';
import { frameSize, isGrid } from '#contract/game/frames.ts';
import { type Cells, firstTile } from '#contract/game/map-cells.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import type { Json } from '#contract/kit/json.ts';
import { codeOf, paint } from './format.ts';

/** x, y in cells; direction 0 right, 1 down, 2 left, 3 up. */
export type Start = readonly [x: number, y: number, direction: number];

export const DIRECTIONS = ['right', 'down', 'left', 'up'] as const;

export function readStart(at: Json | undefined): Start | null {
  if (!Array.isArray(at) || at.length < 2) return null;
  const [x, y, direction] = at as readonly Json[];
  return typeof x === 'number' && typeof y === 'number' ? [x, y, typeof direction === 'number' ? direction : 0] : null;
}

/** null: the scene shows nothing yet, or something else than this layout. */
export function mapInView(
  format: MapFormat,
  source: FrameSource | null,
  wanted: { readonly width: number; readonly height: number },
): { readonly cells: Cells; readonly start: Start } | null {
  const layout = source?.layout;
  if (source === null || !isGrid(layout) || layout.width !== wanted.width || layout.height !== wanted.height) return null;
  const frame = new Float32Array(frameSize(layout));
  if (!source.read(0, frame)) return null;
  const agents = layout.width * layout.height * 3;
  const start: Start = [frame[agents] ?? 0, frame[agents + 1] ?? 0, frame[agents + 2] ?? 0];
  const cells = Array.from({ length: layout.height }, (_, y) =>
    Array.from({ length: layout.width }, (_unused, x) => codeInView(format, layout, frame, 3 * (y * layout.width + x))),
  );
  return { cells: withAgents(format, layout, frame, cells), start };
}

/** Agents that are tiles of the map stand where the frame has them: each as its own tile, or all as the one that may stand often. */
function withAgents(format: MapFormat, layout: GridLayout, frame: Float32Array, cells: Cells): Cells {
  const tiles = format.tiles.filter((tile) => tile.look === 'agent');
  const alike = tiles.find((tile) => !tile.once);
  const agents = Array.from({ length: layout.agents }, (_, i) => [alike ?? tiles[i], layout.width * layout.height * 3 + 6 * i] as const);
  return agents.reduce(
    (map, [tile, at]) => (tile === undefined ? map : paint(format, map, frame[at] ?? -1, frame[at + 1] ?? -1, tile.code)),
    cells,
  );
}

function codeInView(format: MapFormat, layout: GridLayout, frame: Float32Array, at: number): string {
  const look = layout.looks[frame[at] ?? 0] ?? 'empty';
  const colour = layout.colours[frame[at + 1] ?? 0] ?? '';
  const alike = format.tiles.filter((tile) => tile.look === look && (tile.state === undefined || tile.state === frame[at + 2]));
  const tile = alike.find((one) => one.coloured || one.colour === colour) ?? alike[0] ?? firstTile(format);
  return codeOf(tile, format.colours?.find((entry) => entry.name === colour)?.code ?? format.colours?.[0]?.code ?? '');
}
