/** Turns what a policy prefers at every cell into signs a scene can draw: arrows by action label, relative to the heading where there is one. */
import type { GridLayout } from '#contract/game/frames.ts';
import type { GridMap } from '#contract/session/session.ts';
import type { CellSign } from '#scenes/types.ts';

const DIRECTIONS: readonly (readonly string[])[] = [
  ['right', 'east', 'move right'],
  ['down', 'south', 'move down'],
  ['left', 'west', 'move left'],
  ['up', 'north', 'move up'],
];
const STILL: ReadonlySet<string> = new Set(['stay', 'noop', 'no-op', 'wait', 'done', 'nothing']);
/** Less likely actions are left away: they would be specks. */
const LEAST = 0.04;

/** What an action of this label does on this grid; `heading` 0 right, 1 down, 2 left, 3 up. */
export function signOf(label: string, layout: GridLayout, heading: number): { kind: CellSign['kind']; dir: number } {
  const name = label.toLowerCase().trim();
  if (STILL.has(name)) return { kind: 'stay', dir: heading };
  if (layout.headings) {
    if (name.startsWith('left') || name === 'turn left') return { kind: 'turn-left', dir: heading };
    if (name.startsWith('right') || name === 'turn right') return { kind: 'turn-right', dir: heading };
    if (name.startsWith('forward') || name === 'move forward') return { kind: 'move', dir: heading };
    return { kind: 'act', dir: heading };
  }
  const dir = DIRECTIONS.findIndex((names) => names.includes(name));
  return dir < 0 ? { kind: 'act', dir: 0 } : { kind: 'move', dir };
}

/**
 * Signs of every cell that has a preferred action. Without headings all likely moves are drawn by their probability; with headings
 * only the preferred one. `only` >= 0 draws one action everywhere, by its probability.
 */
export function signsOf(map: GridMap, layout: GridLayout, labels: readonly string[], heading: number, only = -1): CellSign[] {
  const cells = layout.width * layout.height;
  const actions = Math.round(map.probs.length / cells);
  const kinds = labels.map((label) => signOf(label, layout, heading));
  const signs: CellSign[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const preferred = map.actions[cell]!;
    if (preferred < 0) continue;
    for (let a = 0; a < actions; a++) {
      const sign = kinds[a];
      const p = map.probs[cell * actions + a]!;
      const main = a === preferred;
      if (sign === undefined || (only >= 0 ? a !== only : !main && (layout.headings || !(p >= LEAST)))) continue;
      signs.push({ cell, ...sign, weight: Number.isFinite(p) && p > 0 ? p : main ? 1 : 0, main: only >= 0 || main });
    }
  }
  return signs;
}
