/** What golden cases compare of a model and of its starts. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { sqrt } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { Draws } from '../../api/draws.ts';
import type { MjModel, NamedAccess } from './bindings.ts';
import type { Sim } from './engine.ts';
import type { Draw } from './task.ts';

type Numbers = ArrayLike<number>;

/** Rows of `width` numbers; plain numbers for a width of 1. */
function rows(values: Numbers, width = 1): Json {
  const list = Array.from(values);
  return width === 1 ? list : Array.from({ length: list.length / width }, (_, i) => list.slice(i * width, (i + 1) * width));
}

/** Flags, which the bindings give one by one only. */
function flags(count: number, of: (i: number) => NamedAccess, field: 'limited' | 'ctrllimited' | 'forcelimited'): Json {
  return Array.from({ length: count }, (_, i) => {
    const one = of(i);
    const value = Number(one[field]);
    one.delete();
    return value;
  });
}

/** Object kinds of MuJoCo's mjtObj. */
const KIND = { body: 1, joint: 3, tendon: 18 } as const;

/** The golden files were recorded through bindings that read an object without a name from the beginning of the memory, where this stands. */
const NAMELESS = 'emsc';

/** The compiled model as the golden files list it. */
export function modelFacts(sim: Sim): JsonObject {
  const { model: m } = sim;
  const names = (kind: keyof typeof KIND, count: number): Json =>
    Array.from({ length: count }, (_, i) => sim.nameOf(KIND[kind], i) || NAMELESS);
  const { option, meanInertia } = optionFacts(m);
  return {
    sizes: Object.fromEntries(
      (['nq', 'nv', 'nu', 'na', 'nbody', 'njnt', 'ngeom', 'nsite', 'ntendon', 'nexclude', 'npair', 'neq', 'nsensor'] as const).map(
        (key) => [key, m[key]],
      ),
    ),
    option,
    qpos0: rows(m.qpos0),
    qposSpring: rows(m.qpos_spring),
    body: {
      name: names('body', m.nbody),
      parent: rows(m.body_parentid),
      pos: rows(m.body_pos, 3),
      quat: rows(m.body_quat, 4),
      ipos: rows(m.body_ipos, 3),
      iquat: rows(m.body_iquat, 4),
      mass: rows(m.body_mass),
      inertia: rows(m.body_inertia, 3),
      invweight0: rows(m.body_invweight0, 2),
    },
    joint: {
      name: names('joint', m.njnt),
      type: rows(m.jnt_type),
      body: rows(m.jnt_bodyid),
      qposadr: rows(m.jnt_qposadr),
      pos: rows(m.jnt_pos, 3),
      axis: rows(m.jnt_axis, 3),
      limited: flags(m.njnt, (i) => m.jnt(i), 'limited'),
      range: rows(m.jnt_range, 2),
      stiffness: rows(m.jnt_stiffness),
      margin: rows(m.jnt_margin),
      solref: rows(m.jnt_solref, 2),
      solimp: rows(m.jnt_solimp, 5),
    },
    dof: {
      damping: rows(m.dof_damping),
      armature: rows(m.dof_armature),
      frictionloss: rows(m.dof_frictionloss),
      invweight0: rows(m.dof_invweight0),
    },
    geom: geomFacts(m),
    actuator: actuatorFacts(m),
    site: { body: rows(m.site_bodyid), pos: rows(m.site_pos, 3) },
    tendon: {
      name: names('tendon', m.ntendon),
      num: rows(m.tendon_num),
      limited: Array.from({ length: m.ntendon }, () => null),
      range: rows(m.tendon_range, 2),
      stiffness: rows(m.tendon_stiffness),
      damping: rows(m.tendon_damping),
      wrapObj: rows(m.wrap_objid),
      wrapCoef: rows(m.wrap_prm),
    },
    meanInertia,
    totalMass: Array.from(m.body_mass).reduce((a, b) => a + b, 0),
  };
}

function optionFacts(m: MjModel): { readonly option: JsonObject; readonly meanInertia: number } {
  const { opt, stat } = m;
  const { timestep, integrator, solver, iterations, tolerance, ls_iterations, cone, jacobian, impratio } = opt;
  const { gravity, density, viscosity, wind, disableflags, enableflags } = opt;
  const option = {
    timestep,
    integrator,
    solver,
    iterations,
    tolerance,
    lsIterations: ls_iterations,
    cone,
    jacobian,
    impratio,
    gravity: rows(gravity),
    density,
    viscosity,
    wind: rows(wind),
    disableflags,
    enableflags,
  };
  const { meaninertia } = stat;
  opt.delete();
  stat.delete();
  return { option, meanInertia: meaninertia };
}

function geomFacts(m: MjModel): JsonObject {
  return {
    type: rows(m.geom_type),
    body: rows(m.geom_bodyid),
    pos: rows(m.geom_pos, 3),
    quat: rows(m.geom_quat, 4),
    size: rows(m.geom_size, 3),
    contype: rows(m.geom_contype),
    conaffinity: rows(m.geom_conaffinity),
    condim: rows(m.geom_condim),
    friction: rows(m.geom_friction, 3),
    solref: rows(m.geom_solref, 2),
    solimp: rows(m.geom_solimp, 5),
    margin: rows(m.geom_margin),
    gap: rows(m.geom_gap),
    solmix: rows(m.geom_solmix),
    priority: rows(m.geom_priority),
  };
}

/** Numbers per actuator in MuJoCo's arrays. */
const GEAR = 6;
const GAIN = 10;

function actuatorFacts(m: MjModel): JsonObject {
  const firstOf = (values: Numbers, width: number): Json => Array.from({ length: m.nu }, (_, i) => values[i * width]!);
  return {
    joint: firstOf(m.actuator_trnid, 2),
    gear: firstOf(m.actuator_gear, GEAR),
    ctrllimited: flags(m.nu, (i) => m.actuator(i), 'ctrllimited'),
    ctrlrange: rows(m.actuator_ctrlrange, 2),
    forcelimited: flags(m.nu, (i) => m.actuator(i), 'forcelimited'),
    gaintype: rows(m.actuator_gaintype),
    biastype: rows(m.actuator_biastype),
    gain: firstOf(m.actuator_gainprm, GAIN),
  };
}

/** Draws many starts and tells how they are spread: golden inputs { samples, bounds, norm }, tolerances of six standard errors. */
export function startFacts(sim: Sim, inputs: JsonObject, start: (qpos: Float64Array, qvel: Float64Array, draw: Draw) => void): JsonObject {
  const samples = Number(inputs.samples);
  const draws = new Draws([Rng.from(1)], undefined);
  const draw: Draw = {
    spread: () => 2 * draws.uniform(0, 'start') - 1,
    normal: () => draws.normal(0, 'start'),
    uniform: (name) => draws.uniform(0, name),
    index: (n, name) => draws.int(0, n, name),
  };
  const zero = Float64Array.from(sim.model.qpos0);
  const positions: Float64Array[] = [];
  const speeds: Float64Array[] = [];
  let outside = 0;
  for (let i = 0; i < samples; i++) {
    const qpos = zero.slice();
    const qvel = new Float64Array(sim.model.nv);
    start(qpos, qvel, draw);
    outside += beyond(qpos, inputs.qposLow, inputs.qposHigh) + beyond(qvel, inputs.qvelLow, inputs.qvelHigh) + wrongNorm(qpos, inputs.norm);
    positions.push(qpos);
    speeds.push(qvel);
  }
  const column = (list: readonly Float64Array[], i: number): number[] => list.map((row) => row[i]!);
  const each = (list: readonly Float64Array[], of: (values: number[]) => number): number[] =>
    Array.from(list[0] ?? [], (_, i) => of(column(list, i)));
  return {
    outside,
    qposMean: each(positions, mean),
    qposStd: each(positions, deviation),
    qvelMean: each(speeds, mean),
    qvelStd: each(speeds, deviation),
    qvelKurtosis: kurtosis(speeds),
  };
}

function beyond(values: Float64Array, low: Json | undefined, high: Json | undefined): number {
  const bound = (list: Json | undefined, i: number, none: number): number => (Array.isArray(list) ? Number(list[i]) : none);
  return values.reduce((count, x, i) => count + (x < bound(low, i, -Infinity) || x > bound(high, i, Infinity) ? 1 : 0), 0);
}

function wrongNorm(qpos: Float64Array, rule: Json | undefined): number {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return 0;
  const { of, below, above } = rule as { readonly of: readonly number[]; readonly below?: number; readonly above?: number };
  const norm = sqrt(of.reduce((sum, i) => sum + qpos[i]! ** 2, 0));
  return (below !== undefined && norm >= below) || (above !== undefined && norm <= above) ? 1 : 0;
}

/** Mean fourth power of the standardised speeds, of all that vary. */
function kurtosis(speeds: readonly Float64Array[]): number {
  const width = speeds[0]?.length ?? 0;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < width; i++) {
    const values = speeds.map((row) => row[i]!);
    const spread = deviation(values);
    if (spread === 0) continue;
    const middle = mean(values);
    for (const x of values) sum += ((x - middle) / spread) ** 4;
    count += values.length;
  }
  return sum / count;
}

/** Of the population. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return sqrt(values.reduce((sum, x) => sum + (x - middle) ** 2, 0) / values.length);
}
