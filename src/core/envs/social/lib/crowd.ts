/**
 * Resolution of moves made at once: walls have been taken out of `wants` before. Two who would swap stay. Of several who want a
 * cell one is drawn, the others stay. Who wants a cell whose occupant stays, stays too; following and going round in a ring are fine,
 * so that no two ever share a cell. (The reference lets the drawn one in even if the occupant then cannot leave.)
 */
import { undoSwaps } from '../../lib/swaps.ts';

export interface Crowd {
  readonly at: Int32Array; // [A] cells, -1: out of the game
  readonly wants: Int32Array; // [A] cells, changed here
  readonly stands: Int32Array; // [cells] who stands there, + 1; changed here
  readonly seen: Uint8Array; // [cells], zero between calls
}

/** Moves all agents; `draw(n)` gives 0..n-1 and is asked once per cell that several want. */
export function moveAll({ at, wants, stands, seen }: Crowd, draw: (n: number) => number): void {
  const A = at.length;
  undoSwaps(at, wants, stands);
  for (let i = 0; i < A; i++) {
    const to = wants[i]!;
    if (at[i]! < 0 || to === at[i] || seen[to] === 1) continue;
    let contenders = 0;
    for (let k = i; k < A; k++) if (at[k]! >= 0 && wants[k] === to && at[k] !== to) contenders++;
    if (contenders === 1) continue;
    seen[to] = 1;
    let left = draw(contenders);
    for (let k = i; k < A; k++) {
      if (at[k]! < 0 || wants[k] !== to || at[k] === to) continue;
      if (left-- !== 0) wants[k] = at[k]!;
    }
    seen[to] = 0;
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < A; i++) {
      if (at[i]! < 0 || wants[i] === at[i]) continue;
      const other = stands[wants[i]!]! - 1;
      if (other < 0 || wants[other] !== at[other]) continue;
      wants[i] = at[i]!;
      changed = true;
    }
  }
  for (let i = 0; i < A; i++) if (at[i]! >= 0) stands[at[i]!] = 0;
  for (let i = 0; i < A; i++) {
    if (at[i]! < 0) continue;
    at[i] = wants[i]!;
    stands[wants[i]!] = i + 1;
  }
}
