/**
 * How an environment describes what it looks like: one of three small vocabularies that three scenes draw.
 * A frame is one Float32Array row whose columns the layout explains; no pictures, no three.js, no strings per frame.
 */

/** How a grid code looks. `height` in cell units (0 = flat on the floor). */
export type GridLook =
  | 'unseen'
  | 'empty'
  | 'wall'
  | 'floor'
  | 'door'
  | 'key'
  | 'ball'
  | 'box'
  | 'goal'
  | 'lava'
  | 'agent'
  | 'ice'
  | 'hole'
  | 'start'
  | 'cliff'
  | 'paddle'
  | 'brick'
  | 'trail'
  | 'food'
  | 'water'
  | 'counter';

/**
 * grid: columns = [height*width*3 cells, row-major, each (object code, colour code, state code)] then
 * [agents*6: x, y, dir (0 right, 1 down, 2 left, 3 up), carried object code (0 none), carried colour code, alive 0/1].
 * x grows right, y grows down, in cells. `looks[objectCode]`, `colours[colourCode]` are the vocabularies; door states: 0 open 1 closed 2 locked.
 * `headings` false: agents have no direction (frozen lake); the scene then turns them by their last move.
 */
export interface GridLayout {
  readonly kind: 'grid';
  readonly width: number;
  readonly height: number;
  readonly agents: number;
  readonly headings: boolean;
  readonly looks: readonly GridLook[];
  readonly colours: readonly string[]; // names: red, green, blue, purple, yellow, grey
  /** Half-width in cells of a square egocentric view ahead of the agent, 0 = no partial view to draw. */
  readonly view: number;
}

/** points: columns = [count * (x, y, z, heading rad, radius, colour index)], metres. */
export interface PointsLayout {
  readonly kind: 'points';
  readonly count: number;
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly names: readonly string[];
}

/** One rigid part. Sizes in metres: box (x, y, z), cylinder and capsule (radius, length along y), sphere (radius). */
export interface BodyPart {
  readonly name: string;
  readonly shape: 'box' | 'sphere' | 'cylinder' | 'capsule';
  readonly size: readonly number[];
  /** Palette index for agents, or a role that the theme colours. */
  readonly colour: number | 'structure' | 'accent' | 'ground' | 'goal' | 'hazard';
}

/** bodies: columns = [parts * (px, py, pz, qx, qy, qz, qw)] metres and unit quaternions, y up; then `extra` named columns. */
export interface BodiesLayout {
  readonly kind: 'bodies';
  readonly parts: readonly BodyPart[];
  readonly extra: readonly string[];
  /** What the camera should frame, metres. */
  readonly bounds: readonly [minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number];
}

export type FrameLayout = GridLayout | PointsLayout | BodiesLayout;

/** Columns of a frame. */
export function frameSize(layout: FrameLayout): number {
  switch (layout.kind) {
    case 'grid':
      return layout.width * layout.height * 3 + layout.agents * 6;
    case 'points':
      return layout.count * 6;
    case 'bodies':
      return layout.parts.length * 7 + layout.extra.length;
  }
}

/** Given by a view to a scene: a replay or the live run. `read` fills `out` with frame t; false: that frame is not here yet. dt in seconds. */
export interface FrameSource {
  readonly layout: FrameLayout;
  readonly length: number;
  readonly dt: number;
  read(t: number, out: Float32Array): boolean;
}
