/**
 * Frame stacking: agents see their last k observations, the oldest first, the newest last; zeros stand for what was before the episode began
 * (VecFrameStack of stable-baselines3). Numbers and numbered states are put one behind the other, images and grids have the channels of k frames.
 *
 * The k - 1 earlier observations are part of a row's state, so that replays, forks and explanations go on with the same bits.
 */

import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { createBuffers } from './buffers.ts';
import { perAgent } from './meta.ts';
import { badConfig } from './parse.ts';
import type { Environment, EnvMeta, ScriptedPolicy, StateSpec, StepBuffers } from './types.ts';

/** The most frames that an agent sees. */
export const MOST_FRAMES = 16;
const FRAMES = 'frames';
const FIRST = 8; // version and padding of a saved state

/** What k frames of this space are. */
function stackedSpace(space: ObsSpace, k: number): ObsSpace {
  if (space.kind === 'discrete') return { kind: 'box', shape: [k * space.n], low: 0, high: 1 };
  if (space.kind === 'grid') {
    const [h, w, c] = space.shape;
    const codes = Array.from({ length: k }, () => space.codes).flat();
    return { kind: 'grid', shape: [h, w, k * c], codes, extra: k * space.extra };
  }
  const { shape, low, high, labels } = space;
  const image = shape.length === 3 ? [...shape.slice(0, 2), k * (shape[2] ?? 0)] : [k * obsSize(space)];
  return {
    kind: 'box',
    shape: image,
    low: low === null ? null : Math.min(low, 0), // before an episode there are zeros
    high: high === null ? null : Math.max(high, 0),
    ...(labels !== undefined && {
      labels: Array.from({ length: k }, (_, f) => labels.map((label) => (f === k - 1 ? label : `${label}, ${k - 1 - f} before`))).flat(),
    }),
  };
}

/** Where number i of frame f stands in a stacked observation of this space. */
function placeOf(space: ObsSpace, k: number): (f: number, i: number) => number {
  const own = obsSize(space);
  const channels = space.kind === 'grid' ? space.shape[2] : space.kind === 'box' && space.shape.length === 3 ? space.shape[2]! : 0;
  if (channels === 0) return (f, i) => f * own + i;
  const extra = space.kind === 'grid' ? space.extra : 0;
  const image = own - extra;
  return (f, i) => {
    if (i >= image) return k * image + f * extra + (i - image);
    const cell = Math.floor(i / channels);
    return (cell * k + f) * channels + (i % channels);
  };
}

/** The state of a row with its earlier observations in front, [A, k - 1, O]: numbers of the observation are exact in float64. */
function stackedState(inner: StateSpec, count: number): StateSpec {
  return {
    version: inner.version,
    fields: [{ name: FRAMES, type: 'f64', shape: [count], doc: 'earlier observations of every agent, the oldest first' }, ...inner.fields],
    bytes: inner.bytes + 8 * count,
    toJSON(state) {
      const { own, frames } = split(state, count);
      return { ...inner.toJSON(own), [FRAMES]: [...frames] };
    },
    fromJSON(json) {
      const { [FRAMES]: frames, ...rest } = json as { readonly [field: string]: Json };
      if (!Array.isArray(frames) || frames.length !== count || !frames.every((x): x is number => typeof x === 'number'))
        throw fail('state-invalid', `State field "${FRAMES}" is no list of ${count} numbers.`, `Give ${count} numbers.`, FRAMES);
      return join(inner.fromJSON(rest), frames);
    },
  };
}

function join(own: Uint8Array, frames: ArrayLike<number>): Uint8Array {
  const saved = new Uint8Array(own.byteLength + 8 * frames.length);
  saved.set(own.subarray(0, FIRST));
  const view = new DataView(saved.buffer, FIRST);
  for (let i = 0; i < frames.length; i++) view.setFloat64(8 * i, frames[i]!, true);
  saved.set(own.subarray(FIRST), FIRST + 8 * frames.length);
  return saved;
}

function split(saved: Uint8Array, count: number): { readonly own: Uint8Array; readonly frames: Float64Array } {
  const head = 8 * count;
  if (saved.byteLength < FIRST + head)
    throw fail('state-invalid', `This state has ${saved.byteLength} bytes.`, `With stacked frames it has at least ${FIRST + head}.`);
  const view = new DataView(saved.buffer, saved.byteOffset + FIRST, head);
  const own = new Uint8Array(saved.byteLength - head);
  own.set(saved.subarray(0, FIRST));
  own.set(saved.subarray(FIRST + head), FIRST);
  return { own, frames: Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true)) };
}

/**
 * The same environment to agents that see k frames. What reads single observations as they are (goals that are exchanged, skills, exact models,
 * search, things) is left out. Throws LabError('config-invalid') where agents read tokens.
 */
export function stackedMeta(meta: EnvMeta, k: number): EnvMeta {
  if (meta.tokens !== undefined)
    throw badConfig('frameStack', 'Agents read rows of tokens here, which hold what was before.', 'Set the stacked frames to 1.');
  const { searchable: _, listed: __, goals: ___, skills: ____, cells: _____, ...rest } = meta;
  return {
    ...rest,
    agents: meta.agents.map((group) => ({ ...group, obs: stackedSpace(group.obs, k) })),
    obsSize: k * meta.obsSize,
    state: stackedState(meta.state, meta.agentCount * (k - 1) * meta.obsSize),
  };
}

/** The environment behind a stacked one, with what it shows: its own scripts act on that. */
const under = new WeakMap<Environment, { readonly env: Environment; readonly seen: (out: StepBuffers) => StepBuffers }>();

/** `inner` as agents with k frames see it; `meta`: stackedMeta of its own. */
export function stackedEnv(inner: Environment, meta: EnvMeta, k: number): Environment {
  const { batch } = inner;
  const { agentCount: A, obsSize: O } = inner.meta;
  const width = A * O;
  const earlier = A * (k - 1) * O;
  const places = perAgent(inner.meta, ({ obs }) => {
    const at = placeOf(obs, k);
    const own = obsSize(obs);
    return Int32Array.from({ length: k * own }, (_, j) => at(Math.floor(j / own), j % own));
  });
  const history = new Float32Array(batch * k * width); // [B, k, A, O]
  const now = createBuffers(inner.meta, batch).obs; // [B, A, O] an environment may leave rows as they are, so it is always the same array
  let last: { readonly out: StepBuffers; readonly seen: StepBuffers } | null = null;
  const seen = (out: StepBuffers): StepBuffers => {
    if (last?.out !== out) last = { out, seen: { ...out, obs: now } };
    return last.seen;
  };

  /** Writes the frames of a row to where its agents look. */
  const show = (row: number, out: StepBuffers): void => {
    for (let a = 0; a < A; a++) {
      const at = places[a]!;
      const own = at.length / k;
      const to = (row * A + a) * meta.obsSize;
      for (let f = 0; f < k; f++) {
        const from = (row * k + f) * width + a * O;
        for (let i = 0; i < own; i++) out.obs[to + at[f * own + i]!] = history[from + i]!;
      }
    }
  };
  const newest = (row: number): void => {
    const to = (row * k + k - 1) * width;
    for (let i = 0; i < width; i++) history[to + i] = now[row * width + i]!;
  };
  const begin = (row: number, out: StepBuffers): void => {
    history.fill(0, row * k * width, (row + 1) * k * width);
    newest(row);
    show(row, out);
  };
  const onto = (row: number, own: Uint8Array): Uint8Array => {
    const from = row * k * width;
    return join(own, history.subarray(from, from + earlier));
  };

  const env: Environment = {
    meta,
    batch,
    reset(seeds, out, rows) {
      inner.reset(seeds, seen(out), rows);
      for (let row = 0; row < batch; row++) if (rows === undefined || rows[row] === 1) begin(row, out);
    },
    restart(rows, out) {
      inner.restart(rows, seen(out));
      for (let row = 0; row < batch; row++) if (rows[row] === 1) begin(row, out);
    },
    step(actions, out) {
      inner.step(actions, seen(out));
      for (let row = 0; row < batch; row++) {
        const from = row * k * width;
        history.copyWithin(from, from + width, from + k * width);
        newest(row);
        show(row, out);
      }
    },
    frame: (row, out) => inner.frame(row, out),
    save: (row) => onto(row, inner.save(row)),
    load(row, saved, out) {
      const { own, frames } = split(saved, earlier);
      inner.load(row, own, seen(out));
      history.set(frames, row * k * width);
      newest(row);
      show(row, out);
    },
    ...(inner.configure && { configure: (config) => inner.configure?.(config) }),
    ...(inner.extras && { extras: (row) => inner.extras?.(row) ?? {} }),
    ...(inner.measure && { measure: (row, out, at) => inner.measure?.(row, out, at) }),
    ...(inner.partner && { partner: (row, seat) => inner.partner?.(row, seat) ?? 0 }),
    ...(inner.terms && { terms: (row, out, at) => inner.terms?.(row, out, at) }),
    ...(inner.orders && { orders: inner.orders }),
    ...(inner.pull && { pull: (row, pull) => inner.pull?.(row, pull) }),
    ...(inner.cellOf && { cellOf: (row) => inner.cellOf?.(row) ?? -1 }),
    ...(inner.placements && {
      placements: (row) => (inner.placements?.(row) ?? []).map(({ cell, state }) => ({ cell, state: onto(row, state) })),
    }),
    ...(inner.dispose && { dispose: () => inner.dispose?.() }),
  };
  under.set(env, { env: inner, seen });
  return env;
}

/** A script of the environment, which looks at single observations. */
export const stackedPolicy = (policy: ScriptedPolicy): ScriptedPolicy => ({
  act(env, buffers, out) {
    const found = under.get(env);
    if (found === undefined) throw new Error('This environment stacks no frames.');
    policy.act(found.env, found.seen(buffers), out);
  },
});
