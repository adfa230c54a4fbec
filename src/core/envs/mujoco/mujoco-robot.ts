/**
 * A robot that a person brings as MJCF, with a task from menus: walk ahead, stay upright, keep a height, bring a site to a point, save energy.
 * Obs [positions in MuJoCo's order (m, rad, quaternions), without the place on the ground unless it is asked for; all speeds; the way from the
 * site to its point, m; sites relative to the first moving body, m]. Action: -1..1 for every actuator, from one end of its control range to the
 * other (lib/robot/motors.ts says which where the model names none); 0 is the model's first key frame, or no control. Reward: the sum of the terms, each with its weight.
 * Ends when fallen (`leastHeight`, `mostTilt`) or when the physics breaks down; truncates at `maxSteps`.
 * The model stands in the setting `robot`; it is bounded before it is compiled (lib/robot/check.ts), so `meta` of a model of one's own needs
 * MuJoCo, and that of the example does not.
 */
import { z } from 'zod';
import { ROBOT_ENV, type Robot, robotSchema } from '#contract/link/robot.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { defineState } from '../api/state.ts';
import { weightField } from '../api/terms.ts';
import type { EnvMeta, ScriptedPolicy } from '../api/types.ts';
import { GYMNASIUM } from './lib/define.ts';
import { prepareMujoco } from './lib/engine.ts';
import { frameWriter, MOST_CONTACTS } from './lib/frame.ts';
import { createPlay } from './lib/play.ts';
import { EXAMPLE } from './lib/robot/example.ts';
import { EXAMPLE_FACTS } from './lib/robot/example-facts.ts';
import { type RobotFacts, robotFacts, robotSim } from './lib/robot/model.ts';
import { reachingSite, robotRules, TERMS } from './lib/robot/rules.ts';
import { noiseField, physicsFields, switchField, tuningOf } from './lib/settings.ts';

const SOURCE = 'own choice';
const GRAVITY = 9.81;
/** Seconds of a step of the environment, about, where the person does not say. */
const USUAL_STEP = 0.03;
const NUMBERS = ['distance (m)', 'height (m)', 'upright'];

const weight = (standard: number, title: string, description: string, most: number) =>
  weightField(standard, { title, description, slider: [0, most], source: SOURCE });
const orNone = (standard: number | null, title: string, unit: string, description: string, most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .nullable()
    .default(standard)
    .meta({ title, unit, description, source: SOURCE, group: 'rules', empty: 'none' });

const config = z.strictObject({
  robot: robotSchema
    .nullable()
    .default(null)
    .meta({ title: 'robot', description: 'An MJCF model with its meshes.', source: 'yours', editor: 'robot', depth: 'teach' }),
  maxSteps: maxStepsField(500, SOURCE),
  forwardWeight: weight(1, 'forward', 'Paid per m/s along x.', 5),
  uprightWeight: weight(0, 'upright', 'Paid every step, times the cosine of the tilt of the first moving body.', 5),
  heightWeight: weight(0, 'height', 'Taken off per metre by which the first moving body is not at the wanted height.', 10),
  reachWeight: weight(0, 'reach', 'Taken off per metre between the site and its point.', 10),
  energyWeight: weight(0.02, 'energy', 'Taken off per sum of squared actions.', 1),
  aliveWeight: weight(0.5, 'alive', 'Paid every step until it falls.', 5),
  wantedHeight: z.number().min(-100).max(100).nullable().default(null).meta({
    title: 'wanted height',
    unit: 'm',
    description: 'Empty: as at the start.',
    source: SOURCE,
    group: 'reward',
    empty: 'as at the start',
  }),
  reachSite: z.string().max(60).default('').meta({
    title: 'site that reaches',
    description: 'One of the model’s sites.',
    source: SOURCE,
    group: 'reward',
    editor: 'site',
    examples: EXAMPLE_FACTS.sites,
  }),
  reachPoint: z
    .array(z.number().min(-100).max(100))
    .length(3)
    .default([0.5, 0, 0.3])
    .meta({ title: 'point to reach', unit: 'm', description: 'x, y and z.', source: SOURCE, group: 'reward' }),
  frameSkip: z
    .int()
    .min(1)
    .max(50)
    .nullable()
    .default(null)
    .meta({
      title: 'physics steps',
      unit: 'per action',
      description: `Steps of the physics while an action holds. Empty: as many as come to about ${USUAL_STEP} s.`,
      source: SOURCE,
      group: 'rules',
      empty: 'auto',
    }),
  leastHeight: orNone(null, 'fallen below', 'm', 'The episode ends when the first moving body is lower.', 100),
  mostTilt: orNone(60, 'fallen beyond', '°', 'The episode ends when the first moving body is tilted more.', 180),
  observePlace: switchField(false, 'observe the place', 'The position on the ground is observed too.', SOURCE),
  observeSites: switchField(false, 'observe the sites', 'Where every site is, seen from the first moving body.', SOURCE),
  controlRange: z.enum(['quantity', 'any']).default('quantity').meta({
    title: 'range of a control without one',
    description:
      'quantity: that of its joint where the control is a place, of its force where it is a force. any: the force range, else -1 to 1, whatever the control is (version 1).',
    source: SOURCE,
    group: 'rules',
    depth: 'research',
  }),
  floor: switchField(true, 'lay a floor', 'Where the model has none.', SOURCE),
  resetNoiseScale: noiseField(0.02, SOURCE),
  ...physicsFields(GRAVITY, SOURCE),
});

type RobotConfig = z.infer<typeof config>;

const robotOf = ({ robot }: RobotConfig): Robot => robot ?? EXAMPLE;
const factsOf = (c: RobotConfig): RobotFacts => (c.robot === null ? EXAMPLE_FACTS : robotFacts(c.robot, c.floor, c.controlRange));
const substepsOf = (c: RobotConfig, { timestep }: RobotFacts): number =>
  c.frameSkip ?? Math.min(50, Math.max(1, Math.round(USUAL_STEP / timestep)));

function stateOf({ nq, nv, na, motors }: RobotFacts, kept: number) {
  return defineState(1, [
    { name: 'qpos', type: 'f64', shape: [nq], unit: 'm, rad', doc: 'positions, as MuJoCo’s qpos' },
    { name: 'qvel', type: 'f64', shape: [nv], unit: 'm/s, rad/s', doc: 'speeds, as MuJoCo’s qvel' },
    { name: 'warmstart', type: 'f64', shape: [nv], doc: 'accelerations that the solver of contacts starts from' },
    { name: 'ctrl', type: 'f64', shape: [motors.length], doc: 'controls of the last step' },
    { name: 'kept', type: 'f64', shape: [kept], doc: 'numbers of the last force evaluation that the observation and the next reward use' },
    ...(na > 0 ? [{ name: 'act', type: 'f64', shape: [na], doc: 'states of the actuators' } as const] : []),
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

function metaOf(c: RobotConfig): EnvMeta {
  const facts = factsOf(c);
  const dt = substepsOf(c, facts) * facts.timestep;
  const { labels, kept } = robotRules(facts, c, dt);
  const { motors, bounds } = facts;
  const goal = reachingSite(facts, c) >= 0;
  const radius = 0.03 * Math.max(bounds[3] - bounds[0], bounds[5] - bounds[2]);
  return soloMeta({
    id: ROBOT_ENV,
    version: 2,
    agent: 'robot',
    obs: { kind: 'box', shape: [labels.length], low: null, high: null, labels },
    action: {
      kind: 'box',
      size: motors.length,
      low: motors.map(() => -1),
      high: motors.map(() => 1),
      labels: motors.map(({ name }) => name),
    },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(facts, kept),
    terms: TERMS,
    frame: {
      kind: 'bodies',
      up: 'z',
      parts: [...facts.parts, ...(goal ? [{ name: 'point', shape: 'sphere', size: [radius], colour: 'goal' } as const] : [])],
      fixtures: facts.floor ? [{ kind: 'floor' }] : [],
      contactForces: MOST_CONTACTS,
      extra: NUMBERS,
      pulls: true,
      ...(facts.travels && { follow: followed(facts) }),
      bounds,
    },
    references: [],
    keys: [],
    idleAction: null,
    fps: Math.max(1, Math.round(1 / dt)),
  });
}

/** The first part that is drawn of the body that is looked at. */
function followed({ parts, rootName }: RobotFacts): number {
  return Math.max(
    0,
    parts.findIndex(({ name }) => name === rootName),
  );
}

/** Holds every actuator where the model starts. */
const stance: ScriptedPolicy = {
  act(_env, _buffers, out) {
    out.fill(0);
  },
};

export const mujocoRobot = defineEnv<RobotConfig>({
  spec: {
    id: ROBOT_ENV,
    version: 2,
    changes: [
      {
        version: 2,
        what: 'A servo without a control range takes places within the range of its joint; it took numbers within its force range, or -1 to 1.',
        before: { controlRange: 'any' },
        rerun: false,
      },
    ],
    title: 'Your own robot (MuJoCo)',
    summary: 'Bring a robot as MJCF, choose what it is paid for, and train it.',
    source: GYMNASIUM,
    config,
    presets: [{ id: 'standard', title: 'walk ahead', config: {} }],
    recommended: { algo: 'ppo', preset: 'continuous', steps: 1_000_000 },
    before: 'stance',
    meta: metaOf,
  },
  prepare: prepareMujoco,
  policies: { stance: () => stance },
  create(c, batch, options) {
    const facts = factsOf(c);
    const { motors, qpos, geoms, bounds, na } = facts;
    const substeps = substepsOf(c, facts);
    const robot = robotOf(c);
    const meta = metaOf(c);
    const goal = reachingSite(facts, c) >= 0 ? [c.reachPoint] : [];
    return createPlay<RobotConfig>(
      {
        substeps,
        terms: TERMS,
        reads: ['xpos', 'xmat', 'site_xpos'],
        rules: (now) => robotRules(facts, now, substeps * facts.timestep),
        drawn: { geoms, lift: 0 },
        write: frameWriter(geoms, MOST_CONTACTS, bounds[5] - bounds[2], 0, goal),
        control(action, i) {
          const { low, rest, high } = motors[i]!;
          const cut = Math.min(1, Math.max(-1, action));
          return rest + cut * (cut < 0 ? rest - low : high - rest);
        },
        act: na,
        breaks: true,
        start(now, at, speeds, draw) {
          for (let i = 0; i < at.length; i++) at[i] = qpos[i]! + now.resetNoiseScale * draw.spread();
          for (let i = 0; i < speeds.length; i++) speeds[i] = now.resetNoiseScale * draw.spread();
        },
      },
      c,
      meta,
      batch,
      (now) => robotSim(robot, now.floor, tuningOf(now, GRAVITY)),
      options?.draws,
    );
  },
});
