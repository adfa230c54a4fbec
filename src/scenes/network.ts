/** Nodes on a ring and links between them, seen from above. */
import type { NetworkLayout } from '#contract/game/frames.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { linkAt, nodePlace, ringRadius } from './lib/frames.ts';
import { numbers, type Say } from './lib/words.ts';

/** Up to so many nodes stand on the ring as discs; more are dots whose value moves them outwards. */
const FEW = 24;
const MARGIN = 1;

export const network = defineScene<NetworkLayout>({
  kind: 'network',
  async view() {
    const { NetworkView } = await import('./network/view.ts');
    return { create: (layout, palette) => new NetworkView(layout, palette) };
  },
  async flat() {
    const { drawNetwork } = await import('./network/flat.ts');
    return { create: () => ({ draw: drawNetwork }) };
  },
  extent({ nodes }) {
    const side = 2 * (ringRadius(nodes) + MARGIN);
    return [side, side];
  },
  place({ nodes }, x, y) {
    const middle = ringRadius(nodes) + MARGIN;
    return [x + middle, y + middle];
  },
  point({ nodes }, x, y) {
    const middle = ringRadius(nodes) + MARGIN;
    return { x: x - middle, y: y - middle, cell: -1 };
  },
  describe,
  things: ({ nodes }) => ({ count: nodes, named: false, name: (thing) => `node ${thing}`, acts: () => true, ofAgent: (place) => place }),
  spot({ nodes }, a, b, alpha, thing) {
    if (thing >= nodes) return null;
    const frame = alpha >= 0.5 ? b : a;
    const few = nodes <= FEW;
    const r = ringRadius(nodes);
    const [x, y] = nodePlace(nodes, thing, r + (few ? 0 : 0.7 * frame[2 * thing + 1]!));
    return { x: x + r + MARGIN, y: y + r + MARGIN, radius: few ? 0.3 : 0.1, colour: 0 };
  },
  halo: ({ nodes }) => ({ reach: 0.3, height: 0.09 * ringRadius(nodes) }),
  layers: () => [],
  glyph: () => GLYPH,
});

const CORNERS = [
  [32, 12],
  [51, 26],
  [44, 49],
  [20, 49],
  [13, 26],
] as const;
const GLYPH: readonly GlyphShape[] = [
  { role: 'line', shape: 'path', d: `M${CORNERS.map((corner) => corner.join(' ')).join('L')}Z` },
  ...CORNERS.map(([x, y]): GlyphShape => ({ role: 'agent', shape: 'circle', x, y, r: 4 })),
];

function describe(layout: NetworkLayout, frame: Float32Array, _names: readonly string[], t: Say): string {
  const counts = layout.states.map(() => 0);
  for (let i = 0; i < layout.nodes; i++) counts[frame[2 * i]!] = (counts[frame[2 * i]!] ?? 0) + 1;
  const kinds = layout.linkKinds.map(() => 0);
  for (let i = 0; i < layout.links; i++) {
    const link = linkAt(layout, frame, i);
    if (link !== null) kinds[link.kind] = (kinds[link.kind] ?? 0) + 1;
  }
  const states = layout.states.map(({ name }, i) => `${counts[i]} ${t(name)}`).join(', ');
  const links = layout.linkKinds.flatMap(({ name }, i) => (kinds[i]! > 0 ? `${kinds[i]} ${t(name)}` : [])).join(', ');
  return [
    t('A ring of {n}: {states}.', { n: layout.nodes, states }),
    links === '' ? '' : t('Links: {links}.', { links }),
    numbers(layout.extra, frame, layout.nodes * 2 + layout.links * 3, t),
  ]
    .filter((part) => part !== '')
    .join(' ');
}
