/** Two agents that would change places both stay: the rule of grids where all move at once. */

/** `at` and `wants` [A] are cells, -1 in `at`: not there; `stands` [cells] is the agent that stands there, + 1. Changes `wants`. */
export function undoSwaps(at: Int32Array, wants: Int32Array, stands: Int32Array): void {
  for (let i = 0; i < at.length; i++) {
    const from = at[i]!;
    if (from < 0) continue;
    const other = stands[wants[i]!]! - 1;
    if (other < 0 || other === i || wants[other] !== from) continue;
    wants[i] = from;
    wants[other] = at[other]!;
  }
}
