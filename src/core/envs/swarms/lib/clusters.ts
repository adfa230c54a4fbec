/** Connected parts of the graph that joins members within a radius: how many, and how much of the swarm the largest holds. */
import { type Bounds, bound, eachPairOfCells, farthest, type Neighbourhood } from './cells.ts';

export interface Clusters {
  count: number;
  /** Members of the largest part / all. */
  largest: number;
}

/** For places that `cells` was last sorted by. Union-find over pairs of neighbours. */
export function createClusters(n: number, cells: Neighbourhood, radius: number): (out: Clusters) => void {
  const parent = new Int32Array(n); // by slot
  const size = new Int32Array(n);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const { x, y } = cells;
  const reach = radius * radius;
  const first: Bounds = { left: 0, bottom: 0, right: 0, top: 0, sumX: 0, sumY: 0 };
  const second: Bounds = { ...first };
  let count = 0;
  let largest = 0;
  const join = (i: number, j: number) => {
    const p = root(i);
    const q = root(j);
    if (p === q) return;
    parent[p] = q;
    size[q] = size[q]! + size[p]!;
    largest = Math.max(largest, size[q]!);
    count--;
  };
  return (out) => {
    for (let i = 0; i < n; i++) {
      parent[i] = i;
      size[i] = 1;
    }
    count = n;
    largest = 1;
    eachPairOfCells(cells, (a, a1, b, b1, dx, dy) => {
      if (dx === 0 && dy === 0) {
        bound(cells, a, a1, first);
        bound(cells, b, b1, second);
        if (farthest(first, second) <= reach) {
          for (let i = a; i < a1; i++) join(i, b);
          for (let j = b; j < b1; j++) join(a, j);
          return;
        }
      }
      for (let i = a; i < a1; i++)
        for (let j = a === b ? i + 1 : b; j < b1; j++) {
          const ex = x[j]! + dx - x[i]!;
          const ey = y[j]! + dy - y[i]!;
          if (ex * ex + ey * ey <= reach) join(i, j);
        }
    });
    out.count = count;
    out.largest = largest / n;
  };
}
