/**
 * The rows of an environment with contexts: each is an environment of its own, of one row, with the settings of its episode. Settings that
 * may change while it runs are set; for others the row gets another environment, kept where there are few of them.
 */
import { type Contexts, drawnFields, isRange } from '#contract/catalog/contexts.ts';
import { fieldAt } from '#contract/catalog/field-check.ts';
import { obsSize } from '#contract/game/spaces.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from './buffers.ts';
import { type Drawn, extremes } from './context-draws.ts';
import { join, split } from './context-state.ts';
import { perAgent } from './meta.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from './types.ts';

/** Environments of one row that are kept, one for each setting of its lists. */
const MOST_KEPT = 64;

/** What a row plays in. */
interface Copy {
  readonly env: Environment;
  readonly buffers: StepBuffers;
  readonly actions: Actions;
  settings: JsonObject;
  /** The settings that are not drawn, when these were made. */
  base: JsonObject;
}

/** The rows behind an environment with contexts: its own policies act on those. */
const rowsOf = new WeakMap<Environment, readonly Copy[]>();

/** How many different draws there are; Infinity where a range is drawn, or settings drift. */
function countOf({ draw = {}, list, order }: Contexts): number {
  if (order?.by === 'drift') return Number.POSITIVE_INFINITY;
  return Object.values(draw).reduce((count, one) => count * (isRange(one) ? Number.POSITIVE_INFINITY : one.length), list?.length ?? 1);
}

export function contextEnv(entry: EnvEntry, { base: given, contexts, draws, meta }: Drawn, batch: number): Environment {
  const inner = entry.meta(given);
  const count = draws.names.length;
  const drawn = Array.from({ length: batch }, () => new Float64Array(count)); // of the episode of each row
  const next = new Float64Array(count);
  const { order } = contexts;
  const age = new Float64Array(batch); // of each row: steps, or episodes, that say which task of a sequence it meets
  /** Rows of blocks, and of what drifts, count their own steps: together they make those of the run. */
  const met = (row: number): number => {
    if (order === undefined) return 0;
    if (order.by === 'turns') return row + age[row]!;
    const blocks = (age[row]! * batch) / (order.steps ?? 1);
    return order.by === 'drift' ? blocks : Math.floor(blocks);
  };
  const rngs = Array.from({ length: batch }, () => new Rng(new Uint32Array(4)));
  const live = drawnFields(contexts).every((field) => fieldAt(entry.schema, field.split('.'))?.live === true);
  let base = given;

  const make = (settings: JsonObject): Copy => {
    const env = entry.create(settings, 1);
    return { env, buffers: createBuffers(inner, 1), actions: createActions(inner, 1), settings, base };
  };
  const start = extremes(contexts)[0] ?? next;
  const copies = drawn.map((values) => {
    values.set(start);
    return make(draws.settings(base, values));
  });
  const sample = copies[0]?.env;
  const set = live && sample?.configure !== undefined; // drawn settings are set where a row plays
  const kept = set || countOf(contexts) > MOST_KEPT ? null : copies.map((copy) => new Map([[start.join(), copy]]));
  const all = (): Iterable<Copy> => (kept === null ? copies : kept.flatMap((of) => [...of.values()]));
  const configure = (copy: Copy, settings: JsonObject): void => {
    copy.env.configure?.(settings);
    copy.settings = settings;
    copy.base = base;
  };

  /** Gives a row the settings of `next`. Answers whether it plays in another environment than before. */
  const adopt = (row: number): boolean => {
    const values = drawn[row]!;
    if (alike(values, next)) return false;
    values.set(next);
    const settings = draws.settings(base, values);
    const before = copies[row]!;
    if (set) {
      configure(before, settings);
      return false;
    }
    const key = values.join();
    const copy = kept?.[row]?.get(key) ?? make(settings);
    if (copy.base !== base) configure(copy, settings);
    copies[row] = copy;
    if (kept === null) before.env.dispose?.();
    else kept[row]!.set(key, copy);
    return true;
  };
  const show = viewer(inner, meta, (row, out, at) => draws.tell(drawn[row]!, out, at));
  /** What stands in front of a row's state: its draw, and in a sequence its age. */
  const front = (row: number): Float64Array => (order === undefined ? drawn[row]! : Float64Array.of(...drawn[row]!, age[row]!));
  const onto = (row: number, own: Uint8Array): Uint8Array => join(own, front(row), rngs[row]!.state);

  const only = Uint8Array.of(1);
  const seed = new Uint32Array(1);
  const width = meta.agentCount * meta.actionSize;
  const env: Environment = {
    meta,
    batch,
    reset(seeds, out, rows) {
      for (let row = 0; row < batch; row++) {
        if (rows !== undefined && rows[row] !== 1) continue;
        const rng = rngs[row]!;
        rng.state.set(Rng.from(seeds[row]!).split('contexts').state);
        rng.refresh();
        age[row] = 0;
        draws.draw(rng, next, met(row));
        adopt(row);
        seed[0] = seeds[row]!;
        copies[row]!.env.reset(seed, copies[row]!.buffers);
        show.whole(copies[row]!.buffers, row, out);
      }
    },
    restart(rows, out) {
      for (let row = 0; row < batch; row++) {
        if (rows[row] !== 1) continue;
        const rng = rngs[row]!;
        if (order?.by === 'turns') age[row] = age[row]! + 1;
        draws.draw(rng, next, met(row));
        const other = adopt(row);
        const copy = copies[row]!;
        if (other) {
          seed[0] = rng.next();
          copy.env.reset(seed, copy.buffers);
        } else copy.env.restart(only, copy.buffers);
        show.start(copy.buffers, row, out);
      }
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const copy = copies[row]!;
        for (let d = 0; d < width; d++) copy.actions[d] = actions[row * width + d]!;
        copy.env.step(copy.actions, copy.buffers);
        if (order !== undefined && order.by !== 'turns') age[row] = age[row]! + 1;
        show.whole(copy.buffers, row, out);
      }
    },
    frame: (row, out) => copies[row]!.env.frame(0, out),
    save: (row) => onto(row, copies[row]!.env.save(0)),
    load(row, saved, out) {
      const { own, drawn: values, rng } = split(saved, order === undefined ? count : count + 1);
      draws.check(values);
      next.set(values.subarray(0, count));
      if (order !== undefined) age[row] = values[count]!;
      adopt(row);
      rngs[row]!.state.set(rng);
      rngs[row]!.refresh();
      copies[row]!.env.load(0, own, copies[row]!.buffers);
      show.whole(copies[row]!.buffers, row, out);
    },
    ...(sample?.configure && {
      configure({ contexts: _, ...config }: JsonObject) {
        base = config;
        for (const [row, copy] of copies.entries()) configure(copy, draws.settings(base, drawn[row]!));
      },
    }),
    ...(sample?.extras && { extras: (row: number) => copies[row]!.env.extras?.(0) ?? {} }),
    ...(sample?.measure && { measure: (row: number, out: Float64Array, at: number) => copies[row]!.env.measure?.(0, out, at) }),
    ...(sample?.terms && { terms: (row: number, out: Float64Array, at: number) => copies[row]!.env.terms?.(0, out, at) }),
    ...(sample?.partner && { partner: (row: number, seat: number) => copies[row]!.env.partner?.(0, seat) ?? 0 }),
    ...(sample?.cellOf && { cellOf: (row: number) => copies[row]!.env.cellOf?.(0) ?? -1 }),
    ...(sample?.placements && {
      placements: (row: number) => (copies[row]!.env.placements?.(0) ?? []).map(({ cell, state }) => ({ cell, state: onto(row, state) })),
    }),
    ...(sample?.dispose && {
      dispose() {
        for (const copy of all()) copy.env.dispose?.();
      },
    }),
  };
  rowsOf.set(env, copies);
  return env;
}

function alike(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Copies what one row shows into its place among all. */
function viewer(inner: EnvMeta, meta: EnvMeta, tell: (row: number, out: Float32Array, at: number) => void) {
  const A = meta.agentCount;
  const O = inner.obsSize;
  const own = perAgent(inner, ({ obs }) => obsSize(obs));
  const told = meta.obsSize > O;
  const obsOf = (from: Float32Array, row: number, out: Float32Array): void => {
    for (let a = 0; a < A; a++) {
      const to = (row * A + a) * meta.obsSize;
      for (let i = 0; i < O; i++) out[to + i] = from[a * O + i]!;
      if (told) tell(row, out, to + own[a]!);
    }
  };
  /** What a start writes: all but rewards, costs and flags. */
  const start = (from: StepBuffers, row: number, out: StepBuffers): void => {
    obsOf(from.obs, row, out.obs);
    bytes(from.alive, row, out.alive);
    bytes(from.mask, row, out.mask);
    if (from.toMove && out.toMove) out.toMove[row] = from.toMove[0]!;
    floats(from.state, row, out.state);
  };
  const whole = (from: StepBuffers, row: number, out: StepBuffers): void => {
    start(from, row, out);
    floats(from.reward, row, out.reward);
    floats(from.cost, row, out.cost);
    floats(from.shaped, row, out.shaped);
    out.terminated[row] = from.terminated[0]!;
    out.truncated[row] = from.truncated[0]!;
  };
  return { start, whole };
}

// One function for each kind of array: shared ones are several times slower.

function floats(from: Float32Array | undefined, row: number, out: Float32Array | undefined): void {
  if (from === undefined || out === undefined) return;
  const width = from.length;
  for (let i = 0; i < width; i++) out[row * width + i] = from[i]!;
}

function bytes(from: Uint8Array | undefined, row: number, out: Uint8Array | undefined): void {
  if (from === undefined || out === undefined) return;
  const width = from.length;
  for (let i = 0; i < width; i++) out[row * width + i] = from[i]!;
}

/** A policy of the environment, acting in each row as made for its settings. */
export function contextPolicy(entry: EnvEntry, name: string): ScriptedPolicy {
  const made = new WeakMap<Copy, { readonly settings: JsonObject; readonly policy: ScriptedPolicy }>();
  const policyOf = (copy: Copy): ScriptedPolicy => {
    const before = made.get(copy);
    if (before?.settings === copy.settings) return before.policy;
    const policy = entry.policies(copy.settings)[name];
    if (policy === undefined) throw new Error(`There is no policy ${name}.`);
    made.set(copy, { settings: copy.settings, policy });
    return policy;
  };
  return {
    act(env, _, out) {
      const copies = rowsOf.get(env);
      if (copies === undefined) throw new Error('This environment has no contexts.');
      for (const [row, copy] of copies.entries()) {
        policyOf(copy).act(copy.env, copy.buffers, copy.actions);
        out.set(copy.actions, row * copy.actions.length);
      }
    },
  };
}
