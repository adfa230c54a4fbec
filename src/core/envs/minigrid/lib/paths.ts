/** Cheapest walks over poses (cell and direction): a turn costs 1, a step 1 and whatever it takes to make the cell free. */

import type { Model } from './model.ts';
import { FORWARD, LEFT, RIGHT } from './moment.ts';

export interface Walk {
  /** The actions in order; before a forward the cell ahead may have to be made free first. */
  readonly actions: readonly number[];
  /** For each action the cell it leads into, -1 for turns. */
  readonly into: readonly number[];
}

/**
 * `enter(cell)`: what a step into the cell costs beyond 1, Infinity: never. `goal(cell, dir)`: extra cost of ending there, Infinity: no end.
 * null: there is no such walk.
 */
export function findWalk(m: Model, enter: (cell: number) => number, goal: (cell: number, dir: number) => number): Walk | null {
  const nodes = m.words.length * 4;
  const cost = new Float64Array(nodes).fill(Infinity);
  const from = new Int32Array(nodes).fill(-1);
  const done = new Uint8Array(nodes);
  const buckets: number[][] = [];
  const push = (node: number, total: number, previous: number) => {
    if (total >= cost[node]!) return;
    cost[node] = total;
    from[node] = previous;
    let bucket = buckets[total];
    if (bucket === undefined) {
      bucket = [];
      buckets[total] = bucket;
    }
    bucket.push(node);
  };
  push(m.cell * 4 + m.dir, 0, -1);
  let best = -1;
  let bestCost = Infinity;
  for (let total = 0; total < buckets.length && total < bestCost; total++) {
    const bucket = buckets[total];
    if (bucket === undefined) continue;
    for (const node of bucket) {
      if (done[node] === 1 || cost[node] !== total) continue;
      done[node] = 1;
      const cell = node >> 2;
      const dir = node & 3;
      const end = total + goal(cell, dir);
      if (end < bestCost) {
        best = node;
        bestCost = end;
      }
      push(cell * 4 + ((dir + 3) & 3), total + 1, node);
      push(cell * 4 + ((dir + 1) & 3), total + 1, node);
      const ahead = m.beside(cell, dir);
      if (ahead < 0) continue;
      const extra = enter(ahead);
      if (extra !== Infinity) push(ahead * 4 + dir, total + 1 + extra, node);
    }
  }
  if (best < 0) return null;
  const actions: number[] = [];
  const into: number[] = [];
  for (let node = best; from[node] !== -1; node = from[node]!) {
    const previous = from[node]!;
    const turned = previous >> 2 === node >> 2;
    actions.push(turned ? (((previous + 1) & 3) === (node & 3) ? RIGHT : LEFT) : FORWARD);
    into.push(turned ? -1 : node >> 2);
  }
  return { actions: actions.reverse(), into: into.reverse() };
}
