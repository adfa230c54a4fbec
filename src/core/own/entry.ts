/**
 * An environment of the workbench, made of a world in the simple form: the form's functions know one copy and one step; batches, state bytes,
 * step limit, checks of what they give and the picture stand here. Auto-reset is the vector wrapper's, as everywhere.
 * An error that a function of the form throws becomes LabError('world-invalid') naming the function and the line.
 */

import { type ActionSpace, actionSize, type ObsSpace, obsSize } from '#contract/spaces.ts';
import { Rng } from '#math/rng.ts';
import { defineEnv } from '../envs/api/define.ts';
import { assemble } from '../envs/api/environment.ts';
import { soloMeta } from '../envs/api/meta.ts';
import { allocateRows, defineState } from '../envs/api/state.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { remembered } from '../envs/lib/remembered.ts';
import { type Call, callerOf, type LineOf } from './call.ts';
import { drawingOf, drawnBy, readView } from './drawing.ts';
import { isNumber, isObject, readForm, type Settings, show, type ViewForm, type WorldForm, type WorldState, wrong } from './form.ts';
import { type Drawing, type Item, readItems } from './items.ts';
import { WorldRandom } from './random.ts';
import { configOf } from './settings.ts';
import { readActions, readKeys, readObservation } from './spaces.ts';
import { type StateShape, shapeOf } from './state.ts';

/** Steps of random play that show how large pictures get. */
const SAMPLED = 200;
/** Field of the state bytes that holds the clock of the step limit. */
const CLOCK = 'clock of the step limit';

/** Steps of a world whose results are looked at for members that nothing reads. */
const LOOKED = 400;
/** A member of what `step` gave that nothing reads, `done` for instance, as a world says once it was played; null: there was none. */
export const strayOf = new WeakMap<Environment, () => string | null>();

/** All that follows from the settings. */
interface World {
  readonly settings: Settings;
  readonly shape: StateShape;
  readonly meta: EnvMeta;
  readonly drawing: Drawing;
}

/**
 * `given`: what defineEnv was called with; `id`: the name the environment gets, one for each code. Throws LabError('world-invalid'), here
 * for what the form says and later for what its functions do.
 */
export function worldEntry(given: unknown, id: string, lineOf: LineOf = () => null): EnvEntry {
  const call = callerOf(lineOf);
  const form = readForm(given);
  const config = configOf(form);
  const worldOf = remembered((settings: Settings): World => makeWorld(form, id, Object.freeze({ ...settings }), call), 51);
  worldOf(config.parse({})); // what is wrong with the default settings is said at once
  return defineEnv<Settings>({
    spec: {
      id,
      version: 1,
      title: form.title,
      summary: form.about ?? form.title,
      source: { title: form.title, authors: 'own world', year: 2026 },
      config,
      presets: [{ id: 'standard', title: 'as written', config: {} }],
      meta: (settings) => worldOf(settings).meta,
      ...(form.learn !== undefined && {
        recommended: { algo: form.learn.method, steps: form.learn.steps, config: { ...form.learn.settings } },
      }),
    },
    create: (settings, batch) => createWorld(form, worldOf(settings), batch, call),
  });
}

function resetOf(form: WorldForm, settings: Settings, random: WorldRandom, call: Call): WorldState {
  const state: unknown = call('reset', () => form.reset(settings, random));
  if (isObject(state)) return state as WorldState;
  throw wrong('reset', `reset gives ${show(state)}.`, 'Return an object with the numbers of the state: return { place: 0 };');
}

function makeWorld(form: WorldForm, id: string, settings: Settings, call: Call): World {
  const evaluate = <T>(name: string, value: T | ((settings: Settings) => T)): unknown =>
    typeof value === 'function' ? call(name, () => (value as (settings: Settings) => T)(settings)) : value;
  const obs = readObservation(evaluate('observation', form.observation));
  const action = readActions(evaluate('actions', form.actions));
  if (form.legal !== undefined && action.kind === 'box') throw wrong('legal', '"legal" is for actions to choose among.', 'Leave it out.');
  const shape = shapeOf(resetOf(form, settings, new WorldRandom(Rng.from(0)), call));
  const state = defineState(1, [...shape.fields, { name: CLOCK, type: 'u32', shape: [], doc: 'steps done in this episode' }], [CLOCK]);
  const maxSteps = Number(settings.maxSteps);
  const view = form.view === undefined ? null : readView(evaluate('view', form.view));
  const samples = sampled(form, settings, obs, action, call);
  const drawing = drawingOf(view ?? barsView(obs), samples);
  const meta = soloMeta({
    id,
    agent: form.agent ?? 'agent',
    obs,
    action,
    gamma: form.gamma ?? 0.99,
    maxSteps,
    evalMaxSteps: maxSteps,
    state,
    frame: drawing.layout,
    references: [],
    ...readKeys(form, action),
    fps: form.fps ?? 8,
    masked: form.legal !== undefined,
  });
  return { settings, shape, meta, drawing };
}

/** Pictures of an episode or more of random play. */
function sampled(form: WorldForm, settings: Settings, obs: ObsSpace, action: ActionSpace, call: Call): readonly (readonly Item[])[] {
  const rng = Rng.from(1);
  const random = new WorldRandom(rng.split('world'));
  const pictures: (readonly Item[])[] = [];
  let state = resetOf(form, settings, random, call);
  for (let t = 0; t < SAMPLED; t++) {
    pictures.push(pictureOf(form, state, settings, obs, call));
    const legal = form.legal === undefined ? null : legalOf(form, state, settings, action, call);
    const chosen =
      action.kind === 'box' ? action.low.map((low, i) => low + (action.high[i]! - low) * rng.uniform()) : choice(action.n, legal, rng);
    const result = stepOf(form, state, action, chosen, settings, random, call);
    if (result.ended) state = resetOf(form, settings, random, call);
  }
  return pictures;
}

function choice(n: number, legal: readonly boolean[] | null, rng: Rng): number {
  const open = Array.from({ length: n }, (_, a) => a).filter((a) => legal?.[a] !== false);
  return open[rng.int(open.length)]!;
}

function pictureOf(form: WorldForm, state: WorldState, settings: Settings, obs: ObsSpace, call: Call): readonly Item[] {
  if (form.draw !== undefined) return readItems(call('draw', () => form.draw?.(state, settings)));
  return barsOf(observed(form, state, settings, obs, call), obs);
}

/** What a world without `draw` shows: a bar for every number that the agent sees, named ones with their values. */
function barsOf(values: readonly number[], obs: ObsSpace): readonly Item[] {
  const low = obs.kind === 'box' ? obs.low : 0;
  const high = obs.kind === 'box' ? obs.high : 1;
  const labels = obs.kind === 'box' ? (obs.labels ?? []) : [];
  return values.slice(0, 40).flatMap((seen, i): Item[] => {
    const x = Number.isFinite(seen) ? seen : 0; // a learner is stopped by such a number; the picture only shows that there is none
    const value = low !== null && high !== null && high > low ? (x - low) / (high - low) : 0.5 + (0.5 * x) / (1 + Math.abs(x));
    const label = labels[i];
    return [{ bar: [i + 0.2, 0.2], size: [0.6, 3], value, colour: i % 7 }, ...(label === undefined ? [] : [{ number: label, value: x }])];
  });
}

const barsView = (obs: ObsSpace): ViewForm => ({ x: [0, Math.max(2, Math.min(40, obsSize(obs)))], y: [0, 3.5], side: true });

/** What the agent sees, as many numbers as the space has. */
function observed(form: WorldForm, state: WorldState, settings: Settings, space: ObsSpace, call: Call): readonly number[] {
  const seen: unknown = call('observe', () => form.observe(state, settings));
  if (space.kind === 'discrete') {
    if (isNumber(seen) && Number.isInteger(seen) && seen >= 0 && seen < space.n)
      return Array.from({ length: space.n }, (_, i) => (i === seen ? 1 : 0));
    throw wrong('observe', `observe gives ${show(seen)}.`, `Return the number of the state, a whole number from 0 to ${space.n - 1}.`);
  }
  const size = obsSize(space);
  if (Array.isArray(seen) && seen.length === size) return seen;
  throw wrong('observe', `observe gives ${show(seen)}, the observation has ${size} numbers.`, `Return a list of ${size} numbers.`);
}

function legalOf(form: WorldForm, state: WorldState, settings: Settings, action: ActionSpace, call: Call): readonly boolean[] {
  const n = action.kind === 'discrete' ? action.n : 0;
  const legal: unknown = call('legal', () => form.legal?.(state, settings));
  if (!Array.isArray(legal) || legal.length !== n || !legal.every((item) => typeof item === 'boolean'))
    throw wrong('legal', `legal gives ${show(legal)}.`, `Return a list of ${n} times true or false, one for each action.`);
  if (!legal.includes(true)) throw wrong('legal', 'legal forbids every action.', 'Leave at least one.');
  return legal;
}

/** One step; continuous actions are cut to their range first. */
function stepOf(
  form: WorldForm,
  state: WorldState,
  space: ActionSpace,
  action: number | readonly number[],
  settings: Settings,
  random: WorldRandom,
  call: Call,
  look: (result: object) => void = () => {},
): { readonly reward: number; readonly ended: boolean } {
  const given = typeof action !== 'number' && space.kind === 'box' && space.size === 1 ? action[0]! : action;
  const result: unknown = call('step', () => form.step(state, given, settings, random));
  if (typeof result === 'number') return { reward: result, ended: false };
  if (isObject(result)) {
    look(result);
    const { reward, ended = false } = result;
    if (typeof reward === 'number' && typeof ended === 'boolean') return { reward, ended };
    const other = Object.keys(result).find((key) => key !== 'reward' && key !== 'ended');
    if (reward === undefined && other !== undefined)
      throw wrong('step', `step gives an object with "${other}" and no "reward".`, 'Return { reward: 1, ended: false }.');
    if (typeof reward !== 'number')
      throw wrong('step', `The reward that step gives is ${show(reward)}.`, 'Return { reward: 1, ended: false }.');
    throw wrong('step', `"${other ?? 'ended'}" of what step gives is ${show(result[other ?? 'ended'])}.`, '"ended" is true or false.');
  }
  throw wrong('step', `step gives ${show(result)}.`, 'Return { reward: 1, ended: false }, or the reward alone.');
}

function createWorld(form: WorldForm, { settings, shape, meta, drawing }: World, batch: number, call: Call): Environment {
  const rows = allocateRows(meta.state, batch);
  const { floats, floatStride, words, wordStride } = rows;
  const clock = rows.offset(CLOCK);
  const maxSteps = meta.maxSteps;
  const group = meta.agents[0]!;
  const { obs: space, action } = group;
  const randoms = rows.rng.map((rng) => new WorldRandom(rng));
  const states: WorldState[] = randoms.map(() => ({}));
  const size = actionSize(action);

  const chosen = (actions: Actions, row: number): number | readonly number[] => {
    if (action.kind === 'discrete') return actions[row]!;
    return Array.from({ length: size }, (_, i) => Math.min(action.high[i]!, Math.max(action.low[i]!, actions[row * size + i]!)));
  };
  const observe = (row: number, out: StepBuffers): void => {
    const state = states[row]!;
    const seen = observed(form, state, settings, space, call);
    const at = row * meta.obsSize;
    for (let i = 0; i < seen.length; i++) {
      const x: unknown = seen[i];
      if (typeof x !== 'number') throw wrong('observe', `Number ${i + 1} that observe gives is ${show(x)}.`, 'Return a list of numbers.');
      out.obs[at + i] = x;
    }
    if (out.mask === undefined) return;
    const legal = legalOf(form, state, settings, action, call);
    for (let a = 0; a < legal.length; a++) out.mask[row * meta.actionCount + a] = legal[a] === true ? 1 : 0;
  };

  const drawn = (row: number): readonly Item[] => pictureOf(form, states[row]!, settings, space, call);
  let looked = 0;
  let stray: string | null = null;
  const look = (result: object): void => {
    if (looked < LOOKED) stray ??= Object.keys(result).find((key) => key !== 'reward' && key !== 'ended') ?? null;
    looked++;
  };

  const env = assemble(meta, batch, rows, {
    start(row) {
      states[row] = resetOf(form, settings, randoms[row]!, call);
      words[row * wordStride + clock] = 0;
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const { reward, ended } = stepOf(form, states[row]!, action, chosen(actions, row), settings, randoms[row]!, call, look);
        const at = row * wordStride + clock;
        const steps = words[at]! + 1;
        words[at] = steps;
        out.reward[row] = reward;
        out.terminated[row] = ended ? 1 : 0;
        out.truncated[row] = !ended && steps >= maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      states[row] = shape.read(floats, row * floatStride);
    },
    frame: (row, out) => void drawing.write(drawn(row), out),
  });
  const world: Environment = {
    ...env,
    save(row) {
      shape.write(states[row], floats, row * floatStride, words[row * wordStride + clock] === 0 ? 'reset' : 'step');
      return env.save(row);
    },
  };
  strayOf.set(world, () => stray);
  drawnBy.set(world, (row) => ({ items: drawn(row), drawing }));
  return world;
}
