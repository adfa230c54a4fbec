/**
 * A method of one's own: plain functions over a memory. It plays one copy, one agent; acting, learning from each step and the memory are the
 * person's, the loop, curves, evaluation, saving and resuming stand here. An error that a function throws becomes LabError('world-invalid')
 * naming the function and the line.
 */
import { z } from 'zod';
import { type ActionSpace, actionSize } from '#contract/game/spaces.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import { defineAlgo } from '../algos/api/define.ts';
import { episodeMetrics, episodeRow } from '../algos/api/metrics.ts';
import { safePoint } from '../algos/api/safe-point.ts';
import type { AlgoEntry, Policy } from '../algos/api/types.ts';
import { outcomeOf, stateOf, stepsPerRow } from '../algos/lib/table.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { type Call, callerOf, type LineOf } from './call.ts';
import { isNumber, isObject, isWords, readMembers, type Settings, show, wrong } from './form.ts';
import { packMemory, unpackMemory } from './memory.ts';
import { checkOver, type OverForm } from './over.ts';
import { WorldRandom } from './random.ts';
import { settingFields } from './settings.ts';

/** What a method sees: the number of the state, or the list of numbers. */
export type MethodSeen = number | readonly number[];
export type MethodAction = number | readonly number[];

/** What a method is told of the environment before it starts. */
export interface Task {
  /** Numbered states; 0: it sees numbers. */
  readonly states: number;
  /** Numbers it sees; 0: it sees numbered states. */
  readonly numbers: number;
  /** Actions to choose among; 0: continuous ones. */
  readonly actions: number;
  /** Continuous actions, with their range. */
  readonly size: number;
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly gamma: number;
  /** Steps of the whole run. */
  readonly steps: number;
}

/** What came of a step. */
export interface MethodStep {
  readonly seen: MethodSeen;
  readonly action: MethodAction;
  readonly reward: number;
  readonly next: MethodSeen;
  /** The task ended: no value behind it. */
  readonly ended: boolean;
  /** The step limit cut the episode: the value of `next` goes on. */
  readonly cut: boolean;
  /** Actions that are allowed in `next`; undefined: all. */
  readonly legal: readonly boolean[] | undefined;
}

export interface MethodForm extends OverForm {
  readonly sees?: 'states' | 'numbers';
  readonly acts?: 'discrete' | 'continuous';
  /** Names of the numbers that `learn` may return, for curves: means over the steps between two rows. */
  readonly metrics?: readonly string[];
  start(task: Task, settings: Settings, random: WorldRandom): unknown;
  act(memory: unknown, seen: MethodSeen, settings: Settings, random: WorldRandom, legal: readonly boolean[] | undefined): MethodAction;
  learn(memory: unknown, step: MethodStep, settings: Settings, random: WorldRandom): unknown;
  /** The action without exploring; `act` without it. */
  best?(memory: unknown, seen: MethodSeen, settings: Settings, legal: readonly boolean[] | undefined): MethodAction;
  /** The value of each action, for explanations. */
  values?(memory: unknown, seen: MethodSeen, settings: Settings): readonly number[];
}

const MEMBERS = ['title', 'about', 'env', 'envSettings', 'settings', 'sees', 'acts', 'metrics', 'start', 'act', 'learn', 'best', 'values'];

/** Checks what was given to defineMethod. Throws LabError('world-invalid') naming the member. */
export function readMethod(given: unknown): MethodForm {
  if (!isObject(given))
    throw wrong(
      'defineMethod',
      'defineMethod needs an object.',
      "Write defineMethod({ title: 'Mine', env: 'frozen-lake', start, act, learn }).",
    );
  readMembers(given, 'method', {
    members: MEMBERS,
    required: {
      title: "Add title: 'My method'.",
      env: "Add env: 'frozen-lake', the environment it is tried in first.",
      start: 'Add start(task, settings, random) { return { q: [] }; }, what is remembered at first.',
      act: 'Add act(memory, seen, settings, random) { return 0; }, the action while it learns.',
      learn: 'Add learn(memory, step, settings, random) { .. }, which changes the memory.',
    },
    functions: ['start', 'act', 'learn', 'best', 'values'],
    texts: ['title', 'about'],
  });
  checkOver(given);
  if (given.metrics !== undefined && !(isWords(given.metrics) && given.metrics.every((name) => /^[a-z]\w{0,30}$/i.test(name))))
    throw wrong('metrics', '"metrics" is not a list of names.', "Write metrics: ['error'].");
  if (given.sees !== undefined && given.sees !== 'states' && given.sees !== 'numbers')
    throw wrong('sees', `"sees" is ${show(given.sees)}.`, "Write sees: 'states' or sees: 'numbers', or leave it out where both are fine.");
  if (given.acts !== undefined && given.acts !== 'discrete' && given.acts !== 'continuous')
    throw wrong('acts', `"acts" is ${show(given.acts)}.`, "Write acts: 'discrete' or acts: 'continuous', or leave it out.");
  return given as unknown as MethodForm;
}

/** Throws LabError('world-invalid'). */
export function methodEntry(given: unknown, id: string, lineOf: LineOf = () => null): AlgoEntry {
  const call = callerOf(lineOf);
  const form = readMethod(given);
  const names = form.metrics ?? [];
  return defineAlgo<Settings>({
    spec: {
      id,
      version: 1,
      title: form.title,
      summary: form.about ?? form.title,
      source: { title: form.title, authors: 'own method', year: 2026 },
      config: z.strictObject(settingFields(form.settings)) as unknown as z.ZodType<Settings>,
      presets: [],
      action: form.acts === 'discrete' ? 'discrete' : form.acts === 'continuous' ? 'box' : 'any',
      learner: form.sees === 'states' ? 'table' : 'network',
      agents: 'one',
      metrics: [
        ...episodeMetrics,
        ...names.map((name) => ({ id: name, title: name, description: `As learn returns it: mean since the last row.` })),
      ],
      trial: { env: form.env, steps: 1000 },
      probes: [],
    },

    async *train(run, resume) {
      const settings = Object.freeze(run.config);
      const env = run.makeEnv(1);
      const { buffers, meta } = env;
      const task = taskOf(meta, run.steps);
      const rng = run.rng.split('method');
      const random = new WorldRandom(rng);
      const seer = seerOf(meta);
      const writer = writerOf(meta);
      let memory: unknown = null;
      const packed = () => packMemory(memory);
      const kept = {
        save: (): Saved => {
          const { shape, numbers } = packed();
          return { meta: { shape }, arrays: { numbers } };
        },
        load: (saved: Saved): void => {
          memory = unpackMemory({ shape: saved.meta.shape ?? null, numbers: floatsOf(saved) });
        },
      };
      const state = registerState({ counters: { step: 0 }, parts: { env, memory: kept }, arrays: { rng } });
      const { counters } = state;
      const point = safePoint({
        state,
        engine: { hash: () => hashBytes(packed().numbers) },
        snapshot: () => kept.save(),
        policy: () => policyOf(form, meta, settings, () => memory, call),
      });
      if (resume === undefined) {
        memory = call('start', () => form.start(task, settings, random));
        packed();
        env.reset();
      } else state.load(resume);

      const every = stepsPerRow(run.steps);
      const chosen = env.env.meta.agents[0]!.action.kind === 'discrete' ? new Int32Array(1) : new Float32Array(meta.actionSize);
      while (counters.step < run.steps) {
        const sums = new Float64Array(names.length);
        const counts = new Float64Array(names.length);
        for (let count = 0; count < every && counters.step < run.steps; count++, counters.step++) {
          const seen = seer(buffers.obs, 0);
          const legal = legalOf(buffers.mask, 0, meta.actionCount);
          const action = call('act', () => form.act(memory, seen, settings, random, legal));
          writer('act', action, chosen, 0, legal);
          env.step(chosen);
          const { terminated, ended, nextMask } = outcomeOf(buffers, meta.obsSize);
          const step: MethodStep = {
            seen,
            action,
            reward: buffers.reward[0]!,
            next: seer(ended ? buffers.finalObs : buffers.obs, 0),
            ended: terminated,
            cut: ended && !terminated,
            legal: legalOf(nextMask, 0, meta.actionCount),
          };
          const told: unknown = call('learn', () => form.learn(memory, step, settings, random));
          if (isObject(told))
            names.forEach((name, i) => {
              const value = told[name];
              if (!isNumber(value)) return;
              sums[i]! += value;
              counts[i]! += 1;
            });
        }
        const own = Object.fromEntries(names.map((name, i) => [name, counts[i] === 0 ? Number.NaN : sums[i]! / counts[i]!]));
        yield { step: counters.step, metrics: { ...episodeRow(env), ...own }, ...point };
      }
    },

    policy: async ({ meta, config }, saved) => {
      const memory = unpackMemory({ shape: saved.meta.shape ?? null, numbers: floatsOf(saved) });
      return policyOf(form, meta, config, () => memory, call);
    },
  });
}

const floatsOf = (saved: Saved): Float64Array => {
  const { numbers } = saved.arrays;
  if (numbers instanceof Float64Array) return numbers;
  throw wrong('start', 'The stored memory of the method is damaged.', 'Train it again.');
};

function taskOf(meta: EnvMeta, steps: number): Task {
  const { obs, action } = meta.agents[0]!;
  return Object.freeze({
    states: obs.kind === 'discrete' ? obs.n : 0,
    numbers: obs.kind === 'discrete' ? 0 : meta.obsSize,
    actions: action.kind === 'discrete' ? action.n : 0,
    size: action.kind === 'box' ? action.size : 0,
    low: action.kind === 'box' ? [...action.low] : [],
    high: action.kind === 'box' ? [...action.high] : [],
    gamma: meta.gamma,
    steps,
  });
}

/** What stands in a row, as the method sees it. */
function seerOf(meta: EnvMeta): (obs: Float32Array, row: number) => MethodSeen {
  const size = meta.obsSize;
  if (meta.agents[0]!.obs.kind === 'discrete') return (obs, row) => stateOf(obs, size, row);
  return (obs, row) => Array.from(obs.subarray(row * size, (row + 1) * size));
}

const legalOf = (mask: Uint8Array | undefined, row: number, n: number): readonly boolean[] | undefined =>
  mask === undefined ? undefined : Array.from({ length: n }, (_, a) => mask[row * n + a] !== 0);

type Writer = (name: string, action: unknown, out: Int32Array | Float32Array, row: number, legal: readonly boolean[] | undefined) => void;

/** Writes an action to a row, continuous ones cut to their range. Throws LabError('world-invalid') for one that is none. */
function writerOf(meta: EnvMeta): Writer {
  const space: ActionSpace = meta.agents[0]!.action;
  const size = actionSize(space);
  if (space.kind === 'discrete')
    return (name, action, out, row, legal) => {
      if (!isNumber(action) || !Number.isInteger(action) || action < 0 || action >= space.n)
        throw wrong(name, `${name} gives ${show(action)}.`, `Return the number of an action, 0 to ${space.n - 1}.`);
      if (legal?.[action] === false)
        throw wrong(name, `${name} gives ${action}, which is not allowed now.`, 'Choose an action where legal[a] is true.');
      out[row] = action;
    };
  return (name, action, out, row) => {
    const numbers: readonly unknown[] = Array.isArray(action) ? action : [action];
    if (numbers.length !== size || !numbers.every((x) => isNumber(x)))
      throw wrong(name, `${name} gives ${show(action)}.`, size === 1 ? 'Return a number.' : `Return a list of ${size} numbers.`);
    for (let i = 0; i < size; i++) out[row * size + i] = Math.min(space.high[i]!, Math.max(space.low[i]!, Number(numbers[i])));
  };
}

function policyOf(form: MethodForm, meta: EnvMeta, settings: Settings, memory: () => unknown, call: Call): Policy {
  const none = new Float32Array(0);
  const seer = seerOf(meta);
  const writer = writerOf(meta);
  const n = meta.actionCount;
  return {
    initial: () => none,
    act({ obs, rows, rng, greedy, mask }) {
      const random = new WorldRandom(rng);
      const actions = n > 0 ? new Int32Array(rows) : new Float32Array(rows * meta.actionSize);
      const q = form.values === undefined ? undefined : new Float32Array(rows * n);
      for (let row = 0; row < rows; row++) {
        const seen = seer(obs, row);
        const legal = legalOf(mask, row, n);
        const best = greedy && form.best !== undefined;
        const action = best
          ? call('best', () => form.best?.(memory(), seen, settings, legal))
          : call('act', () => form.act(memory(), seen, settings, random, legal));
        writer(best ? 'best' : 'act', action, actions, row, legal);
        if (q === undefined) continue;
        const values: unknown = call('values', () => form.values?.(memory(), seen, settings));
        if (!Array.isArray(values) && !(values instanceof Float64Array))
          throw wrong('values', `values gives ${show(values)}.`, `Return a list of ${n} numbers.`);
        for (let a = 0; a < n; a++) q[row * n + a] = Number((values as ArrayLike<Json>)[a]);
      }
      return { actions, hidden: none, ...(q !== undefined && { q }) };
    },
    dispose() {},
  };
}
