/**
 * Gathering: two agents pick apples from one heap that grows back apple by apple; an agent that tags the other has the heap to itself for a while. Obs per
 * agent: a window that turns with it, 15 cells ahead and 10 to each side, [16, 21, layers] wall, apple, beam, other agents (option:
 * colours). Actions left, right, ahead, back (as the agent looks), stay, turn right, turn left, fire. A step: moves (contests drawn),
 * eating (+1; the apple is back `appleDelay` steps later), beams in random order: straight ahead to the next wall or agent; two hits
 * tag, and a tagged agent is out for 25 steps, then comes back at a free start. Tagging neither pays nor costs. Ends: never; truncates
 * at `maxSteps`. Central state: apples, agents by heading, then per agent row, column, heading, in play, may fire. `extras` and the
 * state hold what social measures are made of.
 * Source: Leibo et al. 2017. The paper gives no numbers for start cells, beam length and order within a step; ours are stated here.
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { measuredFor } from '../api/measured.ts';
import { agentsField, beamFields, beamOf, mapField, mapFormat, viewFields } from './lib/config.ts';
import { createDilemma } from './lib/dilemma.ts';
import { readGround } from './lib/ground.ts';
import { GATHERING } from './lib/maps.ts';
import { gatherer } from './lib/policies.ts';
import { APPLE_HERE, type Rules, socialMeta } from './lib/rules.ts';
import { APPLE, FIRED, WALL } from './lib/view.ts';

const PAPER = 'Leibo et al. 2017';
const LAYOUTS = Object.keys(GATHERING) as (keyof typeof GATHERING)[];

const FORMAT = mapFormat([{ code: 'A', title: 'apple', look: 'food', colour: 'green' }], GATHERING, [
  { rule: 'count', of: ['A'], least: 1, says: 'There are no apples on this map, so nothing can be eaten.' },
  { rule: 'reach', from: ['P'], to: ['A'], every: true, says: 'Some apples cannot be reached from a start. Open a way.' },
]);

const config = z.strictObject({
  layout: z.enum(LAYOUTS).default('gathering').meta({ title: 'layout', description: 'Which field.', source: PAPER }),
  map: mapField(/^[#.PA]+$/, FORMAT),
  agents: agentsField(2),
  appleDelay: z.int().min(1).max(1000).default(15).meta({
    title: 'apples come back after',
    unit: 'steps',
    description: 'The longer, the more there is to fight about.',
    source: PAPER,
    log: true,
  }),
  ...viewFields(15, 0, 10, PAPER),
  ...beamFields({ length: 31, width: 1, cost: 0, penalty: 0, hits: 2, timeout: 25, source: PAPER }),
  maxSteps: maxStepsField(1000, PAPER),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'standard', title: 'Gathering, 2 agents', config: {} },
  { id: 'abundance', title: 'apples come back at once', config: { appleDelay: 1 } },
  { id: 'scarcity', title: 'apples come back after 50 steps', config: { appleDelay: 50 } },
  { id: 'peaceful', title: 'no beam', config: { beam: false } },
  {
    id: 'small',
    title: 'five apples, 2 agents',
    config: { layout: 'small', viewAhead: 7, viewBehind: 0, viewSide: 5, maxSteps: 500 },
  },
];

const NAMES = [
  ['random', 'uniform legal actions, sum of both, measured here'],
  ['peaceful', 'policy "peaceful": the nearest apple, no shot; at most one apple per cell and delay; sum of both, measured here'],
  ['fighters', 'policy "fighter" on both sides: shoots whom it sees; sum of both, measured here'],
] as const;

/** Returns of all agents together: means of 20 episodes here. */
const MEASURED = {
  standard: [21.7, 803, 648],
  abundance: [63.2, 1956, 1828],
  scarcity: [16.5, 260, 246],
  peaceful: [23.6, 803, 803],
  small: [14, 158, 154],
};

function rulesOf(c: Config): Rules {
  const ground = readGround(c.map ?? GATHERING[c.layout], c.agents);
  const soil = ground.of('A');
  return {
    id: 'gathering',
    ground,
    agents: c.agents,
    window: { ahead: c.viewAhead, behind: c.viewBehind, side: c.viewSide, colours: c.colours, windows: 1, layers: [WALL, APPLE, FIRED] },
    fire: beamOf(c),
    clean: null,
    water: new Int32Array(0),
    soil,
    waste: false,
    delay: c.appleDelay,
    maxSteps: c.maxSteps,
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    begin(board, row) {
      for (const cell of soil) board.words[row * board.wordStride + board.things + cell] = APPLE_HERE;
    },
    grow(board, row) {
      const { words } = board;
      const s = row * board.wordStride;
      for (let k = 0; k < soil.length; k++) {
        const cell = soil[k]!;
        const timer = s + board.timers + cell;
        const left = words[timer]!;
        if (left === 0) continue;
        words[timer] = left - 1;
        if (left === 1) words[s + board.things + cell] = APPLE_HERE;
      }
    },
  };
}

export const gathering = defineEnv<Config>({
  spec: {
    id: 'gathering',
    version: 1,
    title: 'Gathering',
    summary: 'Two agents share apples that grow back, or drive each other away from them.',
    source: {
      title: 'Multi-agent reinforcement learning in sequential social dilemmas',
      authors: 'Leibo et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1702.03037',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta: (c) => socialMeta(rulesOf(c)),
  },
  create: (c, batch, options) => createDilemma(rulesOf(c), batch, options?.draws),
  policies: {
    peaceful: (c) => gatherer(rulesOf(c), false),
    fighter: (c) => gatherer(rulesOf(c), true),
  },
});
