/** A task on the table: what is common to reaching, pushing and picking up. */
import { z } from 'zod';
import type { HumanAxis, ReferenceReturn, Source } from '#contract/catalog/catalog.ts';
import { defineEnv } from '../../../api/define.ts';
import { maxStepsField } from '../../../api/limits.ts';
import { soloMeta } from '../../../api/meta.ts';
import { defineState } from '../../../api/state.ts';
import type { EnvEntry, EnvMeta, Recommended, ScriptedPolicy } from '../../../api/types.ts';
import { prepareMujoco, simOf } from '../engine.ts';
import { frameWriter, MOST_CONTACTS } from '../frame.ts';
import { createPlay } from '../play.ts';
import { physicsFields, tuningOf } from '../settings.ts';
import type { Draw } from '../task.ts';
import { REACH } from './experts.ts';
import { CUBE, OBJECT, OPEN, TIMESTEP, tableGeoms, tableMjcf, tableParts } from './model.ts';
import { goalsOf, labelsOf, tableRules } from './rules.ts';

const FETCH = 'Gymnasium-Robotics Fetch';
const SOURCE: Source = {
  title: 'Multi-Goal Reinforcement Learning: Challenging Robotics Environments and Request for Research',
  authors: 'Plappert et al.',
  year: 2018,
  url: 'https://arxiv.org/abs/1802.09464',
};
const GRAVITY = 9.81;
const SUBSTEPS = 10;
const STEP = SUBSTEPS * TIMESTEP;
/** What the camera frames: the work above the table. The bridge may stand out of it. */
const BOUNDS = [-0.3, -0.33, -0.08, 0.3, 0.33, 0.46] as const;
/** Of starts and goals about the hand, m, and the least between cube and hand. */
const SPREAD = 0.15;
const LEAST = 0.1;
/** Most that a goal is above the table when the cube is to be lifted, m. */
const HIGHEST = 0.45;

/** How a person moves the hand, slower than the tasks allow; a key that is held shuts the fingers. */
const slide = (name: string, component: number, less: string, more: string, stick: HumanAxis['stick']): HumanAxis => ({
  ...{ name, component, less: [less], more: [more], low: -0.3, high: 0.3, rest: 0 },
  ...(stick !== undefined && { stick }),
});
const HOLD: readonly HumanAxis[] = [
  slide('left and right', 0, 'a', 'd', 'leftX'),
  slide('near and far', 1, 's', 'w', 'leftY'),
  slide('height', 2, 'ArrowDown', 'ArrowUp', 'rightY'),
];
const GRIP: HumanAxis = { name: 'fingers', component: 3, less: ['ArrowLeft', 'f'], more: [], low: -1, high: 1, rest: 1 };

const { gravity, friction, mass } = physicsFields(GRAVITY, 'own choice');

const config = z.strictObject({
  maxSteps: maxStepsField(50, FETCH),
  reward: z.enum(['sparse', 'dense']).default('sparse').meta({
    title: 'reward',
    description: 'Sparse: -1 a step until it is there; dense: minus the distance.',
    source: FETCH,
    group: 'reward',
    depth: 'teach',
  }),
  threshold: z
    .number()
    .gt(0)
    .max(1)
    .default(0.05)
    .meta({
      title: 'near enough',
      unit: 'm',
      description: 'Distance within which the goal counts as reached.',
      source: FETCH,
      group: 'reward',
      slider: [0.01, 0.2],
    }),
  ...{ gravity, friction, mass },
});
type Config = z.infer<typeof config>;

/**
 * The expert's play, cloned: reward alone has not taught anything here to move the cube (docs/guide.md). Observations are standardised, as
 * they are in metres and metres a step.
 */
export const CLONED: Recommended = {
  algo: 'td3-bc',
  preset: 'cloning',
  config: { dataset: 'expert', recordSteps: 50_000, fitted: false, lr: 1e-3, hidden: [128, 128] },
  steps: 6_000,
};

export interface TableDef {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Without it the hand itself is to be at the goal. */
  readonly cube: boolean;
  /** The fingers obey the fourth number of an action; else they stay shut. */
  readonly fingers: boolean;
  /** Of the hand at the start, m. */
  readonly height: number;
  /** Where the goal is: on the table, in the air in half of the episodes, or all about the hand. */
  readonly goal: 'table' | 'air' | 'around';
  readonly expert: ScriptedPolicy;
  /** What is trained there first. */
  readonly offer: Recommended;
  readonly references: readonly ReferenceReturn[];
}

const stateOf = (cube: boolean) =>
  defineState(1, [
    {
      name: 'qpos',
      type: 'f64',
      shape: [cube ? 12 : 5],
      unit: 'm',
      doc: 'hand x, y, z, two fingers, then the cube’s place and quaternion',
    },
    { name: 'qvel', type: 'f64', shape: [cube ? 11 : 5], unit: 'm/s, rad/s', doc: 'speeds, in the same order' },
    { name: 'warmstart', type: 'f64', shape: [cube ? 11 : 5], doc: 'accelerations that the solver of contacts starts from' },
    { name: 'ctrl', type: 'f64', shape: [4], doc: 'aims of the servos of the last step' },
    { name: 'kept', type: 'f64', shape: [0], doc: 'nothing' },
    { name: 'fixed', type: 'f64', shape: [3], unit: 'm', doc: 'the goal' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);

export function defineTable(def: TableDef): EnvEntry {
  const { cube, fingers } = def;
  const mjcf = tableMjcf(cube);
  const state = stateOf(cube);
  const layoutParts = tableParts(cube, 0.025);
  const geoms = tableGeoms(cube);
  const labels = labelsOf(cube);
  const meta = (c: Config): EnvMeta => ({
    ...soloMeta({
      id: def.id,
      agent: 'hand',
      obs: { kind: 'box', shape: [labels.length], low: null, high: null, labels },
      action: { kind: 'box', size: 4, low: [-1, -1, -1, -1], high: [1, 1, 1, 1], labels: ['x', 'y', 'z', 'fingers'] },
      gamma: 0.98,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state,
      terms: [{ id: 'goal', title: 'goal', weights: [] }],
      frame: {
        kind: 'bodies',
        up: 'z',
        parts: layoutParts,
        fixtures: [],
        contactForces: MOST_CONTACTS,
        extra: ['to the goal (m)'],
        pulls: true,
        // Between two posts of the frame: from a corner, one of them stands before the hand.
        seenFrom: 0.2,
        bounds: BOUNDS,
      },
      references: c.reward === 'sparse' && c.maxSteps === 50 && c.threshold === 0.05 ? def.references : [],
      keys: [],
      axes: fingers ? [...HOLD, GRIP] : HOLD,
      idleAction: null,
      fps: Math.round(1 / STEP),
    }),
    goals: goalsOf(cube),
    measures: [{ id: 'success', title: 'success', description: 'Share of the last 100 episodes that end at the goal.' }],
  });
  return defineEnv<Config>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: SOURCE,
      config,
      presets: [
        { id: 'standard', title: 'sparse', config: {} },
        { id: 'dense', title: 'dense', config: { reward: 'dense' } },
      ],
      recommended: def.offer,
      before: 'expert',
      meta,
    },
    prepare: prepareMujoco,
    policies: { expert: () => def.expert },
    create: (c, batch, options) =>
      createPlay<Config>(
        {
          substeps: SUBSTEPS,
          terms: [{ id: 'goal', title: 'goal', weights: [] }],
          rules: (now) => tableRules(now, cube, STEP, geoms.length),
          drawn: { geoms, lift: 0 },
          write: frameWriter(geoms, MOST_CONTACTS, BOUNDS[5] - BOUNDS[2], 0, [[0, 0, 0]]),
          control(action, motor, qpos) {
            const cut = Math.min(1, Math.max(-1, action));
            if (motor < 3) return qpos[motor]! + REACH * cut;
            return fingers ? (0.5 + 0.5 * cut) * OPEN : 0;
          },
          fixed: true,
          start: (_, qpos, qvel, draw, floats, at) => start(def, qpos, qvel, draw, floats, at),
        },
        c,
        meta(c),
        batch,
        (now) => simOf(mjcf, tuningOf({ ...now, strength: 1, wind: 0 }, GRAVITY)),
        options?.draws,
      ),
  });
}

/** The hand hangs above the middle; the cube and the goal are drawn as in Fetch. */
function start(
  { cube, fingers, goal, height }: TableDef,
  qpos: Float64Array,
  qvel: Float64Array,
  draw: Draw,
  fixed: Float64Array,
  at: number,
): void {
  qpos.fill(0);
  qvel.fill(0);
  qpos[2] = height;
  if (fingers) qpos.fill(OPEN, 3, 5);
  if (cube) {
    do {
      qpos[OBJECT] = SPREAD * draw.spread();
      qpos[OBJECT + 1] = SPREAD * draw.spread();
    } while (qpos[OBJECT]! ** 2 + qpos[OBJECT + 1]! ** 2 < LEAST * LEAST);
    qpos[OBJECT + 2] = CUBE;
    qpos[OBJECT + 3] = 1;
  }
  fixed[at] = SPREAD * draw.spread();
  fixed[at + 1] = SPREAD * draw.spread();
  if (goal === 'around') fixed[at + 2] = height + SPREAD * draw.spread();
  else {
    const [lifted, part] = [draw.spread() > 0, (draw.spread() + 1) / 2];
    fixed[at + 2] = CUBE + (goal === 'air' && lifted ? HIGHEST * part : 0);
  }
}
