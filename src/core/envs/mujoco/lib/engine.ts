/**
 * The only place that holds the MuJoCo module and its objects. The module is loaded once by `prepareMujoco`. A `Sim` is a compiled model
 * with one MjData to step in and one to look at; it has no state of its own between calls: environments keep the state of every row
 * (positions, speeds, warm start, controls) and write it in before a step. Sims are shared and few: those not used for longest are freed
 * and made again when they are wanted, so that memory stays flat over many models and copies.
 * The heap moves when it grows, and older views of it read as empty without an error: `views` gives fresh ones for one call, in which
 * nothing may be allocated.
 */

import type { Pull } from '#contract/game/frames.ts';
import { fail, isTrap, type LabError } from '#contract/kit/errors.ts';
import type { MjData, MjModel } from './bindings.ts';
import { type DataHandle, loadBindings, type MainModule, type ModelHandle, type NumberBuffer } from './load.ts';

let bindings: MainModule | null = null;
let loading: Promise<void> | null = null;

/** Loads the module once; a failed attempt may be repeated. Throws as loadBindings does. */
export function prepareMujoco(): Promise<void> {
  loading ??= loadBindings().then(
    (loaded) => {
      bindings = loaded;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/**
 * After a trap the module's memory is in any state, so that whatever is computed with it afterwards may be wrong: it is thrown away with all
 * that was made in it, and the next `prepareMujoco` loads another. Its objects are not freed, since that would run its code once more.
 */
function throwAway(): void {
  bindings = null;
  loading = null;
  for (const sim of sims.values()) sim.alive = false;
  sims.clear();
  prepareMujoco().catch(() => {}); // told to the next that waits for it
}

/** What a call of the module threw, in words where that was a trap. */
function broken(error: unknown): unknown {
  if (!isTrap(error)) return error;
  throwAway();
  return fail(
    'engine-unready',
    `MuJoCo broke down while it computed this model (${error.message}). It is loaded anew.`,
    'Begin again from the newest kept state; a shorter time step often helps.',
  );
}

function loaded(): MainModule {
  if (bindings === null)
    throw fail('engine-unready', 'MuJoCo is not loaded.', 'Wait for the environment’s prepare() before it is created.');
  return bindings;
}

/** What of a model may change while it runs; factors of 1 and no wind leave it as it was compiled. */
export interface Tuning {
  /** m/s² downwards; null: as compiled. */
  readonly gravity: number | null;
  readonly friction: number;
  readonly mass: number;
  readonly strength: number;
  /** m/s along x. */
  readonly wind: number;
}

/** Of air, where the model itself has no medium: kg/m³ and Pa s. */
const AIR = { density: 1.2, viscosity: 1.8e-5 };

function tune(engine: MainModule, handle: ModelHandle, tuning: Tuning): void {
  const model: MjModel = handle;
  const scale = (values: Float64Array, factor: number) => {
    for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
  };
  const { opt } = model;
  if (tuning.gravity !== null) opt.gravity[2] = -tuning.gravity;
  if (tuning.wind !== 0) {
    opt.wind[0] = tuning.wind;
    if (opt.density === 0) Object.assign(opt, AIR);
  }
  opt.delete();
  if (tuning.friction !== 1) scale(model.geom_friction, tuning.friction);
  if (tuning.strength !== 1) scale(model.actuator_gear, tuning.strength);
  if (tuning.mass === 1) return;
  scale(model.body_mass, tuning.mass);
  scale(model.body_inertia, tuning.mass);
  const data = new engine.MjData(handle);
  engine.mj_setConst(handle, data);
  data.delete();
}

/** Files that a model names, by their paths. */
export type ModelFiles = ReadonlyMap<string, Uint8Array>;
const NO_FILES: ModelFiles = new Map();

/** A model that ends MuJoCo's compiler has no line that it names; as good as always its bodies are nested too deep for the stack. */
function tooDeep(error: Error): LabError {
  throwAway();
  return fail(
    'file-invalid',
    `This model brought MuJoCo's compiler down (${error.message}), which was loaded anew.`,
    'Nest bodies at most 100 deep, and take away what was added last until it compiles.',
  );
}

/** Compiles a model. Throws LabError('file-invalid') with the compiler's message; the module stays usable unless the model broke it. */
function compile(engine: MainModule, mjcf: string, files: ModelFiles): ModelHandle {
  const folder = files.size === 0 ? null : new engine.MjVFS();
  let trapped = false;
  try {
    if (folder === null) return engine.MjModel.from_xml_string(mjcf);
    for (const [name, bytes] of files) folder.addBuffer(name, bytes);
    return engine.MjModel.from_xml_string(mjcf, folder);
  } catch (error) {
    trapped = isTrap(error);
    if (trapped) throw tooDeep(error as Error);
    const text = error instanceof Error ? error.message : String(error);
    const said = text
      .replace(/^MuJoCo Error: (Loading error: )?((XML )?Error: )?/, '')
      .trim()
      .replaceAll(/\s*\n\s*/g, '; ');
    throw fail('file-invalid', `MuJoCo cannot compile this model: ${said}`, 'Mend the line that it names.');
  } finally {
    if (!trapped) folder?.delete();
  }
}

/** What tasks read beside positions and speeds: values of the last force evaluation, and masses. */
export type Reading =
  | 'body_mass'
  | 'xpos'
  | 'xmat'
  | 'xipos'
  | 'site_xpos'
  | 'cinert'
  | 'cvel'
  | 'cfrc_ext'
  | 'ctrl'
  | 'qfrc_actuator'
  | 'qfrc_constraint';

type Vector = readonly [x: number, y: number, z: number];

/** A point that touches. */
export interface Contact {
  readonly at: Vector;
  /** N, on the second of the two bodies, which is never the ground. */
  readonly force: Vector;
}

/** MuJoCo's number for geoms among its kinds of objects. */
const GEOM = 5;
/** Of the spring that a person pulls with, critically damped, for the mass that the point seems to have: 1/s. */
const PULLS_AT = 10;

/** What is drawn of a state. */
export interface Look extends Pick<MjData, 'geom_xpos' | 'geom_xmat'> {
  readonly contacts: readonly Contact[];
  /** Of the whole model, kg. */
  readonly mass: number;
}

/** Where the parts of a state begin in an array. */
export type StateAt = { readonly [part in 'qpos' | 'qvel' | 'warmstart' | 'ctrl']: number } & {
  /** Of actuators that have a state. */
  readonly act?: number;
};

const triple = (view: ArrayLike<number>): Vector => [view[0]!, view[1]!, view[2]!];

const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A vector in axes that are the rows of `frame`, in those of the world; `columns`: that are its columns. */
function turned(frame: ArrayLike<number>, vector: ArrayLike<number>, columns = false): Vector {
  const [one, next] = columns ? [3, 1] : [1, 3];
  const along = (i: number): number =>
    frame[one * i]! * vector[0]! + frame[one * i + next]! * vector[1]! + frame[one * i + 2 * next]! * vector[2]!;
  return [along(0), along(1), along(2)];
}

export class Sim {
  readonly model: MjModel;
  readonly data: MjData;
  private readonly mass: number;
  /** False once it was freed: its user takes another. */
  alive = true;
  private readonly engine: MainModule;
  private readonly handles: { readonly model: ModelHandle; readonly data: DataHandle };
  private shown: DataHandle | null = null;
  private touch: NumberBuffer | null = null;

  constructor(engine: MainModule, mjcf: string, tuning: Tuning, files: ModelFiles) {
    this.engine = engine;
    const model = compile(engine, mjcf, files);
    const data = this.call(() => {
      tune(engine, model, tuning);
      return new engine.MjData(model);
    });
    this.handles = { model, data };
    this.model = model;
    this.data = data;
    this.mass = this.model.body_mass.reduce((sum, kg) => sum + kg, 0);
  }

  /** Runs code of the module; a trap in it throws LabError('engine-unready'). */
  private call<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw broken(error);
    }
  }

  /** The data as at the model's start, to be written and then completed by `forward`. */
  clear(): void {
    this.call(() => this.engine.mj_resetData(this.handles.model, this.handles.data));
  }

  forward(): void {
    this.call(() => this.engine.mj_forward(this.handles.model, this.handles.data));
  }

  step(count: number): void {
    const { engine } = this;
    const { model, data } = this.handles;
    this.call(() => {
      for (let i = 0; i < count; i++) engine.mj_step(model, data);
    });
  }

  /** The same with work before each step, which must allocate nothing. */
  stepEach(count: number, before: () => void): void {
    const { engine } = this;
    const { model, data } = this.handles;
    this.call(() => {
      for (let i = 0; i < count; i++) {
        before();
        engine.mj_step(model, data);
      }
    });
  }

  /** Numbers of the two shapes of everything that touches, as the last step or `forward` found it. */
  touches(visit: (one: number, other: number) => void): void {
    this.call(() => {
      const { contact } = this.handles.data;
      for (let i = 0; i < contact.size(); i++) {
        const one = contact.get(i);
        if (one === undefined) break;
        visit(one.geom1, one.geom2);
        one.delete();
      }
      contact.delete();
    });
  }

  /** The same while a person pulls at a shape: the force follows where its point is at each step, and is gone afterwards. */
  stepPulled(count: number, geom: number, pull: Pick<Pull, 'at' | 'to'>): void {
    this.call(() => this.pulled(count, geom, pull));
  }

  private pulled(count: number, geom: number, pull: Pick<Pull, 'at' | 'to'>): void {
    const { engine, model } = this;
    const { model: handle, data } = this.handles;
    const body = model.geom_bodyid[geom]!;
    const lightness = model.body_invweight0[2 * body]!; // 1/kg, 0 where it is fixed
    this.touch ??= new engine.DoubleBuffer(6);
    for (let i = 0; i < count; i++) {
      engine.mj_kinematics(handle, data);
      engine.mj_comPos(handle, data);
      engine.mj_comVel(handle, data);
      engine.mj_objectVelocity(handle, data, GEOM, geom, this.touch, 0);
      const { geom_xpos, geom_xmat, xipos, xfrc_applied } = this.data;
      const arm = turned(geom_xmat.subarray(9 * geom, 9 * geom + 9), pull.at, true);
      const middle = triple(geom_xpos.subarray(3 * geom));
      const spin = triple(this.touch.GetView());
      const speed = plus(triple(this.touch.GetView().subarray(3)), cross(spin, arm));
      const point = plus(middle, arm);
      const stiffness = lightness > 0 ? (PULLS_AT * PULLS_AT) / lightness : 0;
      const force = triple(point.map((x, k) => stiffness * (pull.to[k]! - x - (2 / PULLS_AT) * speed[k]!)));
      const lever = triple(point.map((x, k) => x - xipos[3 * body + k]!));
      xfrc_applied.set([...force, ...cross(lever, force)], 6 * body);
      engine.mj_step(handle, data);
    }
    this.data.xfrc_applied.fill(0, 6 * body, 6 * body + 6);
  }

  /** Fills cfrc_ext, which MuJoCo computes only when asked. */
  contactForces(): void {
    this.call(() => this.engine.mj_rnePostConstraint(this.handles.model, this.handles.data));
  }

  /** Where the shapes stand in this state, and what touches, without a touch of what is stepped. `from`: where each part of it begins. */
  look(state: Float64Array, from: StateAt): Look {
    return this.call(() => this.seen(state, from));
  }

  private seen(state: Float64Array, from: StateAt): Look {
    this.shown ??= new this.engine.MjData(this.handles.model);
    this.touch ??= new this.engine.DoubleBuffer(6);
    const { shown, touch, engine } = this;
    const data: MjData = shown;
    const put = (view: Float64Array, at: number): void => {
      for (let i = 0; i < view.length; i++) view[i] = state[at + i]!;
    };
    put(data.qpos, from.qpos);
    put(data.qvel, from.qvel);
    put(data.qacc_warmstart, from.warmstart);
    put(data.ctrl, from.ctrl);
    if (from.act !== undefined) put(data.act, from.act);
    engine.mj_forward(this.handles.model, shown);
    const { contact } = shown;
    const contacts: Contact[] = [];
    for (let i = 0; i < contact.size(); i++) {
      const one = contact.get(i);
      if (one === undefined) break;
      engine.mj_contactForce(this.handles.model, shown, i, touch);
      contacts.push({ at: triple(one.pos), force: turned(one.frame, touch.GetView()) });
      one.delete();
    }
    contact.delete();
    return { geom_xpos: data.geom_xpos, geom_xmat: data.geom_xmat, contacts, mass: this.mass };
  }

  /** What the model calls an object of one of MuJoCo's kinds; '': nothing. */
  nameOf(kind: number, index: number): string {
    const { engine } = this;
    const { model } = this.handles;
    // without a name the bindings read text from the beginning of the memory
    const name = engine.mj_id2name(model, kind, index);
    return engine.mj_name2id(model, kind, name) === index ? name : '';
  }

  free(): void {
    this.alive = false;
    this.shown?.delete();
    this.touch?.delete();
    this.data.delete();
    this.model.delete();
  }
}

/** Models compiled at a time in one worker: training, evaluation and what-if with other settings side by side. */
const MOST_SIMS = 8;
const sims = new Map<string, Sim>(); // the one not asked for longest first

/**
 * The sim of this model and tuning, compiled if it is not there. `files`: what the model names, with `filesKey` different for different ones.
 * Needs prepareMujoco. Throws LabError('file-invalid').
 */
export function simOf(mjcf: string, tuning: Tuning, files: ModelFiles = NO_FILES, filesKey = ''): Sim {
  const key = `${JSON.stringify(tuning)}${filesKey}${mjcf}`;
  const known = sims.get(key);
  sims.delete(key);
  // Those not used for longest are freed first, so that the new one takes their place in the memory.
  for (const [oldest, old] of sims) {
    if (sims.size < MOST_SIMS) break;
    sims.delete(oldest);
    old.free();
  }
  const sim = known ?? new Sim(loaded(), mjcf, tuning, files);
  sims.set(key, sim);
  return sim;
}
