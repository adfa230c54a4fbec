/**
 * The simple form of an environment: one copy at a time, in plain functions over a plain state object; one agent and one reward unless it says
 * more. `entry.ts` makes an environment of it like any other: batches, state bytes, auto-reset and step limit. This file is the form and what is
 * refused of it.
 */
import { fail, type LabError } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { nearest } from '#contract/kit/nearest.ts';
import type { WorldRandom } from './random.ts';

/** Values of the settings by name, the step limit included. */
export type Settings = { readonly [name: string]: Json };

/** The state: numbers, booleans, lists of numbers of a fixed length, and objects and lists of such. */
export type WorldState = { [name: string]: unknown };

/** A number with a range, a switch, or a choice among words. */
export type Setting = SettingText &
  (
    | { readonly default: number; readonly min: number; readonly max: number; readonly whole?: boolean; readonly unit?: string }
    | { readonly default: boolean }
    | { readonly default: string; readonly options: readonly string[] }
  );

interface SettingText {
  readonly title?: string;
  readonly about?: string;
}

/** Names of the numbers the agent sees, with bounds where they are known; or how many numbered states there are. */
export type Observation =
  | readonly string[]
  | { readonly labels?: readonly string[]; readonly shape?: readonly number[]; readonly low?: number; readonly high?: number }
  | { readonly states: number };

/** Names of the actions to choose among, or continuous actions in a range. */
export type ActionForm = readonly string[] | { readonly labels: readonly string[]; readonly low: number; readonly high: number };

/** Where the picture is: a board of cells, x to the right and y downwards, or a plane, y upwards, seen from above or from the side. */
export type ViewForm =
  | { readonly cells: readonly [width: number, height: number] }
  | { readonly x: readonly [min: number, max: number]; readonly y: readonly [min: number, max: number]; readonly side?: boolean };

/** A method of the catalogue, those of its settings that differ from its own, and how many steps it needs. */
export interface LearnForm {
  readonly method: string;
  readonly steps: number;
  readonly settings?: { readonly [name: string]: number | boolean | string };
}

/**
 * What a step gives: the reward, or the reward and whether the episode ended in it. With several agents, a list with one reward for each, or a
 * number that all are paid; with several rewards, a list with one number for each.
 */
export type StepResult = number | { readonly reward: number | readonly number[]; readonly ended?: boolean };

/** Agents alike, with what they see and do where that differs from what the world says for all. */
export interface AgentForm {
  readonly name: string;
  readonly count?: number;
  readonly observation?: ByConfig<Observation>;
  readonly actions?: ByConfig<ActionForm>;
}

type ByConfig<T> = T | ((settings: Settings) => T);

export interface WorldForm {
  readonly title: string;
  /** One sentence: what the agent has to do. */
  readonly about?: string;
  /** What the agent is called; 'agent' without it. */
  readonly agent?: string;
  /** Several agents: a name for each, or groups of them. Then `step` is given a list of actions, and the other functions the agent's number. */
  readonly agents?: ByConfig<readonly (string | AgentForm)[]>;
  /** Names of several rewards of one agent: `step` gives a list with a number for each. */
  readonly rewards?: readonly string[];
  /** How the returns of several agents become one number: 'mean' (without it), 'sum', 'shared', or the name of a group. */
  readonly score?: string;
  readonly settings?: { readonly [name: string]: Setting };
  readonly observation: ByConfig<Observation>;
  readonly actions: ByConfig<ActionForm>;
  /** Default of the step limit, a setting of every world; 1000 without it. */
  readonly maxSteps?: number;
  /** Discount; 0.99 without it. */
  readonly gamma?: number;
  /** Steps per second in the picture; 8 without it. */
  readonly fps?: number;
  /** KeyboardEvent.key values per action for human play; without it they follow from the actions' names. */
  readonly keys?: readonly (readonly string[])[];
  readonly view?: ByConfig<ViewForm>;
  /** What learns it, where that is not what is recommended for worlds of its kind. */
  readonly learn?: LearnForm;
  reset(settings: Settings, random: WorldRandom): WorldState;
  /** `action`: a number, or a list of numbers for several continuous ones; with several agents, a list with that for each agent. */
  step(
    state: WorldState,
    action: number | readonly number[] | readonly (number | readonly number[])[],
    settings: Settings,
    random: WorldRandom,
  ): StepResult;
  observe(state: WorldState, settings: Settings, agent?: number): number | readonly number[];
  /** Which actions are allowed now, one boolean per action. Only for actions to choose among. */
  legal?(state: WorldState, settings: Settings, agent?: number): readonly boolean[];
  /** Whether an agent still takes part. Only with several agents; without it all do until the episode ends. */
  alive?(state: WorldState, settings: Settings, agent: number): boolean;
  /** What is to be seen (drawing.ts). */
  draw?(state: WorldState, settings: Settings): readonly unknown[];
}

const MEMBERS = [
  'title',
  'about',
  'agent',
  'agents',
  'rewards',
  'score',
  'settings',
  'observation',
  'actions',
  'maxSteps',
  'gamma',
  'fps',
  'keys',
  'view',
  'learn',
  'reset',
  'step',
  'observe',
  'legal',
  'alive',
  'draw',
] as const;
const FUNCTIONS = ['reset', 'step', 'observe', 'legal', 'alive', 'draw'];
/** Members that mean something with several agents only. */
const OF_TEAMS = ['score', 'alive'] as const;

/** A member of the form or of what its functions give is not as it must be. `field` is the member. */
export function wrong(field: string, message: string, fix: string): LabError {
  return fail('world-invalid', message, fix, field);
}

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');

/** Checks what was given to defineEnv. Throws LabError('world-invalid') naming the member. */
export function readForm(given: unknown): WorldForm {
  if (!isObject(given))
    throw wrong('defineEnv', 'defineEnv needs an object.', 'Write defineEnv({ title, observation, actions, reset, step, observe }).');
  readMembers(given, 'world', { members: MEMBERS, required: WHAT, functions: FUNCTIONS, texts: ['title', 'about', 'agent'] });
  range(given, 'maxSteps', 1, 1_000_000, true);
  range(given, 'gamma', 0, 1, false);
  range(given, 'fps', 0.1, 120, false);
  if (given.keys !== undefined && !(Array.isArray(given.keys) && given.keys.every(isWords)))
    throw wrong('keys', '"keys" is not a list with a list of keys for each action.', "Write keys: [['ArrowLeft'], ['ArrowRight']].");
  if (given.learn !== undefined) readLearn(given.learn);
  if (given.agent !== undefined && given.agents !== undefined)
    throw wrong('agent', 'The world has "agent" and "agents".', 'Keep "agents" where there are several, "agent" for one.');
  const team = OF_TEAMS.find((key) => given[key] !== undefined);
  if (team !== undefined && given.agents === undefined)
    throw wrong(team, `"${team}" is for several agents, and there is no "agents".`, "Leave it out, or add agents: ['red', 'blue'].");
  return given as unknown as WorldForm;
}

function readLearn(learn: unknown): void {
  const fix = "Write learn: { method: 'q-learning', steps: 20_000, settings: { alpha: 0.05 } }.";
  if (!isObject(learn)) throw wrong('learn', `"learn" is ${show(learn)}.`, fix);
  const other = Object.keys(learn).find((key) => !['method', 'steps', 'settings'].includes(key));
  if (other !== undefined) throw wrong('learn', `"learn" has a member "${other.slice(0, 40)}".`, fix);
  const { method, steps, settings } = learn;
  if (typeof method !== 'string' || !/^[a-z0-9-]{1,60}$/.test(method)) throw wrong('learn', `"learn.method" is ${show(method)}.`, fix);
  if (!isNumber(steps) || !Number.isInteger(steps) || steps < 1000 || steps > 10_000_000)
    throw wrong('learn', `"learn.steps" is ${show(steps)}.`, 'Give a whole number from 1000 to 10000000.');
  const plain = (value: unknown): boolean => isNumber(value) || typeof value === 'boolean' || typeof value === 'string';
  if (settings !== undefined && !(isObject(settings) && Object.values(settings).every(plain)))
    throw wrong('learn', '"learn.settings" is no object of numbers, switches and words.', fix);
}

/** What a definition consists of: its members, those it must have with what to write, and which are functions and texts. */
interface Members {
  readonly members: readonly string[];
  readonly required: { readonly [member: string]: string };
  readonly functions: readonly string[];
  readonly texts: readonly string[];
}

/** Throws LabError('world-invalid') naming a member that is unknown, missing or of the wrong kind. `what`: world, reward, .. */
export function readMembers(
  given: { readonly [key: string]: unknown },
  what: string,
  { members, required, functions, texts }: Members,
): void {
  for (const key of Object.keys(given)) {
    if (members.includes(key)) continue;
    const like = nearest(key, members);
    const fix = like.length > 0 ? `Did you mean ${like.join(' or ')}?` : `Members are: ${members.join(', ')}.`;
    throw wrong(key, `A ${what} has no member "${key}".`, fix);
  }
  for (const [key, fix] of Object.entries(required)) {
    if (given[key] === undefined) throw wrong(key, `The ${what} has no "${key}".`, fix);
  }
  for (const key of functions) {
    if (given[key] !== undefined && typeof given[key] !== 'function')
      throw wrong(key, `"${key}" is not a function.`, `Write ${key}(..) { .. }.`);
  }
  for (const key of texts) {
    const text = given[key];
    if (text !== undefined && (typeof text !== 'string' || text.trim() === '' || text.length > 400))
      throw wrong(key, `"${key}" is not a text of 1 to 400 characters.`, `Write ${key}: 'words'.`);
  }
}

const WHAT: { readonly [key in 'title' | 'observation' | 'actions' | 'reset' | 'step' | 'observe']: string } = {
  title: "Add title: 'My world'.",
  observation: "Add observation: ['place', 'speed'], a name for each number that the agent sees.",
  actions: "Add actions: ['left', 'right'], a name for each action.",
  reset: 'Add reset(settings, random) { return { place: 0 }; }, the state at the start of an episode.',
  step: 'Add step(state, action, settings, random) { state.place += action; return { reward: 0, ended: false }; }.',
  observe: 'Add observe(state, settings) { return [state.place]; }, what the agent sees.',
};

function range(given: { readonly [key: string]: unknown }, key: string, low: number, high: number, whole: boolean): void {
  const value = given[key];
  if (value === undefined) return;
  if (isNumber(value) && value >= low && value <= high && (!whole || Number.isInteger(value))) return;
  throw wrong(key, `"${key}" is ${show(value)}.`, `Give a ${whole ? 'whole ' : ''}number from ${low} to ${high}.`);
}

/** A value as a message shows it, short. */
export function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null) return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}..` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'function' ? 'a function' : 'an object';
}
