/** The small world of Watts and Strogatz 1998: a ring whose edges sometimes lead anywhere. */
import type { Draws } from '#core/envs/api/draws.ts';

/** Whether i and j are joined; edges[at + i * half + k] is the far end of edge k of i. */
function joined(edges: Uint32Array, at: number, half: number, i: number, j: number): boolean {
  for (let k = 0; k < half; k++) if (edges[at + i * half + k] === j || edges[at + j * half + k] === i) return true;
  return false;
}

/**
 * Writes n * half edges: each node to its next `half` on the ring, then each edge of distance 1, of distance 2 and so on moves
 * its far end with chance p to a node that is neither itself nor joined yet.
 */
export function smallWorld(draws: Draws, row: number, edges: Uint32Array, at: number, n: number, half: number, p: number): void {
  for (let i = 0; i < n; i++) for (let k = 0; k < half; k++) edges[at + i * half + k] = (i + 1 + k) % n;
  if (p === 0) return;
  for (let k = 0; k < half; k++)
    for (let i = 0; i < n; i++) {
      if (draws.uniform(row, 'rewire') >= p) continue;
      let free = 0;
      for (let j = 0; j < n; j++) if (j !== i && !joined(edges, at, half, i, j)) free++;
      if (free === 0) continue;
      let pick = draws.int(row, free, 'far end');
      for (let j = 0; j < n; j++) {
        if (j === i || joined(edges, at, half, i, j) || pick-- > 0) continue;
        edges[at + i * half + k] = j;
        break;
      }
    }
}
