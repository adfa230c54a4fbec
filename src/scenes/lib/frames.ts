/**
 * Reads frame rows (contract/game/frames.ts) and interpolates between two of them. Pure arithmetic, no drawing.
 * Angles in radians; grid headings are turned so that 0 looks along +x and a quarter turn clockwise (down) is +π/2.
 */
import type {
  BodiesLayout,
  FrameLayout,
  GridAgentExtra,
  GridLayer,
  GridLayout,
  GridLook,
  NetworkLayout,
  PointGroup,
  PointsLayout,
} from '#contract/game/frames.ts';

export interface GridAgent {
  x: number;
  y: number;
  /** Heading, clockwise from +x. */
  angle: number;
  carried: number;
  carriedColour: number;
  /** 1 alive .. 0 gone. */
  alive: number;
  /** It jumped (reset, teleport): shown at the first frame until the second one is due. */
  jumped: boolean;
}

/** Columns before the first agent. */
export function agentOffset(layout: GridLayout): number {
  return layout.width * layout.height * 3;
}

/** Shortest way round from a to b. */
export function lerpAngle(a: number, b: number, alpha: number): number {
  const turn = Math.atan2(Math.sin(b - a), Math.cos(b - a));
  return a + turn * alpha;
}

/** Slow at both ends: a step on a grid reads as one movement, not as sliding. */
export function ease(alpha: number): number {
  return alpha * alpha * (3 - 2 * alpha);
}

/** More than this many cells in one frame is a teleport. */
const GRID_JUMP = 1.5;

/** Agent `index` between frames a and b. `lastAngle` stands in where the environment has no headings and nothing moved. */
export function gridAgent(
  layout: GridLayout,
  a: Float32Array,
  b: Float32Array,
  index: number,
  alpha: number,
  lastAngle = Math.PI / 2,
): GridAgent {
  const o = agentOffset(layout) + index * 6;
  const ax = a[o]!;
  const ay = a[o + 1]!;
  const dx = b[o]! - ax;
  const dy = b[o + 1]! - ay;
  const jumped = Math.hypot(dx, dy) > GRID_JUMP;
  const s = jumped ? (alpha < 1 ? 0 : 1) : ease(alpha);
  const still = dx === 0 && dy === 0;
  const from = (a[o + 2]! * Math.PI) / 2;
  const angle = layout.headings
    ? lerpAngle(from, (b[o + 2]! * Math.PI) / 2, s)
    : still || jumped
      ? lastAngle
      : lerpAngle(lastAngle, Math.atan2(dy, dx), Math.min(1, s * 3));
  const late = alpha >= 0.5 ? b : a;
  return {
    x: ax + dx * s,
    y: ay + dy * s,
    angle,
    carried: late[o + 3]!,
    carriedColour: late[o + 4]!,
    alive: a[o + 5]! + (b[o + 5]! - a[o + 5]!) * s,
    jumped,
  };
}

/** How far open a door is, 0..1, from its state code (0 open, 1 closed, 2 locked). */
export function doorOpening(stateA: number, stateB: number, alpha: number): number {
  const from = stateA === 0 ? 1 : 0;
  const to = stateB === 0 ? 1 : 0;
  return from + (to - from) * ease(alpha);
}

/** Writes [x, y, z, heading] of point `index` between two frames; a wrap round the world's edge is not interpolated. */
export function pointAt(layout: PointsLayout, a: Float32Array, b: Float32Array, index: number, alpha: number, out: Float32Array): void {
  const o = index * 6;
  const [minX, minY, maxX, maxY] = layout.bounds;
  const limit = 0.25 * Math.max(maxX - minX, maxY - minY);
  const jumped = Math.abs(b[o]! - a[o]!) > limit || Math.abs(b[o + 1]! - a[o + 1]!) > limit;
  const s = jumped ? (alpha < 1 ? 0 : 1) : alpha;
  for (let k = 0; k < 3; k++) out[k] = a[o + k]! + (b[o + k]! - a[o + k]!) * s;
  out[3] = lerpAngle(a[o + 3]!, b[o + 3]!, s);
}

/** Writes [px, py, pz, qx, qy, qz, qw] of part `index`; positions linear, rotations by normalised linear blend on the short side. */
export function bodyAt(layout: BodiesLayout, a: Float32Array, b: Float32Array, index: number, alpha: number, out: Float32Array): void {
  const o = index * 7;
  const [minX, minY, minZ, maxX, maxY, maxZ] = layout.bounds;
  const limit = 0.25 * Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);
  const jumped = Math.hypot(b[o]! - a[o]!, b[o + 1]! - a[o + 1]!, b[o + 2]! - a[o + 2]!) > limit;
  const s = jumped ? (alpha < 1 ? 0 : 1) : alpha;
  for (let k = 0; k < 3; k++) out[k] = a[o + k]! + (b[o + k]! - a[o + k]!) * s;
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[o + k]! * b[o + k]!;
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let k = 3; k < 7; k++) {
    const q = a[o + k]! * (1 - s) + sign * b[o + k]! * s;
    out[k] = q;
    norm += q * q;
  }
  const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
  for (let k = 3; k < 7; k++) out[k] = scale === 0 ? (k === 6 ? 1 : 0) : out[k]! * scale;
}

/** Whether two layouts draw the same thing, so that a scene may keep what it built. */
export function sameLayout(a: FrameLayout | null, b: FrameLayout): boolean {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}

/** Radius of a network's ring, so that its nodes keep apart. */
export function ringRadius(nodes: number): number {
  return nodes <= 24 ? Math.max(1.8, nodes * 0.2) : Math.max(4, nodes * 0.052);
}

/** [x, z] of node `index` on a ring: the first at the far end, then clockwise seen from above. */
export function nodePlace(nodes: number, index: number, radius: number): [x: number, z: number] {
  const angle = (index / nodes) * 2 * Math.PI;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

/** Link `index`, null where there is none. */
export function linkAt(layout: NetworkLayout, frame: Float32Array, index: number): { from: number; to: number; kind: number } | null {
  const o = layout.nodes * 2 + index * 3;
  const from = frame[o]!;
  return from < 0 ? null : { from, to: frame[o + 1]!, kind: frame[o + 2]! };
}

/** Groups of points with the index of their first one. */
export function pointGroups(layout: PointsLayout): { readonly from: number; readonly group: PointGroup }[] {
  const groups = layout.groups ?? [{ name: 'points', count: layout.count, shape: 'wedge' as const }];
  let from = 0;
  return groups.map((group) => {
    from += group.count;
    return { from: from - group.count, group };
  });
}

/** First columns of what follows the points. */
export function pointColumns(layout: PointsLayout): { rays: number; lines: number; messages: number; extra: number } {
  const rays = layout.count * 6;
  const lines = rays + (layout.rays === undefined ? 0 : layout.rays.agents * layout.rays.count);
  const messages = lines + (layout.lines ?? 0) * 6;
  return { rays, lines, messages, extra: messages + (layout.messages?.agents ?? 0) };
}

/** Columns of a grid's extra layers and of its agents' extra numbers; undefined: the layout has none of that name. */
export function layerAt(layout: GridLayout, name: GridLayer): number | undefined {
  const index = layout.layers?.indexOf(name) ?? -1;
  return index < 0 ? undefined : agentOffset(layout) + layout.agents * 6 + index * layout.width * layout.height;
}

export function agentExtra(layout: GridLayout, frame: Float32Array, agent: number, name: GridAgentExtra): number | undefined {
  const names = layout.agentExtras;
  const index = names?.indexOf(name) ?? -1;
  if (names === undefined || index < 0) return undefined;
  const from = agentOffset(layout) + layout.agents * 6 + (layout.layers?.length ?? 0) * layout.width * layout.height;
  return frame[from + agent * names.length + index];
}

/**
 * Things that move to a neighbouring cell between two frames: for each cell in which a thing of `looks` appears, the one next to it in
 * which a thing alike vanishes. What vanishes serves once.
 */
export function slides(layout: GridLayout, a: Float32Array, b: Float32Array, looks: ReadonlySet<GridLook>): Map<number, number> {
  const { width, height } = layout;
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const moves = (frame: Float32Array, cell: number): boolean => looks.has(layout.looks[frame[cell * 3]!] ?? 'empty');
  for (let cell = 0; cell < width * height; cell++) {
    if (a[cell * 3] === b[cell * 3] || !moves(b, cell)) continue;
    const x = cell % width;
    for (const from of [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width]) {
      if (from < 0 || from >= width * height || taken.has(from)) continue;
      if (a[from * 3] !== b[cell * 3] || a[from * 3] === b[from * 3] || a[from * 3 + 1] !== b[cell * 3 + 1]) continue;
      found.set(cell, from);
      taken.add(from);
      break;
    }
  }
  return found;
}

/** Where the thing in `cell` looks in a game that draws trails: away from the trail beside it; otherwise what its state says. */
export function headingAt(layout: GridLayout, frame: Float32Array, cell: number): number {
  const state = frame[cell * 3 + 2]!;
  if (layout.stage !== 'arcade') return state;
  const { width, looks } = layout;
  const x = cell % width;
  const trail = (other: number): boolean => looks[frame[other * 3] ?? 0] === 'trail';
  if (x < width - 1 && trail(cell + 1)) return 2;
  return x > 0 && trail(cell - 1) ? 0 : state;
}

/** Where what the picture moves with is along x; 0 where it stands still. */
export function followedX(layout: BodiesLayout, a: Float32Array, b: Float32Array, alpha: number): number {
  if (layout.follow === undefined) return 0;
  bodyAt(layout, a, b, layout.follow, alpha, followedPose);
  return followedPose[0]!;
}

const followedPose = new Float32Array(7);

/** Half the stretch over which a way is levelled, m. */
const STRETCH = 4;

/** How much higher than where it begins the way is about `x`, m; 0 where the ground stands still. */
export function followedRise({ follow, profile, extra }: BodiesLayout, frame: Float32Array, x: number): number {
  if (follow === undefined || profile === undefined) return 0;
  const from = frame.length - extra.length - 2 * profile.points;
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < profile.points; i++) {
    const near = 1 - Math.abs(frame[from + 2 * i]! - x) / STRETCH;
    if (near <= 0) continue;
    sum += near * frame[from + 2 * i + 1]!;
    weight += near;
  }
  return weight === 0 ? 0 : sum / weight - frame[from + 1]!;
}
