/** Drawn networks: nodes in a square, joined to a tree by the shortest links, then by more short ones, two for each at least; and the shortest ways between nodes. */
import { hypot } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';

/** Ways that are offered for a demand. */
export const WAYS = 4;
const MOST_LINKS_OF_NODE = 5;
/** Nodes keep this share of the side apart where there is room. */
const APART = 0.14;
const TRIES = 60;

export interface Graph {
  readonly nodes: number;
  /** [N, 2], 0 to 1. */
  readonly places: Float64Array;
  /** [L, 2] */
  readonly links: Int32Array;
}

/** 1.8 links for each node, the tree included. */
export const linksOf = (nodes: number): number => Math.round(1.8 * nodes);

/** The same `seed` gives the same graph. */
export function drawGraph(nodes: number, seed: number): Graph {
  const rng = Rng.from(seed);
  const places = new Float64Array(2 * nodes);
  const away = (a: number, b: number) => hypot(places[2 * a]! - places[2 * b]!, places[2 * a + 1]! - places[2 * b + 1]!);
  for (let i = 0; i < nodes; i++)
    for (let attempt = 0; attempt < TRIES; attempt++) {
      places[2 * i] = rng.uniform();
      places[2 * i + 1] = rng.uniform();
      let near = false;
      for (let j = 0; j < i; j++) near ||= away(i, j) < APART;
      if (!near) break;
    }
  const chosen: (readonly [number, number])[] = [];
  const degree = new Int32Array(nodes);
  const join = (a: number, b: number) => {
    chosen.push([a, b]);
    degree[a] = degree[a]! + 1;
    degree[b] = degree[b]! + 1;
  };
  const inside = new Set([0]);
  const pairs = Array.from({ length: nodes }, (_, a) => Array.from({ length: a }, (__, b) => [b, a] as const)).flat();
  pairs.sort(([a, b], [c, d]) => away(a, b) - away(c, d) || a - c || b - d);
  while (inside.size < nodes) {
    const next = pairs.find(([a, b]) => inside.has(a) !== inside.has(b));
    if (next === undefined) break;
    join(...next);
    inside.add(next[0]).add(next[1]);
  }
  const add = (wanted: (a: number, b: number) => boolean) => {
    for (const [a, b] of pairs) {
      if (chosen.length >= linksOf(nodes)) return;
      if (wanted(degree[a]!, degree[b]!) && !chosen.some(([x, y]) => x === a && y === b)) join(a, b);
    }
  };
  add((a, b) => Math.min(a, b) < 2); // a node with one link would leave nothing to choose
  add((a, b) => Math.max(a, b) < MOST_LINKS_OF_NODE);
  return { nodes, places, links: Int32Array.from(chosen.flat()) };
}

/** Links of each of the WAYS ways from `from` to `to` with the fewest links, no node twice; of equally many the one that is found first. */
export function waysBetween(
  { nodes, links }: Graph,
  from: number,
  to: number,
  open: (link: number) => boolean,
): readonly (readonly number[])[] {
  const beside: (readonly [node: number, link: number])[][] = Array.from({ length: nodes }, () => []);
  for (let link = 0; 2 * link < links.length; link++) {
    if (!open(link)) continue;
    const [a = 0, b = 0] = links.subarray(2 * link, 2 * link + 2);
    beside[a]?.push([b, link]);
    beside[b]?.push([a, link]);
  }
  const left = new Int32Array(nodes).fill(nodes);
  left[to] = 0;
  for (let queue = [to]; queue.length > 0; )
    queue = queue.flatMap((node) =>
      (beside[node] ?? []).flatMap(([next]) => {
        if (left[next]! < nodes) return [];
        left[next] = left[node]! + 1;
        return [next];
      }),
    );
  const found: number[][] = [];
  const visited = new Uint8Array(nodes);
  const way: number[] = [];
  /** All ways of exactly `more` further links, until there are enough. */
  const go = (node: number, more: number): void => {
    if (found.length >= WAYS || left[node]! > more) return;
    if (node === to) {
      if (more === 0) found.push([...way]);
      return;
    }
    visited[node] = 1;
    for (const [next, link] of beside[node] ?? []) {
      if (visited[next] === 1) continue;
      way.push(link);
      go(next, more - 1);
      way.pop();
    }
    visited[node] = 0;
  };
  for (let length = left[from]!; length < nodes && found.length < WAYS; length++) go(from, length);
  return found;
}

/** A network as it stands: a drawn graph, without the links that a person cut and with those that a person added. */
export interface Network {
  readonly nodes: number;
  /** [L, 2], cut ones too. */
  readonly links: Int32Array;
  readonly open: (link: number) => boolean;
  waysOf(from: number, to: number): readonly (readonly number[])[];
  /** How many of the ways between all nodes use each link, over the mean of all open links: what is scarce for whom does not ask yet. */
  readonly passed: Float64Array;
}

export function networkOf(graph: Graph, cut: ReadonlySet<number>): Network {
  const { nodes, links } = graph;
  const open = (link: number): boolean => !cut.has(link);
  const known = new Map<number, readonly (readonly number[])[]>();
  const waysOf: Network['waysOf'] = (from, to) => {
    const key = from * nodes + to;
    const ways = known.get(key) ?? waysBetween(graph, from, to, open);
    known.set(key, ways);
    return ways;
  };
  const passed = new Float64Array(links.length / 2);
  let sum = 0;
  for (let from = 0; from < nodes; from++)
    for (let to = 0; to < from; to++)
      for (const link of waysOf(from, to).flat()) {
        passed[link] = passed[link]! + 1;
        sum++;
      }
  const mean = sum / Math.max(1, passed.length - cut.size);
  return { nodes, links, open, waysOf, passed: mean > 0 ? passed.map((count) => count / mean) : passed };
}
