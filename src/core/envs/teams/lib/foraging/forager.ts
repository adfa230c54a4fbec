/**
 * Foragers of one mind each, as partners for a learner. All walk to the nearest food and stand beside it; two dials say what they do there:
 *   greed      what it helps to lift: any food, only the heaviest there is, or only what it can lift alone. What it does not lift it looks at, so that
 *              a partner learns of its greed by trying
 *   patience   steps: a food that is too heavy for it alone is wanted only while others who could lift it with it are at most so far from that
 *              food; where none is wanted, it walks to the others
 * It decides anew at every step from the state alone and remembers nothing, so that any state continues with the same bits. Equal foods: the
 * first in the list.
 */
import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import type { Field } from './observe.ts';

const [LOAD, MOVES] = [5, 4];
const DROW = [0, -1, 1, 0, 0] as const;
const DCOLUMN = [0, 0, 0, -1, 1] as const;
const FAR = 1000;
export interface Dials {
  readonly greed: 'any' | 'heaviest' | 'alone';
  readonly patience: number;
}

/** Six minds, by the names of their policies. */
export const FORAGERS: { readonly [name: string]: Dials } = {
  'modest-patient': { greed: 'any', patience: FAR },
  'modest-hasty': { greed: 'any', patience: 2 },
  'greedy-patient': { greed: 'heaviest', patience: FAR },
  'greedy-hasty': { greed: 'heaviest', patience: 2 },
  'selfish-patient': { greed: 'alone', patience: FAR },
  'selfish-hasty': { greed: 'alone', patience: 2 },
};

export function forager({ rows, columns, players: P, foods: F }: Field, { greed, patience }: Dials): ScriptedPolicy {
  const cells = rows * columns;
  const taken = new Uint8Array(cells);
  const way = new Int32Array(cells);
  const queue = new Int32Array(cells);
  const cell = new Int32Array(P + F);
  const level = new Int32Array(P + F);

  /** The cell beside this one; -1: none. */
  const beside = (at: number, action: number): number => {
    const y = Math.floor(at / columns) + DROW[action]!;
    const x = (at % columns) + DCOLUMN[action]!;
    return y < 0 || x < 0 || y >= rows || x >= columns ? -1 : y * columns + x;
  };
  /** Into `way`: steps from each cell to the nearest free one beside `goal`; taken cells are not walked through, but know how far they are. */
  const measure = (goal: number, self: number): void => {
    way.fill(FAR);
    let end = 0;
    for (let action = 1; action <= MOVES; action++) {
      const next = beside(goal, action);
      if (next < 0 || (taken[next] === 1 && next !== self)) continue;
      way[next] = 0;
      queue[end++] = next;
    }
    for (let i = 0; i < end; i++) {
      const at = queue[i]!;
      for (let action = 1; action <= MOVES; action++) {
        const next = beside(at, action);
        if (next < 0 || way[next]! <= way[at]! + 1) continue;
        way[next] = way[at]! + 1;
        if (taken[next] === 0) queue[end++] = next;
      }
    }
  };
  const apart = (a: number, b: number): number =>
    Math.abs(Math.floor(a / columns) - Math.floor(b / columns)) + Math.abs((a % columns) - (b % columns));
  /** Whether it can lift the food, alone or with those who are near enough to it. */
  const liftable = (self: number, food: number): boolean => {
    let sum = level[self]!;
    for (let i = 0; i < P; i++) if (i !== self && apart(cell[i]!, cell[food]!) - 1 <= patience) sum += level[i]!;
    return sum >= level[food]!;
  };

  const lifts = (self: number, food: number): boolean => {
    if (greed === 'alone') return level[food]! <= level[self]!;
    for (let other = P; greed === 'heaviest' && other < P + F; other++) if (level[other]! > level[food]!) return false;
    return true;
  };

  /** One step along `way`. */
  const walk = (self: number): number => {
    const at = cell[self]!;
    let best = 0;
    let least = way[at]!;
    for (let action = 1; action <= MOVES; action++) {
      const next = beside(at, action);
      if (next < 0 || taken[next] === 1 || way[next]! >= least) continue;
      least = way[next]!;
      best = action;
    }
    return best;
  };

  const decide = (self: number): number => {
    const at = cell[self]!;
    let wanted = -1;
    let least = FAR;
    for (let food = P; food < P + F; food++) {
      if (level[food] === 0 || !liftable(self, food)) continue;
      measure(cell[food]!, at);
      if (way[at]! >= least) continue;
      least = way[at]!;
      wanted = food;
    }
    if (wanted >= 0) {
      measure(cell[wanted]!, at);
      return way[at]! > 0 ? walk(self) : lifts(self, wanted) ? LOAD : 0;
    }
    let nearest = -1;
    for (let i = 0; i < P; i++) if (i !== self && (nearest < 0 || apart(cell[i]!, at) < apart(cell[nearest]!, at))) nearest = i;
    if (nearest < 0) return 0;
    measure(cell[nearest]!, at);
    return way[at] === 0 ? 0 : walk(self);
  };

  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const state = env.save(row);
        const words = new Uint32Array(state.buffer, state.byteOffset + 8, 3 * (P + F)); // [row, column, level] of players, then of foods
        taken.fill(0);
        for (let i = 0; i < P + F; i++) {
          cell[i] = words[3 * i]! * columns + words[3 * i + 1]!;
          level[i] = words[3 * i + 2]!;
          if (i < P || level[i] !== 0) taken[cell[i]!] = 1;
        }
        for (let self = 0; self < P; self++) out[row * P + self] = decide(self);
      }
    },
  };
}
