/** Grids: cells and figures on them, seen from above; `stage: 'rack'` stands upright. Columns and rows count from 0, as on the board. */
import { type GridLayout, type GridLook, OFF_BOARD } from '#contract/game/frames.ts';
import { capital } from '#contract/kit/capital.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { defineScene, type GlyphShape } from './lib/define.ts';
import { agentExtra, agentOffset, gridAgent, layerAt } from './lib/frames.ts';
import { article, numbered, type Say } from './lib/words.ts';
import type { SceneLayer } from './types.ts';

export const grid = defineScene<GridLayout>({
  kind: 'grid',
  async view() {
    const [{ GridView }, { RackView }] = await Promise.all([import('./grid/view.ts'), import('./grid/rack.ts')]);
    return { create: (layout, palette) => (layout.stage === 'rack' ? new RackView(layout, palette) : new GridView(layout, palette)) };
  },
  async flat() {
    const { GridDrawing } = await import('./grid/flat.ts');
    return { create: () => new GridDrawing() };
  },
  extent: ({ width, height }) => [width, height],
  place: (_, x, y) => [x + 0.5, y + 0.5],
  point({ width, height }, x, y) {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const inside = column >= 0 && row >= 0 && column < width && row < height;
    return { x: column, y: row, cell: inside ? row * width + column : -1 };
  },
  describe,
  things: ({ agents }) => ({
    count: agents,
    named: false,
    name: (thing) => `agent ${thing + 1}`,
    acts: () => true,
    ofAgent: (place) => place,
  }),
  spot(layout, a, b, alpha, thing) {
    if (thing >= layout.agents) return null;
    const { x, y, alive } = gridAgent(layout, a, b, thing, alpha);
    return alive < 0.5 ? null : { x: x + 0.5, y: y + 0.5, radius: 0.36, colour: layout.teams?.[thing] ?? thing };
  },
  halo: ({ width }) => ({ reach: 0.24, height: Math.max(0.22, 0.035 * width) }),
  layers(layout) {
    const layers: SceneLayer[] = ['potential', 'values', 'policy', 'visits'];
    if (layout.view > 0 || layout.layers?.includes('visible')) layers.push('view');
    if (layout.agentExtras?.includes('message')) layers.push('messages');
    return layers;
  },
  glyph,
  contents(layout, frame, cell) {
    const look = layout.looks[frame[cell * 3]!] ?? 'empty';
    return BARE.has(look) ? '' : look;
  },
});

/** Looks of cells on which nothing lies. */
const BARE: ReadonlySet<GridLook> = new Set(['empty', 'unseen', 'floor', 'ice', 'soil', 'agent']);

const AHEAD = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const DOOR = ['open', 'closed', 'locked'] as const;
const QUIET: ReadonlySet<GridLook> = new Set([
  'empty',
  'wall',
  'floor',
  'unseen',
  'ice',
  'agent',
  'trail',
  'counter',
  'soil',
  'grass',
  'snake',
  'gauge',
]);
/** Looks whose colour tells them apart. */
const COLOURED: ReadonlySet<GridLook> = new Set(['door', 'key', 'ball', 'box', 'coin', 'disc', 'square', 'pyramid', 'hex', 'star', 'pad']);
/** Agents described one by one; of more, only how many there are. */
const MOST_AGENTS = 8;
const MOST_NAMED = 6;

/** "closed yellow door". */
function cellName(layout: GridLayout, object: number, colourCode: number, state: number): string {
  const look = layout.looks[object] ?? 'empty';
  const parts: string[] = [];
  if (look === 'door') parts.push(DOOR[state] ?? 'closed');
  if (COLOURED.has(look)) parts.push(layout.colours[colourCode] ?? '');
  parts.push(look);
  return parts.filter((part) => part !== '').join(' ');
}

function describe(layout: GridLayout, frame: Float32Array, names: readonly string[], t: Say): string {
  const { width, height } = layout;
  const at = (x: number, y: number): string => {
    const o = (y * width + x) * 3;
    return x < 0 || y < 0 || x >= width || y >= height ? 'edge' : cellName(layout, frame[o]!, frame[o + 1]!, frame[o + 2]!);
  };
  const sentences = [t('A grid of {width} by {height} cells.', { width, height })];
  for (let i = 0; i < Math.min(MOST_AGENTS, layout.agents); i++) {
    const o = agentOffset(layout) + i * 6;
    const x = Math.round(frame[o]!);
    if (x <= OFF_BOARD) continue;
    const y = Math.round(frame[o + 1]!);
    const dir = Math.round(frame[o + 2]!) & 3;
    const clauses = [
      layout.agents > 1
        ? t('{name} is at column {x}, row {y}', { name: capital(numbered(t, names[i] ?? `agent ${i + 1}`)), x, y })
        : t('The agent is at column {x}, row {y}', { x, y }),
    ];
    if (layout.headings) clauses.push(facing(dir, t));
    if (frame[o + 3]! > 0) clauses.push(t('carrying {thing}', { thing: carried(cellName(layout, frame[o + 3]!, frame[o + 4]!, 0), t) }));
    if (frame[o + 5] === 0) clauses.push(t('out of the game'));
    const level = agentExtra(layout, frame, i, 'level');
    if (level !== undefined) clauses.push(t('of level {n}', { n: level }));
    const targetX = agentExtra(layout, frame, i, 'targetX');
    if (targetX !== undefined && targetX >= 0)
      clauses.push(t('on the way to column {x}, row {y}', { x: targetX, y: agentExtra(layout, frame, i, 'targetY') ?? 0 }));
    const crossed = agentExtra(layout, frame, i, 'crossed');
    if (crossed !== undefined && crossed >= 0)
      clauses.push(t('a plan for column {x}, row {y} crossed out', { x: crossed % width, y: Math.floor(crossed / width) }));
    const said = agentExtra(layout, frame, i, 'message');
    if (said !== undefined && said >= 0)
      clauses.push(t('saying {symbol}', { symbol: layout.symbols?.[said] ?? String.fromCharCode(65 + said) }));
    sentences.push(`${clauses.join(', ')}.`);
    if (layout.headings) sentences.push(t('In front of it: {thing}.', { thing: t(at(x + AHEAD[dir]![0], y + AHEAD[dir]![1])) }));
    else if (at(x, y) !== 'empty') sentences.push(t('It stands on {thing}.', { thing: t(at(x, y)) }));
  }
  if (layout.agents > MOST_AGENTS) sentences.push(t('And {n} agents more.', { n: layout.agents - MOST_AGENTS }));
  const beam = layerAt(layout, 'beam');
  if (beam !== undefined && frame.subarray(beam, beam + width * height).some((value) => value > 0))
    sentences.push(t('A ray is being fired.'));
  const counts = new Map<string, { n: number; x: number; y: number }>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (QUIET.has(layout.looks[frame[(y * width + x) * 3]!] ?? 'empty')) continue;
      const name = at(x, y);
      const found = counts.get(name);
      if (found === undefined) counts.set(name, { n: 1, x, y });
      else found.n++;
    }
  }
  const named = [...counts]
    .slice(0, MOST_NAMED)
    .map(([name, { n, x, y }]) =>
      n === 1 ? t('{thing} at column {x}, row {y}', { thing: t(name), x, y }) : t('{n} cells of {thing}', { n, thing: t(name) }),
    );
  if (named.length > 0) sentences.push(t('On the board: {things}.', { things: named.join('; ') }));
  return sentences.join(' ');
}

function facing(dir: number, t: Say): string {
  if (dir === 0) return t('facing right');
  if (dir === 1) return t('facing down');
  return dir === 2 ? t('facing left') : t('facing up');
}

/** With its article in English; other languages have the name alone. */
function carried(name: string, t: Say): string {
  const said = t(name);
  return said === name ? article(name) : said;
}

/** Letters that maps use for what stops or ends an episode, and for where it pays. */
const BLOCKED = new Set(['#', 'W', 'H', 'C']);
const GOAL = new Set(['G']);
const MOST_CELLS = 900;

/** The config's own map where it has one, else a room with a goal in its last corner. */
function glyph({ width, height }: GridLayout, config: JsonObject): readonly GlyphShape[] {
  const rows = Array.isArray(config.map) ? (config.map as readonly Json[]).filter((row): row is string => typeof row === 'string') : [];
  const w = typeof config.width === 'number' ? config.width : (rows[0]?.length ?? width);
  const h = typeof config.height === 'number' ? config.height : rows.length || height;
  const size = 52 / Math.max(w, h);
  const left = (64 - w * size) / 2;
  const top = (64 - h * size) / 2;
  const role = (x: number, y: number): 'cell' | 'wall' | 'goal' => {
    const letter = rows[y]?.[x];
    if (letter !== undefined) return GOAL.has(letter) ? 'goal' : BLOCKED.has(letter) ? 'wall' : 'cell';
    if (rows.length > 0) return 'cell';
    if (h > 4 && (x === 0 || y === 0 || x === w - 1 || y === h - 1)) return 'wall';
    return x === w - (h > 4 ? 2 : 1) && y === h - (h > 4 ? 2 : 1) ? 'goal' : 'cell';
  };
  const cells = Array.from({ length: Math.min(w * h, MOST_CELLS) }, (_, i): GlyphShape => {
    const [x, y] = [i % w, Math.floor(i / w)];
    const side = size * 0.88;
    return {
      role: role(x, y),
      shape: 'rect',
      x: left + (x + 0.06) * size,
      y: top + (y + 0.06) * size,
      width: side,
      height: side,
      rx: size * 0.12,
    };
  });
  const at = rows.length > 0 || h <= 4 ? 0.5 : 1.5;
  return [...cells, { role: 'agent', shape: 'circle', x: left + at * size, y: top + at * size, r: size * 0.28 }];
}
