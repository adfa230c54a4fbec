/** Settings of path finding on maps, and what follows from them: spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { maxStepsField } from '#core/envs/api/limits.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { defineState } from '#core/envs/api/state.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';

const SOURCE = 'POGEMA';
export const LAYERS = 3;

const WAREHOUSE: MapFormat = {
  size: [2, 64],
  tiles: [
    { code: '.', title: 'free', look: 'empty' },
    { code: '#', title: 'blocked', look: 'wall', walk: 'never' },
  ],
  rules: [
    { rule: 'count', of: ['.'], least: 2, says: 'There is no room to go anywhere. Leave cells free.' },
    { rule: 'whole', says: 'Some free cells are cut off: agents start and have their targets in the largest part only.' },
  ],
};

export const config = z.strictObject({
  map: z
    .array(z.string().regex(/^[.#]+$/))
    .min(2)
    .max(64)
    .nullable()
    .default(null)
    .meta({
      title: 'own map',
      description: 'A map of your own: rows of . (free) and # (blocked); empty: made by the generator.',
      editor: 'grid-map',
      map: WAREHOUSE,
    }),
  generator: z
    .enum(['random', 'maze', 'warehouse'])
    .default('random')
    .meta({ title: 'generator', description: 'Kind of map, drawn anew for every episode.', source: SOURCE }),
  size: z.int().min(4).max(64).default(8).meta({ title: 'size', unit: 'cells', description: 'Side of the map.', source: SOURCE }),
  density: z
    .number()
    .min(0)
    .max(0.6)
    .default(0.3)
    .meta({ title: 'density', description: 'Share of blocked cells of a random map.', source: SOURCE }),
  agents: z.int().min(1).max(256).default(1).meta({ title: 'agents', description: 'Agents on the map.', source: SOURCE }),
  obsRadius: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({ title: 'view radius', unit: 'cells', description: 'How far an agent sees to each side.', source: SOURCE }),
  onTarget: z
    .enum(['finish', 'nothing', 'restart'])
    .default('restart')
    .meta({ title: 'on target', description: 'An agent leaves, waits for the others, or gets a new target.', source: SOURCE }),
  collisionSystem: z
    .enum(['priority', 'block_both', 'soft'])
    .default('priority')
    .meta({ title: 'collisions', description: 'How moves into one cell are settled.', source: SOURCE }),
  maxSteps: maxStepsField(64, SOURCE),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'random-8', title: 'random 8x8, 1 agent', config: {} },
  { id: 'random-8-4', title: 'random 8x8, 4 agents', config: { agents: 4 } },
  { id: 'finish-8-4', title: 'random 8x8, 4 agents, one target each', config: { agents: 4, onTarget: 'finish' } },
  { id: 'maze-16-16', title: 'maze 16x16, 16 agents', config: { generator: 'maze', size: 16, agents: 16, maxSteps: 256 } },
  {
    id: 'random-32-64',
    title: 'random 32x32, 64 agents',
    config: { size: 32, density: 0.2, agents: 64, collisionSystem: 'soft', maxSteps: 256 },
  },
  {
    id: 'maze-32-64',
    title: 'maze 32x32, 64 agents',
    config: { generator: 'maze', size: 32, agents: 64, collisionSystem: 'soft', maxSteps: 256 },
  },
  {
    id: 'warehouse-32-64',
    title: 'warehouse 32x32, 64 agents',
    config: { generator: 'warehouse', size: 32, agents: 64, collisionSystem: 'soft', maxSteps: 256 },
  },
  {
    id: 'warehouse-64-256',
    title: 'warehouse 64x64, 256 agents',
    config: { generator: 'warehouse', size: 64, agents: 256, collisionSystem: 'soft', maxSteps: 512 },
  },
  {
    id: 'warehouse-16-16',
    title: 'warehouse 16x16, 16 agents',
    config: { generator: 'warehouse', size: 16, agents: 16, maxSteps: 256 },
  },
];

export function sides(c: Config): readonly [height: number, width: number] {
  if (c.map === null) return [c.size, c.size];
  const width = c.map[0]?.length ?? 0;
  if (c.map.some((r) => r.length !== width)) throw badConfig('map', 'The rows of the map differ in length.', 'Give rows of one length.');
  return [c.map.length, width];
}

function stateOf(c: Config) {
  const [height, width] = sides(c);
  return defineState(
    1,
    [
      { name: 'obstacles', type: 'u32', shape: [height, width], doc: '1 where a cell is blocked; a map in the config goes before' },
      { name: 'agents', type: 'u32', shape: [c.agents, 2], doc: 'row and column of each agent' },
      { name: 'targets', type: 'u32', shape: [c.agents, 2], doc: 'row and column of each target' },
      { name: 'arrivedAt', type: 'u32', shape: [c.agents], doc: 'step at which an agent reached its target (and stayed), 0: not yet' },
      {
        name: 'unseen',
        type: 'u32',
        shape: [c.agents],
        doc: '1 if an agent with a higher number just left the cell it stands in: no view shows it (soft collisions, as in the reference)',
      },
      { name: 'arrivals', type: 'u32', shape: [], doc: 'targets reached by all agents in this episode' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['obstacles', 'arrivedAt', 'unseen', 'arrivals'],
  );
}

/** Sums over agents by uniform legal actions, shortest ways and the planner, by preset: 200 episodes here, 20 of 64 agents, 2 of 256. */
const MEASURED: { readonly [preset: string]: readonly [random: number, greedy: number, planner: number] } = {
  'random-8': [0.425, 10.78, 10.78],
  'random-8-4': [1.795, 6.05, 32.07],
  'finish-8-4': [1.4, 2.71, 4],
  'maze-16-16': [2.59, 4.45, 79.1],
  'random-32-64': [4.2, 22.7, 670],
  'maze-32-64': [2.9, 6, 160],
  'warehouse-32-64': [4.55, 13.2, 596],
  'warehouse-64-256': [6.5, 19.5, 2472],
  'warehouse-16-16': [4.54, 8.62, 238],
};

function referencesOf(c: Config): EnvMeta['references'] {
  const own = JSON.stringify(c);
  const preset = presets.find((p) => JSON.stringify(config.parse(p.config)) === own);
  const [random, greedy, planner] = MEASURED[preset?.id ?? ''] ?? [];
  const measured = (name: string, value: number | undefined, how: string) =>
    value === undefined ? [] : [{ name, value, source: `${how}, targets reached by all agents together, measured here` }];
  return [
    ...measured('random', random, 'uniform legal actions'),
    ...measured('shortest paths', greedy, 'policy "greedy": head-on agents block each other for good'),
    ...measured('planner', planner, 'policy "planner"'),
    ...(c.onTarget === 'finish' ? [{ name: 'upper bound', value: c.agents, source: 'every agent arrives' }] : []),
  ];
}

const MEAN = 'mean of the last 100 episodes.';
/** The first has a meaning where targets never end, the others where each agent has one. */
const MEASURES: readonly MetricCard[] = [
  { id: 'throughput', title: 'throughput', description: `Targets reached per step, all agents together; ${MEAN}`, unit: 'per step' },
  { id: 'isr', title: 'agents that arrive', description: `Share of agents that reached their target (ISR); ${MEAN}` },
  { id: 'csr', title: 'teams that arrive', description: 'Share of the last 100 episodes in which all arrived (CSR).' },
  { id: 'soc', title: 'sum of costs', description: `Steps to the targets, all agents together (SoC); ${MEAN}`, unit: 'steps' },
  { id: 'makespan', title: 'makespan', description: `Steps until the last agent arrived; ${MEAN}`, unit: 'steps' },
];

export function meta(c: Config): EnvMeta {
  const [height, width] = sides(c);
  const side = 2 * c.obsRadius + 1;
  const obs: ObsSpace = { kind: 'box', shape: [LAYERS, side, side], low: 0, high: 1 };
  const frame: GridLayout = {
    kind: 'grid',
    width,
    height,
    agents: c.agents,
    headings: false,
    looks: ['empty', 'wall', 'goal'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: c.obsRadius,
    centred: true,
    agentExtras: ['targetX', 'targetY'],
  };
  return {
    id: 'lifelong-mapf',
    version: 3,
    agents: [
      {
        count: c.agents,
        names: Array.from({ length: c.agents }, (_, i) => `agent ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: 5, labels: ['stay', 'up', 'down', 'left', 'right'] },
      },
    ],
    agentCount: c.agents,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: 5,
    rewards: ['reward'],
    costs: [],
    globalSize: LAYERS * height * width,
    masked: true,
    score: 'sum',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: referencesOf(c),
    keys: [['.'], ['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['ArrowRight', 'd']],
    idleAction: 0,
    fps: 6,
    measures: MEASURES,
  };
}
