/**
 * Demands come one after the other on a drawn network, and each must be given one of the four ways with the fewest links. Obs, as rows: the
 * demand itself (size / largest, size / capacity, mean load), each way (is it there, links / 10, share of its tightest link that stays free,
 * does it fit, `passed` of its links / 10) and each link (is it there, room, room / demand up to 1, `passed`: how many of the ways between all
 * nodes use it, over the mean; whether it lies on each way). Actions: the way, shortest first; a mask forbids ways that are not there. Reward
 * size / largest size for a demand that fits; its links stay taken to the end. Ends at the first that does not fit. A person may draw links
 * away, which cuts them, and nodes onto others, which joins them. Graphs are drawn by number: those of training and those held out have none in
 * common. PPO over entities beats the widest way by 0.3 to 0.4 on all three sets of graphs. The script that weighs how scarce links are it only
 * equals, and on larger graphs it stays 0.2 below (standard error of the paired difference 0.06).
 * Source: Almasan et al. 2022 (capacity 200, sizes 8, 32 and 64, four ways, betweenness, the end); the graphs are ours.
 */
import type { Pull } from '#contract/game/frames.ts';
import { atan2, hypot } from '#math/functions.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import type { StepBuffers } from '../api/types.ts';
import {
  type Config,
  config,
  meta,
  mostLinks,
  mostNodes,
  nodesOf,
  OF_DEMAND,
  OF_LINK,
  OF_WAY,
  ON_WAY,
  presets,
  SELF,
  SIDE,
  SPARE,
  seedOf,
} from './lib/routing/config.ts';
import { drawGraph, type Graph, type Network, networkOf, WAYS } from './lib/routing/graph.ts';
import { leastScarce, shortestAvailable, widest } from './lib/routing/scripts.ts';

/** So far from the middle of its link a handle must be drawn to cut it, and a node so near to another to be joined with it. */
const CUT = 0.55;
const JOIN = 0.6;
/** Where the handle of a cut link lies beside it. */
const BESIDE = 0.75;
const LONG = 10;
/** Colours of the picture, half the breadth of a link without load and what is added at full load, and from where on it counts as full. */
const [BLUE, ORANGE, GREEN, RED, GREY] = [0, 1, 2, 3, 7];
const THIN = 0.025;
const THICK = 0.2;
const FULL = 0.8;
/** Networks with changes by hand that are kept. */
const KEPT = 64;

export const demandRouting = defineEnv<Config>({
  spec: {
    id: 'demand-routing',
    version: 1,
    title: 'Demand routing',
    summary: 'Lead demands through a network until one finds no room; the graphs of the test were never seen in training.',
    source: {
      title: 'Deep reinforcement learning meets graph neural networks: exploring a routing optimization use case',
      authors: 'Almasan et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/1910.07421',
    },
    config,
    recommended: {
      algo: 'ppo',
      config: {
        lr: 0.001,
        envs: 16,
        minibatches: 8,
        gamma: 0.99,
        entropyCoef: 0.003,
        body: { kind: 'entities', units: 32, heads: 2, blocks: 1 },
      },
      steps: 400_000,
    },
    before: 'shortest-available',
    presets,
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const L = mostLinks(c);
    const N = mostNodes(c);
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const largest = Math.max(...c.sizes);
    const [PLACES, DEMAND, CUTS] = [L + 1, 1, 4];
    const ADDED = CUTS + L;
    const LAST = ADDED + 2 * SPARE;
    const STEPS = LAST + L;
    const graphs = new Map<number, Graph>();
    const untouched = new Map<number, Network>();
    const changed = new Map<string, Network>();
    /** What a person holds, by row. */
    const pulls = new Map<number, Pull>();

    const graphOf = (row: number): Graph => {
      const index = words[row * wordStride]!;
      const graph = graphs.get(index) ?? drawGraph(nodesOf(c, index), seedOf(c, index));
      graphs.set(index, graph);
      return graph;
    };
    /** Changes by hand: links cut, and nodes joined, one more each. */
    const changesOf = (row: number) => words.subarray(row * wordStride + CUTS, row * wordStride + LAST);
    const networkAt = (row: number): Network => {
      const changes = changesOf(row);
      const index = words[row * wordStride]!;
      if (changes.every((word) => word === 0)) {
        const network = untouched.get(index) ?? networkOf(graphOf(row), new Set());
        untouched.set(index, network);
        return network;
      }
      const key = `${index} ${changes.join('')}`;
      const found = changed.get(key) ?? changedNetwork(graphOf(row), changes);
      if (changed.size >= KEPT) changed.clear();
      changed.set(key, found);
      return found;
    };
    function changedNetwork(graph: Graph, changes: Uint32Array): Network {
      const links = Array.from(graph.links);
      for (let at = L; at < L + 2 * SPARE; at += 2)
        if (changes[at]! > 0 && changes[at + 1]! > 0) links.push(changes[at]! - 1, changes[at + 1]! - 1);
      const cut = new Set(links.flatMap((_, link) => (2 * link < links.length && changes[link] === 1 ? [link] : [])));
      return networkOf({ ...graph, links: Int32Array.from(links) }, cut);
    }

    const sizeOf = (row: number) => c.sizes[words[row * wordStride + DEMAND + 2]!] ?? 0;
    const waysOf = (row: number, network: Network) =>
      network.waysOf(words[row * wordStride + DEMAND]!, words[row * wordStride + DEMAND + 1]!);
    const roomOf = (row: number, link: number) => c.capacity - floats[row * floatStride + link]!;
    const tightest = (row: number, way: readonly number[]) => way.reduce((least, link) => Math.min(least, roomOf(row, link)), c.capacity);
    const ask = (row: number) => {
      const w = row * wordStride + DEMAND;
      const nodes = graphOf(row).nodes;
      words[w] = draws.int(row, nodes, 'from');
      const to = draws.int(row, nodes - 1, 'to');
      words[w + 1] = to < words[w]! ? to : to + 1;
      words[w + 2] = draws.int(row, c.sizes.length, 'size');
    };

    const observe = (row: number, { obs, mask }: StepBuffers) => {
      const s = row * floatStride;
      const at = row * O;
      const network = networkAt(row);
      const ways = waysOf(row, network);
      const size = sizeOf(row);
      obs.fill(0, at, at + O);
      obs[at] = size / largest;
      obs[at + 1] = size / c.capacity;
      let [load, open] = [0, 0];
      for (let l = 0; 2 * l < network.links.length; l++) {
        if (!network.open(l)) continue;
        const to = at + SELF + OF_LINK * l;
        load += floats[s + l]! / c.capacity;
        open++;
        obs[to] = 1;
        obs[to + 1] = roomOf(row, l) / c.capacity;
        obs[to + 2] = Math.min(1, roomOf(row, l) / size);
        obs[to + 3] = network.passed[l]!;
      }
      obs[at + 2] = load / Math.max(1, open);
      for (let k = 0; k < WAYS; k++) {
        const way = ways[k];
        // where all ways are cut, any choice ends it
        if (mask) mask[row * WAYS + k] = way !== undefined || ways.length === 0 ? 1 : 0;
        if (way === undefined) continue;
        const to = at + OF_DEMAND + OF_WAY * k;
        const left = tightest(row, way) - size;
        obs[to] = 1;
        obs[to + 1] = way.length / LONG;
        obs[to + 2] = left / c.capacity;
        obs[to + 3] = left >= 0 ? 1 : 0;
        obs[to + 4] = way.reduce((sum, link) => sum + network.passed[link]!, 0) / LONG;
        for (const link of way) obs[at + SELF + OF_LINK * link + ON_WAY + k] = 1;
      }
    };

    /** Where a node is drawn. */
    const spotOf = (row: number, node: number) => {
      const at = row * floatStride + PLACES + 2 * node;
      return [floats[at]!, floats[at + 1]!] as const;
    };
    const far = (a: readonly [number, number], b: readonly [number, number]) => hypot(a[0] - b[0], a[1] - b[1]);
    const putNode = (row: number, node: number, x: number, y: number) => {
      const within = (value: number) => Math.min(SIDE, Math.max(0, value));
      floats.set([within(x), within(y)], row * floatStride + PLACES + 2 * node);
    };
    const home = (row: number, node: number) => {
      const { places } = graphOf(row);
      putNode(row, node, places[2 * node]! * SIDE, places[2 * node + 1]! * SIDE);
    };
    /** There is a link between two nodes after it: one that was cut is mended, a new one is added where there is place. */
    const join = (row: number, a: number, b: number) => {
      const { links } = networkAt(row);
      const w = row * wordStride;
      for (let l = 0; 2 * l < links.length; l++) {
        const [x, y] = [links[2 * l], links[2 * l + 1]];
        if ((x !== a || y !== b) && (x !== b || y !== a)) continue;
        words[w + CUTS + l] = 0;
        return;
      }
      for (let k = 0; k < SPARE; k++) {
        if (words[w + ADDED + 2 * k] !== 0) continue;
        words.set([a + 1, b + 1], w + ADDED + 2 * k);
        return;
      }
    };
    const byHand = (row: number) => {
      const pull = pulls.get(row);
      if (pull === undefined) return;
      const { links, nodes } = networkAt(row);
      const to = [pull.to[0], pull.to[1]] as const;
      if (pull.part < nodes) {
        putNode(row, pull.part, ...to);
        for (let other = 0; other < nodes; other++) {
          if (other === pull.part || far(spotOf(row, pull.part), spotOf(row, other)) > JOIN) continue;
          join(row, pull.part, other);
          home(row, pull.part);
        }
        return;
      }
      const link = pull.part - N;
      if (link < 0 || 2 * link >= links.length) return;
      const [x1, y1] = spotOf(row, links[2 * link]!);
      const [x2, y2] = spotOf(row, links[2 * link + 1]!);
      words[row * wordStride + CUTS + link] = far(to, [(x1 + x2) / 2, (y1 + y2) / 2]) > CUT ? 1 : 0;
    };

    return assemble(m, batch, rows, {
      start(row) {
        const w = row * wordStride;
        floats.fill(0, row * floatStride, (row + 1) * floatStride);
        words[w] = draws.int(row, c.count, 'graph');
        words.fill(0, w + CUTS, w + STEPS + 1);
        for (let node = 0; node < graphOf(row).nodes; node++) home(row, node);
        ask(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * floatStride;
          const w = row * wordStride;
          const size = sizeOf(row);
          const way = waysOf(row, networkAt(row))[actions[row]!];
          const fits = way !== undefined && tightest(row, way) >= size;
          words.fill(0, w + LAST, w + STEPS);
          if (fits) {
            for (const link of way) {
              floats[s + link] = floats[s + link]! + size;
              words[w + LAST + link] = 1;
            }
            floats[s + L] = floats[s + L]! + size;
          }
          words[w + STEPS] = words[w + STEPS]! + 1;
          out.reward[row] = fits ? size / largest : 0;
          out.terminated[row] = fits ? 0 : 1;
          out.truncated[row] = 0;
          if (fits) ask(row);
          byHand(row);
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const w = row * wordStride;
        checkCell(words[w]!, c.count, 'graph');
        const { nodes } = graphOf(row);
        checkCell(words[w + DEMAND]!, nodes, 'demand');
        checkCell(words[w + DEMAND + 1]!, nodes, 'demand');
        checkCell(words[w + DEMAND + 2]!, c.sizes.length, 'demand');
        for (let k = 0; k < 2 * SPARE; k++) checkCell(words[w + ADDED + k]!, nodes + 1, 'added');
      },
      pull(row, pull) {
        if (pull === null) pulls.delete(row);
        else pulls.set(row, pull);
      },
      frame(row, out) {
        const s = row * floatStride;
        const w = row * wordStride;
        const { nodes, links, open } = networkAt(row);
        out.fill(0);
        const ends = words.subarray(w + DEMAND, w + DEMAND + 2);
        for (let i = 0; i < nodes; i++) out.set([...spotOf(row, i), 0, 0, ...(ends.includes(i) ? [0.45, GREEN] : [0.3, BLUE])], 6 * i);
        const loads = 6 * (N + L);
        let fullest = 0;
        for (let l = 0; 2 * l < links.length; l++) {
          const [x1, y1] = spotOf(row, links[2 * l]!);
          const [x2, y2] = spotOf(row, links[2 * l + 1]!);
          const [x, y, long] = [(x1 + x2) / 2, (y1 + y2) / 2, Math.max(1e-9, hypot(x2 - x1, y2 - y1))];
          const load = floats[s + l]! / c.capacity;
          fullest = Math.max(fullest, load);
          // the handle of a cut link lies beside it
          const off = open(l) ? 0 : BESIDE / long;
          out.set([x - off * (y2 - y1), y + off * (x2 - x1), 0, 0, 0.13, open(l) ? GREY : RED], 6 * (N + l));
          const tint = words[w + LAST + l] === 1 ? GREEN : load > FULL ? ORANGE : GREY;
          if (open(l)) out.set([x, y, THIN + THICK * load, atan2(y2 - y1, x2 - x1), long / 2, tint], loads + 6 * l);
        }
        out.set([floats[s + L]!, sizeOf(row), fullest], loads + 6 * L);
      },
    });
  },
  policies: { 'shortest-available': () => shortestAvailable, widest: () => widest, 'least-scarce': () => leastScarce },
});
