/** Makes an environment of a body in a maze with a goal: what point and ant, Gymnasium-Robotics and OGBench have in common. */
import type { z } from 'zod';
import type { HumanAxis, Preset, ReferenceReturn, Source } from '#contract/catalog/catalog.ts';
import type { BodyPart } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../../../api/define.ts';
import { soloMeta } from '../../../api/meta.ts';
import { offerOf } from '../../../api/offer.ts';
import { defineState } from '../../../api/state.ts';
import type { EnvDef, EnvEntry, EnvMeta, NewCheck, Offer, ScriptedPolicy, StateSpec } from '../../../api/types.ts';
import type { Maze } from '../../../lib/maze/maps.ts';
import { type Places, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import { prepareMujoco, type Sim, simOf } from '../engine.ts';
import { frameWriter, layoutOf, MOST_CONTACTS } from '../frame.ts';
import { type Body, coordinatesOf, toMjcf } from '../mjcf.ts';
import { completed, createPlay, type PlayDef } from '../play.ts';
import type { Draw } from '../task.ts';
import { mazeDrawsOf, mazeFacts } from './facts.ts';
import { bodyGeoms, mazeLayout } from './model.ts';
import { type Doors, goalPlaces, keptOfGolden, type MazeObservation, type MazeTask, mazeRules, observedOf, settled } from './rules.ts';

/** A maze with these settings, before anything is compiled. */
export interface Setting {
  readonly maze: Maze;
  readonly places: Places;
  readonly body: Body;
  /** Half the height of the walls, m. */
  readonly half: number;
  readonly task: MazeTask;
  readonly maxSteps: number;
  /** The reward is a function of place and goal alone, and no episode ends at the goal. */
  readonly exchangeable: boolean;
  readonly doors: Doors | null;
  /** Draws the goal into floats[goal], floats[goal + 1], and where the body starts, over the model's own positions and speeds. */
  start(qpos: Float64Array, qvel: Float64Array, draw: Draw, floats: Float64Array, goal: number): void;
}

export interface MazeDef<C extends object> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly checkNew?: NewCheck;
  readonly presets: readonly Preset[];
  readonly agent: string;
  readonly observation: MazeObservation;
  /** Distance within which a goal counts as reached, m: its disc in the picture. */
  readonly near: number;
  /** The body is small in its maze: it and its goal get a disc and a pole. */
  readonly marked: boolean;
  /** Metres by which the body is drawn higher, where its floor is not at 0. */
  readonly lift?: number;
  readonly actions: readonly string[];
  readonly axes?: readonly HumanAxis[];
  readonly substeps: number;
  readonly fps: number;
  readonly control?: PlayDef<object>['control'];
  readonly begin?: PlayDef<object>['begin'];
  setting(c: C): Setting;
  readonly policies: { readonly [name: string]: (setting: Setting) => ScriptedPolicy };
  references(c: C): readonly ReferenceReturn[];
  readonly checks: { readonly [check: string]: (config: C, inputs: JsonObject) => Json };
  goldenConfig?(config: JsonObject): JsonObject;
}

const PLAIN = { gravity: null, friction: 1, mass: 1, strength: 1, wind: 0 } as const;
const TERMS = [{ id: 'goal', title: 'goal', weights: [] }] as const;

function stateOf(body: Body, kept: number): StateSpec {
  const { positions, speeds } = coordinatesOf(body);
  return defineState(1, [
    { name: 'qpos', type: 'f64', shape: [positions.length], unit: 'm, rad', doc: 'positions, as MuJoCo’s qpos' },
    { name: 'qvel', type: 'f64', shape: [speeds.length], unit: 'm/s, rad/s', doc: 'speeds, as MuJoCo’s qvel' },
    { name: 'warmstart', type: 'f64', shape: [speeds.length], doc: 'accelerations that the solver of contacts starts from' },
    { name: 'ctrl', type: 'f64', shape: [body.motors.length], doc: 'controls of the last step' },
    {
      name: 'kept',
      type: 'f64',
      shape: [kept],
      doc: 'the observed goal and place (x, y each), whether the goal was reached in this episode and in this step, then observed forces',
    },
    { name: 'fixed', type: 'f64', shape: [2], unit: 'm', doc: 'the goal that the next step is judged by' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

const POLE = { radius: 0.09, height: 3.4 }; // m
const DISC = 1.6; // m, under a body that is small in its maze

function partsOf(
  body: Body,
  near: number,
  marked: boolean,
  bounds: readonly [number, number, number, number, number, number],
): readonly BodyPart[] {
  const own = layoutOf(body, { bounds }).parts;
  const disc = (name: string, radius: number, colour: BodyPart['colour']): BodyPart => ({
    ...{ name, shape: 'cylinder', size: [radius, 0.04 * radius], colour, plain: true },
  });
  if (!marked) return [...own.map((part): BodyPart => ({ ...part, tag: { text: '' } })), disc('goal', near, 'goal')];
  return [
    ...own.map((part): BodyPart => (part.colour === 0 ? { ...part, colour: 'structure' } : part)),
    disc('goal', near, 'goal'),
    { name: 'pole', shape: 'cylinder', size: [POLE.radius, POLE.height], colour: 'goal', plain: true },
    disc('place', DISC, 0),
  ];
}

export function defineMaze<C extends object>(def: MazeDef<C>): EnvEntry {
  const { marked, lift = 0, observation: what } = def;
  const [first] = Object.keys(def.policies);
  const made = new Map<string, Setting>();
  const settingOf = (c: C): Setting => {
    const key = JSON.stringify(c);
    const known = made.get(key) ?? def.setting(c);
    if (made.size > 50) made.clear();
    made.set(key, known);
    return known;
  };
  const rulesOf = ({ body, task }: Setting) => mazeRules(body, what, task, bodyGeoms(body).length, marked);
  const simFor = ({ body }: Setting): Sim => simOf(toMjcf(body), PLAIN);
  const meta = (c: C): EnvMeta => {
    const setting = settingOf(c);
    const { maze, places, half, body, maxSteps, doors } = setting;
    const { labels, kept } = rulesOf(setting);
    const marksOf = (way: 'in' | 'out') => (doors?.[way] ?? []).map((cell) => [cell, way] as const);
    const bare = mazeLayout(maze, places, half, [], [...marksOf('in'), ...marksOf('out')]);
    return {
      ...soloMeta({
        id: def.id,
        agent: def.agent,
        obs: { kind: 'box', shape: [labels.length], low: null, high: null, labels },
        action: {
          kind: 'box',
          size: def.actions.length,
          low: def.actions.map(() => -1),
          high: def.actions.map(() => 1),
          labels: def.actions,
        },
        gamma: 0.99,
        maxSteps,
        evalMaxSteps: maxSteps,
        state: stateOf(body, kept),
        terms: TERMS,
        frame: { ...bare, parts: partsOf(body, def.near, marked, bare.bounds) },
        references: def.references(c),
        keys: [],
        ...(def.axes && { axes: def.axes }),
        idleAction: null,
        fps: def.fps,
      }),
      ...(setting.exchangeable && { goals: goalPlaces(body, what) }),
      measures: [{ id: 'success', title: 'success', description: 'Share of the last 100 episodes in which the goal was reached.' }],
    };
  };
  const create: EnvDef<C>['create'] = (c, batch, options) => {
    const setting = settingOf(c);
    const { body, half, task, maxSteps } = setting;
    const geoms = bodyGeoms(body);
    const marks = marked
      ? [
          [0, 0, 0.02],
          [0, 0, POLE.height / 2],
          [0, 0, 0.03],
        ]
      : [[0, 0, 0.01]];
    // no setting of a maze may change while it runs
    const { configure: _, ...env } = createPlay<{ readonly maxSteps: number }>(
      {
        substeps: def.substeps,
        terms: TERMS,
        ...(what.forces && { reads: ['cfrc_ext'], contactForces: true }),
        rules: () => rulesOf(setting),
        drawn: { geoms, lift },
        write: frameWriter(geoms, MOST_CONTACTS, 2 * half, lift, marks),
        ...(def.control && { control: def.control }),
        ...(def.begin && { begin: def.begin }),
        settle: settled(task),
        fixed: true,
        start: (_, qpos, qvel, draw, floats, at) => setting.start(qpos, qvel, draw, floats, at),
      },
      { maxSteps },
      meta(c),
      batch,
      () => simFor(setting),
      options?.draws,
    );
    return env;
  };
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: def.source,
      config: def.config,
      presets: def.presets,
      ...(def.checkNew && { checkNew: def.checkNew }),
      ...offerOf({ ...(first !== undefined && { before: first }), ...def }),
      meta,
    },
    prepare: prepareMujoco,
    policies: Object.fromEntries(Object.entries(def.policies).map(([name, policy]) => [name, (c: C) => policy(settingOf(c))])),
    create,
    checks: { ...def.checks, 'maze-model': (c) => mazeFacts(simFor(settingOf(c))) },
    golden: {
      ...(def.goldenConfig && { config: def.goldenConfig }),
      draws: mazeDrawsOf,
      observed: (c) => observedOf(settingOf(c).body, what).length,
      fromJson(json, c) {
        const setting = settingOf(c);
        const { goal, ...rest } = json;
        if (!Array.isArray(goal) || goal.length !== 2 || goal.some((x) => typeof x !== 'number'))
          throw fail('state-invalid', '"goal" is not a list of 2 numbers.', 'Give its x and its y.', 'goal');
        const wanted = goal.map(Number);
        const rules = rulesOf(setting);
        const state = completed({ ...(what.forces && { reads: ['cfrc_ext'] }) }, rules, simFor(setting), rest);
        const kept = 'kept' in rest ? (state.kept as number[]) : keptOfGolden(state.kept as number[], wanted);
        return stateOf(setting.body, rules.kept).fromJSON({ ...state, kept, fixed: wanted });
      },
      toJson(bytes, c) {
        const setting = settingOf(c);
        const { fixed, ...json } = stateOf(setting.body, rulesOf(setting).kept).toJSON(bytes);
        return { ...json, goal: fixed as Json };
      },
    },
  });
}

/** x and y of the middle of a cell with noise from draws in -1..1, in sides of a cell times `spread`. */
export function about(places: Places, cell: number, spread: number, draw: Draw, out: Float64Array, at: number): void {
  out[at] = xOfCell(places, cell) + spread * draw.spread();
  out[at + 1] = yOfCell(places, cell) + spread * draw.spread();
}

/** How a person pushes a point: along x and y. */
export const PUSHES: readonly HumanAxis[] = [
  { name: 'left and right', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' },
  { name: 'down and up', component: 1, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
];
