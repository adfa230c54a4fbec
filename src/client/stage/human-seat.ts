/**
 * The controls of each agent. Those of the first one the environment names; an agent whose actions are others gets the digits, then the letters
 * of the top row, one for each action, or pairs of keys for its first numbers.
 */
import type { EnvCard, HumanAxis } from '#contract/catalog/catalog.ts';

const KEYS = '1234567890qwertyuiop';
const PAIRS: readonly (readonly [less: string, more: string])[] = [
  ['ArrowLeft', 'ArrowRight'],
  ['ArrowDown', 'ArrowUp'],
  ['a', 'd'],
  ['s', 'w'],
];

/** The card as this agent plays it. */
export function cardOfSeat(env: EnvCard, agent: number): EnvCard {
  const action = env.groups.flatMap((group) => group.names.map(() => group.action))[agent];
  if (action === undefined || JSON.stringify(action) === JSON.stringify(env.action)) return env;
  const { axes: _, ...rest } = env;
  if (action.kind === 'discrete') {
    return {
      ...rest,
      action,
      keys: Array.from({ length: action.n }, (_unused, i) => (i < KEYS.length ? [KEYS[i]!] : [])),
      idleAction: null,
    };
  }
  const own = PAIRS.slice(0, action.size).map(([less, more], component): HumanAxis => {
    const [low, high] = [action.low[component] ?? -1, action.high[component] ?? 1];
    const rest = Math.min(high, Math.max(low, 0));
    return { name: action.labels[component] ?? `number ${component + 1}`, component, less: [less], more: [more], low, high, rest };
  });
  return { ...rest, action, keys: [], axes: own };
}
