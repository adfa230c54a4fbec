/**
 * Where the agent of a token map stands and looks: it is no cell but a field of its own, [x, y, direction]. Also the map that the
 * scene shows now, read back from its frame, so that drawing begins with what is seen.
 */
import type { FrameSource, GridLayout } from '#contract/frames.ts';
import { frameSize } from '#contract/frames.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { type Cells, COLOURS, seen } from './tiles.ts';

/** x, y in cells; direction 0 right, 1 down, 2 left, 3 up. */
export type Start = readonly [x: number, y: number, direction: number];

export const DIRECTIONS = ['right', 'down', 'left', 'up'] as const;

export function startOf(config: JsonObject): Start | null {
  const at: Json | undefined = config.start;
  if (!Array.isArray(at) || at.length < 2) return null;
  const [x, y, direction] = at as readonly Json[];
  return typeof x === 'number' && typeof y === 'number' ? [x, y, typeof direction === 'number' ? direction : 0] : null;
}

/** Nobody can stand on these. */
export function blocks(code: string): boolean {
  return ['wall', 'door-closed', 'door-locked', 'key', 'ball', 'box'].includes(seen('tokens', code).tile.look);
}

const LETTER: { readonly [look: string]: string } = { wall: 'W', floor: 'F', key: 'K', ball: 'A', box: 'B', goal: 'G', lava: 'V' };
const DOORS = ['O', 'D', 'L'] as const; // by state: open, closed, locked

export function mapInView(source: FrameSource | null): { readonly cells: Cells; readonly start: Start } | null {
  const layout = source?.layout;
  if (source === null || layout?.kind !== 'grid') return null;
  const frame = new Float32Array(frameSize(layout));
  if (!source.read(0, frame)) return null;
  const agents = layout.width * layout.height * 3;
  const start: Start = [frame[agents]!, frame[agents + 1]!, frame[agents + 2]!];
  const cells = Array.from({ length: layout.height }, (_, y) =>
    Array.from({ length: layout.width }, (_unused, x) => token(layout, frame, 3 * (y * layout.width + x))),
  );
  return { cells, start };
}

function token(layout: GridLayout, frame: Float32Array, at: number): string {
  const look = layout.looks[frame[at]!] ?? 'empty';
  const colour = COLOURS.find((entry) => entry.name === layout.colours[frame[at + 1]!])?.code ?? 'E';
  if (look === 'door') return `${DOORS[frame[at + 2]!] ?? 'D'}${colour}`;
  const letter = LETTER[look];
  return letter === undefined ? '..' : `${letter}${look === 'wall' ? 'E' : colour}`;
}
