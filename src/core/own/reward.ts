/**
 * A reward of one's own for an environment of the catalogue. The rules of the environment stay; what a step pays is worked out by a person's
 * function from what was seen, what was done, what is seen next and what the environment itself pays. `potential` adds Ng, Harada and
 * Russell's (1999) shaping, F = gamma phi(next) - phi(seen), phi 0 behind a termination and behind an agent's own end, which leaves the best
 * policy as it is.
 * Every episode is measured by the environment's own reward too ('worldReturn'); those sums are part of a copy's state.
 */
import type { RewardTerm } from '#contract/catalog/catalog.ts';
import type { Json } from '#contract/kit/json.ts';
import { perAgent } from '../envs/api/meta.ts';
import { scoreOf } from '../envs/api/score.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StateSpec, StepBuffers } from '../envs/api/types.ts';
import { type Call, callerOf, type LineOf } from './call.ts';
import { isNumber, isObject, isWords, readMembers, type Settings, show, wrong } from './form.ts';
import { checkOver, type OverForm, overEntry } from './over.ts';
import { type Seen, seenWords, type View, viewOf } from './seen.ts';

/** What a reward function is given of a step of one agent. */
export interface RewardStep {
  readonly seen: Seen;
  /** The number of the action, or the list of continuous ones (the number itself where there is one). */
  readonly action: number | readonly number[];
  readonly next: Seen;
  /** What the environment itself pays. */
  readonly reward: number;
  /** The task ended in this step, or this agent's part in it: it died or left, and does not come back. */
  readonly ended: boolean;
  /** The step limit cut the episode here. */
  readonly cut: boolean;
  readonly agent: number;
}

export interface RewardForm extends OverForm {
  /** Names of the parts that `reward` returns as an object; their sum is paid. */
  readonly parts?: readonly string[];
  readonly gamma?: number;
  reward?(step: RewardStep, settings: Settings): number | { readonly [part: string]: number };
  potential?(seen: Seen, settings: Settings): number;
}

/** Measure of an episode: its return under the environment's own reward. */
export const WORLD_RETURN = 'worldReturn';
const SUMS = 'world returns';

const MEMBERS = ['title', 'about', 'env', 'envSettings', 'settings', 'parts', 'gamma', 'reward', 'potential'];

/** Checks what was given to defineReward. Throws LabError('world-invalid') naming the member. */
export function readReward(given: unknown): RewardForm {
  if (!isObject(given))
    throw wrong(
      'defineReward',
      'defineReward needs an object.',
      "Write defineReward({ title: 'Mine', env: 'cartpole', reward: ({ next, reward }) => reward - Math.abs(next.x) }).",
    );
  readMembers(given, 'reward', {
    members: MEMBERS,
    required: { title: "Add title: 'My reward'.", env: "Add env: 'cartpole', the environment it is for." },
    functions: ['reward', 'potential'],
    texts: ['title', 'about'],
  });
  checkOver(given);
  if (given.reward === undefined && given.potential === undefined)
    throw wrong('reward', 'The reward has neither "reward" nor "potential".', 'Add reward: ({ next, reward }) => reward - next.x ** 2.');
  if (given.parts !== undefined && (!isWords(given.parts) || given.parts.length === 0 || given.parts.length > 12))
    throw wrong('parts', '"parts" is not a list of 1 to 12 names.', "Write parts: ['upright', 'effort'].");
  if (given.gamma !== undefined && !(isNumber(given.gamma) && given.gamma >= 0 && given.gamma <= 1))
    throw wrong('gamma', `"gamma" is ${show(given.gamma)}.`, 'Give the discount of the learner, 0 to 1, or leave it out.');
  return given as unknown as RewardForm;
}

/** Throws LabError('world-invalid'), also where the environment pays several rewards. */
export function rewardEntry(given: unknown, base: EnvEntry, id: string, lineOf: LineOf = () => null): EnvEntry {
  const call = callerOf(lineOf);
  const form = readReward(given);
  const terms = termsOf(form);
  return overEntry(base, id, form, {
    meta(meta) {
      if (meta.rewards.length !== 1)
        throw wrong('env', `${base.title} pays several rewards (${meta.rewards.join(', ')}).`, 'Choose an environment that pays one.');
      return {
        ...meta,
        measures: [...(meta.measures ?? []), worldReturn(base.title)],
        state: withSums(meta.state, meta.agentCount),
        ...(terms.length > 1 && { terms }),
      };
    },
    create: (inner, meta, settings) => rewardEnv(inner, meta, form, terms, settings, call),
  });
}

const worldReturn = (title: string) => ({
  id: WORLD_RETURN,
  title: 'return under the old reward',
  description: `Of the same episodes, paid as ${title} itself pays.`,
});

function termsOf({ parts, reward, potential }: RewardForm): readonly RewardTerm[] {
  const of = parts ?? (reward === undefined ? ['reward of the environment'] : ['reward']);
  return [...of, ...(potential === undefined ? [] : ['shaping'])].map((title) => ({ id: title, title, weights: [] }));
}

/** The state with the sums of the environment's own rewards behind it, float64 [A]. */
function withSums(inner: StateSpec, agents: number): StateSpec {
  const bytes = inner.bytes + 8 * agents;
  return {
    version: inner.version,
    fields: [...inner.fields, { name: SUMS, type: 'f64', shape: [agents], doc: 'sums of the environment’s own rewards in this episode' }],
    bytes,
    toJSON(state) {
      const view = new DataView(state.buffer, state.byteOffset + inner.bytes, 8 * agents);
      const sums = Array.from({ length: agents }, (_, a) => view.getFloat64(8 * a, true));
      return { ...inner.toJSON(state.subarray(0, inner.bytes)), [SUMS]: sums };
    },
    fromJSON(json) {
      const { [SUMS]: sums, ...rest } = json as { readonly [field: string]: Json };
      const state = new Uint8Array(bytes);
      state.set(inner.fromJSON(rest));
      const view = new DataView(state.buffer, inner.bytes, 8 * agents);
      if (Array.isArray(sums)) for (let a = 0; a < agents; a++) view.setFloat64(8 * a, Number(sums[a] ?? 0), true);
      return state;
    },
  };
}

/** What the action of one agent is to a person's function. */
type ActionOf = (actions: Actions, at: number) => number | readonly number[];

function rewardEnv(
  inner: Environment,
  meta: EnvMeta,
  form: RewardForm,
  terms: readonly RewardTerm[],
  settings: Settings,
  call: Call,
): Environment {
  const { batch } = inner;
  const { agentCount: A, obsSize: O, actionSize: D } = meta;
  const before = new Float32Array(batch * A * O);
  const alive = new Uint8Array(batch * A).fill(1);
  const sums = new Float64Array(batch * A);
  const T = terms.length;
  const parts = new Float64Array(batch * T);
  const views = perAgent(meta, ({ obs, count }) => Array.from({ length: count }, () => [viewOf(obs), viewOf(obs)] as const)).flat();
  const actionOf = perAgent(meta, ({ action, count }): ActionOf[] => {
    const of: ActionOf =
      action.kind === 'discrete' || action.size === 1 ? (all, at) => all[at]! : (all, at) => [...all.subarray(at, at + action.size)];
    return Array.from({ length: count }, () => of);
  }).flat();
  const gamma = form.gamma ?? meta.gamma;
  const inSight = seenWords(meta.agents[0]!.obs);
  const seenNames = D === 0 ? `${inSight} No agent acts in this world: there is no action to read.` : inSight;

  const pay = (row: number, agent: number, actions: Actions, out: StepBuffers): void => {
    const at = row * A + agent;
    const [last, next] = views[agent]! as readonly [View, View];
    last.point(before, at * O);
    next.point(out.obs, at * O);
    const own = out.reward[at]!;
    sums[at]! += own;
    // Learners end an agent's return where it dies (algos/lib/ppo/living.ts): what stands behind that counts for nothing here either.
    const gone = meta.agentsReturn !== true && out.alive !== undefined && out.alive[at] === 0;
    const [ended, cut] = [out.terminated[row] !== 0 || gone, out.truncated[row] !== 0];
    const step = { seen: last.seen, action: actionOf[agent]!(actions, at * D), next: next.seen, reward: own, ended, cut, agent };
    let total = form.reward === undefined ? add(own, 0) : given(call('reward', () => form.reward?.(step, settings)));
    if (form.potential !== undefined) {
      const shaping = (ended ? 0 : gamma * phi(next.seen)) - phi(last.seen);
      total += add(shaping, T - 1);
    }
    out.reward[at] = total;

    function add(x: number, term: number): number {
      parts[row * T + term]! += x;
      return x;
    }
    function given(value: unknown): number {
      if (form.parts === undefined) {
        if (isNumber(value)) return add(value, 0);
        throw wrong(
          'reward',
          `reward gives ${show(value)}.`,
          `Return a finite number, or name parts: [..] and return { part: number }. ${seenNames}`,
        );
      }
      if (!isObject(value)) throw wrong('reward', `reward gives ${show(value)}.`, 'Return an object with a number for each of "parts".');
      const other = Object.keys(value).find((key) => form.parts?.includes(key) !== true);
      if (other !== undefined) throw wrong('reward', `reward gives a part "${other.slice(0, 40)}".`, 'Name it in "parts".');
      let sum = 0;
      form.parts.forEach((name, i) => {
        const part = value[name] ?? 0;
        if (!isNumber(part)) throw wrong('reward', `The part "${name}" is ${show(part)}.`, `Make it a finite number. ${seenNames}`);
        sum += add(part, i);
      });
      return sum;
    }
  };
  const phi = (seen: Seen): number => {
    const value: unknown = call('potential', () => form.potential?.(seen, settings));
    if (isNumber(value)) return value;
    throw wrong('potential', `potential gives ${show(value)}.`, `Return a finite number. ${seenNames}`);
  };
  const clear = (rows: Uint8Array | undefined): void => {
    for (let row = 0; row < batch; row++) if (rows === undefined || rows[row] !== 0) sums.fill(0, row * A, (row + 1) * A);
  };

  const bytes = inner.meta.state.bytes;
  const base = inner.meta.measures?.length ?? 0;
  const { configure, extras, cellOf, placements, dispose } = inner;
  return {
    meta,
    batch,
    reset(seeds, out, rows) {
      inner.reset(seeds, out, rows);
      clear(rows);
    },
    restart(rows, out) {
      inner.restart(rows, out);
      clear(rows);
    },
    step(actions, out) {
      before.set(out.obs);
      if (out.alive !== undefined) alive.set(out.alive);
      inner.step(actions, out);
      parts.fill(0);
      for (let row = 0; row < batch; row++) {
        for (let agent = 0; agent < A; agent++) {
          if (alive[row * A + agent] === 0) out.reward[row * A + agent] = 0;
          else pay(row, agent, actions, out);
        }
      }
    },
    frame: (row, out) => inner.frame(row, out),
    save(row) {
      const state = new Uint8Array(meta.state.bytes);
      state.set(inner.save(row));
      const view = new DataView(state.buffer, bytes);
      for (let a = 0; a < A; a++) view.setFloat64(8 * a, sums[row * A + a]!, true);
      return state;
    },
    load(row, state, out) {
      inner.load(row, state.slice(0, bytes), out);
      const view = new DataView(state.buffer, state.byteOffset + bytes);
      for (let a = 0; a < A; a++) sums[row * A + a] = view.getFloat64(8 * a, true);
    },
    measure(row, out, at) {
      inner.measure?.(row, out, at);
      out[at + base] = scoreOf(meta.score, sums, row * A, A);
    },
    ...(T > 1 && { terms: (row: number, out: Float64Array, at: number) => out.set(parts.subarray(row * T, (row + 1) * T), at) }),
    ...(configure && {
      configure: (config) => configure.call(inner, Object.fromEntries(Object.entries(config).filter(([name]) => !(name in settings)))),
    }),
    ...(extras && { extras: (row) => extras.call(inner, row) }),
    ...(cellOf && { cellOf: (row) => cellOf.call(inner, row) }),
    ...(placements && {
      placements: (row) =>
        placements.call(inner, row).map(({ cell, state }) => {
          const whole = new Uint8Array(meta.state.bytes);
          whole.set(state);
          return { cell, state: whole };
        }),
    }),
    ...(dispose && { dispose: () => dispose.call(inner) }),
  };
}
