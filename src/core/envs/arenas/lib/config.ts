/** Settings of battles, and what follows from them: teams, spaces, state, picture. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { EntityKind, ObsSpace } from '#contract/game/spaces.ts';
import { measuredFor } from '#core/envs/api/measured.ts';
import { defineState } from '#core/envs/api/state.ts';
import type { AgentGroup, EnvMeta } from '#core/envs/api/types.ts';
import { rowsFrom } from '#core/envs/lib/entities.ts';
import { layoutOf } from './look.ts';
import { BLOCK, OWN, obsLength, stateLength } from './observe.ts';
import { SCENARIO_NAMES, type Sides, sidesOf, UNITS } from './units.ts';

const SOURCE = 'JaxMARL, smax_env.py';
const team = () => z.array(z.enum(UNITS)).min(1).max(40).nullable().default(null);

export const config = z.strictObject({
  scenario: z.enum(SCENARIO_NAMES).default('2s3z').meta({
    title: 'scenario',
    description: 'Who meets whom: m marines, s stalkers, z zealots, h hydralisks; smacv2: kinds and places are drawn anew.',
    source: SOURCE,
  }),
  allyTypes: team().meta({
    title: 'own team',
    description: 'Units of the team that learns, instead of those of the scenario; empty: the scenario.',
    crowd: true,
  }),
  enemyTypes: team().meta({
    title: 'other team',
    description: 'Units of the other team; empty: as the scenario says, or as many marines as the own team has units.',
    crowd: true,
  }),
  enemyPolicy: z.enum(['heuristic', 'actions']).default('heuristic').meta({
    title: 'other team is led by',
    description: 'heuristic: the rule of the reference, part of the world. actions: its units are agents too.',
    source: SOURCE,
  }),
  attackMode: z.enum(['closest', 'random']).default('closest').meta({
    title: 'heuristic attacks',
    description: 'Whom the heuristic shoots at first: the closest foe, or any within its range.',
    source: 'JaxMARL, heuristic_enemy.py',
    depth: 'research',
  }),
  enemyShoots: z
    .boolean()
    .default(true)
    .meta({ title: 'heuristic shoots', description: 'Off: units of the heuristic only follow.', source: 'JaxMARL, heuristic_enemy.py' }),
  seeEnemyActions: z
    .boolean()
    .default(true)
    .meta({ title: 'actions of foes seen', description: 'Units see what foes within sight did last.', source: SOURCE }),
  wallsCauseDeath: z
    .boolean()
    .default(true)
    .meta({ title: 'walls kill', description: 'A unit at the edge of the map dies. Off: it stops there.', source: SOURCE }),
  selfPlayReward: z.boolean().default(false).meta({
    title: 'only the end counts',
    description: 'No reward for damage; the bonus for a win, its negative for a loss.',
    source: SOURCE,
  }),
  wonBattleBonus: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ title: 'bonus for a win', description: 'Paid when all foes are dead and a unit of the team lives.', source: SOURCE }),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .meta({
      title: 'step limit',
      unit: 'steps',
      description: 'An undecided battle ends one step after so many, as in the reference.',
      source: SOURCE,
      log: true,
      slider: [10, 1000],
    }),
  worldSteps: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .meta({ title: 'world steps', description: 'Steps of the world in one action.', source: SOURCE, depth: 'research' }),
  timePerStep: z.number().min(0.001).max(1).default(0.0625).meta({
    title: 'time of a world step',
    unit: 's',
    description: 'Time that passes in one step of the world.',
    source: SOURCE,
    depth: 'research',
  }),
  mapWidth: z
    .number()
    .min(8)
    .max(200)
    .default(32)
    .meta({ title: 'map width', description: 'Width of the map, in map units.', source: SOURCE }),
  mapHeight: z
    .number()
    .min(8)
    .max(200)
    .default(32)
    .meta({ title: 'map height', description: 'Height of the map, in map units.', source: SOURCE }),
  observationType: z.enum(['unit_list', 'conic']).default('unit_list').meta({
    title: 'observation',
    description: 'unit_list: numbers of each other unit. conic: two places in each of 32 directions.',
    source: SOURCE,
  }),
  actionType: z.enum(['discrete', 'continuous']).default('discrete').meta({
    title: 'actions',
    description: 'continuous: whether to move or shoot, whom, how far and where to, as four numbers.',
    source: SOURCE,
    depth: 'research',
  }),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = ['2s3z', ...SCENARIO_NAMES.filter((name) => name !== '2s3z')].map((name) => ({
  id: name,
  title: name,
  config: name === '2s3z' ? {} : { scenario: name },
}));

/** The two teams. */
export function teamsOf({ scenario, allyTypes, enemyTypes }: Config): Sides {
  if (allyTypes === null && enemyTypes === null) return sidesOf(scenario);
  const given = sidesOf(scenario);
  const numbers = (names: NonNullable<Config['allyTypes']>) => names.map((name) => UNITS.indexOf(name));
  const allies = allyTypes === null ? given.types.slice(0, given.allies) : numbers(allyTypes);
  const enemies = enemyTypes === null ? allies.map(() => 0) : numbers(enemyTypes);
  return { types: [...allies, ...enemies], allies: allies.length, enemies: enemies.length, drawn: false };
}

const NAMES = [
  ['random', 'JaxMARL: uniform legal actions, runs of the code of the reference'],
  ['heuristic', 'JaxMARL: the own team follows the heuristic too'],
] as const;

/** Mean returns of the reference's own runs, 256 to 512 episodes. */
const MEASURED = {
  '3m': [0.171, 1.408],
  '2s3z': [0.209, 1.424],
  '3s_vs_5z': [0.222, 0.299],
  '5m_vs_6m': [0.131, 0.578],
  '8m': [0.174, 1.348],
  '3s5z': [0.195, 1.394],
  '3s5z_vs_3s6z': [0.173, 0.627],
  '6h_vs_8z': [0.316, 0.621],
  smacv2_5_units: [0.246, 1.356],
  smacv2_10_units: [0.27, 1.323],
};

/** The list of units as rows; a health of 0 says that nothing is seen there. */
const entities = (mates: number, foes: number): readonly EntityKind[] => [
  { name: 'self', width: OWN, rows: rowsFrom(BLOCK * (mates + foes), OWN, 1) },
  { name: 'mate', width: BLOCK, rows: rowsFrom(0, BLOCK, mates), presence: 0 },
  { name: 'foe', width: BLOCK, rows: rowsFrom(BLOCK * mates, BLOCK, foes), presence: 0 },
];

const MOVE_NAMES = ['up', 'right', 'down', 'left', 'stop'];
const KEYS = [['ArrowUp', 'w'], ['ArrowRight', 'd'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['.']];

/** `backwards`: foes are counted from the last of them; its labels are the numbers in the picture all the same. */
function groupOf(name: string, own: number, foes: number, backwards: boolean, c: Config): AgentGroup {
  const size = obsLength(own + foes, c.observationType === 'conic');
  const obs: ObsSpace = {
    kind: 'box',
    shape: [size],
    low: -2, // a push may carry a unit over the edge
    high: 2,
    ...(c.observationType === 'unit_list' && { entities: entities(own - 1, foes) }),
  };
  return {
    count: own,
    names: Array.from({ length: own }, (_, i) => `${name} ${i + 1}`),
    obs,
    action:
      c.actionType === 'discrete'
        ? {
            kind: 'discrete',
            n: 5 + foes,
            labels: [...MOVE_NAMES, ...Array.from({ length: foes }, (_, k) => `attack ${backwards ? foes - k : k + 1}`)],
          }
        : { kind: 'box', size: 4, low: [0, 0, 0, 0], high: [1, 1, 1, 1], labels: ['as before', 'move', 'radius', 'angle'] },
  };
}

function stateOf(units: number) {
  return defineState(
    1,
    [
      { name: 'pos', type: 'f64', shape: [units, 2], doc: 'place of each unit, in map units, allies first' },
      { name: 'health', type: 'f64', shape: [units], doc: 'health of each unit, 0: dead' },
      { name: 'cooldown', type: 'f64', shape: [units], unit: 's', doc: 'time until a unit can shoot again; may be negative' },
      { name: 'prevMove', type: 'f64', shape: [units, 2], doc: 'last move of each unit, as a vector' },
      { name: 'home', type: 'f64', shape: [units, 2], doc: 'where the heuristic sends a unit that sees no foe' },
      { name: 'types', type: 'u32', shape: [units], doc: 'kind of each unit, 0 marine to 5 hydralisk' },
      { name: 'prevAttack', type: 'u32', shape: [units], doc: 'last attack of each unit as the number of its action, 0: none' },
      { name: 'last', type: 'u32', shape: [units], doc: 'foe that the heuristic remembers for a unit, from 1 on; 0: none' },
      { name: 'decided', type: 'u32', shape: [], doc: '1 after the first decision of the heuristic' },
      { name: 'stepCount', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['prevMove', 'home', 'prevAttack', 'last', 'decided'],
  );
}

export function meta(c: Config): EnvMeta {
  const { allies, enemies, drawn, types } = teamsOf(c);
  const both = c.enemyPolicy === 'actions';
  const continuous = c.actionType === 'continuous';
  const agents = [groupOf('ally', allies, enemies, false, c), ...(both ? [groupOf('enemy', enemies, allies, true, c)] : [])];
  return {
    id: 'smax',
    version: 1,
    agents,
    agentCount: both ? allies + enemies : allies,
    obsSize: obsLength(allies + enemies, c.observationType === 'conic'),
    actionSize: continuous ? 4 : 1,
    actionCount: continuous ? 0 : 5 + (both ? Math.max(allies, enemies) : enemies),
    rewards: ['reward'],
    costs: [],
    globalSize: stateLength(allies + enemies),
    masked: !continuous,
    score: both ? Array.from({ length: allies }, (_, i) => i) : 'shared',
    gamma: 0.99,
    maxSteps: c.maxSteps + 1,
    evalMaxSteps: c.maxSteps + 1,
    state: stateOf(allies + enemies),
    frame: layoutOf({ allies, enemies, types, drawn }, c.mapWidth, c.mapHeight),
    references: measuredFor(c, (given) => config.parse(given), presets, NAMES, MEASURED),
    keys: continuous ? [] : [...KEYS, ...Array.from({ length: enemies }, (_, k) => (k < 10 ? [String((k + 1) % 10)] : []))],
    ...(continuous && {
      axes: [
        { name: 'radius', component: 2, less: [], more: ['ArrowUp', 'w'], low: 0, high: 1, rest: 0 },
        { name: 'angle', component: 3, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: 0, high: 1, rest: 0 },
      ],
    }),
    idleAction: 4,
    fps: 4,
    measures: [
      {
        id: 'won',
        title: 'battle won',
        description: '1 if all foes are dead and a unit of the own team lives; the mean over episodes is the win rate.',
      },
    ],
  };
}
