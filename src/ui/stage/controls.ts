/** Which buttons and sticks a game needs on a screen, from its keys and axes. */

import { keysOf } from '#client/stage/human.ts';
import type { EnvCard, HumanAxis } from '#contract/catalog/catalog.ts';
import { msg, t } from '#text/text.ts';

/** A button that holds a key, '' for none. `action`: what a press without a pointer does; null: such a press does nothing by itself. */
export interface Hold {
  readonly name: string;
  readonly key: string;
  readonly action: number | null;
}

/** A stick for one axis or two; an index into EnvCard.axes, -1: does not go that way. */
export interface StickControl {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** -1 where pushing to the right is `less`. */
  readonly signX: number;
  /** Keys that do the same: down, up, left, right; '' where there is none. */
  readonly keys: readonly [down: string, up: string, left: string, right: string];
}

export function isPlayable(env: EnvCard | null): boolean {
  return env !== null && (env.keys.some((keys) => keys.length > 0) || (env.action.kind === 'box' && (env.axes ?? []).some(steerable)));
}

/** Why it cannot be played by hand, in a sentence; '' where one can. */
export function whyNotPlayable(env: EnvCard): string {
  if (isPlayable(env)) return '';
  const { action, agents, fps } = env;
  if (action.kind === 'discrete') return `All ${agents} members choose at the same time: one more choice would not be seen.`;
  if (action.size === 0) return 'No learned policy here: every agent follows the built-in rule. With learners above 0 you can steer one.';
  const what = action.labels.length > 0 ? action.labels.join(', ') : `${action.size} numbers`;
  return `You cannot play this one by hand: ${what} are set ${Math.round(fps)} times a second, faster and finer than keys or a thumb.`;
}

function steerable(axis: HumanAxis): boolean {
  return axis.stick !== undefined || axis.less.length > 0 || axis.more.length > 0;
}

const NAMES: { readonly [key: string]: string } = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': msg('Space') };

/** A key as it is printed on keyboards. */
export function keyName(key: string): string {
  const named = NAMES[key];
  return named !== undefined ? t(named) : key.length === 1 ? key.toUpperCase() : key;
}

/** Keys that say "to the right": where they stand under `less`, so does the stick's right. */
const RIGHT: ReadonlySet<string> = new Set(['ArrowRight', 'd', 'l']);

export function signOfX(axis: HumanAxis): number {
  return axis.less.some((key) => RIGHT.has(key)) ? -1 : 1;
}

export function controlsOf(env: EnvCard): { readonly sticks: readonly StickControl[]; readonly holds: readonly Hold[] } {
  const axes = env.action.kind === 'box' ? (env.axes ?? []) : [];
  if (axes.length === 0) return { sticks: [], holds: holdsOf(env) };
  const sticks: StickControl[] = [];
  for (const side of ['left', 'right'] as const) {
    const x = axes.findIndex(({ stick }) => stick === `${side}X`);
    const y = axes.findIndex(({ stick }) => stick === `${side}Y`);
    if (x < 0 && y < 0) continue;
    const name = [axes[y]?.name, axes[x]?.name].filter((part) => part !== undefined).join(', ');
    const signX = x < 0 ? 1 : signOfX(axes[x]!);
    const [less, more] = [axes[x]?.less[0] ?? '', axes[x]?.more[0] ?? ''];
    const keys = [axes[y]?.less[0] ?? '', axes[y]?.more[0] ?? '', ...(signX > 0 ? [less, more] : [more, less])] as const;
    sticks.push({ name, x, y, signX, keys: keys as StickControl['keys'] });
  }
  const holds = axes
    .filter((axis) => axis.stick === undefined)
    .flatMap((axis) => [
      ...axis.less.slice(0, 1).map((key) => ({ name: `less ${axis.name}`, key, action: null })),
      ...axis.more.slice(0, 1).map((key) => ({ name: axis.less.length > 0 ? `more ${axis.name}` : axis.name, key, action: null })),
    ]);
  return { sticks, holds };
}

/** Actions without a key that are shown as buttons at most, so that buttons are never a wall. */
const MOST_WITHOUT_KEY = 24;

/**
 * One button per action that has a key of its own; those of several keys are had by pressing several buttons. Where the game waits for a press, an
 * action for which no key is left has a button, too.
 */
function holdsOf(env: EnvCard): Hold[] {
  const labels = env.action.labels;
  const all = env.idleAction === null && env.keys.length <= MOST_WITHOUT_KEY;
  return env.keys.flatMap((keys, action) => {
    const key = keys.find((name) => keysOf(name).length === 1) ?? (all && keys.length === 0 ? '' : undefined);
    return key === undefined ? [] : [{ name: labels[action] ?? key, key, action }];
  });
}
