/**
 * A robot among hazards: reach goals, press buttons or push a box, and keep what it costs within a limit. Safety{Point,Car}{Goal,Button,Push}{0,1,2}-v0.
 * Obs [accelerometer, velocimeter, gyro, magnetometer, 3 numbers each in the body's axes; car: angular velocity 3 and rotation 9 of its rear ball; a
 * pseudo-lidar of 16 bins for each kind of object]. Action: point: push and turn, car: left and right wheel, -1..1. Reward: metres gained, 1 at a goal;
 * cost 1 for a step in a hazard or, by task and level, at a vase, pillar, gremlin or wrong button. A goal that is reached is followed by a new one.
 * Never ends (but where no goal fits); truncates at `maxSteps`. Usual limit: 25 for an episode of 1000 steps.
 * Source: PKU-Alignment/safety-gymnasium 1.2.0, commit ae966e51. 10 steps of MuJoCo for each of the environment, 0.02 s (car 0.04 s).
 */
import { z } from 'zod';
import type { HumanAxis, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { BodyPart } from '#contract/game/frames.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { EPISODE_COST } from '../api/measured.ts';
import { soloMeta } from '../api/meta.ts';
import type { EnvMeta, ScriptedPolicy } from '../api/types.ts';
import { BINS, observationOf, type SafetyWorld, safetyWorld } from '../lib/safety/world.ts';
import { prepareMujoco, simOf } from './lib/engine.ts';
import { safetyChecks, safetyDraws, safetyFromJson, safetyToJson } from './lib/safety/checks.ts';
import { type SafetyModel, SUBSTEPS, safetyModel, TIMESTEP } from './lib/safety/model.ts';
import { createSafety, RING, safetyState } from './lib/safety/play.ts';
import { seeker } from './lib/safety/seeker.ts';

const SOURCE = 'Safety-Gymnasium';

const config = z.strictObject({
  agent: z.enum(['point', 'car']).default('point').meta({
    title: 'robot',
    description: 'The point is pushed ahead and turned; the car has two driven wheels and a free ball behind.',
    source: SOURCE,
  }),
  task: z.enum(['goal', 'button', 'push']).default('goal').meta({
    title: 'task',
    description: 'Go to a goal, touch the button that is lit, or push a box to a goal; then the next one follows.',
    source: SOURCE,
    depth: 'teach',
  }),
  level: z.int().min(0).max(2).default(1).meta({
    title: 'level',
    description: '0: nothing costs; 1: some things do; 2: more of them in a larger area.',
    source: SOURCE,
    depth: 'teach',
  }),
  maxSteps: maxStepsField(1000, SOURCE),
});
type Config = z.infer<typeof config>;

const made = new Map<string, { readonly world: SafetyWorld; readonly model: SafetyModel }>();
function worldOf({ agent, task, level }: Config) {
  const key = `${agent} ${task} ${level}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const world = safetyWorld({ agent, task, level });
  const fresh = { world, model: safetyModel(world) };
  made.set(key, fresh);
  return fresh;
}

const TABLE = 'OmniSafe, on-policy table 2, ten million steps';
const scores = (free: number, cost: number, limited: number, within: number): readonly ReferenceReturn[] => [
  { name: 'published PPO', value: free, source: `${TABLE}; cost ${cost}` },
  { name: 'published PPO-Lag', value: limited, source: `${TABLE}; cost ${within}, limit 25` },
];
/** By robot, task, level and step limit. */
const PUBLISHED: { readonly [world: string]: readonly ReferenceReturn[] } = {
  'point goal 1 1000': scores(25.44, 55.7, 12.96, 25.8),
  'point goal 2 1000': scores(25.49, 159.3, 1.98, 41.2),
  'point button 1 1000': scores(27.03, 152.5, 4.6, 20.8),
  'point button 2 1000': scores(25.91, 166.6, 0.93, 33.7),
  'car goal 1 1000': scores(33.41, 58.1, 13.27, 21.7),
  'car goal 2 1000': scores(29.88, 194.2, 1.58, 13.8),
};

const AXES: readonly HumanAxis[] = [
  { name: 'back and ahead', component: 0, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
  { name: 'right and left', component: 1, less: ['ArrowRight', 'd'], more: ['ArrowLeft', 'a'], low: -1, high: 1, rest: 0, stick: 'leftX' },
];

const KINDS = {
  goal: 'goal',
  hazards: 'hazard',
  buttons: 'structure',
  pillars: 'structure',
  vases: 3,
  push_box: 'accent',
  gremlins: 4,
} as const;

function partsOf({ groups }: SafetyWorld, { parts }: SafetyModel): readonly BodyPart[] {
  const plain = { plain: true } as const;
  const disc = (name: string, radius: number, colour: BodyPart['colour'], height: number): BodyPart => ({
    ...{ name, shape: 'cylinder', size: [radius, height], colour, ...plain },
  });
  const goal = groups.find(({ kind }) => kind === 'goal');
  const hazards = groups.find(({ kind }) => kind === 'hazards');
  return [
    ...parts,
    disc('goal', goal?.size ?? 0, 'goal', 0.024),
    ...Array.from({ length: hazards?.count ?? 0 }, () => disc('hazard', hazards?.size ?? 0, 'hazard', 0.016)),
    ...groups.flatMap(({ kind }) =>
      Array.from(
        { length: BINS },
        (): BodyPart => ({ name: `lidar of ${kind}`, shape: 'sphere', size: [RING.ball], colour: KINDS[kind], ...plain }),
      ),
    ),
  ];
}

const LETTERS = ['x', 'y', 'z'];
function labelsOf(world: SafetyWorld): readonly string[] {
  return observationOf(world).flatMap(([name, length]) => {
    const words = name.replaceAll('_', ' ');
    return Array.from({ length }, (_, i) => `${words} ${length === 3 ? LETTERS[i] : i + 1}`);
  });
}

function meta(c: Config): EnvMeta {
  const { world, model } = worldOf(c);
  const labels = labelsOf(world);
  const { half } = world;
  return {
    ...soloMeta({
      id: 'safety-navigation',
      agent: c.agent,
      obs: { kind: 'box', shape: [labels.length], low: null, high: null, labels },
      action: {
        kind: 'box',
        size: 2,
        low: [-1, -1],
        high: [1, 1],
        labels: c.agent === 'point' ? ['push', 'turn'] : ['left wheel', 'right wheel'],
      },
      gamma: 0.99,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: safetyState(world, model),
      frame: {
        kind: 'bodies',
        up: 'z',
        parts: partsOf(world, model),
        fixtures: [{ kind: 'floor', opaque: true }],
        extra: [c.task === 'push' ? 'box to the goal (m)' : 'to the goal (m)', 'cost'],
        seenFrom: 0,
        seenAbove: 1,
        bounds: [-half, -half, 0, half, half, 0.5],
      },
      references: PUBLISHED[`${c.agent} ${c.task} ${c.level} ${c.maxSteps}`] ?? [],
      keys: [],
      ...(c.agent === 'point' && { axes: AXES }),
      idleAction: null,
      fps: Math.round(1 / (SUBSTEPS * TIMESTEP[c.agent])),
    }),
    costs: ['cost'],
    measures: [
      EPISODE_COST,
      { id: 'goalsReached', title: 'goals reached', description: 'Goals reached in an episode; mean of the last 100 training episodes.' },
    ],
  };
}

const title = (agent: string, task: string, level: number) => `${agent} ${task} ${level}`;
const preset = (agent: Config['agent'], task: Config['task'], level: Config['level']) => ({
  id: `${agent}-${task}-${level}`,
  title: title(agent === 'point' ? 'Point' : 'Car', task, level),
  config: { ...(agent === 'car' && { agent }), ...(task !== 'goal' && { task }), ...(level !== 1 && { level }) },
});

export const safetyNavigation = defineEnv<Config>({
  spec: {
    id: 'safety-navigation',
    version: 1,
    title: 'Safety navigation (MuJoCo)',
    summary: 'Reach goals, press buttons or push a box among hazards that cost, within a limit.',
    source: {
      title: 'Safety-Gymnasium: A Unified Safe Reinforcement Learning Benchmark',
      authors: 'Ji et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2310.12567',
    },
    config,
    presets: [
      preset('point', 'goal', 1),
      preset('point', 'goal', 2),
      preset('point', 'button', 1),
      preset('point', 'button', 2),
      preset('point', 'push', 1),
      preset('point', 'push', 2),
      preset('car', 'goal', 1),
    ],
    recommended: { algo: 'ppo', preset: 'limited', steps: 400_000 },
    before: 'seeker',
    meta,
  },
  prepare: prepareMujoco,
  policies: { seeker: (c): ScriptedPolicy => seeker(worldOf(c).world) },
  create(c, batch, options) {
    const { world, model } = worldOf(c);
    const plain = { gravity: null, friction: 1, mass: 1, strength: 1, wind: 0 } as const;
    return createSafety(world, model, meta(c), c.maxSteps, batch, () => simOf(model.mjcf, plain), options?.draws);
  },
  checks: safetyChecks,
  golden: {
    draws: safetyDraws,
    fromJson(json, c) {
      const { world, model } = worldOf(c);
      return safetyState(world, model).fromJSON(safetyFromJson(json, world, model));
    },
    toJson(bytes, c) {
      const { world, model } = worldOf(c);
      return safetyToJson(safetyState(world, model).toJSON(bytes), world, model);
    },
  },
});
