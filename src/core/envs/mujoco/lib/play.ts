/** Stepping rows of a body: each is written into the one MjData of its model, stepped, and read back. */

import type { Pull } from '#contract/game/frames.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { allocateRows } from '../../api/state.ts';
import { createTerms } from '../../api/terms.ts';
import type { Actions, DrawSource, Environment, EnvMeta } from '../../api/types.ts';
import type { Reading, Sim } from './engine.ts';
import type { createFrame } from './frame.ts';
import type { BodyConfig, BodyDef, Draw, Row, Rules, Seen } from './task.ts';

type Views = { -readonly [key in keyof Seen]: Seen[key] };

const NOTHING = new Float64Array(0);

/** One object whose views are renewed at every call: the heap may have moved since the last. */
function createSeen(): Views {
  return {
    qpos: NOTHING,
    qvel: NOTHING,
    body_mass: NOTHING,
    xpos: NOTHING,
    xmat: NOTHING,
    xipos: NOTHING,
    site_xpos: NOTHING,
    cinert: NOTHING,
    cvel: NOTHING,
    cfrc_ext: NOTHING,
    ctrl: NOTHING,
    qfrc_actuator: NOTHING,
    qfrc_constraint: NOTHING,
  };
}

function renew(seen: Views, { data, model }: Sim, reads: readonly Reading[]): void {
  seen.qpos = data.qpos;
  seen.qvel = data.qvel;
  for (const name of reads) seen[name] = name === 'body_mass' ? model.body_mass : data[name];
}

/** What is stepped, and how it is drawn. */
export interface PlayDef<C> extends Pick<BodyDef<BodyConfig>, 'terms' | 'reads' | 'contactForces'> {
  /** Steps of the physics per step of the environment. */
  readonly substeps: number;
  rules(c: C): Rules;
  /** `fixed`: where numbers that stay for the episode are written, from [at] on. */
  start(c: C, qpos: Float64Array, qvel: Float64Array, draw: Draw, fixed: Float64Array, at: number): void;
  /** Writes the picture, but for the named numbers. */
  readonly write: ReturnType<typeof createFrame>;
  /** MuJoCo's numbers of the shapes that are drawn, in the order of the picture's parts, and by how much they are drawn higher, m. */
  readonly drawn: { readonly geoms: readonly number[]; readonly lift: number };
  /** The control of motor `motor` for an action, where the positions are `qpos`; without it the action itself. */
  control?(action: number, motor: number, qpos: Float64Array): number;
  /** Before the physics of a step, with the row's numbers written and the controls set: changes positions and speeds. */
  begin?(seen: Seen, actions: Actions, action: number): void;
  /** After a start or a step, when the row is kept: changes what is not physics, or sets the body elsewhere. Its observation follows. */
  settle?(row: Row, seen: Seen, draw: Draw, stepped: boolean): void;
  /** Actuators that have a state: how many numbers, in the state's field `act`. */
  readonly act?: number;
  /** Whether the state has a field `fixed`: numbers drawn at the start that stay for the episode. */
  readonly fixed?: boolean;
  /** The physics may break down: MuJoCo then starts the data anew in mid-step, and the episode ends without a reward. */
  readonly breaks?: boolean;
}

/** s; a clock that shows less after a step was set to 0 on the way. */
const CLOCK = 1000;

export function createPlay<C extends Pick<BodyConfig, 'maxSteps'>>(
  def: PlayDef<C>,
  given: C,
  meta: EnvMeta,
  batch: number,
  simFor: (c: C) => Sim,
  script: DrawSource | undefined,
): Environment {
  const { substeps, reads = [], contactForces = false, write, control, act = 0, breaks = false, fixed = false } = def;
  let c = given;
  let rules: Rules = def.rules(c);
  let sim = simFor(c);
  /** The sim of the settings in force; it may have been freed since. */
  const current = (): Sim => {
    if (!sim.alive) sim = simFor(c);
    return sim;
  };
  const rows = allocateRows(meta.state, batch);
  const { floats, words, floatStride, wordStride } = rows;
  const [Q, V, W, U, K] = ['qpos', 'qvel', 'warmstart', 'ctrl', 'kept'].map((name) => rows.offset(name)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const steps = rows.offset('steps');
  const nq = V - Q;
  const nv = W - V;
  const nu = K - U;
  const T = def.terms.length;
  const { kept, terms } = createTerms(batch, T);
  const draws = new Draws(rows.rng, script);
  let drawing = 0;
  const draw: Draw = {
    spread: () => 2 * draws.uniform(drawing, 'start') - 1,
    normal: () => draws.normal(drawing, 'start'),
    uniform: (name) => draws.uniform(drawing, name),
    index: (n, name) => draws.int(drawing, n, name),
  };
  const seen = createSeen();
  const row: Row = { floats, q: 0, v: 0, kept: 0, fixed: 0 };
  const at = (index: number): Row => {
    const from = index * floatStride;
    row.q = from + Q;
    row.v = from + V;
    row.kept = from + K;
    row.fixed = from + F;
    return row;
  };
  const A = act === 0 ? 0 : rows.offset('act');
  const F = fixed ? rows.offset('fixed') : 0;
  const shown = meta.frame.kind === 'bodies' ? meta.frame.extra.length : 0;
  /** What a person pulls at, by row. */
  const pulls = new Map<number, Pull>();
  const advance = (one: Sim, index: number): void => {
    const pull = pulls.get(index);
    const geom = pull === undefined ? undefined : def.drawn.geoms[pull.part];
    if (pull === undefined || geom === undefined) {
      one.step(substeps);
      return;
    }
    const [x, y, z] = pull.to;
    one.stepPulled(substeps, geom, { at: pull.at, to: [x, y, z - def.drawn.lift] });
  };

  /** Copies the stepped data into a row. */
  const keep = (from: number, warm: Float64Array): void => {
    const { qpos, qvel } = seen;
    for (let i = 0; i < nq; i++) floats[from + Q + i] = qpos[i]!;
    for (let i = 0; i < nv; i++) {
      floats[from + V + i] = qvel[i]!;
      floats[from + W + i] = warm[i]!;
    }
    rules.keep(seen, floats, from + K);
  };

  return assemble(meta, batch, rows, {
    start(index) {
      const one = current();
      one.clear();
      renew(seen, one, reads);
      drawing = index;
      const from = index * floatStride;
      def.start(c, seen.qpos, seen.qvel, draw, floats, from + F);
      one.forward();
      keep(from, one.data.qacc_warmstart);
      floats.fill(0, from + U, from + K);
      if (act > 0) floats.fill(0, from + A, from + A + act);
      def.settle?.(at(index), seen, draw, false);
      words[index * wordStride + steps] = 0;
    },
    step(actions, out) {
      const one = current();
      renew(seen, one, reads);
      const { qpos, qvel } = seen;
      const { qacc_warmstart: warm, ctrl } = one.data;
      const active = act > 0 ? one.data.act : NOTHING;
      for (let index = 0; index < batch; index++) {
        const from = index * floatStride;
        for (let i = 0; i < nq; i++) qpos[i] = floats[from + Q + i]!;
        for (let i = 0; i < nv; i++) {
          qvel[i] = floats[from + V + i]!;
          warm[i] = floats[from + W + i]!;
        }
        for (let i = 0; i < nu; i++) {
          const action = actions[index * nu + i]!;
          ctrl[i] = control === undefined ? action : control(action, i, qpos);
          floats[from + U + i] = ctrl[i]!;
        }
        for (let i = 0; i < act; i++) active[i] = floats[from + A + i]!;
        def.begin?.(seen, actions, index * nu);
        if (breaks) one.data.time = CLOCK;
        advance(one, index);
        if (contactForces) one.contactForces();
        let ended = rules.judge(at(index), seen, actions, index * nu, kept, index * T);
        if (breaks && one.data.time < CLOCK) {
          ended = true;
          kept.fill(0, index * T, (index + 1) * T);
        }
        let reward = 0;
        for (let k = 0; k < T; k++) reward += kept[index * T + k]!;
        keep(from, warm);
        for (let i = 0; i < act; i++) floats[from + A + i] = active[i]!;
        drawing = index;
        def.settle?.(row, seen, draw, true);
        const count = words[index * wordStride + steps]! + 1;
        words[index * wordStride + steps] = count;
        out.reward[index] = reward;
        out.terminated[index] = ended ? 1 : 0;
        out.truncated[index] = !ended && count >= c.maxSteps ? 1 : 0;
        rules.observe(row, out.obs, index * meta.obsSize);
      }
    },
    observe(index, out) {
      rules.observe(at(index), out.obs, index * meta.obsSize);
    },
    terms,
    ...(meta.measures !== undefined && {
      measure: (index: number, out: Float64Array, place: number) => rules.measure?.(at(index), out, place),
    }),
    ...(meta.goals !== undefined && {
      goalReward: (achieved: Float32Array, a: number, desired: Float32Array, d: number) =>
        present(rules.goalReward, 'the rule of an environment with goals')(achieved, a, desired, d),
    }),
    extras: (index) => ({
      rewardTerms: Object.fromEntries(def.terms.map(({ id }, k) => [id, kept[index * T + k]!])),
      ...rules.extras?.(at(index)),
    }),
    pull(index, pull) {
      if (pull === null) pulls.delete(index);
      else pulls.set(index, pull);
    },
    configure(next) {
      c = { ...c, ...next };
      rules = def.rules(c);
      sim = simFor(c);
    },
    frame(index, out) {
      const from = index * floatStride;
      const places = { qpos: from + Q, qvel: from + V, warmstart: from + W, ctrl: from + U };
      const look = current().look(floats, act > 0 ? { ...places, act: from + A } : places);
      write(look, out);
      rules.show?.(at(index), out, out.length - shown);
    },
  });
}

/** A golden state { qpos, qvel } with what the first force evaluation there gives. Throws LabError('state-invalid'). */
export function completed<C extends BodyConfig>(
  { reads = [] }: Pick<BodyDef<C>, 'reads'>,
  rules: Rules,
  sim: Sim,
  json: JsonObject,
): JsonObject {
  if ('kept' in json) return json;
  const seen = createSeen();
  sim.clear();
  renew(seen, sim, reads);
  fill(seen.qpos, json, 'qpos');
  fill(seen.qvel, json, 'qvel');
  sim.forward();
  const kept = new Float64Array(rules.kept);
  rules.keep(seen, kept, 0);
  const { qacc_warmstart: warm, ctrl } = sim.data;
  return { ...json, warmstart: Array.from(warm), ctrl: Array.from(ctrl), kept: Array.from(kept) };
}

function fill(view: Float64Array, json: JsonObject, field: string): void {
  const given = json[field];
  if (!Array.isArray(given) || given.length !== view.length || given.some((x) => typeof x !== 'number'))
    throw fail('state-invalid', `"${field}" is not a list of ${view.length} numbers.`, 'Give one number per position or speed.', field);
  given.forEach((x, i) => {
    view[i] = Number(x);
  });
}
