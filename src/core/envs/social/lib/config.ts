/** Settings that the social dilemmas share. */
import { z } from 'zod';
import type { MapFormat } from '#contract/game/maps.ts';
import type { Beam } from './rules.ts';

export const SSD = 'sequential_social_dilemma_games';

export function mapField(letters: RegExp, format: MapFormat) {
  return z
    .array(z.string().regex(letters))
    .min(3)
    .max(64)
    .nullable()
    .default(null)
    .meta({
      title: 'own map',
      description: `A map of your own: rows of ${format.tiles.map((t) => `${t.code} ${t.title}`).join(', ')}; empty: the layout.`,
      editor: 'grid-map',
      map: format,
    });
}

export function agentsField(standard: number) {
  return z.int().min(1).max(16).default(standard).meta({ title: 'agents', description: 'Number of agents on the map.', source: SSD });
}

const reach = (standard: number, most: number, title: string, description: string, source: string) =>
  z.int().min(0).max(most).default(standard).meta({ title, unit: 'cells', description, source, group: 'view' });

export function viewFields(ahead: number, behind: number, side: number, source: string) {
  return {
    viewAhead: reach(ahead, 20, 'view ahead', 'How far an agent sees ahead.', source),
    viewBehind: reach(behind, 20, 'view behind', 'How far an agent sees behind itself.', source),
    viewSide: reach(side, 20, 'view to the sides', 'How far an agent sees to each side.', source),
    colours: z.boolean().default(false).meta({
      title: 'colours',
      description: 'Observations are pictures in red, green and blue, as in the reference, instead of one layer per kind of thing.',
      depth: 'research',
      group: 'view',
    }),
  };
}

export interface BeamDefaults {
  readonly length: number;
  readonly width: 1 | 3;
  readonly cost: number;
  readonly penalty: number;
  readonly hits: number;
  readonly timeout: number;
  readonly source: string;
}

export function beamFields(d: BeamDefaults) {
  const { source } = d;
  const steps = (standard: number, title: string, description: string) =>
    z.int().min(0).max(1000).default(standard).meta({ title, unit: 'steps', description, source, group: 'beam' });
  const worth = (standard: number, title: string, description: string) =>
    z.number().min(0).max(1000).default(standard).meta({ title, description, source, group: 'beam' });
  return {
    beam: z.boolean().default(true).meta({ title: 'tagging beam', description: 'Agents may fire at each other.', source, group: 'beam' }),
    beamLength: z
      .int()
      .min(1)
      .max(64)
      .default(d.length)
      .meta({ title: 'beam length', unit: 'cells', description: 'How far beams go; walls and agents stop them.', source, group: 'beam' }),
    beamWidth: z
      .union([z.literal(1), z.literal(3)])
      .default(d.width)
      .meta({ title: 'beam width', unit: 'cells', description: 'With 3 the outer lanes start beside the agent.', source, group: 'beam' }),
    fireCost: worth(d.cost, 'cost of firing', 'Taken from who fires.'),
    hitPenalty: worth(d.penalty, 'cost of being hit', 'Taken from who is hit.'),
    tagHits: z
      .int()
      .min(1)
      .max(100)
      .default(d.hits)
      .meta({ title: 'hits to be tagged', description: 'After so many hits an agent is out for a time.', source, group: 'beam' }),
    timeout: steps(d.timeout, 'time out', 'How long a tagged agent is out of the game; 0: it stays in.'),
    cooldown: steps(0, 'beam pause', 'Steps after a shot in which no other can be fired.'),
  };
}

interface BeamConfig {
  readonly beam: boolean;
  readonly beamLength: number;
  readonly beamWidth: 1 | 3;
  readonly fireCost: number;
  readonly hitPenalty: number;
  readonly tagHits: number;
  readonly timeout: number;
  readonly cooldown: number;
}

/** The tagging beam of a config; null: there is none. */
export function beamOf(c: BeamConfig): Beam | null {
  if (!c.beam) return null;
  return {
    length: c.beamLength,
    width: c.beamWidth,
    cost: c.fireCost,
    penalty: c.hitPenalty,
    hits: c.tagHits,
    timeout: c.timeout,
    cooldown: c.cooldown,
  };
}

const walls = { code: '#', title: 'wall', look: 'wall', walk: 'never' } as const;
const free = { code: '.', title: 'free', look: 'empty' } as const;
const start = { code: 'P', title: 'start', look: 'start', glyph: 'P' } as const;

/** What the map editor may paint: the common letters and some more. */
export function mapFormat(
  more: MapFormat['tiles'],
  layouts: { readonly [name: string]: readonly string[] },
  rules: MapFormat['rules'],
): MapFormat {
  return {
    size: [3, 64],
    edge: '#',
    begin: { by: 'layout', rows: layouts },
    tiles: [free, walls, start, ...more],
    rules: [{ rule: 'count', of: ['P'], least: 1, says: 'There is no start on this map. Paint one for each agent.' }, ...rules],
  };
}
