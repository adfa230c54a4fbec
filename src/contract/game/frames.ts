/**
 * How an environment describes what it looks like: six small vocabularies that six scenes draw.
 * A frame is one Float32Array row whose columns the layout explains; no three.js, no strings per frame.
 *   grid     cells and figures on them (mazes, MinAtar, Sokoban, boards of tic-tac-toe and connect four)
 *   points   discs, wedges, landmarks in the plane, up to 10,000 of them (MPE, VMAS, swarms)
 *   bodies   rigid things in space (cart and pole, drones, balls, slimes, courts)
 *   table    things that lie on a table (payoff boards, cards, chips, bandit arms)
 *   network  nodes and links between them (a small world, who plays with whom)
 *   picture  points of colour that something else has drawn (render() of an environment in Python)
 * Optional fields add columns after the ones named first, always in the order in which the comments list them.
 */
import { NUMBERS } from './rule-card.ts';

/** How a grid code looks. */
export type GridLook =
  | 'unseen'
  | 'empty'
  | 'wall'
  | 'floor' // tinted with its colour
  | 'door' // state 0 open, 1 closed, 2 locked
  | 'key'
  | 'ball'
  | 'box' // a crate; state 1: it stands on its target and glows
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
  | 'food' // an apple; state > 0: that number stands on it (levels)
  | 'water'
  | 'counter'
  | 'target' // where a crate belongs, in its colour
  | 'waste'
  | 'soil' // where something may grow
  | 'grass'
  | 'coin'
  | 'treasure' // a chest; state > 0: its worth stands on it
  | 'snake' // state: bits of the joined neighbours: 1 right, 2 down, 4 left, 8 up
  | 'pot' // state 0..9 ingredients in it, + 10 while it cooks, + 20 when done
  | 'onion'
  | 'tomato'
  | 'dish'
  | 'soup'
  | 'dispenser' // a counter with a crate of its colour's goods; state: code (in looks) of what it gives
  | 'serving'
  | 'cross'
  | 'nought'
  | 'disc' // a counter of board games
  | 'fish' // MinAtar: things that swim, fly, drive, shoot; state: where it looks (0 right, 1 down, 2 left, 3 up)
  | 'diver'
  | 'submarine'
  | 'alien'
  | 'ship'
  | 'car'
  | 'bullet'
  | 'person'
  | 'gauge' // a bar of air, or whatever is counted
  | 'chicken'
  | 'square' // rule grids: things that are told apart by their shape
  | 'pyramid'
  | 'hex'
  | 'star'
  | 'pad'; // a place to stand on, in its colour

/** How an agent of a grid looks. */
export type GridFigure = 'agent' | 'chef' | 'prey' | 'taxi' | 'snake' | 'pusher' | 'submarine' | 'none';

/** One more number per agent. level: stands on its badge instead of its number. message: a symbol in a bubble, -1 none. targetX, targetY: its goal cell. score: small text below. crossed: a cell that is crossed out in its colour (row-major), -1 none. */
export type GridAgentExtra = 'level' | 'message' | 'targetX' | 'targetY' | 'score' | 'crossed';

/** One more number per cell. beam: 0 none, else 1 + colour code of the ray on it. visible: 1 where agent 0 sees. heat: 0..1. path: 0 none, else 1 + agent. */
export type GridLayer = 'beam' | 'visible' | 'heat' | 'path';

/**
 * grid: columns = [height*width*3 cells, row-major, each (object code, colour code, state code)] then
 * [agents*6: x, y, dir (0 right, 1 down, 2 left, 3 up), carried object code (0 none), carried colour code, alive 0/1] then
 * [layers.length * height*width, layer by layer] then [agents * agentExtras.length, agent by agent] then, with `ruleCard`, [5 numbers of the goal,
 * 7 of each rule], the encodings of XLand-MiniGrid.
 * x grows right, y grows down, in cells. `looks[objectCode]`, `colours[colourCode]` are the vocabularies.
 * `headings` false: agents have no direction (frozen lake); the scene then turns them by their last move.
 */
export interface GridLayout {
  readonly kind: 'grid';
  readonly width: number;
  readonly height: number;
  readonly agents: number;
  readonly headings: boolean;
  readonly looks: readonly GridLook[];
  readonly colours: readonly string[]; // names: red, green, blue, purple, yellow, grey, orange, white, black, brown, cyan, pink
  /** Half-width in cells of a square egocentric view ahead of the agent, 0 = no partial view to draw. */
  readonly view: number;
  /** A view as far behind and beside as ahead (an agent in the middle of its window). */
  readonly centred?: boolean;
  /** Per agent; the last entry serves the rest. Default 'agent'. */
  readonly figures?: readonly GridFigure[];
  /** Palette index per agent (teams share a colour); default its number. */
  readonly teams?: readonly number[];
  /** Colour name per agent, where agents are called by their colours; before `teams`. */
  readonly tints?: readonly string[];
  /** 'board': a plain playing board, 'rack': upright, pieces fall in from above (connect four), 'arcade': dark and flat (MinAtar). Default 'world'. */
  readonly stage?: 'world' | 'board' | 'rack' | 'arcade';
  /** A colour name of which bare cells have a touch: the sea. */
  readonly tint?: string;
  /** Words that lie on the board or beside it, in cells; x and y are the middle of the words. */
  readonly signs?: readonly { readonly x: number; readonly y: number; readonly text: string }[];
  readonly layers?: readonly GridLayer[];
  readonly agentExtras?: readonly GridAgentExtra[];
  /** Symbols a message may be; default A, B, C... */
  readonly symbols?: readonly string[];
  /** By colour code: written on things of that colour and read without seeing it. */
  readonly letters?: readonly string[];
  /** Room for so many rules of the task, which are shown beside the scene. */
  readonly ruleCard?: number;
}

/** wedge: looks where it goes. disc: an agent without a heading, numbered if `numbered`. landmark: a flat ring. zone: a translucent area. obstacle: a pillar. ball. box: needs `size` or `sized`. goal: glows. words: the group's tag and nothing else. */
export type PointShape = 'wedge' | 'disc' | 'landmark' | 'zone' | 'obstacle' | 'ball' | 'box' | 'goal' | 'food' | 'words';

/** `count` points alike, in the order of the columns. Default: one group of wedges. */
export interface PointGroup {
  readonly name: string;
  readonly count: number;
  readonly shape: PointShape;
  readonly trail?: boolean;
  readonly numbered?: boolean;
  /** Number on the first of them; else its place among all points. */
  readonly numberedFrom?: number;
  /** disc: corners of its outline, of the area of a round one, so that kinds differ by shape. Default: round. */
  readonly corners?: number;
  /** zone: stripes across it, so that it is told from others without its colour. */
  readonly striped?: true;
  /** A person may take hold of them and put them elsewhere (Pull); `part` is the point's number. */
  readonly held?: true;
  /** A press anywhere on the floor puts the first of them there; they are `held` too. */
  readonly called?: true;
  /** box: length along its heading, width; metres. Others take the radius column. */
  readonly size?: readonly [number, number];
  /** box: each has a size of its own. Its radius column is half its length, its z column half its width; it lies on the floor. */
  readonly sized?: boolean;
  /** They lie between others, as links do: nothing that must be found in the picture, so they are drawn as large as they are, and they make no crowd of others. */
  readonly between?: true;
  /** Its name, written beside the first of the group. */
  readonly tag?: string;
}

/** Points evenly over the bounds of a picture. */
export interface Lattice {
  readonly columns: number;
  readonly lines: number;
}

/**
 * points: columns = [count * (x, y, z, heading rad counter-clockwise from +x, radius, palette index)], metres, y up the page, z height; radius 0: not shown; then
 * [rays.agents * rays.count distances, metres; a ray as long as rays.range met nothing] of the first `rays.agents` points, then
 * [lines * (x1, y1, x2, y2, palette index, strength 0..1; 0: not shown)] then
 * [messages.agents symbols (index into messages.symbols, -1: silent)] of the first points, then [extra named numbers].
 */
export interface PointsLayout {
  readonly kind: 'points';
  readonly count: number;
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
  /** One per point where there are few, [] where there are many. */
  readonly names: readonly string[];
  readonly groups?: readonly PointGroup[];
  /** Evenly spread, the first at angle `from` (rad; added to the heading if `turns`). */
  readonly rays?: {
    readonly agents: number;
    readonly count: number;
    readonly range: number;
    readonly from?: number;
    readonly turns?: boolean;
  };
  readonly lines?: number;
  readonly messages?: { readonly agents: number; readonly symbols: readonly string[] };
  /** Numbers to show live: order parameters. */
  readonly extra?: readonly string[];
  /** Round the edges: a jump to the other side is not a way. */
  readonly periodic?: boolean;
  /** What the plane is: a plain floor, a pitch with two goals, a ring of phases (Kuramoto), a wall round it, streets along whole numbers from 0 on with houses between. Default 'floor'. */
  readonly ground?: 'floor' | 'pitch' | 'phases' | 'walled' | 'streets';
  /** y points up against gravity: shown from the side, not from above. */
  readonly upright?: boolean;
  /** Points that are held are not put elsewhere but ordered there, or after whom they are drawn to. */
  readonly ordered?: true;
}

/** Things drawn with detail of their own. drone: size (arm length, rotor radius). ball: size (radius). slime: half a sphere with eyes, size (radius). Others take their names' details. */
export type BodyModel = 'drone' | 'ball' | 'slime' | 'target';

/**
 * One rigid part. Sizes in metres: box (x, y, z), cylinder and capsule (radius, length along y; along z if `up` is 'z'), sphere (radius),
 * ellipsoid (three radii), mesh (the box round it: x, y, z).
 */
export interface BodyPart {
  readonly name: string;
  readonly shape: 'box' | 'sphere' | 'cylinder' | 'capsule' | 'ellipsoid' | 'mesh';
  readonly size: readonly number[];
  /** Of a mesh: corners (x, y, z each, metres) and the numbers of three corners for each face. */
  readonly mesh?: { readonly corners: readonly number[]; readonly faces: readonly number[] };
  /** Palette index for agents, or a role that the theme colours. */
  readonly colour: number | 'structure' | 'accent' | 'ground' | 'goal' | 'hazard';
  readonly model?: BodyModel;
  /** Drawn as its shape alone, whatever its name is. */
  readonly plain?: boolean;
  readonly trail?: boolean;
  /** Words beside it, with one of the layout's named numbers where `number` names it. */
  readonly tag?: { readonly text: string; readonly number?: string };
  /** Drones: arms along the axes (CF2P, 'plus') or between them. Default 'cross'. */
  readonly frame?: 'cross' | 'plus';
}

/** What stands still, in the same axes as the columns; metres. */
export type Fixture =
  | { readonly kind: 'court'; readonly length: number; readonly width: number; readonly net: number; readonly netDepth: number } // along x, middle at 0; net top at `net`, its lower edge `netDepth` below
  | { readonly kind: 'gate'; readonly at: readonly [number, number, number]; readonly yaw: number; readonly radius: number } // a ring to fly through along its yaw
  | { readonly kind: 'path'; readonly points: readonly number[]; readonly closed?: boolean } // x, y, z each: a way to follow
  | {
      readonly kind: 'box';
      readonly at: readonly [number, number, number];
      readonly size: readonly [number, number, number];
      readonly colour?: BodyPart['colour'];
      readonly faint?: boolean; // a floor with a touch of the colour
    }
  | { readonly kind: 'slope'; readonly points: readonly number[] } // x, y of a ground seen from the side (mountain car)
  /** A floor with a metre grid under everything. `opaque` where things rest on it; else what falls through it stays in sight. */
  | { readonly kind: 'floor'; readonly opaque?: true };

/**
 * What the first agent's action does to a part, drawn while it does it: a push along the part's own x axis, or a torque about z (positive
 * counter-clockwise) at one of its ends. Strength -1..1: `values` by discrete action, or the action's first number divided by `full`.
 */
export interface Drive {
  readonly part: number;
  readonly kind: 'push' | 'torque';
  readonly end?: 'low' | 'high';
  readonly values?: readonly number[];
  readonly full?: number;
}

/**
 * bodies: columns = [parts * (px, py, pz, qx, qy, qz, qw)] metres and unit quaternions (all four 0: not shown); then
 * [rotors.count rpm for each part with model 'drone', in order]; then [arrows * (x, y, z, dx, dy, dz)]; then
 * [contacts * (x, y, z, strength; > 0 only in the frame of the touch)]; then [contactForces * (x, y, z, dx, dy, dz)]; then
 * [profile.points * (x, y)]; then `extra` named numbers, a name may end with its unit: "distance (m)".
 * y up unless `up` is 'z' (robotics axes: x ahead, y left, z up), which holds for bounds, fixtures, positions and quaternions alike.
 */
export interface BodiesLayout {
  readonly kind: 'bodies';
  readonly parts: readonly BodyPart[];
  readonly extra: readonly string[];
  /** What the camera should frame, metres. */
  readonly bounds: readonly [minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number];
  readonly up?: 'y' | 'z';
  /** hover: the rpm that carries one drone; thrust is drawn relative to it. Spin directions alternate + - + -. */
  readonly rotors?: { readonly count: number; readonly hover: number };
  /** Forces, wind, pushes: drawn from (x, y, z) along (dx, dy, dz); metres. */
  readonly arrows?: number;
  readonly contacts?: number;
  /** Points that touch, with the force on the upper body as a length in metres; all zeros: no touch. Drawn where the layer of forces is on. */
  readonly contactForces?: number;
  readonly fixtures?: readonly Fixture[];
  /** Points of the upper edge of a ground that is another in each episode, from left to right: solid below, seen from the side. `bare`: nothing grows on it. */
  readonly profile?: { readonly points: number; readonly bare?: true };
  readonly drive?: Drive;
  /** A person may pull at its moving parts (Pull): those in the colours of agents, and accents. */
  readonly pulls?: true;
  /** The picture moves with this part along the ground: it stays in the middle, and marks of distance pass under it. */
  readonly follow?: number;
  /** With up z: where the camera stands at first, rad about the upright axis: 0 on the side of -y, a quarter turn on that of +x. Without it 0.5. */
  readonly seenFrom?: number;
  /** With up z: how high it stands at first, rad above the horizon. Without it 0.36. */
  readonly seenAbove?: number;
}

/** A spring with a damper that a person holds: from a point of a part, in the part's own axes, to a place of the picture. Metres. */
export interface Pull {
  readonly part: number;
  readonly at: readonly [x: number, y: number, z: number];
  readonly to: readonly [x: number, y: number, z: number];
}

/**
 * Things on a table, x to the right, y away from the viewer, units of a card's width; each brings its own columns, in the order of `items`:
 * card (1): index into faces, -1 nothing there, -2 face down. text (places): index into words each, -1 nothing there. chips (1): how many. number (1): shown after the label.
 * sign (0). seat (2): to move 0/1; palette emphasis -1 lost, 0, 1 won. payoff (2): row and column chosen, -1 none. lever (2): pulled 0/1, what it paid (shown while it is pulled).
 */
export type TableItem = { readonly x: number; readonly y: number } & (
  | { readonly kind: 'card'; readonly faces: readonly string[] } // 'K', 'Q♠': two letters at most
  | { readonly kind: 'text'; readonly words: readonly string[]; readonly places: number; readonly line: number; readonly gap: number } // words written on the table, so many in a line, from the upper left; x and y are of the middle of the first line
  | { readonly kind: 'chips'; readonly team: number }
  | { readonly kind: 'number'; readonly label: string; readonly digits?: number }
  | { readonly kind: 'seat'; readonly name: string; readonly team: number }
  | { readonly kind: 'lever'; readonly name: string; readonly worth?: number; readonly mean?: string } // worth 0..1: what it pays on average, shown as a bar with `mean` above it
  | { readonly kind: 'sign'; readonly text: string } // words on the table, no columns
  | {
      readonly kind: 'payoff';
      readonly rows: readonly string[];
      readonly columns: readonly string[];
      readonly payoffs: readonly (readonly (readonly [row: number, column: number])[])[];
    }
);

export interface TableLayout {
  readonly kind: 'table';
  readonly items: readonly TableItem[];
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
}

/**
 * network: columns = [nodes * (state code, value 0..1 that sets its height)] then [links * (from, to, kind code; from -1: not there)] then extra named numbers.
 * Nodes stand on a ring in their order; `states` and `linkKinds` name the codes and their colours.
 */
export interface NetworkLayout {
  readonly kind: 'network';
  readonly nodes: number;
  readonly links: number;
  readonly states: readonly { readonly name: string; readonly colour: string }[]; // colour names as in grids
  readonly linkKinds: readonly { readonly name: string; readonly colour: string; readonly arrow?: boolean }[];
  readonly extra: readonly string[];
}

/** picture: columns = [width * height points, row-major from the upper left, each red * 65536 + green * 256 + blue, 0 to 255 each]. */
export interface PictureLayout {
  readonly kind: 'picture';
  readonly width: number;
  readonly height: number;
}

export type FrameLayout = GridLayout | PointsLayout | BodiesLayout | TableLayout | NetworkLayout | PictureLayout;

/** Columns an item of a table takes. */
export function itemColumns(item: TableItem): number {
  if (item.kind === 'sign') return 0;
  if (item.kind === 'text') return item.places;
  return item.kind === 'seat' || item.kind === 'lever' || item.kind === 'payoff' ? 2 : 1;
}

/** Parts with rotors. */
export function droneCount(layout: BodiesLayout): number {
  return layout.parts.filter((part) => part.model === 'drone').length;
}

/** Things whose place stands in a frame and may be changed by hand: x at `column(thing)`, y one column on, in the layout's own units. */
export interface Places {
  readonly count: number;
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
  column(thing: number): number;
}

/** Agents that send symbols: the column of each one's symbol (-1 in it: silent), and what the symbols are called. */
export interface MessageColumns {
  readonly agents: number;
  readonly symbols: readonly string[];
  column(agent: number): number;
}

/** How the rows of one kind are read by those who do not draw them. What a kind does not have it leaves away. */
interface FrameFormat<L extends FrameLayout> {
  /** Columns of a frame. */
  columns(layout: L): number;
  /** Cells that a position can be counted or valued by. */
  cells?(layout: L): { readonly width: number; readonly height: number };
  places?(layout: L): Places;
  messages?(layout: L): MessageColumns | null;
  /** A column may hold NaN: a thing that shows no number. */
  readonly gaps?: boolean;
}

/** One entry per kind; the type asks for each. */
const FORMATS: { readonly [K in FrameLayout['kind']]: FrameFormat<Extract<FrameLayout, { kind: K }>> } = {
  grid: {
    columns: (layout) => ruleCardColumn(layout) + (layout.ruleCard === undefined ? 0 : NUMBERS.goal + NUMBERS.rule * layout.ruleCard),
    cells: ({ width, height }) => ({ width, height }),
    places: ({ width, height, agents }) => ({
      count: agents,
      bounds: [0, 0, width - 1, height - 1],
      column: (thing) => width * height * 3 + thing * 6,
    }),
    messages({ width, height, agents, layers, agentExtras = [], symbols = [] }) {
      const at = agentExtras.indexOf('message');
      const from = width * height * (3 + (layers?.length ?? 0)) + agents * 6;
      return at < 0 ? null : { agents, symbols, column: (agent) => from + agent * agentExtras.length + at };
    },
  },
  points: {
    columns: (layout) => messageColumn(layout) + (layout.messages?.agents ?? 0) + (layout.extra?.length ?? 0),
    places: ({ count, bounds }) => ({ count, bounds, column: (thing) => thing * 6 }),
    messages(layout) {
      const from = messageColumn(layout);
      return layout.messages === undefined ? null : { ...layout.messages, column: (agent) => from + agent };
    },
  },
  bodies: {
    columns: (layout) =>
      layout.parts.length * 7 +
      (layout.rotors === undefined ? 0 : layout.rotors.count * droneCount(layout)) +
      (layout.arrows ?? 0) * 6 +
      (layout.contacts ?? 0) * 4 +
      (layout.contactForces ?? 0) * 6 +
      (layout.profile?.points ?? 0) * 2 +
      layout.extra.length,
  },
  table: {
    columns: ({ items }) => items.reduce((sum, item) => sum + itemColumns(item), 0),
    gaps: true,
  },
  network: {
    columns: ({ nodes, links, extra }) => nodes * 2 + links * 3 + extra.length,
  },
  picture: { columns: ({ width, height }) => width * height },
};

/** First column of the goal and the rules of a grid. */
export function ruleCardColumn({ width, height, agents, layers, agentExtras }: GridLayout): number {
  return width * height * (3 + (layers?.length ?? 0)) + agents * (6 + (agentExtras?.length ?? 0));
}

/** First column of the points' symbols. */
function messageColumn({ count, rays, lines }: PointsLayout): number {
  return count * 6 + (rays === undefined ? 0 : rays.agents * rays.count) + (lines ?? 0) * 6;
}

function formatOf(layout: FrameLayout): FrameFormat<FrameLayout> {
  return FORMATS[layout.kind];
}

/** Columns of a frame. */
export function frameSize(layout: FrameLayout): number {
  return formatOf(layout).columns(layout);
}

/** Cells of the picture, row-major; null: it has none. */
export function cellsOf(layout: FrameLayout): { readonly width: number; readonly height: number } | null {
  return formatOf(layout).cells?.(layout) ?? null;
}

/** Things that can be moved by hand; null: nothing can. */
export function placesOf(layout: FrameLayout): Places | null {
  return formatOf(layout).places?.(layout) ?? null;
}

/** Points that a person may put elsewhere while it plays. */
export function heldPoints({ groups = [] }: PointsLayout): readonly number[] {
  let from = 0;
  return groups.flatMap(({ count, held }) => {
    from += count;
    return held === true ? Array.from({ length: count }, (_, i) => from - count + i) : [];
  });
}

/** The point that a press on the floor calls there; -1: none. */
export function calledPoint({ groups = [] }: PointsLayout): number {
  let from = 0;
  for (const { count, called } of groups) {
    if (called === true) return from;
    from += count;
  }
  return -1;
}

/** What a point is called: its own name, else that of its group. */
export function pointName({ names, groups = [] }: PointsLayout, point: number): string {
  let from = 0;
  const group = groups.find(({ count }) => {
    from += count;
    return point < from;
  });
  return names[point] ?? group?.name ?? String(point + 1);
}

/** Where agents' symbols stand; null: no agent of this layout sends any. */
export function messageColumns(layout: FrameLayout): MessageColumns | null {
  return formatOf(layout).messages?.(layout) ?? null;
}

/** Whether a column may hold NaN. */
export function hasGaps(layout: FrameLayout): boolean {
  return formatOf(layout).gaps === true;
}

/** Named numbers, the last columns of a frame of any kind that has them. */
export function namedNumbers(layout: FrameLayout): readonly string[] {
  return 'extra' in layout ? (layout.extra ?? []) : [];
}

/** x and y in a grid's frame of an agent that is not on the board: nothing is drawn of it. */
export const OFF_BOARD = -10;

/** For what exists on grids only: maps, looks of cells, headings. */
export function isGrid(layout: FrameLayout | null | undefined): layout is GridLayout {
  return layout?.kind === 'grid';
}

/** Given by a view to a scene: a replay or the live run. `read` fills `out` with frame t; false: that frame is not here yet. dt in seconds. */
export interface FrameSource {
  readonly layout: FrameLayout;
  readonly length: number;
  readonly dt: number;
  read(t: number, out: Float32Array): boolean;
  /** First number of the first agent's action between frames t and t + 1, where it is known. */
  action?(t: number): number | undefined;
  /** Grids: the cell (row-major) that each agent goes to between frames t and t + 1, -1: none; undefined: nothing tells. */
  cells?(t: number): ArrayLike<number> | undefined;
}
