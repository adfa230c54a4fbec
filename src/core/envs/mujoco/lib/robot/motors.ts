/**
 * Which controls an actuator takes: what the actions -1, 0 and 1 mean. A range that the model names counts. Where it names none, only a bound of
 * the same quantity stands in: the range of the joint or tendon where the control is a place (what MuJoCo's `inheritrange="1"` does), the bound of
 * the force where the control is a force. Where nothing bounds the quantity, -1 to 1 is taken, and `lacks` says so.
 */
import type { MjModel } from '../bindings.ts';

export interface Motor {
  readonly name: string;
  /** Control at the actions -1, 0 and 1. */
  readonly low: number;
  readonly rest: number;
  readonly high: number;
  /** What its control is, where nothing in the model says how far it goes. */
  readonly lacks?: string;
}

/** `quantity`: as above. `any`: as version 1 of the environment had it, where a bound of the force stood in for one of every quantity. */
export type ControlRanges = 'quantity' | 'any';

/** mjtJoint, mjtTrn, mjtDyn, mjtGain, mjtBias */
const [SLIDE, HINGE] = [2, 3];
const [JOINT, JOINT_IN_PARENT, TENDON] = [0, 1, 3];
const [NO_STATE, INTEGRATOR, FILTER, FILTER_EXACT, MUSCLE] = [0, 1, 2, 3, 4];
const FIXED = 0;
const [NO_BIAS, AFFINE] = [0, 1];
/** Numbers of an actuator in its arrays. */
const GEARS = 6;
const PARAMETERS = 10;

type Ends = readonly [low: number, high: number];
type Found = { readonly ends: Ends } | { readonly lacks: string };

export function motorsOf(model: MjModel, ranges: ControlRanges, name: (i: number) => string): readonly Motor[] {
  return Array.from({ length: model.nu }, (_, i) => {
    const access = model.actuator(i);
    const { ctrllimited, forcelimited } = access;
    access.delete();
    const own = ctrllimited === true ? pair(model.actuator_ctrlrange, i) : null;
    const forces = forcelimited === true ? pair(model.actuator_forcerange, i) : null;
    const found: Found = own !== null ? { ends: own } : ranges === 'any' ? { ends: forces ?? [-1, 1] } : ofQuantity(model, i, forces);
    const [low, high] = 'ends' in found ? found.ends : [-1, 1];
    const wanted = model.nkey > 0 ? model.key_ctrl[i]! : 0;
    return { name: name(i), low, rest: Math.min(high, Math.max(low, wanted)), high, ...('lacks' in found && { lacks: found.lacks }) };
  });
}

const pair = (ends: Float64Array, i: number): Ends => [ends[2 * i]!, ends[2 * i + 1]!];
/** Both ends times a factor that may turn them round. */
const scaled = ([low, high]: Ends, by: number): Ends => (by < 0 ? [high * by, low * by] : [low * by, high * by]);
const tighter = (a: Ends | null, b: Ends | null): Ends | null =>
  a === null || b === null ? (a ?? b) : [Math.max(a[0], b[0]), Math.min(a[1], b[1])];

/** force = gain * control + bias[0] + bias[1] * length + bias[2] * speed, of the actuator's length and speed. `forces`: its own bound. */
function ofQuantity(model: MjModel, i: number, forces: Ends | null): Found {
  const [dynamics, gains, biases] = [model.actuator_dyntype[i], model.actuator_gaintype[i], model.actuator_biastype[i]];
  if (dynamics === MUSCLE) return { ends: [0, 1] }; // an activation
  const state = dynamics === NO_STATE || dynamics === FILTER || dynamics === FILTER_EXACT; // a filter keeps the quantity
  const gain = model.actuator_gainprm[i * PARAMETERS]!;
  const [perLength, perSpeed] = [model.actuator_biasprm[i * PARAMETERS + 1]!, model.actuator_biasprm[i * PARAMETERS + 2]!];
  if (gains !== FIXED || gain === 0) return { lacks: 'a number of a law of its own' };
  if (biases === NO_BIAS && state) {
    const bound = tighter(forces, atJoint(model, i));
    return bound === null ? { lacks: 'a force' } : { ends: scaled(bound, 1 / gain) };
  }
  if (biases !== AFFINE) return { lacks: 'a number of a law of its own' };
  if (dynamics === INTEGRATOR) return { lacks: 'a speed of the place that it holds' };
  if (!state) return { lacks: 'a number of a law of its own' };
  if (perLength < 0) {
    const places = placesOf(model, i);
    return places === null ? { lacks: 'a place' } : { ends: scaled(places, -perLength / gain) };
  }
  return { lacks: perSpeed < 0 ? 'a speed' : 'a number of a law of its own' };
}

/** Bound of the force on the joint that an actuator drives, as a bound of its own force. */
function atJoint(model: MjModel, i: number): Ends | null {
  const joint = jointOf(model, i);
  const gear = model.actuator_gear[i * GEARS]!;
  if (joint === null || gear === 0) return null;
  const ends = pair(model.jnt_actfrcrange, joint);
  return ends[0] < ends[1] ? scaled(ends, 1 / gear) : null;
}

/** Lengths that the actuator can have: of its joint or tendon, times the gear. A hinge without limits has one turn. null: nothing says. */
function placesOf(model: MjModel, i: number): Ends | null {
  const gear = model.actuator_gear[i * GEARS]!;
  if (model.actuator_trntype[i] === TENDON) {
    const ends = pair(model.tendon_range, Math.trunc(model.actuator_trnid[2 * i]!));
    return ends[0] < ends[1] ? scaled(ends, gear) : null;
  }
  const joint = jointOf(model, i);
  if (joint === null) return null;
  const access = model.jnt(joint);
  const { limited } = access;
  access.delete();
  if (limited === true) return scaled(pair(model.jnt_range, joint), gear);
  return model.jnt_type[joint] === HINGE ? scaled([-Math.PI, Math.PI], gear) : null;
}

/** The slide or hinge that an actuator drives; null: it drives none. */
function jointOf(model: MjModel, i: number): number | null {
  const kind = model.actuator_trntype[i];
  if (kind !== JOINT && kind !== JOINT_IN_PARENT) return null;
  const joint = Math.trunc(model.actuator_trnid[2 * i]!);
  const type = model.jnt_type[joint];
  return type === SLIDE || type === HINGE ? joint : null;
}
