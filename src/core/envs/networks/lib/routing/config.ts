/** Settings of demand routing, and what follows from them: graphs, spaces, state, frame. */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { PointsLayout } from '#contract/game/frames.ts';
import type { EntityKind } from '#contract/game/spaces.ts';
import { measuredFor } from '../../../api/measured.ts';
import { soloMeta } from '../../../api/meta.ts';
import { defineState } from '../../../api/state.ts';
import type { EnvMeta } from '../../../api/types.ts';
import { rowsFrom } from '../../../lib/entities.ts';
import { linksOf, WAYS } from './graph.ts';

const OWN = 'own choice';
const PAPER = 'Almasan et al. 2022';
/** Links that a person may add. */
export const SPARE = 3;
/** Side of the square in the picture. */
export const SIDE = 10;

export const config = z.strictObject({
  nodes: z
    .int()
    .min(4)
    .max(32)
    .default(10)
    .meta({ title: 'nodes', unit: 'nodes', description: 'Of the smallest graph.', source: OWN, crowd: true }),
  more: z
    .int()
    .min(0)
    .max(12)
    .default(4)
    .meta({ title: 'more nodes', unit: 'nodes', description: 'That the largest graph has beyond the smallest.', source: OWN }),
  graphs: z.enum(['training', 'held-out']).default('training').meta({
    title: 'graphs',
    description: 'Which of the drawn graphs are played: no graph is among both.',
    source: OWN,
  }),
  count: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ title: 'number of graphs', description: 'Graphs, of which each episode has one.', source: OWN }),
  capacity: z.int().min(1).max(10_000).default(200).meta({ title: 'capacity', description: 'Of every link.', source: PAPER }),
  sizes: z.array(z.int().min(1).max(10_000)).min(1).max(8).default([8, 32, 64]).meta({
    title: 'sizes',
    description: 'Of demands; each is as likely.',
    source: PAPER,
  }),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'training', title: '100 graphs of 10 to 14 nodes', config: {} },
  { id: 'held-out', title: '50 graphs of 10 to 14 nodes, never in training', config: { graphs: 'held-out', count: 50 } },
  { id: 'larger', title: '50 graphs of 16 to 24 nodes, never in training', config: { graphs: 'held-out', count: 50, nodes: 16, more: 8 } },
];

/** Graphs of the two kinds have seeds of their own. */
export const seedOf = ({ graphs }: Config, index: number): number => (graphs === 'training' ? 1_000 : 1_000_000) + index;
export const nodesOf = ({ nodes, more }: Config, index: number): number => nodes + (index % (more + 1));
export const mostNodes = ({ nodes, more }: Config): number => nodes + more;
export const mostLinks = (c: Config): number => linksOf(mostNodes(c)) + SPARE;

const NAMES = [
  ['random', 'uniform choice of a way, 2,000 episodes here'],
  ['shortest available', 'policy "shortest-available": the shortest way with room; 1,000 episodes here'],
  ['widest', 'policy "widest": the way with most room; the same episodes'],
  ['least scarce', 'policy "least-scarce": the way whose links are least passed and least full; the same episodes'],
  ['PPO', 'as recommended, trained on the training graphs only: 400,000 steps, mean of three seeds, the same episodes'],
  [
    'upper bound',
    'demands are known ahead and may be split over their four ways (linear programme, bounded by its dual); 400 episodes here',
  ],
] as const;
const MEASURED = {
  training: [7.9, 12.3, 13.2, 13.5, 13.5, 15.7],
  'held-out': [8.1, 13.2, 14, 14.4, 14.3, 16.9],
  larger: [8.4, 12.3, 13.3, 13.9, 13.7, 16.4],
};

/** Numbers of the demand and of each way, and of a link. */
export const OF_DEMAND = 3;
export const OF_WAY = 5;
export const SELF = OF_DEMAND + OF_WAY * WAYS;
/** Of a link: whether it lies on each way, behind the others. */
export const ON_WAY = 4;
export const OF_LINK = ON_WAY + WAYS;

const entities = (c: Config): readonly EntityKind[] => [
  { name: 'demand', width: OF_DEMAND, rows: rowsFrom(0, OF_DEMAND, 1) },
  { name: 'way', width: OF_WAY, rows: rowsFrom(OF_DEMAND, OF_WAY, WAYS), presence: 0, ordered: true },
  { name: 'link', width: OF_LINK, rows: rowsFrom(SELF, OF_LINK, mostLinks(c)), presence: 0, partOf: { kind: 'way', from: ON_WAY } },
];

const each = (count: number, name: string, of: readonly string[]) =>
  Array.from({ length: count }, (_, i) => of.map((what) => `${name} ${i + 1} ${what}`)).flat();

function layout(c: Config): PointsLayout {
  const L = mostLinks(c);
  const N = mostNodes(c);
  return {
    kind: 'points',
    count: N + 2 * L,
    bounds: [-1, -1, SIDE + 1, SIDE + 1],
    names: [
      ...Array.from({ length: N }, (_, i) => `node ${i + 1}`),
      ...Array.from({ length: L }, (_, i) => `link ${i + 1}`),
      ...Array.from({ length: L }, (_, i) => `load ${i + 1}`),
    ],
    groups: [
      { name: 'node', count: N, shape: 'disc', numbered: true, held: true },
      { name: 'link', count: L, shape: 'ball', held: true, between: true },
      { name: 'load', count: L, shape: 'box', sized: true, between: true },
    ],
    extra: ['carried', 'demand', 'fullest link'],
  };
}

export function meta(c: Config): EnvMeta {
  const L = mostLinks(c);
  const labels = [
    'demand',
    'demand of a link',
    'mean load',
    ...each(WAYS, 'way', ['is there', 'links', 'room left', 'fits', 'passed']),
    ...each(L, 'link', ['is there', 'room', 'room for the demand', 'passed', ...Array.from({ length: WAYS }, (_, k) => `on way ${k + 1}`)]),
  ];
  return soloMeta({
    id: 'demand-routing',
    agent: 'router',
    obs: { kind: 'box', shape: [SELF + OF_LINK * L], low: -1e6, high: 1e6, labels, entities: entities(c) },
    action: { kind: 'discrete', n: WAYS, labels: Array.from({ length: WAYS }, (_, k) => `way ${k + 1}`) },
    gamma: 0.95,
    maxSteps: 0,
    evalMaxSteps: 2000,
    masked: true,
    state: defineState(1, [
      { name: 'loads', type: 'f64', shape: [L], doc: 'what each link carries' },
      { name: 'carried', type: 'f64', shape: [], doc: 'demands that were carried, added up' },
      { name: 'places', type: 'f64', shape: [mostNodes(c), 2], doc: 'where each node is drawn, 0 to 10' },
      { name: 'graph', type: 'u32', shape: [], doc: 'number of the graph' },
      { name: 'demand', type: 'u32', shape: [3], doc: 'from, to and place in the list of sizes' },
      { name: 'cut', type: 'u32', shape: [L], doc: '1 where a person has cut a link' },
      { name: 'added', type: 'u32', shape: [SPARE, 2], doc: 'nodes that a person has joined, one more each; 0: none' },
      { name: 'last', type: 'u32', shape: [L], doc: '1 where the last demand passed' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    keys: Array.from({ length: WAYS }, (_, k) => [String(k + 1)]),
    idleAction: null,
    fps: 2,
  });
}
