/**
 * Two cooks share a kitchen: three onions into a pot, wait 20 steps, put the soup on a dish, serve it: 20 for both. Overcooked-AI.
 * Obs per cook [width, height, 26]: teams/lib/overcooked/observe.ts. Actions north, south, east, west, stay, interact. A step: interacts
 * (player 1 first), then moves, then pots cook. Moving against something only turns; who would meet or swap stays. Old dynamics:
 * a pot starts by itself with three ingredients; new: an interact with empty hands starts it, with one to three.
 * Truncates at `maxSteps`. The reference's shaped rewards (ingredient 3, useful dish 3, soup 5, to the one who earns) are given apart, for
 * learners that fade them out; `shaping` adds them to the reward itself.
 * Source: Carroll et al. 2019; `HumanCompatibleAI/overcooked_ai` at 739950a `overcooked_mdp.py`.
 */

import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { KITCHEN_LOOKS, kitchenFrame } from './lib/overcooked/frame.ts';
import { fromGolden, toGolden } from './lib/overcooked/golden.ts';
import {
  busyPots,
  COOK_TIME,
  cook,
  DELIVERY,
  FULL,
  INTERACT,
  interact,
  isSoup,
  kitchenOf,
  LAYOUTS,
  move,
  PLAYER_WORDS,
  soup,
} from './lib/overcooked/kitchen.ts';
import { encode, LAYERS } from './lib/overcooked/observe.ts';
import { scriptedPair } from './lib/overcooked/pair.ts';
import { KITCHEN } from './lib/overcooked/tiles.ts';

const NAMES = Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[];
const DELIVERED = 1000; // as interact marks it

const config = z.strictObject({
  layout: z.enum(NAMES).default('cramped_room').meta({ title: 'layout', description: 'Which kitchen.', source: 'Overcooked-AI' }),
  rows: z
    .array(z.string().regex(/^[XOTDPS 12]+$/))
    .min(3)
    .max(20)
    .nullable()
    .default(null)
    .meta({
      title: 'own layout',
      description:
        'A kitchen of your own: rows of X counter, O onions, T tomatoes, D dishes, P pot, S serving, space floor, 1 and 2 starts; empty: the layout.',
      editor: 'grid-map',
      map: KITCHEN,
    }),
  players: z.int().min(2).max(2).default(2).meta({ title: 'players', description: 'Cooks.', source: 'Overcooked-AI' }),
  oldDynamics: z.boolean().default(true).meta({
    title: 'pots start by themselves',
    description: 'With three ingredients; else a cook must start them.',
    source: 'Overcooked-AI',
  }),
  shaping: z.number().min(0).max(1).default(0).meta({
    title: 'shaped rewards',
    description: 'Weight of 3 per ingredient, 3 per useful dish, 5 per soup taken.',
    source: 'Overcooked-AI',
  }),
  maxSteps: maxStepsField(400, 'Overcooked-AI'),
});
type Config = z.infer<typeof config>;

function rowsOf(c: Config): readonly string[] {
  const rows = c.rows ?? LAYOUTS[c.layout];
  const width = rows[0]?.length ?? 0;
  const bad = (message: string) => badConfig('rows', message, 'Change the rows of the layout.');
  if (rows.some((r) => r.length !== width)) throw bad('The rows have different lengths.');
  const text = rows.join('');
  if (text.replaceAll(/[^12 ]/g, '').length < 2) throw bad('There is no room for two cooks.');
  if (text.split('1').length > 2 || text.split('2').length > 2) throw bad('A start stands there twice.');
  return rows;
}

/** The kitchen without anything in it. */
const plan = (c: Config) => kitchenOf(rowsOf(c), c.oldDynamics, new Uint32Array(0));

function stateOf(c: Config) {
  const rows = rowsOf(c);
  const shape = [rows.length, rows[0]?.length ?? 0];
  return defineState(
    1,
    [
      { name: 'players', type: 'u32', shape: [2, PLAYER_WORDS], doc: 'x, y, facing (0 N, 1 S, 2 E, 3 W) and what is held, as in objects' },
      { name: 'objects', type: 'u32', shape, doc: 'per tile: 0 nothing, 1 onion, 2 tomato, 3 dish, 16 + 4 * onions + tomatoes a soup' },
      { name: 'ticks', type: 'u32', shape, doc: 'per pot: steps it cooked + 1, 0 if it did not start' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['objects', 'ticks'],
  );
}

/** Returns per cook of random play and of the scripted pair in 400 steps, old dynamics. */
const MEASURED: { readonly [layout in keyof typeof LAYOUTS]: readonly [random: number, pair: number] } = {
  cramped_room: [0.6, 200],
  asymmetric_advantages: [0, 280],
  coordination_ring: [0, 218],
  forced_coordination: [0, 162],
  counter_circuit_o_1order: [0, 200],
};

function meta(c: Config): EnvMeta {
  const rows = rowsOf(c);
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const obs: ObsSpace = { kind: 'box', shape: [width, height, LAYERS], low: 0, high: COOK_TIME };
  const known = c.rows === null && c.oldDynamics && c.shaping === 0 && c.maxSteps === 400 ? MEASURED[c.layout] : null;
  const frame: GridLayout = {
    kind: 'grid',
    width,
    height,
    agents: 2,
    headings: true,
    looks: KITCHEN_LOOKS,
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    figures: ['chef'],
  };
  return {
    id: 'overcooked',
    version: 1,
    agents: [
      {
        count: 2,
        names: ['cook 1', 'cook 2'],
        obs,
        action: { kind: 'discrete', n: 6, labels: ['north', 'south', 'east', 'west', 'stay', 'interact'] },
      },
    ],
    agentCount: 2,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: 6,
    rewards: ['reward'],
    costs: [],
    globalSize: obsSize(obs),
    masked: false,
    shaped: true,
    score: 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: known
      ? [
          { name: 'random', value: known[0], source: 'uniform actions, 100 episodes here' },
          { name: 'scripted pair', value: known[1], source: 'policy "pair", 10 episodes here' },
        ]
      : [],
    keys: [['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowRight', 'd'], ['ArrowLeft', 'a'], ['.'], ['e', ' ']],
    idleAction: 4,
    fps: 6,
  };
}

export const overcooked = defineEnv<Config>({
  spec: {
    id: 'overcooked',
    version: 1,
    title: 'Overcooked',
    summary: 'Two cooks in a narrow kitchen bring soups to the counter together.',
    source: {
      title: 'On the utility of learning about humans for human-AI coordination',
      authors: 'Carroll et al.',
      year: 2019,
      url: 'https://arxiv.org/abs/1910.05789',
    },
    config,
    checkNew: checkMaps,
    presets: [
      { id: 'cramped-room', title: 'cramped room', config: {} },
      { id: 'cramped-room-shaped', title: 'cramped room, shaped rewards', config: { shaping: 1 } },
      { id: 'asymmetric-advantages', title: 'asymmetric advantages', config: { layout: 'asymmetric_advantages' } },
      { id: 'coordination-ring', title: 'coordination ring', config: { layout: 'coordination_ring' } },
      { id: 'forced-coordination', title: 'forced coordination', config: { layout: 'forced_coordination' } },
      { id: 'counter-circuit', title: 'counter circuit', config: { layout: 'counter_circuit_o_1order' } },
    ],
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const k = kitchenOf(rowsOf(c), c.oldDynamics, words);
    const tiles = k.tiles.length;
    const STEPS = k.ticks + tiles;
    const draws = new Draws(rows.rng, options?.draws);
    const shaped = new Int32Array(2 * batch);
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      const left = c.maxSteps - words[s + STEPS]!;
      encode(k, s, 0, left, out.obs, 2 * row * O);
      encode(k, s, 1, left, out.obs, (2 * row + 1) * O);
      if (out.alive) out.alive.fill(1, 2 * row, 2 * row + 2);
      if (out.state) for (let i = 0; i < O; i++) out.state[row * O + i] = out.obs[2 * row * O + i]!;
    };
    const put = (s: number, p: number, tile: number) => {
      words[s + PLAYER_WORDS * p] = tile % k.width;
      words[s + PLAYER_WORDS * p + 1] = Math.floor(tile / k.width);
    };
    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        shaped.fill(0, 2 * row, 2 * row + 2);
        const [one, two] = k.starts;
        if (one !== undefined && two !== undefined) {
          put(s, 0, one);
          put(s, 1, two);
          return;
        }
        const first = draws.int(row, k.floor.length, 'start');
        const second = (first + 1 + draws.int(row, k.floor.length - 1, 'start')) % k.floor.length;
        put(s, 0, k.floor[first]!);
        put(s, 1, k.floor[second]!);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const busy = busyPots(k, s);
          let served = 0;
          for (let p = 0; p < 2; p++) {
            const got = actions[2 * row + p] === INTERACT ? interact(k, s, p, busy) : 0;
            if (got === DELIVERED) served += DELIVERY;
            shaped[2 * row + p] = got === DELIVERED ? 0 : got;
          }
          move(k, s, actions[2 * row]!, actions[2 * row + 1]!);
          cook(k, s);
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          for (let p = 0; p < 2; p++) {
            const help = shaped[2 * row + p]!;
            out.reward[2 * row + p] = served + c.shaping * help;
            if (out.shaped) out.shaped[2 * row + p] = help;
          }
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        shaped.fill(0, 2 * row, 2 * row + 2);
        const checkThing = (thing: number, field: string) => {
          if (thing > 3 && (!isSoup(thing) || thing > soup(FULL, 0)))
            throw fail('state-invalid', `State field "${field}" is ${thing}.`, 'Allowed: 0 to 3, or 16 + 4 * onions + tomatoes.', field);
        };
        const place = (p: number) => words[s + PLAYER_WORDS * p + 1]! * k.width + words[s + PLAYER_WORDS * p]!;
        for (let p = 0; p < 2; p++) {
          const me = s + PLAYER_WORDS * p;
          checkCell(words[me]!, k.width, 'players');
          checkCell(words[me + 1]!, k.height, 'players');
          checkCell(words[me + 2]!, 4, 'players');
          checkThing(words[me + 3]!, 'players');
          if (k.tiles[place(p)] !== ' ')
            throw fail('state-invalid', 'State field "players" puts a cook into furniture.', 'Put cooks on floor tiles.', 'players');
        }
        if (place(0) === place(1)) throw fail('state-invalid', 'Both cooks stand on one tile.', 'Put them apart.', 'players');
        for (let i = 0; i < tiles; i++) {
          checkThing(words[s + k.things + i]!, 'objects');
          checkCell(words[s + k.ticks + i]!, COOK_TIME + 2, 'ticks');
        }
      },
      frame: (row, out) => kitchenFrame(k, row * wordStride, out),
      extras(row) {
        const s = row * wordStride;
        const used = new Set<number>();
        const one = new Float32Array(O);
        encode(k, s, 0, c.maxSteps - words[s + STEPS]!, one, 0);
        one.forEach((x, i) => {
          if (x !== 0) used.add(i % LAYERS);
        });
        return {
          shapedReward: Array.from(shaped.subarray(2 * row, 2 * row + 2)),
          encodingShape: [2, k.width, k.height, LAYERS],
          encodingNonzeroLayersPlayer0: [...used].sort((a, b) => a - b),
        };
      },
      cellOf: (row) => words[row * wordStride + 1]! * k.width + words[row * wordStride]!,
      placements(row) {
        const s = row * wordStride;
        const [x, y] = [words[s]!, words[s + 1]!];
        const taken = words[s + PLAYER_WORDS + 1]! * k.width + words[s + PLAYER_WORDS]!;
        const out = k.floor
          .filter((tile) => tile !== taken)
          .map((tile) => {
            put(s, 0, tile);
            return { cell: tile, state: rows.save(row) };
          });
        words[s] = x;
        words[s + 1] = y;
        return out;
      },
    });
  },
  policies: { pair: (c) => scriptedPair(rowsOf(c), c.oldDynamics) },
  golden: {
    fromJson: (json, c) => stateOf(c).fromJSON(fromGolden(json, plan(c))),
    toJson: (bytes, c) => toGolden(stateOf(c).toJSON(bytes), plan(c)),
  },
});
