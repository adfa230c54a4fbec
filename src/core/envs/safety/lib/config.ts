/** Settings of the quick world of limits, and what follows from them: things, spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { maxStepsField } from '../../api/limits.ts';
import { EPISODE_COST, measuredFor } from '../../api/measured.ts';
import { soloMeta } from '../../api/meta.ts';
import { defineState } from '../../api/state.ts';
import { weightField } from '../../api/terms.ts';
import type { EnvMeta, StateSpec } from '../../api/types.ts';
import { BINS, type Group, type ObjectKind, type SafetyWorld, safetyWorld } from '../../lib/safety/world.ts';

const SOURCE = 'Safety-Gymnasium';

export const config = z.strictObject({
  task: z.enum(['goal', 'button']).default('goal').meta({
    title: 'task',
    description: 'goal: go to a goal, then to the next one. button: touch the button that is lit, then the next one; other buttons cost.',
    source: SOURCE,
    depth: 'teach',
  }),
  level: z.int().min(0).max(2).default(1).meta({
    title: 'level',
    description: '0: nothing costs; 1: some things do; 2: more of them in a larger area.',
    source: SOURCE,
    depth: 'teach',
  }),
  progressWeight: weightField(1, {
    title: 'metres gained',
    description: 'Paid per metre that the robot has come nearer to its goal.',
    slider: [0, 4],
    source: SOURCE,
  }),
  goalWeight: weightField(1, { title: 'goal reached', description: 'Paid at each goal.', slider: [0, 4], source: SOURCE }),
  maxSteps: maxStepsField(1000, SOURCE),
});
export type Config = z.infer<typeof config>;

const preset = (task: Config['task'], level: Config['level']): Preset => ({
  id: `${task}-${level}`,
  title: `${task === 'goal' ? 'Goal' : 'Button'} ${level}`,
  config: { ...(task !== 'goal' && { task }), ...(level !== 1 && { level }) },
});
export const presets: readonly Preset[] = [
  preset('goal', 1),
  preset('goal', 2),
  preset('goal', 0),
  preset('button', 1),
  preset('button', 2),
];

/** Radius of the robot, m. */
export const ROBOT = 0.1;
/** What a full action moves the robot in each direction in a step, m: the reference's top speed of 1.5 m/s for its 0.02 s. */
export const REACH = 0.03;
/** Seconds of a step, by which gremlins go round. */
export const SECONDS = 0.02;
/** How far behind the area that things are drawn in a fence holds the robot, m. */
const VERGE = 0.3;
/** Radius of the circles of gremlins, m. */
export const CIRCLE = 0.35;

export const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'progress', title: 'metres gained', weights: ['progressWeight'] },
  { id: 'goal', title: 'goal reached', weights: ['goalWeight'] },
];

/** What lies in the world: that of the reference, without what can be neither seen nor paid for. */
export interface QuickWorld extends SafetyWorld {
  /** The robot stays within -edge..edge, m. */
  readonly edge: number;
}

export function worldOf({ task, level }: Pick<Config, 'task' | 'level'>): QuickWorld {
  const world = safetyWorld({ agent: 'point', task, level });
  const groups = world.groups.filter(({ kind }) => kind !== 'vases' || world.costs.includes('cost_vases_contact'));
  const count = 1 + groups.reduce((sum, group) => sum + group.count, 0);
  // vases are drawn last, so the places of the others stay
  return {
    ...world,
    groups,
    names: world.names.slice(0, count),
    keepouts: world.keepouts.slice(0, count),
    edge: world.half + VERGE,
  };
}

export const stateOf = (world: QuickWorld): StateSpec =>
  defineState(1, [
    {
      name: 'layout',
      type: 'f64',
      shape: [world.names.length, 2],
      unit: 'm',
      doc: 'places of the robot, then of all things; of a gremlin the middle of its circle',
    },
    { name: 'distance', type: 'f64', shape: [], unit: 'm', doc: 'from robot to goal, which the next step is compared with' },
    { name: 'cost', type: 'f64', shape: [], doc: 'what this episode cost so far' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    { name: 'reached', type: 'u32', shape: [], doc: 'goals reached in this episode' },
    { name: 'button', type: 'u32', shape: [], doc: 'number of the button that is the goal' },
    { name: 'timer', type: 'u32', shape: [], doc: 'steps until buttons are sensed' },
  ]);

const NAMES: { readonly [K in ObjectKind]: string } = {
  goal: 'goal',
  hazards: 'hazard',
  buttons: 'button',
  gremlins: 'gremlin',
  vases: 'vase',
  pillars: 'pillar',
  push_box: 'box',
};

function drawn({ kind, count }: Group, task: Config['task']): PointGroup {
  const name = NAMES[kind];
  if (kind === 'goal') return { name, count, shape: 'goal', ...(task === 'goal' && { held: true, called: true }) };
  if (kind === 'hazards') return { name, count, shape: 'zone', striped: true };
  return { name, count, shape: kind === 'gremlins' ? 'box' : 'obstacle', between: true };
}

function frame({ groups, edge, names, task }: QuickWorld): PointsLayout {
  return {
    kind: 'points',
    count: names.length,
    bounds: [-edge, -edge, edge, edge],
    names: [],
    groups: [
      { name: 'robot', count: 1, shape: 'disc', trail: true },
      ...groups.map((group) => drawn(group, task === 'push' ? 'goal' : task)),
    ],
    extra: ['goals reached', 'cost'],
    ground: 'walled',
  };
}

export function meta(c: Config): EnvMeta {
  const world = worldOf(c);
  const labels = world.groups.flatMap(({ kind }) => Array.from({ length: BINS }, (_, i) => `lidar of ${NAMES[kind]}s ${i + 1}`));
  return {
    ...soloMeta({
      id: 'quick-safety',
      agent: 'robot',
      obs: { kind: 'box', shape: [labels.length], low: 0, high: 1, labels },
      action: { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['right', 'up'] },
      gamma: 0.99,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: stateOf(world),
      terms: TERMS,
      frame: frame(world),
      references: referencesOf(c),
      keys: [],
      axes: [
        { name: 'right', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' },
        { name: 'up', component: 1, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
      ],
      idleAction: null,
      fps: 30,
    }),
    costs: ['cost'],
    measures: [
      EPISODE_COST,
      { id: 'goalsReached', title: 'goals reached', description: 'Goals reached in an episode; mean of the last 100 training episodes.' },
    ],
  };
}

const NAMES_OF_REFERENCES = [
  ['random', 'uniform actions, 200 episodes; cost 53 to 63'],
  ['expert', 'script that goes round all that costs, 200 episodes; cost 0 to 1'],
  ['straight on', 'script that goes through it, 200 episodes; cost 88 to 139'],
] as const;
/** Returns by preset. */
const RETURNS: { readonly [preset: string]: readonly number[] } = {
  'goal-1': [0, 62.7, 64],
  'goal-2': [0, 53, 54.7],
  'goal-0': [0, 87.1],
  'button-1': [0, 67.7, 73.3],
  'button-2': [-0.1, 60, 64.7],
};

const referencesOf = (c: Config): EnvMeta['references'] =>
  measuredFor(c, (value) => config.parse(value), presets, NAMES_OF_REFERENCES, RETURNS);
