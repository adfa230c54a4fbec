/** What a world's agent sees and does, and the keys a person plays with. Throws LabError('world-invalid'). */
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { isNumber, isObject, isWords, show, type WorldForm, wrong } from './form.ts';

const MOST_SEEN = 10_000;
const MOST_ACTIONS = 1000;

export function readObservation(given: unknown): ObsSpace {
  if (isWords(given) && given.length > 0 && given.length <= MOST_SEEN)
    return { kind: 'box', shape: [given.length], low: null, high: null, labels: given };
  const fix =
    "Write observation: ['place', 'speed'], or { labels: ['place'], low: 0, high: 1 }, or { shape: [5, 5], low: 0, high: 1 }, or { states: 20 }.";
  if (!isObject(given)) throw wrong('observation', `"observation" is ${show(given)}.`, fix);
  const other = Object.keys(given).find((key) => !['labels', 'shape', 'low', 'high', 'states'].includes(key));
  if (other !== undefined) throw wrong('observation', `"observation" has a member "${other.slice(0, 40)}".`, fix);
  const { labels, shape, low = null, high = null, states } = given;
  if (states !== undefined) {
    if (isNumber(states) && Number.isInteger(states) && states >= 1 && states <= MOST_SEEN) return { kind: 'discrete', n: states };
    throw wrong('observation', `"states" of the observation is ${show(states)}.`, `Give how many states there are, 1 to ${MOST_SEEN}.`);
  }
  if ((low !== null && !isNumber(low)) || (high !== null && !isNumber(high)) || (isNumber(low) && isNumber(high) && low >= high))
    throw wrong('observation', 'The bounds of the observation are not a low below a high.', 'Write low: 0, high: 1.');
  const named = labels === undefined ? null : labels;
  if (named !== null && (!isWords(named) || named.length === 0))
    throw wrong('observation', '"labels" of the observation are not a list of words.', fix);
  const size = Array.isArray(shape) && shape.every((n) => Number.isInteger(n) && n >= 1) ? (shape as readonly number[]) : null;
  if (shape !== undefined && (size === null || size.length < 1 || size.length > 3))
    throw wrong(
      'observation',
      `"shape" of the observation is ${show(shape)}.`,
      'Give one to three whole numbers: [height, width, channels].',
    );
  const whole = size ?? (named === null ? null : [named.length]);
  if (whole === null) throw wrong('observation', 'The observation has neither labels nor a shape.', fix);
  const count = whole.reduce((a, b) => a * b, 1);
  if (count > MOST_SEEN) throw wrong('observation', `The observation has ${count} numbers.`, `At most ${MOST_SEEN} are possible.`);
  if (named !== null && named.length !== count)
    throw wrong('observation', `There are ${named.length} labels for ${count} numbers.`, 'Give one for each.');
  return { kind: 'box', shape: whole, low, high, ...(named !== null && { labels: named }) };
}

export function readActions(given: unknown): ActionSpace {
  if (isWords(given) && given.length > 0 && given.length <= MOST_ACTIONS) return { kind: 'discrete', n: given.length, labels: given };
  const fix = "Write actions: ['left', 'right'], or { labels: ['push'], low: -1, high: 1 } for continuous ones.";
  if (!isObject(given)) throw wrong('actions', `"actions" is ${show(given)}.`, fix);
  const { labels, low, high } = given;
  const other = Object.keys(given).find((key) => !['labels', 'low', 'high'].includes(key));
  if (
    other !== undefined ||
    !isWords(labels) ||
    labels.length === 0 ||
    labels.length > 100 ||
    !isNumber(low) ||
    !isNumber(high) ||
    low >= high
  )
    throw wrong('actions', 'Continuous actions need labels, and a low below a high.', fix);
  return { kind: 'box', size: labels.length, low: labels.map(() => low), high: labels.map(() => high), labels };
}

/** Keys of actions by their names. */
const USUAL: { readonly [name: string]: readonly string[] } = {
  left: ['ArrowLeft', 'a'],
  right: ['ArrowRight', 'd'],
  up: ['ArrowUp', 'w'],
  down: ['ArrowDown', 's'],
};
const IDLE = ['stay', 'wait', 'nothing', 'none', 'idle', 'coast', 'off'];

export function readKeys({ keys }: WorldForm, action: ActionSpace): Pick<EnvMeta, 'keys' | 'idleAction'> & Partial<Pick<EnvMeta, 'axes'>> {
  if (action.kind === 'box') {
    const pairs = [
      ['ArrowLeft', 'ArrowRight'],
      ['ArrowDown', 'ArrowUp'],
    ] as const;
    const axes = action.labels.slice(0, 2).map((name, component) => ({
      name,
      component,
      less: [pairs[component]?.[0] ?? 'ArrowLeft'],
      more: [pairs[component]?.[1] ?? 'ArrowRight'],
      low: action.low[component] ?? -1,
      high: action.high[component] ?? 1,
      rest: ((action.low[component] ?? -1) + (action.high[component] ?? 1)) / 2,
    }));
    return { keys: [], idleAction: null, axes };
  }
  if (keys !== undefined && keys.length !== action.n)
    throw wrong(
      'keys',
      `There are keys for ${keys.length} actions; the world has ${action.n}.`,
      'Give a list for each action, [] for none.',
    );
  const own = action.labels.map((label, i) => USUAL[label.toLowerCase()] ?? (i < 9 ? [String(i + 1)] : []));
  const idle = action.labels.findIndex((label) => IDLE.includes(label.toLowerCase()));
  return { keys: keys ?? own, idleAction: idle < 0 ? null : idle };
}
