/**
 * Makes an environment of a body and the rules of its task: spaces, state, golden conversions. The state of a row is all that MuJoCo's
 * next step depends on in these models (positions, speeds, the warm start of the solver, controls) and what the observation tells of the
 * last force evaluation, which lags behind the positions by a substep as in the reference and cannot be computed afresh.
 */
import type { Source } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { defineEnv } from '../../api/define.ts';
import { soloMeta } from '../../api/meta.ts';
import { offerOf } from '../../api/offer.ts';
import { defineState } from '../../api/state.ts';
import type { EnvEntry, EnvMeta, StateSpec } from '../../api/types.ts';
import { standard } from '../../lib/references.ts';
import { prepareMujoco, type Sim, simOf } from './engine.ts';
import { modelFacts, startFacts } from './facts.ts';
import { createFrame, drawnGeoms, layoutOf } from './frame.ts';
import { type Body, jointsOf, toMjcf } from './mjcf.ts';
import { completed, createPlay } from './play.ts';
import { tuningOf } from './settings.ts';
import type { BodyDef, SkippedConfig } from './task.ts';

export const GYMNASIUM: Source = {
  title: 'Gymnasium: a standard interface for reinforcement learning environments',
  authors: 'Towers et al.',
  year: 2024,
  url: 'https://arxiv.org/abs/2407.17032',
};

const publishedGravity = ({ gravity }: Body): number => -(gravity?.[2] ?? -9.81);

/** Positions and speeds that a joint has. */
const WIDTHS = { free: [7, 6], hinge: [1, 1], slide: [1, 1] } as const;

/** What is trained first: PPO as published for continuous control. */
const FIRST = { algo: 'ppo', preset: 'continuous', steps: 1_000_000 };

function sizesOf(body: Body): { readonly nq: number; readonly nv: number; readonly nu: number } {
  const joints = jointsOf(body);
  const sum = (which: 0 | 1) => joints.reduce((all, { type }) => all + WIDTHS[type][which], 0);
  return { nq: sum(0), nv: sum(1), nu: body.motors.length };
}

function stateOf(body: Body, kept: number): StateSpec {
  const { nq, nv, nu } = sizesOf(body);
  return defineState(1, [
    { name: 'qpos', type: 'f64', shape: [nq], unit: 'm, rad', doc: 'positions, as MuJoCo’s qpos' },
    { name: 'qvel', type: 'f64', shape: [nv], unit: 'm/s, rad/s', doc: 'speeds, as MuJoCo’s qvel' },
    { name: 'warmstart', type: 'f64', shape: [nv], doc: 'accelerations that the solver of contacts starts from' },
    { name: 'ctrl', type: 'f64', shape: [nu], doc: 'controls of the last step' },
    { name: 'kept', type: 'f64', shape: [kept], doc: 'numbers of the last force evaluation that the observation and the next reward use' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

/** The physics of a body alone. */
export interface BodyModel {
  /** As it is compiled. */
  readonly mjcf: string;
  /** Steps of the physics per step of the environment. */
  readonly substeps: number;
}

const models = new WeakMap<EnvEntry, BodyModel>();

/** The model of an environment made here. Throws LabError('internal') for another. @internal Benchmarks and tests reach the model. */
export function modelOf(entry: EnvEntry): BodyModel {
  const model = models.get(entry);
  if (model === undefined) throw fail('internal', `${entry.id} has no MuJoCo model.`, 'Use an environment of src/core/envs/mujoco.');
  return model;
}

export function defineBody<C extends SkippedConfig>(def: BodyDef<C>): EnvEntry {
  const { body } = def;
  const [first] = Object.keys(def.policies ?? {});
  const mjcf = toMjcf(body);
  const layout = layoutOf(body, def.look);
  const drawn = { geoms: drawnGeoms(body), lift: def.look.lift ?? 0 };
  const isStandard = standard(def.config);
  const gravity = publishedGravity(body);
  const specs = new Map<number, StateSpec>();
  const specOf = (kept: number): StateSpec => {
    const known = specs.get(kept) ?? stateOf(body, kept);
    specs.set(kept, known);
    return known;
  };
  const simFor = (c: C): Sim => simOf(mjcf, tuningOf(c, gravity));
  const meta = (c: C): EnvMeta => {
    const { labels, kept } = def.rules(c);
    const { strength } = body;
    return soloMeta({
      id: def.id,
      agent: 'body',
      obs: { kind: 'box', shape: [labels.length], low: null, high: null, labels },
      action: {
        kind: 'box',
        size: def.actions.length,
        low: def.actions.map(() => -strength),
        high: def.actions.map(() => strength),
        labels: def.actions,
      },
      gamma: 0.99,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: specOf(kept),
      terms: def.terms,
      frame: layout,
      references: isStandard(c) ? def.references : [],
      keys: [],
      idleAction: null,
      fps: Math.round(1 / (c.frameSkip * body.timestep)),
    });
  };
  const entry = defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: GYMNASIUM,
      config: def.config,
      presets: [{ id: 'standard', title: 'Gymnasium v5', config: {} }, ...(def.presets ?? [])],
      ...offerOf({ recommended: FIRST, ...(first !== undefined && { before: first }), ...def }),
      meta,
    },
    prepare: prepareMujoco,
    ...(def.policies && { policies: def.policies }),
    create: (c, batch, options) =>
      createPlay({ ...def, substeps: c.frameSkip, drawn, write: createFrame(body, def.look) }, c, meta(c), batch, simFor, options?.draws),
    checks: {
      'compiled-model': (c) => modelFacts(simFor(c)),
      'reset-distribution': (c, inputs) => startFacts(simFor(c), inputs, (qpos, qvel, draw) => def.start(c, qpos, qvel, draw)),
    },
    golden: {
      fromJson: (json, c) => {
        const rules = def.rules(c);
        return specOf(rules.kept).fromJSON(completed(def, rules, simFor(c), json));
      },
    },
  });
  models.set(entry, { mjcf, substeps: def.config.parse({}).frameSkip });
  return entry;
}
