/**
 * Pictures as a sandbox may describe them: the layouts of frames.ts with every count, name and size bounded, and numbers in frames brought into
 * the ranges that the scenes index by.
 */
import { z } from 'zod';
import { type FrameLayout, frameSize, type GridLayout, hasGaps, itemColumns } from '../game/frames.ts';

const words = (most: number) => z.string().max(most);
const count = (most: number) => z.int().min(0).max(most);
/** Coordinates and lengths. */
const length = z.number().min(-1e6).max(1e6);
const two = z.tuple([length, length]);
const three = z.tuple([length, length, length]);

/** Columns of one frame. */
const WIDEST_FRAME = 100_000;

const gridSchema = z.strictObject({
  kind: z.literal('grid'),
  width: count(100).min(1),
  height: count(100).min(1),
  agents: count(6000),
  headings: z.boolean(),
  looks: z.array(words(20)).min(1).max(60),
  colours: z.array(words(20)).min(1).max(20),
  view: count(100),
  centred: z.boolean().exactOptional(),
  figures: z
    .array(z.enum(['agent', 'chef', 'prey', 'taxi', 'snake', 'pusher', 'submarine', 'none']))
    .max(6000)
    .exactOptional(),
  teams: z.array(count(6000)).max(6000).exactOptional(),
  tints: z.array(words(20)).max(6000).exactOptional(),
  stage: z.enum(['world', 'board', 'rack', 'arcade']).exactOptional(),
  tint: words(20).exactOptional(),
  signs: z
    .array(z.strictObject({ x: length, y: length, text: words(100) }))
    .max(100)
    .exactOptional(),
  layers: z
    .array(z.enum(['beam', 'visible', 'heat', 'path']))
    .max(4)
    .exactOptional(),
  agentExtras: z
    .array(z.enum(['level', 'message', 'targetX', 'targetY', 'score', 'crossed']))
    .max(6)
    .exactOptional(),
  symbols: z.array(words(40)).max(100).exactOptional(),
  letters: z.array(words(2)).max(20).exactOptional(),
  ruleCard: count(40).exactOptional(),
});

const groupSchema = z.strictObject({
  name: words(100),
  count: count(10_000),
  shape: z.enum(['wedge', 'disc', 'landmark', 'zone', 'obstacle', 'ball', 'box', 'goal', 'food', 'words']),
  trail: z.boolean().exactOptional(),
  numbered: z.boolean().exactOptional(),
  numberedFrom: count(10_000).exactOptional(),
  corners: z.int().min(3).max(12).exactOptional(),
  striped: z.literal(true).exactOptional(),
  held: z.literal(true).exactOptional(),
  called: z.literal(true).exactOptional(),
  between: z.literal(true).exactOptional(),
  size: two.exactOptional(),
  sized: z.boolean().exactOptional(),
  tag: words(60).exactOptional(),
});

const pointsSchema = z
  .strictObject({
    kind: z.literal('points'),
    count: count(10_000),
    bounds: z.tuple([length, length, length, length]),
    names: z.array(words(60)).max(10_000),
    groups: z.array(groupSchema).max(200).exactOptional(),
    rays: z
      .strictObject({
        agents: count(1000),
        count: count(400),
        range: length,
        from: length.exactOptional(),
        turns: z.boolean().exactOptional(),
      })
      .exactOptional(),
    lines: count(10_000).exactOptional(),
    messages: z.strictObject({ agents: count(1000), symbols: z.array(words(40)).max(100) }).exactOptional(),
    extra: z.array(words(60)).max(100).exactOptional(),
    periodic: z.boolean().exactOptional(),
    ground: z.enum(['floor', 'pitch', 'phases', 'walled', 'streets']).exactOptional(),
    upright: z.boolean().exactOptional(),
    ordered: z.literal(true).exactOptional(),
  })
  .refine(({ bounds: [minX, minY, maxX, maxY] }) => maxX > minX && maxY > minY, 'a view without width')
  .refine(
    ({ count: points, groups }) => groups === undefined || groups.reduce((sum, group) => sum + group.count, 0) === points,
    'groups that do not add up',
  )
  .refine(({ count: points, rays, messages }) => (rays?.agents ?? 0) <= points && (messages?.agents ?? 0) <= points, 'rays of no point');

const colour = z.union([count(100), z.enum(['structure', 'accent', 'ground', 'goal', 'hazard'])]);

/** Corners x, y, z each; faces name three of them each. */
const meshSchema = z
  .strictObject({ corners: z.array(length).max(600), faces: z.array(count(200)).max(1200) })
  .refine(({ corners, faces }) => corners.length % 3 === 0 && faces.length % 3 === 0, 'corners or faces that are not whole')
  .refine(({ corners, faces }) => faces.every((corner) => 3 * corner < corners.length), 'faces of no corner');

const partSchema = z.strictObject({
  name: words(60),
  shape: z.enum(['box', 'sphere', 'cylinder', 'capsule', 'mesh']),
  size: z.array(length).max(3),
  mesh: meshSchema.exactOptional(),
  colour,
  plain: z.boolean().exactOptional(),
  model: z.enum(['drone', 'ball', 'slime', 'target']).exactOptional(),
  trail: z.boolean().exactOptional(),
  tag: z.strictObject({ text: words(60), number: words(60).exactOptional() }).exactOptional(),
  frame: z.enum(['cross', 'plus']).exactOptional(),
});

const fixtureSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('court'), length, width: length, net: length, netDepth: length }),
  z.strictObject({ kind: z.literal('gate'), at: three, yaw: length, radius: length }),
  z.strictObject({ kind: z.literal('path'), points: z.array(length).max(6000), closed: z.boolean().exactOptional() }),
  z.strictObject({ kind: z.literal('box'), at: three, size: three, colour: colour.exactOptional(), faint: z.boolean().exactOptional() }),
  z.strictObject({ kind: z.literal('slope'), points: z.array(length).max(4000) }),
  z.strictObject({ kind: z.literal('floor') }),
]);

const bodiesSchema = z
  .strictObject({
    kind: z.literal('bodies'),
    parts: z.array(partSchema).max(400),
    extra: z.array(words(60)).max(100),
    bounds: z.tuple([length, length, length, length, length, length]),
    up: z.enum(['y', 'z']).exactOptional(),
    rotors: z.strictObject({ count: count(16), hover: length }).exactOptional(),
    arrows: count(400).exactOptional(),
    contacts: count(400).exactOptional(),
    contactForces: count(400).exactOptional(),
    fixtures: z.array(fixtureSchema).max(100).exactOptional(),
    profile: z.strictObject({ points: count(400), bare: z.literal(true).exactOptional() }).exactOptional(),
    drive: z
      .strictObject({
        part: count(400),
        kind: z.enum(['push', 'torque']),
        end: z.enum(['low', 'high']).exactOptional(),
        values: z.array(length).max(100).exactOptional(),
        full: length.exactOptional(),
      })
      .exactOptional(),
    follow: count(400).exactOptional(),
    seenAbove: z.number().min(0).max(1.5).exactOptional(),
  })
  .refine(({ bounds: [x, y, z, X, Y, Z] }) => X >= x && Y >= y && Z >= z, 'a view inside out')
  .refine(({ parts, drive, follow }) => (drive?.part ?? -1) < parts.length && (follow ?? -1) < parts.length, 'a part that is not there');

const at = { x: length, y: length };
const tableSchema = z
  .strictObject({
    kind: z.literal('table'),
    items: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({ ...at, kind: z.literal('card'), faces: z.array(words(60)).max(200) }),
          z.strictObject({
            ...at,
            kind: z.literal('text'),
            words: z.array(words(60)).max(1000),
            places: z.int().min(1).max(500),
            line: z.int().min(1).max(100),
            gap: z.number().min(0).max(100),
          }),
          z.strictObject({ ...at, kind: z.literal('chips'), team: count(100) }),
          z.strictObject({ ...at, kind: z.literal('number'), label: words(100), digits: count(10).exactOptional() }),
          z.strictObject({ ...at, kind: z.literal('seat'), name: words(60), team: count(100) }),
          z.strictObject({
            ...at,
            kind: z.literal('lever'),
            name: words(60),
            worth: z.number().min(0).max(1).exactOptional(),
            mean: words(60).exactOptional(),
          }),
          z.strictObject({ ...at, kind: z.literal('sign'), text: words(300) }),
          z.strictObject({
            ...at,
            kind: z.literal('payoff'),
            rows: z.array(words(60)).max(20),
            columns: z.array(words(60)).max(20),
            payoffs: z.array(z.array(z.tuple([z.number(), z.number()])).max(20)).max(20),
          }),
        ]),
      )
      .max(300),
    bounds: z.tuple([length, length, length, length]),
  })
  .refine(({ bounds: [minX, minY, maxX, maxY] }) => maxX > minX && maxY > minY, 'a view without width')
  .refine(
    ({ items }) =>
      items.every(
        (item) =>
          item.kind !== 'payoff' ||
          (item.payoffs.length === item.rows.length && item.payoffs.every((row) => row.length === item.columns.length)),
      ),
    'payoffs that do not fit their board',
  );

const named = { name: words(60), colour: words(20) };
const networkSchema = z.strictObject({
  kind: z.literal('network'),
  nodes: count(2000),
  links: count(10_000),
  states: z.array(z.strictObject(named)).min(1).max(40),
  linkKinds: z
    .array(z.strictObject({ ...named, arrow: z.boolean().exactOptional() }))
    .min(1)
    .max(40),
  extra: z.array(words(60)).max(100),
});

/** A layout whose frames have columns, and not too many of them. */
export const layoutSchema = z.union([gridSchema, pointsSchema, bodiesSchema, tableSchema, networkSchema]).refine((layout) => {
  const size = frameSize(layout as FrameLayout);
  return size > 0 && size <= WIDEST_FRAME;
}, 'frames without columns, or with too many');

const clamp = (x: number, low: number, high: number): number => (x < low ? low : x > high ? high : x);
const code = (x: number, low: number, high: number): number => (Number.isNaN(x) ? low : clamp(Math.round(x), low, high));

/**
 * Frames whose numbers a scene can draw, in place: finite ones within a million of 0, and those that choose among the layout's words within them.
 * A number that is not finite becomes 0; on a table NaN stays, which says that nothing is shown there.
 */
export function tameFrames(layout: FrameLayout, frames: Float32Array): Float32Array {
  const gaps = hasGaps(layout);
  for (let i = 0; i < frames.length; i++) {
    const x = frames[i]!;
    if (Number.isFinite(x)) frames[i] = clamp(x, -1e6, 1e6);
    else if (!(gaps && Number.isNaN(x))) frames[i] = 0;
  }
  const size = frameSize(layout);
  for (let from = 0; from < frames.length; from += size) {
    if (layout.kind === 'grid') tameGrid(layout, frames, from);
    else if (layout.kind === 'table') {
      let column = from;
      for (const item of layout.items) {
        if (item.kind === 'text')
          for (let place = 0; place < item.places; place++)
            frames[column + place] = code(frames[column + place]!, -1, item.words.length - 1);
        else if (item.kind === 'card') frames[column] = code(frames[column]!, -2, item.faces.length - 1);
        else if (item.kind === 'chips') frames[column] = code(frames[column]!, 0, 1000);
        else if (item.kind === 'payoff') {
          frames[column] = code(frames[column]!, -1, item.rows.length - 1);
          frames[column + 1] = code(frames[column + 1]!, -1, item.columns.length - 1);
        }
        column += itemColumns(item);
      }
    } else if (layout.kind === 'network') {
      const { nodes, links, states, linkKinds } = layout;
      for (let n = 0; n < nodes; n++) {
        frames[from + 2 * n] = code(frames[from + 2 * n]!, 0, states.length - 1);
        frames[from + 2 * n + 1] = clamp(frames[from + 2 * n + 1]!, 0, 1);
      }
      for (let l = 0; l < links; l++) {
        const at = from + 2 * nodes + 3 * l;
        frames[at] = code(frames[at]!, -1, nodes - 1);
        frames[at + 1] = code(frames[at + 1]!, 0, Math.max(0, nodes - 1));
        frames[at + 2] = code(frames[at + 2]!, 0, linkKinds.length - 1);
      }
    } else if (layout.kind === 'points') {
      for (let p = 0; p < layout.count; p++) frames[from + 6 * p + 5] = clamp(frames[from + 6 * p + 5]!, 0, 1000);
      if (layout.messages === undefined) continue;
      const { agents, symbols } = layout.messages;
      const at =
        from + 6 * layout.count + (layout.rays === undefined ? 0 : layout.rays.agents * layout.rays.count) + 6 * (layout.lines ?? 0);
      for (let a = 0; a < agents; a++) frames[at + a] = code(frames[at + a]!, -1, symbols.length - 1);
    }
  }
  return frames;
}

function tameGrid({ width, height, agents, looks, colours }: GridLayout, frames: Float32Array, from: number): void {
  const cells = width * height;
  for (let c = 0; c < cells; c++) {
    frames[from + 3 * c] = code(frames[from + 3 * c]!, 0, looks.length - 1);
    frames[from + 3 * c + 1] = code(frames[from + 3 * c + 1]!, 0, colours.length - 1);
  }
  for (let a = 0; a < agents; a++) {
    const at = from + 3 * cells + 6 * a;
    frames[at + 3] = code(frames[at + 3]!, 0, looks.length - 1);
    frames[at + 4] = code(frames[at + 4]!, 0, colours.length - 1);
  }
}
