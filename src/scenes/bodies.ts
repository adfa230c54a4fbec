/** Rigid bodies, seen from the side in the flat picture: x to the right, up is up. Metres. */
import type { BodiesLayout } from '#contract/game/frames.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { bodyAt, followedRise, followedX } from './lib/frames.ts';
import { height, metres, numbered, numbers, type Say } from './lib/words.ts';
import type { SceneLayer } from './types.ts';

const MOST_NAMED = 8;
const GLYPH: readonly GlyphShape[] = [
  { role: 'line', shape: 'path', d: 'M8 46h48' },
  { role: 'agent', shape: 'rect', x: 22, y: 38, width: 20, height: 9, rx: 2 },
  { role: 'pole', shape: 'path', d: 'M32 38 39 14' },
];

export const bodies = defineScene<BodiesLayout>({
  kind: 'bodies',
  numbered: false,
  bareFeaturesOwn: true,
  async view() {
    const { BodiesView } = await import('./bodies/view.ts');
    return { create: (layout, palette) => new BodiesView(layout, palette) };
  },
  async flat() {
    const { drawBodies } = await import('./bodies/flat.ts');
    return { create: () => ({ draw: drawBodies }) };
  },
  extent(layout) {
    const [low, high] = heights(layout);
    return [layout.bounds[3] - layout.bounds[0], high - low];
  },
  place: (layout, x, up) => [x - layout.bounds[0], heights(layout)[1] - up],
  point: (layout, x, y) => ({ x: x + layout.bounds[0], y: heights(layout)[1] - y, cell: -1 }),
  describe,
  things(layout) {
    const { parts } = layout;
    const models = parts.flatMap(({ model }, i) => (model === 'drone' || model === 'slime' ? [i] : []));
    const coloured = parts.flatMap(({ colour }, i) => (typeof colour === 'number' ? [i] : []));
    const acting = models.length > 0 ? models : coloured;
    return {
      count: parts.length,
      named: parts.length > 0,
      name: (thing) => parts[thing]?.name ?? `part ${thing}`,
      acts: (thing) => acting.includes(thing),
      // parts that act come in the order of the agents
      ofAgent: (place) => acting[place] ?? place,
    };
  },
  spot(layout, a, b, alpha, thing) {
    const part = layout.parts[thing];
    if (part === undefined || hidden(a, thing)) return null;
    bodyAt(layout, a, b, thing, alpha, pose);
    const [first = 0.1] = part.size;
    const radius = part.shape === 'sphere' || part.model !== undefined ? first : Math.max(...part.size) / 2;
    const [minX, , , maxX] = layout.bounds;
    const [x, up] = [pose[0]!, pose[layout.up === 'z' ? 2 : 1]!];
    const middle = followedX(layout, a, b, alpha);
    return {
      x: x - minX - middle,
      y: heights(layout)[1] + followedRise(layout, b, middle) - up,
      radius: Math.max(radius, 0.01 * (maxX - minX)),
      colour: typeof part.colour === 'number' ? part.colour : 0,
    };
  },
  halo({ bounds: [minX, , , maxX] }) {
    return { reach: 0.04 * (maxX - minX), height: 0.03 * (maxX - minX) };
  },
  layers(layout) {
    const layers: SceneLayer[] = [];
    if (layout.parts.some((part) => part.trail === true)) layers.push('trails');
    if (layout.rotors !== undefined || layout.contactForces !== undefined) layers.push('forces');
    return layers;
  },
  glyph: () => GLYPH,
});

const pose = new Float32Array(7);

/** Lowest and highest height of what is shown. */
function heights({ bounds, up }: BodiesLayout): readonly [low: number, high: number] {
  return up === 'z' ? [bounds[2], bounds[5]] : [bounds[1], bounds[4]];
}

/** A quaternion of zeros hides a part. */
function hidden(frame: Float32Array, part: number): boolean {
  return frame.subarray(part * 7 + 3, part * 7 + 7).every((value) => value === 0);
}

function describe(layout: BodiesLayout, frame: Float32Array, _names: readonly string[], t: Say): string {
  const sentences: string[] = [];
  const zUp = layout.up === 'z';
  const floor = layout.fixtures?.some(({ kind }) => kind === 'floor' || kind === 'court') === true;
  layout.parts.forEach((part, i) => {
    if (part.colour === 'structure' || part.colour === 'ground' || sentences.length >= MOST_NAMED) return;
    const o = i * 7;
    if (hidden(frame, i)) return;
    if (part.name === 'pole') {
      // Turn about z; positive leans to the left (x is to the right, y up).
      const degrees = (2 * Math.atan2(frame[o + 5]!, frame[o + 6]!) * 180) / Math.PI;
      const n = Math.abs(degrees).toFixed(1);
      sentences.push(
        degrees > 0 ? t('The pole leans {n} degrees to the left.', { n }) : t('The pole leans {n} degrees to the right.', { n }),
      );
    } else if (zUp) {
      const [x, y] = [metres(frame[o]!), metres(frame[o + 1]!)];
      sentences.push(
        t('The {part} is at {x}, {y}, {height}.', { part: numbered(t, part.name), x, y, height: height(frame[o + 2]!, floor, t) }),
      );
    } else {
      const values = { part: numbered(t, part.name), n: Math.abs(frame[o]!).toFixed(2), height: height(frame[o + 1]!, floor, t) };
      sentences.push(
        frame[o]! < 0
          ? t('The {part} is {n} metres left of the middle, {height}.', values)
          : t('The {part} is {n} metres right of the middle, {height}.', values),
      );
    }
  });
  return [...sentences, numbers(layout.extra, frame, frame.length - layout.extra.length, t)].filter((part) => part !== '').join(' ');
}
