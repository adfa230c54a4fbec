/**
 * A river fills with waste, and apples grow in the orchard only while it is clean: some agents must leave the apples and clean. Cleanup of
 * the sequential social dilemmas. Obs per agent: a window that turns with it, [15, 15, layers] wall, apple, waste, water, tagging beam,
 * cleaning beam, other agents (option: the reference's colours). Actions left, right, ahead, back (as the agent looks), stay, turn
 * right, turn left, fire, clean. A step: moves (contests drawn), eating (+1), beams in random order (firing -1, being hit -50, cleaning
 * free: the first waste of each lane becomes water), growth. With d the share of the river that is waste: from d >= 0.4 on nothing
 * grows and no waste comes; below, apples come with 0.05 (1 - d / 0.4) per free cell, and waste: the cells of clean water are tried in
 * random order with 0.5 each until one turns. Ends: never; truncates at `maxSteps`. Central state: apples, waste, agents by heading,
 * then per agent row, column, heading, in play, may fire. `extras` and the state hold what social measures are made of.
 * Source: Hughes et al. 2018; `eugenevinitsky/sequential_social_dilemma_games` at 0207821; preset `melting-pot`: numbers of clean_up,
 * `google-deepmind/meltingpot` at 81ee2e7, on the same map. Differs: layers instead of colours, unless `colours`; two never share a
 * cell (social/lib/crowd.ts).
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { measuredFor } from '../api/measured.ts';
import { agentsField, beamFields, beamOf, mapField, mapFormat, SSD, viewFields } from './lib/config.ts';
import { createDilemma } from './lib/dilemma.ts';
import { readGround } from './lib/ground.ts';
import { CLEANUP } from './lib/maps.ts';
import { cleaner } from './lib/policies.ts';
import { APPLE_HERE, type Rules, socialMeta, WASTE_HERE } from './lib/rules.ts';
import { APPLE, CLEANED, FIRED, WALL, WASTE, WATER } from './lib/view.ts';

const LAYOUTS = Object.keys(CLEANUP) as (keyof typeof CLEANUP)[];

const FORMAT = mapFormat(
  [
    { code: 'H', title: 'waste', look: 'waste', colour: 'brown' },
    { code: 'R', title: 'river', look: 'water', glyph: 'R' },
    { code: 'S', title: 'stream, which stays clean', look: 'water', glyph: 'S' },
    { code: 'B', title: 'orchard', look: 'soil', colour: 'green' },
  ],
  CLEANUP,
  [
    { rule: 'count', of: ['H', 'R'], least: 1, says: 'There is no river on this map, so nothing ever gets dirty.' },
    { rule: 'count', of: ['B'], least: 1, says: 'There is no orchard on this map, so nothing can be eaten.' },
    { rule: 'reach', from: ['P'], to: ['H', 'R'], says: 'The river cannot be reached from a start. Open a way.' },
    { rule: 'reach', from: ['P'], to: ['B'], says: 'The orchard cannot be reached from a start. Open a way.' },
  ],
);

const chance = (standard: number, title: string, description: string) =>
  z.number().min(0).max(1).default(standard).meta({ title, description, source: SSD, group: 'growth' });

const config = z.strictObject({
  layout: z.enum(LAYOUTS).default('cleanup').meta({ title: 'layout', description: 'Which river and orchard.', source: SSD }),
  map: mapField(/^[#.PHRSB]+$/, FORMAT),
  agents: agentsField(5),
  appleChance: chance(0.05, 'apple growth', 'Chance per step and free cell of the orchard with a clean river.'),
  depletion: chance(0.4, 'depletion', 'From this share of waste on nothing grows.'),
  restoration: chance(0, 'restoration', 'Up to this share of waste apples grow at full speed.'),
  wasteChance: chance(0.5, 'waste', 'Chance of new waste.'),
  wasteTries: z.enum(['until-one', 'once']).default('until-one').meta({
    title: 'waste attempts',
    description: 'until-one: cell after cell of clean water until one turns; once: one drawn cell a step.',
    source: SSD,
    group: 'growth',
  }),
  wasteDelay: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .meta({ title: 'waste begins after', unit: 'steps', description: 'No new waste before.', source: SSD, group: 'growth' }),
  ...viewFields(7, 7, 7, SSD),
  ...beamFields({ length: 5, width: 3, cost: 1, penalty: 50, hits: 1, timeout: 0, source: SSD }),
  cleanCooldown: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .meta({ title: 'cleaning pause', unit: 'steps', description: 'Steps after cleaning before the next.', source: SSD, group: 'beam' }),
  maxSteps: maxStepsField(1000, SSD),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'standard', title: 'Cleanup, 5 agents', config: {} },
  { id: 'timeout', title: 'Cleanup, 5 agents, tagged ones are out for 50 steps', config: { fireCost: 0, hitPenalty: 0, timeout: 50 } },
  {
    id: 'melting-pot',
    title: 'Melting Pot’s numbers, 7 agents',
    config: {
      agents: 7,
      wasteTries: 'once',
      wasteDelay: 50,
      viewAhead: 9,
      viewBehind: 1,
      viewSide: 5,
      beamLength: 3,
      fireCost: 0,
      hitPenalty: 0,
      timeout: 50,
      cooldown: 10,
      cleanCooldown: 2,
    },
  },
  {
    id: 'small',
    title: 'a short river, 2 agents',
    config: { layout: 'small', agents: 2, viewAhead: 5, viewBehind: 5, viewSide: 5, maxSteps: 500 },
  },
];

const NAMES = [
  ['random', 'uniform legal actions, sum of all agents, measured here'],
  ['cleaners', 'policy "cleaners": two in five keep the river clean and eat nothing; sum of all agents, measured here'],
  ['free riders', 'policy "free-riders": no agent cleans; the river starts too dirty for a single apple, so exactly 0'],
] as const;

/** Returns of all agents together: means of 20 episodes here. */
const MEASURED = {
  standard: [-4414, 1062, 0],
  timeout: [11.9, 1062, 0],
  'melting-pot': [45.7, 2337, 0],
  small: [-809, 47.2, 0],
};

function rulesOf(c: Config): Rules {
  const ground = readGround(c.map ?? CLEANUP[c.layout], c.agents);
  const river = ground.of('H', 'R');
  const soil = ground.of('B');
  const dirty = ground.of('H');
  const beam = { length: c.beamLength, width: c.beamWidth };
  const rules: Rules = {
    id: 'cleanup',
    ground,
    agents: c.agents,
    window: {
      ahead: c.viewAhead,
      behind: c.viewBehind,
      side: c.viewSide,
      colours: c.colours,
      windows: 1,
      layers: [WALL, APPLE, WASTE, WATER, FIRED, CLEANED],
    },
    fire: beamOf(c),
    clean: { ...beam, cost: 0, penalty: 0, hits: 1, timeout: 0, cooldown: c.cleanCooldown },
    water: ground.of('H', 'R', 'S'),
    soil,
    waste: true,
    delay: 0,
    maxSteps: c.maxSteps,
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    begin(board, row) {
      for (const cell of dirty) board.words[row * board.wordStride + board.things + cell] = WASTE_HERE;
      rules.grow(board, row); // the reference grows once before the first observation
    },
    grow(board, row) {
      const { words, draws } = board;
      const s = row * board.wordStride;
      const things = s + board.things;
      const stands = board.stands(row);
      let waste = 0;
      for (let k = 0; k < river.length; k++) if (words[things + river[k]!] === WASTE_HERE) waste++;
      const density = river.length > 0 ? waste / river.length : 0;
      if (density >= c.depletion) return;
      const grows = density <= c.restoration ? 1 : 1 - (density - c.restoration) / (c.depletion - c.restoration);
      for (let k = 0; k < soil.length; k++) {
        const cell = soil[k]!;
        if (stands[cell] === 0 && words[things + cell] === 0 && draws.uniform(row, 'apple') < c.appleChance * grows)
          words[things + cell] = APPLE_HERE;
      }
      if (board.age(row) < c.wasteDelay) return;
      // cell after cell in random order: the first that turns is any of them alike
      const clean = river.length - waste;
      const tries = c.wasteTries === 'once' ? Math.min(1, clean) : clean;
      for (let i = 0; i < tries; i++) {
        if (draws.uniform(row, 'waste') >= c.wasteChance) continue;
        let left = draws.int(row, clean, 'waste cell');
        for (const cell of river) {
          if (words[things + cell] === WASTE_HERE || left-- !== 0) continue;
          words[things + cell] = WASTE_HERE;
          break;
        }
        return;
      }
    },
  };
  return rules;
}

export const cleanup = defineEnv<Config>({
  spec: {
    id: 'cleanup',
    version: 1,
    title: 'Cleanup',
    summary: 'Apples grow while the river is clean: some agents have to clean it.',
    source: {
      title: 'Inequity aversion improves cooperation in intertemporal social dilemmas',
      authors: 'Hughes et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1803.08884',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta: (c) => socialMeta(rulesOf(c)),
  },
  create: (c, batch, options) => createDilemma(rulesOf(c), batch, options?.draws),
  policies: {
    cleaners: (c) => cleaner(rulesOf(c), c.depletion, true),
    'free-riders': (c) => cleaner(rulesOf(c), c.depletion, false),
  },
});
