/**
 * Resolution of moves to the same cell: three systems of POGEMA. `wants` holds the cell each agent wants (its own: stays; blocked cells are
 * turned into that before), `at` where it stands, -1 for those who left; both are cells. `stands` [cells] is the agent that stands there, + 1.
 */
import { undoSwaps } from '#core/envs/lib/swaps.ts';

export type CollisionSystem = 'priority' | 'block_both' | 'soft';

export interface Crowd {
  readonly at: Int32Array; // [A]
  readonly wants: Int32Array; // [A]
  readonly stands: Int32Array; // [cells]
  readonly claims: Int32Array; // [cells], zero between calls
}

/** Moves all agents; `at` and `stands` are updated. */
export function resolve(crowd: Crowd, system: CollisionSystem): void {
  if (system === 'priority') inOrder(crowd);
  else {
    if (system === 'block_both') blockBoth(crowd);
    else soft(crowd);
    walk(crowd);
  }
}

/** One after another, each into a cell that is free at that moment. */
function inOrder({ at, wants, stands }: Crowd): void {
  for (let i = 0; i < at.length; i++) {
    const from = at[i]!;
    const to = wants[i]!;
    if (from < 0 || from === to || stands[to] !== 0) continue;
    stands[from] = 0;
    stands[to] = i + 1;
    at[i] = to;
  }
}

/** Occupied cells, and cells that two agents want, are closed. */
function blockBoth({ at, wants, stands, claims }: Crowd): void {
  for (let i = 0; i < at.length; i++) {
    const to = wants[i]!;
    if (at[i]! >= 0) claims[to] = claims[to]! + 1;
  }
  for (let i = 0; i < at.length; i++) {
    const to = wants[i]!;
    if (at[i]! >= 0 && (stands[to] !== 0 || claims[to]! > 1)) wants[i] = -2 - to; // remember, for clearing
  }
  for (let i = 0; i < at.length; i++) {
    if (at[i]! < 0) continue;
    const to = wants[i]!;
    claims[to < 0 ? -2 - to : to] = 0;
    if (to < 0) wants[i] = at[i]!;
  }
}

/** Swaps are undone; a cell goes to the agent that stays in it, else to the first agent that wants it; the others stay; repeated until nothing changes. */
function soft({ at, wants, stands, claims }: Crowd): void {
  const A = at.length;
  undoSwaps(at, wants, stands);
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < A; i++) if (at[i]! >= 0 && wants[i] === at[i]) claims[at[i]!] = i + 1;
    for (let i = 0; i < A; i++) {
      const to = wants[i]!;
      if (at[i]! < 0 || to === at[i]) continue;
      if (claims[to] === 0) claims[to] = i + 1;
      else {
        wants[i] = at[i]!;
        changed = true;
      }
    }
    for (let i = 0; i < A; i++)
      if (at[i]! >= 0) {
        claims[wants[i]!] = 0;
        claims[at[i]!] = 0;
      }
  }
}

function walk({ at, wants, stands }: Crowd): void {
  for (let i = 0; i < at.length; i++) if (at[i]! >= 0) stands[at[i]!] = 0;
  for (let i = 0; i < at.length; i++) {
    if (at[i]! < 0) continue;
    at[i] = wants[i]!;
    stands[at[i]!] = i + 1;
  }
}
