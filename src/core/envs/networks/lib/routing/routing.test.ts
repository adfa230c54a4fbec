/** Cases worked out by hand, and what keeps test graphs apart from those of training. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { mostThatFit } from '../../../../testing/routing-bound.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { ScriptedPolicy } from '../../../api/types.ts';
import { demandRouting } from '../../demand-routing.ts';

import { config, mostLinks, mostNodes, nodesOf, OF_LINK, OF_WAY, SELF, seedOf } from './config.ts';
import { drawGraph, type Graph, linksOf, networkOf, waysBetween } from './graph.ts';

/** A square 0 1 2 3 with the diagonal 0 2: links 0-1, 1-2, 2-3, 0-3, 0-2. */
const SQUARE: Graph = { nodes: 4, places: new Float64Array(8), links: Int32Array.of(0, 1, 1, 2, 2, 3, 0, 3, 0, 2) };
const open = () => true;

describe('graphs', () => {
  it('ways come shortest first, no node twice, four at most', () => {
    expect(waysBetween(SQUARE, 0, 2, open)).toEqual([[4], [0, 1], [3, 2]]);
    expect(waysBetween(SQUARE, 1, 3, open)).toEqual([
      [0, 3],
      [1, 2],
      [0, 4, 2],
      [1, 4, 3],
    ]);
  });

  it('a cut link is on no way', () => {
    expect(waysBetween(SQUARE, 0, 2, (link) => link !== 4)).toEqual([
      [0, 1],
      [3, 2],
    ]);
    expect(waysBetween(SQUARE, 0, 2, (link) => link === 1)).toEqual([]);
  });

  it('counts how many ways between all nodes pass a link, over the mean', () => {
    // by another way to count: all ways between the six pairs in one list
    const { passed } = networkOf(SQUARE, new Set());
    const all = [0, 1, 2].flatMap((a) => [1, 2, 3].filter((b) => b > a).flatMap((b) => waysBetween(SQUARE, b, a, open).flat()));
    const mean = all.length / 5;
    expect(Array.from(passed)).toEqual([0, 1, 2, 3, 4].map((link) => all.filter((each) => each === link).length / mean));
    expect(passed.reduce((sum, each) => sum + each, 0)).toBeCloseTo(5, 12);
    // a bridge is on every way between its sides: path 0 - 1 - 2
    const path: Graph = { nodes: 3, places: new Float64Array(6), links: Int32Array.of(0, 1, 1, 2) };
    expect(Array.from(networkOf(path, new Set()).passed)).toEqual([1, 1]);
    expect(Array.from(networkOf(path, new Set([1])).passed)).toEqual([1, 0]);
  });

  it('every drawn graph is whole, has its number of links, and two at least for each node', () => {
    for (let seed = 0; seed < 40; seed++) {
      const graph = drawGraph(10 + (seed % 8), seed);
      expect(graph.links.length / 2).toBe(linksOf(graph.nodes));
      for (let node = 0; node < graph.nodes; node++) {
        expect(graph.links.filter((end) => end === node).length).toBeGreaterThanOrEqual(2);
        if (node > 0) expect(waysBetween(graph, 0, node, open).length).toBeGreaterThan(0);
      }
    }
  });

  it('no graph is among those of training and those held out', () => {
    const told = (given: object) => {
      const c = config.parse(given);
      return Array.from({ length: 60 }, (_, i) => drawGraph(nodesOf(c, i), seedOf(c, i)).places.join());
    };
    const seen = new Set(told({}));
    expect(seen.size).toBe(60);
    expect(told({ graphs: 'held-out' }).filter((graph) => seen.has(graph))).toEqual([]);
  });
});

describe('upper bound', () => {
  it('three demands of 64 fit on one way of 200, six on two that share nothing, and none where there is no way', () => {
    const alone = Array.from({ length: 10 }, () => ({ ways: [[0]], size: 64 }));
    expect(mostThatFit(alone, 2, 200)).toBe(3);
    const two = Array.from({ length: 10 }, () => ({ ways: [[0], [1]], size: 64 }));
    expect(mostThatFit(two, 2, 200)).toBe(6); // 400 / 64 = 6.25, split
    expect(mostThatFit([{ ways: [], size: 8 }], 2, 200)).toBe(0);
  });

  it('finds the links that are short, whatever else is free', () => {
    // all share link 0 on both of their ways; the other two links do not help
    const bottle = Array.from({ length: 10 }, () => ({ ways: [[0, 1], [0, 2]], size: 64 })); // biome-ignore format: pairs
    expect(mostThatFit(bottle, 3, 200)).toBe(3);
  });

  it('no script carries more in the same episode', () => {
    const c = config.parse({});
    for (let seed = 0; seed < 12; seed++) {
      const asked: { readonly ways: readonly (readonly number[])[]; readonly size: number }[] = [];
      const { env, step, json } = start(seed, {});
      const graph = Number(json().graph);
      const network = networkOf(drawGraph(nodesOf(c, graph), seedOf(c, graph)), new Set());
      for (let over = false; !over; ) {
        const [from = 0, to = 0, size = 0] = numbers(json().demand);
        asked.push({ ways: network.waysOf(from, to), size: [8, 32, 64][size] ?? 0 });
        over = step(demandRouting.policies({})['least-scarce']).terminated;
      }
      expect(mostThatFit(asked, network.links.length / 2, 200)).toBeGreaterThanOrEqual(asked.length - 1);
      env.dispose?.();
    }
  });
});

const numbers = (json: unknown): number[] => (Array.isArray(json) ? json.flat().map(Number) : []);

/** One row; `draws` in place of its random numbers. */
function start(seed: number, given: object, draws?: Parameters<typeof demandRouting.create>[2]) {
  const env = demandRouting.create(given, 1, draws);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  const actions = createActions(env.meta, 1);
  return {
    env,
    buffers,
    /** By a way, or by a script that chooses one. */
    step(by: number | ScriptedPolicy | undefined) {
      if (typeof by === 'number') actions[0] = by;
      else by?.act(env, buffers, actions);
      env.step(actions, buffers);
      return { action: actions[0], reward: buffers.reward[0], terminated: buffers.terminated[0] === 1 };
    },
    json: () => env.meta.state.toJSON(env.save(0)),
    load: (state: JsonObject) => env.load(0, env.meta.state.fromJSON(state), buffers),
    link: (l: number) => Array.from(buffers.obs.subarray(SELF + OF_LINK * l, SELF + OF_LINK * (l + 1))),
    way: (k: number) => Array.from(buffers.obs.subarray(3 + OF_WAY * k, 3 + OF_WAY * (k + 1))),
    mask: () => Array.from(buffers.mask ?? []),
  };
}

/** Asks for nodes 0 -> 1 again and again, of the size at this place of the list. */
const asking = (size: number) => ({
  draws: { uniform: () => undefined, int: (_row: number, _n: number, name: string) => (name === 'size' ? size : 0) },
});
const FOUR = { nodes: 4, more: 0, count: 1 };

describe('demand-routing', () => {
  const play = (size: number, given: object = {}) => start(1, { ...FOUR, ...given }, asking(size));
  const told = ({ reward, terminated }: { readonly reward: number | undefined; readonly terminated: boolean }) => [reward, terminated];

  it('pays by the size, fills the way, and ends at the first demand without room: three of 64 in 200', () => {
    const { step, json } = play(2);
    for (let i = 0; i < 3; i++) expect(told(step(0))).toEqual([1, false]);
    expect(json().carried).toBe(192);
    expect(told(step(0))).toEqual([0, true]);
    expect(json().carried).toBe(192);
  });

  it('small demands pay an eighth, and 25 of them fill a link', () => {
    const { step } = play(0);
    for (let i = 0; i < 25; i++) expect(told(step(0))).toEqual([0.125, false]);
    expect(told(step(0))).toEqual([0, true]);
  });

  it('another way has room where the first has none, and takes nothing from it', () => {
    const { step, way } = play(2);
    for (let i = 0; i < 3; i++) step(0);
    expect(way(0)[3]).toBe(0);
    const free = [1, 2, 3].find((k) => way(k)[3] === 1) ?? 0;
    expect(free).toBeGreaterThan(0);
    expect(told(step(free))).toEqual([1, false]);
  });

  it('shows what is free on the links of a way, and how the ways differ', () => {
    const { step, link, way, json } = play(2);
    step(0);
    const loads = numbers(json().loads);
    const first = loads.flatMap((load, l) => (load > 0 ? [l] : []));
    expect(first.length).toBeGreaterThan(0);
    for (const l of first) {
      expect(link(l).slice(0, 3)).toEqual([1, Math.fround((200 - 64) / 200), 1]);
      expect(link(l)[4]).toBe(1);
    }
    expect(way(0)).toEqual(
      [1, first.length / 10, (200 - 64 - 64) / 200, 1, expect.any(Number)].map((x) => (typeof x === 'number' ? Math.fround(x) : x)),
    );
    expect(way(0)[4]).toBeCloseTo(first.reduce((sum, l) => sum + link(l)[3]!, 0) / 10, 5);
    const lengths = [0, 1, 2, 3].flatMap((k) => (way(k)[0] === 1 ? [way(k)[1]!] : []));
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  });

  it('links that a smaller graph lacks are not there, and the mask forbids ways that are not', () => {
    const { link, mask, way } = start(3, { nodes: 6, more: 6, count: 1 });
    const places = Array.from({ length: mostLinks(config.parse({ nodes: 6, more: 6 })) }, (_, l) => link(l)[0]);
    expect(places).toEqual(places.map((_, l) => (l < linksOf(6) ? 1 : 0)));
    expect(mask()).toEqual([0, 1, 2, 3].map((k) => way(k)[0]));
  });

  /** In the frame x and y of a point. */
  const placeOf = ({ env }: ReturnType<typeof start>, point: number) => {
    const frame = new Float32Array(4000);
    env.frame(0, frame);
    return [frame[6 * point] ?? 0, frame[6 * point + 1] ?? 0] as const;
  };
  const NODES = mostNodes(config.parse(FOUR));

  it('a link that is drawn away is cut, and drawn back it is mended with what it carries', () => {
    const world = play(0);
    world.step(0);
    const link = numbers(world.json().loads).findIndex((load) => load > 0);
    const [x, y] = placeOf(world, NODES + link);
    world.env.pull?.(0, { part: NODES + link, at: [0, 0, 0], to: [x + 2, y, 0] });
    world.step(1);
    expect(numbers(world.json().cut)[link]).toBe(1);
    expect(world.link(link)).toEqual(Array.from({ length: OF_LINK }, () => 0));
    world.env.pull?.(0, { part: NODES + link, at: [0, 0, 0], to: [x, y, 0] });
    world.step(0);
    expect(numbers(world.json().cut)[link]).toBe(0);
    expect(world.link(link)[1]).toBeCloseTo((200 - 8) / 200, 6);
  });

  it('one press of an arrow from the middle cuts, and of one of two back to it mends: what a key moves is in the picture', () => {
    const stride = 0.05 * 12;
    const world = play(0);
    const [x, y] = placeOf(world, NODES);
    world.env.pull?.(0, { part: NODES, at: [0, 0, 0], to: [x + stride, y, 0] });
    world.step(0);
    expect(numbers(world.json().cut)[0]).toBe(1);
    const [cx, cy] = placeOf(world, NODES);
    const back = Math.abs(cx - x) > Math.abs(cy - y) ? [cx - Math.sign(cx - x) * stride, cy] : [cx, cy - Math.sign(cy - y) * stride];
    world.env.pull?.(0, { part: NODES, at: [0, 0, 0], to: [back[0] ?? 0, back[1] ?? 0, 0] });
    world.step(0);
    expect(numbers(world.json().cut)[0]).toBe(0);
  });

  it('a node goes where it is drawn, and onto another one joins them by a link, three at most', () => {
    const world = start(2, { nodes: 10, more: 0, count: 1, capacity: 10_000 });
    const before = placeOf(world, 0);
    const links = linksOf(10);
    const there = () => Array.from({ length: links + 3 }, (_, l) => world.link(l)[0]).reduce((sum: number, each) => sum + (each ?? 0), 0);
    world.env.pull?.(0, { part: 0, at: [0, 0, 0], to: [-4, 30, 0] });
    world.step(0);
    expect(placeOf(world, 0)).toEqual([0, 10]);
    expect(there()).toBe(links);
    const graph = drawGraph(10, seedOf(config.parse({}), 0));
    const joined = (a: number, b: number) =>
      [...graph.links].some(
        (end, at) => at % 2 === 0 && ((end === a && graph.links[at + 1] === b) || (end === b && graph.links[at + 1] === a)),
      );
    let added = 0;
    for (let other = 1; other < 10; other++) {
      if (joined(0, other)) continue;
      const [x, y] = placeOf(world, other);
      world.env.pull?.(0, { part: 0, at: [0, 0, 0], to: [x, y, 0] });
      world.step(world.mask().indexOf(1));
      added = Math.min(3, added + 1);
      expect(placeOf(world, 0)).toEqual(before);
      expect(there()).toBe(links + added);
    }
    expect(added).toBe(3);
  });

  it('where all ways are cut every choice is allowed, carries nothing and ends the episode', () => {
    const world = play(0);
    const state = world.json();
    world.load({ ...state, cut: numbers(state.cut).map((_, l) => (l < linksOf(4) ? 1 : 0)) });
    expect(world.mask()).toEqual([1, 1, 1, 1]);
    expect(told(world.step(2))).toEqual([0, true]);
  });

  it('changes by hand are part of the state, so that an episode goes on from it with the same bits', () => {
    const world = start(5, { nodes: 8, more: 2, count: 4 });
    world.env.pull?.(0, { part: 10, at: [0, 0, 0], to: [-9, -9, 0] });
    world.step(0);
    world.env.pull?.(0, null);
    const state = world.json();
    const other = start(99, { nodes: 8, more: 2, count: 4 });
    other.load(state);
    expect(other.buffers.obs).toEqual(world.buffers.obs);
    for (let i = 0; i < 4; i++) {
      const way = world.mask().indexOf(1);
      expect(other.step(way)).toEqual(world.step(way));
      expect(other.buffers.obs).toEqual(world.buffers.obs);
    }
  });

  it('refuses a state of another graph', () => {
    const world = play(0);
    expect(() => world.load({ ...world.json(), demand: [0, 4, 0] })).toThrow();
    expect(() => world.load({ ...world.json(), graph: 1 })).toThrow();
  });

  it('scripts do what they are named for', () => {
    const { step } = play(2);
    const { 'shortest-available': shortest, widest } = demandRouting.policies(FOUR);
    for (let i = 0; i < 3; i++) expect(step(shortest).action).toBe(0);
    expect(step(shortest).action).toBeGreaterThan(0);
    const wide = play(2);
    wide.step(0);
    expect(wide.step(widest).action).toBeGreaterThan(0);
  });

  it('rules of thumb beat chance by far, and stay clear of the bound', () => {
    for (const { config: of } of demandRouting.presets) {
      const values = demandRouting.meta(of).references.map(({ value }) => value);
      const [random = 0, shortest = 0, widest = 0, scarce = 0, learned = 0, bound = 0] = values;
      expect(shortest - random).toBeGreaterThan(0.2 * (bound - random));
      expect(widest).toBeGreaterThan(shortest);
      expect(scarce).toBeGreaterThan(widest);
      expect(learned).toBeGreaterThan(widest);
      expect(Math.max(scarce, learned)).toBeLessThan(random + 0.85 * (bound - random));
    }
  });
});
