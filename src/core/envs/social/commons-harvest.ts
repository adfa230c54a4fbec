/**
 * Apples grow back the faster the more of them are left around, and not at all where none is left: a patch
 * that is picked bare is lost. Harvest of the sequential social dilemmas. Obs per agent: a window that turns with it, [15, 15, layers] wall, apple,
 * tagging beam, other agents (option: the reference's colours). Actions left, right, ahead, back (as the agent looks), stay, turn
 * right, turn left, fire. A step: moves (contests drawn), eating (+1), beams in random order (firing -1, being hit -50), growth: an
 * free empty apple cell grows back with a probability by the apples around it. Options: a tagged agent is out for a time
 * and comes back at a free start; agents that are
 * linked get each other's windows as further channels, which are empty while the other is out. Ends: never; truncates at `maxSteps`. Central state: apples, agents by heading, then per agent row,
 * column, heading, in play, may fire. `extras` and the state hold what efficiency, equality, sustainability and peace are made of.
 * Source: Perolat et al. 2017; `eugenevinitsky/sequential_social_dilemma_games` at 0207821; preset `melting-pot`: numbers and map of
 * commons_harvest__open, `google-deepmind/meltingpot` at 81ee2e7. Differs: layers instead of colours, unless `colours`; two never
 * share a cell (social/lib/crowd.ts). Shared views: Pretorius et al. 2020, where only the links of communication are varied.
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { measuredFor } from '../api/measured.ts';
import { badConfig } from '../api/parse.ts';
import { agentsField, beamFields, beamOf, mapField, mapFormat, SSD, viewFields } from './lib/config.ts';
import { createDilemma } from './lib/dilemma.ts';
import { readGround } from './lib/ground.ts';
import { HARVEST } from './lib/maps.ts';
import { harvester } from './lib/policies.ts';
import { APPLE_HERE, type Rules, socialMeta } from './lib/rules.ts';
import { APPLE, FIRED, WALL } from './lib/view.ts';

const LAYOUTS = Object.keys(HARVEST) as (keyof typeof HARVEST)[];

const FORMAT = mapFormat([{ code: 'A', title: 'apple', look: 'food', colour: 'red' }], HARVEST, [
  { rule: 'count', of: ['A'], least: 2, says: 'A single apple never comes back: paint patches of several.' },
  { rule: 'reach', from: ['P'], to: ['A'], every: true, says: 'Some apples cannot be reached from a start. Open a way.' },
]);

const config = z.strictObject({
  layout: z.enum(LAYOUTS).default('harvest').meta({ title: 'layout', description: 'Which orchard.', source: SSD }),
  map: mapField(/^[#.PA]+$/, FORMAT),
  agents: agentsField(5),
  regrowth: z.array(z.number().min(0).max(1)).min(1).max(9).default([0, 0.005, 0.02, 0.05]).meta({
    title: 'regrowth',
    unit: 'per step',
    description: 'Chance with 0, 1, 2, .. apples around; the last holds for more.',
    source: SSD,
  }),
  regrowthReach: z.int().min(1).max(8).default(2).meta({
    title: 'regrowth reach',
    unit: 'cells squared',
    description: 'Apples count up to this squared distance: 2 is the block of 3 x 3, 4 the disc of radius 2.',
    source: SSD,
  }),
  sharing: z.enum(['none', 'neighbours', 'all']).default('none').meta({
    title: 'shared views',
    description: 'Whose windows an agent gets besides its own: none, those of linked agents, all.',
    source: 'Pretorius et al. 2020',
    group: 'sharing',
  }),
  links: z
    .array(z.array(z.int().min(0).max(15)).length(2))
    .max(120)
    .nullable()
    .default(null)
    .meta({
      title: 'links',
      description: 'Pairs of agents that share their windows, counted from 0; empty: a ring.',
      source: 'Pretorius et al. 2020',
      depth: 'research',
      group: 'sharing',
    }),
  ...viewFields(7, 7, 7, SSD),
  ...beamFields({ length: 5, width: 3, cost: 1, penalty: 50, hits: 1, timeout: 0, source: SSD }),
  maxSteps: maxStepsField(1000, SSD),
});
type Config = z.infer<typeof config>;

/** Whose windows each agent gets besides its own, in the order of their numbers. */
function friendsOf(c: Config): readonly (readonly number[])[] {
  const all = Array.from({ length: c.agents }, (_, i) => i);
  if (c.sharing === 'none') return all.map(() => []);
  const ring = all.map((i) => [i, (i + 1) % c.agents]);
  const links = c.sharing === 'all' ? all.flatMap((i) => all.map((k) => [i, k])) : (c.links ?? ring);
  if (links.some((pair) => pair.some((agent) => agent >= c.agents)))
    throw badConfig('links', `A link names an agent that is not there: they are 0 to ${c.agents - 1}.`, 'Change the links.');
  return all.map((i) => all.filter((k) => k !== i && links.some(([a, b]) => (a === i && b === k) || (a === k && b === i))));
}

/** Cells around by which apples count, as [rows, columns] away. */
function around(reach: number): readonly (readonly [number, number])[] {
  const out: [number, number][] = [];
  for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) if (y * y + x * x <= reach && (y !== 0 || x !== 0)) out.push([y, x]);
  return out;
}

const presets: readonly Preset[] = [
  { id: 'standard', title: 'Harvest, 5 agents', config: {} },
  { id: 'timeout', title: 'Harvest, 5 agents, tagged ones are out for 25 steps', config: { fireCost: 0, hitPenalty: 0, timeout: 25 } },
  { id: 'ring', title: 'Harvest, 5 agents in a ring share their views', config: { sharing: 'neighbours' } },
  { id: 'peaceful', title: 'Harvest, 5 agents, no beam', config: { beam: false } },
  {
    id: 'melting-pot',
    title: 'Melting Pot’s open orchard, 7 agents',
    config: {
      layout: 'open',
      agents: 7,
      regrowth: [0, 0.0025, 0.005, 0.025],
      regrowthReach: 4,
      viewAhead: 9,
      viewBehind: 1,
      viewSide: 5,
      beamLength: 3,
      fireCost: 0,
      hitPenalty: 0,
      timeout: 4,
      cooldown: 2,
    },
  },
  {
    id: 'small',
    title: 'four small patches, 2 agents',
    config: { layout: 'small', agents: 2, viewAhead: 5, viewBehind: 5, viewSide: 5, maxSteps: 500 },
  },
];

/** Apples that restrained members leave in the block around each they take. */
const LEAVE = 3;

const NAMES = [
  ['random', 'uniform legal actions, sum of all agents, measured here'],
  [
    'restrained',
    'policy "restrained": takes an apple only if three others stay around it, so that every gap closes again; sum of all agents, measured here',
  ],
  [
    'greedy',
    'policy "greedy": the nearest apple always; the orchard is bare after some fifty steps and never comes back; sum of all agents, measured here',
  ],
] as const;

/** Returns of all agents together: means of 20 episodes here. */
const MEASURED = {
  standard: [-3282, 628, 168],
  ring: [-3282, 628, 168],
  timeout: [291, 628, 168],
  peaceful: [330, 628, 168],
  'melting-pot': [137, 194, 66],
  small: [-844, 67.5, 20.8],
};

function rulesOf(c: Config): Rules {
  const ground = readGround(c.map ?? HARVEST[c.layout], c.agents);
  const { width, height } = ground;
  const soil = ground.of('A');
  const near = Array.from(soil, (cell) =>
    Int32Array.from(
      around(c.regrowthReach).flatMap(([dy, dx]) => {
        const [y, x] = [Math.floor(cell / width) + dy, (cell % width) + dx];
        return y < 0 || x < 0 || y >= height || x >= width ? [] : [y * width + x];
      }),
    ),
  );
  const shared = friendsOf(c);
  const comesBack = new Int32Array(soil.length); // cells, in this step
  const most = c.regrowth.length - 1; // apples beyond it make no difference
  return {
    id: 'commons-harvest',
    ground,
    agents: c.agents,
    window: {
      ahead: c.viewAhead,
      behind: c.viewBehind,
      side: c.viewSide,
      colours: c.colours,
      layers: [WALL, APPLE, FIRED],
      windows: 1 + Math.max(...shared.map((friends) => friends.length)),
    },
    shared,
    fire: beamOf(c),
    clean: null,
    water: new Int32Array(0),
    soil,
    waste: false,
    delay: 0,
    maxSteps: c.maxSteps,
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    begin(board, row) {
      for (const cell of soil) board.words[row * board.wordStride + board.things + cell] = APPLE_HERE;
    },
    grow(board, row) {
      const { words, draws } = board;
      const things = row * board.wordStride + board.things;
      const stands = board.stands(row);
      let back = 0;
      for (let k = 0; k < soil.length; k++) {
        const cell = soil[k]!;
        if (words[things + cell] === APPLE_HERE || stands[cell] !== 0) continue;
        const others = near[k] as Int32Array;
        let count = 0;
        for (let i = 0; i < others.length && count < most; i++) if (words[things + others[i]!] === APPLE_HERE) count++;
        const chance = c.regrowth[count]!;
        if (chance > 0 && draws.uniform(row, 'apple') < chance) comesBack[back++] = cell;
      }
      for (let i = 0; i < back; i++) words[things + comesBack[i]!] = APPLE_HERE;
    },
  };
}

export const commonsHarvest = defineEnv<Config>({
  spec: {
    id: 'commons-harvest',
    version: 1,
    title: 'Commons: Harvest',
    summary: 'Apples come back as long as some are left: pick with restraint, or all starve.',
    source: {
      title: 'A multi-agent reinforcement learning model of common-pool resource appropriation',
      authors: 'Perolat et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.06600',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta: (c) => socialMeta(rulesOf(c)),
  },
  create: (c, batch, options) => createDilemma(rulesOf(c), batch, options?.draws),
  policies: {
    restrained: (c) => harvester(rulesOf(c), LEAVE),
    greedy: (c) => harvester(rulesOf(c), 0),
  },
});
