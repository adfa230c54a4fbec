/** Points in the plane, seen from above: few one by one, swarms by their number and order. Metres, y up the page. */
import type { PointsLayout } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { pointAt, pointColumns, pointGroups } from './lib/frames.ts';
import { metres, numbered, numbers, plural, type Say } from './lib/words.ts';
import type { SceneLayer } from './types.ts';

const MOST_NAMED = 8;

export const points = defineScene<PointsLayout>({
  kind: 'points',
  async view() {
    const { PointsView } = await import('./points/view.ts');
    return { create: (layout, palette) => new PointsView(layout, palette) };
  },
  async flat() {
    const { drawPoints } = await import('./points/flat.ts');
    return { create: () => ({ draw: drawPoints }) };
  },
  extent: ({ bounds: [minX, minY, maxX, maxY] }) => [maxX - minX, maxY - minY],
  place: ({ bounds: [minX, , , maxY] }, x, y) => [x - minX, maxY - y],
  point: ({ bounds: [minX, , , maxY] }, x, y) => ({ x: x + minX, y: maxY - y, cell: -1 }),
  describe,
  things(layout) {
    const agents = agentPoints(layout);
    return {
      count: layout.count,
      named: layout.names.length > 0,
      name: (thing) => layout.names[thing] ?? `point ${thing}`,
      acts: (thing) => thing < agents,
      ofAgent: (place) => place,
    };
  },
  spot(layout, a, b, alpha, thing) {
    const radius = a[thing * 6 + 4] ?? 0;
    if (thing >= layout.count || radius <= 0) return null;
    pointAt(layout, a, b, thing, alpha, at);
    const [minX, , , maxY] = layout.bounds;
    return { x: at[0]! - minX, y: maxY - at[1]!, radius, colour: Math.max(0, Math.round(a[thing * 6 + 5]!)) };
  },
  halo({ bounds: [minX, minY, maxX, maxY] }) {
    const unit = Math.max(maxX - minX, maxY - minY);
    return { reach: 0.055 * unit, height: 0.036 * unit };
  },
  layers(layout) {
    const layers: SceneLayer[] = [];
    if (layout.groups === undefined || layout.groups.some((group) => group.trail === true)) layers.push('trails');
    if (layout.rays !== undefined) layers.push('rays');
    if (layout.messages !== undefined) layers.push('messages');
    return layers;
  },
  glyph: () => GLYPH,
});

const at = new Float32Array(4);

const GLYPH: readonly GlyphShape[] = (
  [
    [16, 20],
    [30, 14],
    [44, 24],
    [22, 36],
    [38, 40],
    [50, 46],
    [14, 50],
    [30, 52],
  ] as const
).map(([x, y]) => ({ role: 'agent', shape: 'circle', x, y, r: 3.5 }));

/** Points that act: the groups of discs and wedges come first. */
function agentPoints(layout: PointsLayout): number {
  if (layout.groups === undefined) return layout.count;
  let count = 0;
  for (const group of layout.groups) {
    if (group.shape !== 'disc' && group.shape !== 'wedge') break;
    count += group.count;
  }
  return count;
}

function describe(layout: PointsLayout, frame: Float32Array, _names: readonly string[], t: Say): string {
  const sentences: string[] = [];
  for (const { from, group } of pointGroups(layout)) {
    const shown = Array.from({ length: group.count }, (_, i) => from + i).filter((i) => frame[i * 6 + 4]! > 0);
    if (shown.length === 0) continue;
    if (shown.length > MOST_NAMED) {
      sentences.push(summary(layout.groups === undefined ? 'agents' : plural(spoken(group.name)), shown, frame, t));
      continue;
    }
    for (const i of shown) {
      const name = numbered(t, spoken(layout.names[i] ?? `${group.name} ${i - from + 1}`));
      const values = { name, x: metres(frame[i * 6]!), y: metres(frame[i * 6 + 1]!) };
      const symbol = said(layout, frame, i);
      sentences.push(symbol === '' ? t('{name} at {x}, {y}.', values) : t('{name} at {x}, {y}, saying {symbol}.', { ...values, symbol }));
    }
  }
  return [...sentences, numbers(layout.extra ?? [], frame, pointColumns(layout).extra, t)].filter((part) => part !== '').join(' ');
}

function summary(name: string, points: readonly number[], frame: Float32Array, t: Say): string {
  let [x, y, cos, sin] = [0, 0, 0, 0];
  for (const i of points) {
    x += frame[i * 6]!;
    y += frame[i * 6 + 1]!;
    cos += Math.cos(frame[i * 6 + 3]!);
    sin += Math.sin(frame[i * 6 + 3]!);
  }
  const n = points.length;
  const order = Math.hypot(cos, sin) / n;
  const values = { n, name: t(name), x: metres(x / n), y: metres(y / n) };
  if (order > 0.8) return t('{n} {name} in the plane, their centre at {x}, {y}; headings aligned.', values);
  return order > 0.4
    ? t('{n} {name} in the plane, their centre at {x}, {y}; headings partly aligned.', values)
    : t('{n} {name} in the plane, their centre at {x}, {y}; headings mixed.', values);
}

/** The symbol that a point says; '': none. */
function said(layout: PointsLayout, frame: Float32Array, point: number): string {
  const { messages } = layout;
  if (messages === undefined || point >= messages.agents) return '';
  const symbol = frame[pointColumns(layout).messages + point]!;
  return symbol < 0 ? '' : String(messages.symbols[symbol] ?? symbol);
}
