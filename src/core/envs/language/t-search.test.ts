/** Lookup worlds: what a question asks, what a lookup shows and costs, what is held out; the same worlds in tokens and without. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { askedText, drawGraph, type GraphConfig, GraphSearch, type GraphWorld, minedRule } from './lib/graph.ts';
import { drawWorld, isAsked, type LookupConfig, type LookupWorld, questionText, Search } from './lib/lookups.ts';
import { decode, encode } from './lib/tokens.ts';
import { lookupWorlds } from './lookup-worlds.ts';
import { tSearch } from './t-search.ts';

const parse = (config: object): LookupConfig => tSearch.parse(config) as unknown as LookupConfig;
const worldOf = (c: LookupConfig, seed: number): LookupWorld => drawWorld(c, new Xorshift(seed));

/** c asks for field x, then w; the second field of c names a, the first of a holds 7. Four names, of which d has no document. */
const c = parse({ hops: 2, fields: 2, distractors: 1, missing: 1, lookups: 3, price: 0.1, callBonus: 0.2, documentBonus: 0.4 });
const [A, B, C, D, seven] = [0, 1, 2, 3, 4 + 7];
const world: LookupWorld = { documents: [[seven, B], [C, C], [B, A], null], start: C, path: [1, 0], answer: 7 };
const played = (...values: number[]) => {
  const search = new Search(c, world);
  const rewards = values.map((value) => Math.round(1000 * search.play(value).reward) / 1000);
  return { rewards, done: search.done, solved: search.solved, measured: search.measured() };
};

it('a digit answers the question; lookups cost, the way is paid in its order, a call once', () => {
  expect(questionText(world)).toBe('cxw?');
  expect(played(C, A, seven)).toEqual({ rewards: [0.3, 0.1, 1], done: true, solved: 1, measured: [2, 1] });
  expect(played(4)).toEqual({ rewards: [0], done: true, solved: 0, measured: [0, 0] });
  // a lies on the way, but was not known to; there is no document d; c a second time pays nothing
  expect(played(A, D, C)).toMatchObject({ rewards: [0.1, -0.1, 0.1], done: false, measured: [3, 0.5] });
  expect(played(C, C).rewards).toEqual([0.3, -0.1]);
  expect(played(D, B).rewards).toEqual([-0.1, 0.1]);
  // after three lookups only an answer counts
  expect(played(D, D, D, C)).toMatchObject({ rewards: [-0.1, -0.1, -0.1, 0], done: true, solved: 0, measured: [3, 0] });
  expect(played(D, C, A, seven)).toMatchObject({ done: true, solved: 1 });
});

it('what is to be done next follows from what was looked up', () => {
  const search = new Search(c, world);
  expect([search.next, search.last]).toEqual([C, null]);
  search.play(B);
  expect([search.next, search.last]).toEqual([C, null]);
  search.play(C);
  expect([search.next, search.last]).toEqual([A, [B, A]]);
  search.play(A);
  expect([search.next, search.last]).toEqual([seven, [seven, B]]);
});

it('in every world that is drawn the way has different documents and leads to the answer', () => {
  const wide = parse({ hops: 5, leastHops: 2, fields: 3, distractors: 2, missing: 2, answers: 4 });
  const hops = new Set<number>();
  for (let seed = 0; seed < 300; seed++) {
    const { documents, start, path, answer } = worldOf(wide, seed);
    expect(documents.filter((d) => d !== null)).toHaveLength(7);
    hops.add(path.length);
    const way = [start];
    for (const field of path) way.push(documents[way.at(-1)!]![field]!);
    expect(way.pop()).toBe(9 + answer);
    expect(new Set(way).size).toBe(path.length);
  }
  expect([...hops].sort()).toEqual([2, 3, 4, 5]);
});

it('in tokens the world answers a letter with its fields, and ends with a digit or with what is neither', () => {
  const config = { hops: 2, fields: 2, distractors: 1, missing: 1, lookups: 3 };
  const env = tSearch.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const write = (text: string): string => {
    for (const id of encode(text)) {
      actions[0] = id;
      env.step(actions, buffers);
    }
    return decode(buffers.obs);
  };
  env.reset(Uint32Array.of(5), buffers);
  const seed = Number(env.meta.state.toJSON(env.save(0)).seed);
  const { documents, path, start, answer } = worldOf(parse(config), seed);
  const letter = (value: number): string => (value < 4 ? 'abcd'[value]! : String(value - 4));
  const first = letter(start);
  const missing = letter(documents.indexOf(null));
  const fields = documents[start]!.map(letter).join('');
  const question = questionText({ documents, path, start, answer });
  expect(write(missing)).toBe(`${question}${missing}.`);
  expect(write(first)).toBe(`${question}${missing}.${first}${fields}`);
  expect(buffers.terminated[0]).toBe(0);
  write(String(answer));
  expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, 1]);
  env.reset(Uint32Array.of(5), buffers);
  write('+');
  expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, 0]);
});

it('nothing is shown before it is looked up, and a lookup beside the way shows nothing but its price', () => {
  const config = { hops: 2, fields: 2, distractors: 1, answers: 3, lookups: 3 };
  const entry = lookupWorlds;
  const shown = new Map<string, Set<string>>();
  const env = entry.create(config, 200);
  const buffers = createBuffers(env.meta, 200);
  env.reset(
    Uint32Array.from({ length: 200 }, (_, i) => i),
    buffers,
  );
  const O = env.meta.obsSize;
  const rowText = (row: number): string => buffers.obs.slice(row * O, (row + 1) * O).join();
  const worlds = Array.from({ length: 200 }, (_, row) => worldOf(parse(config), Number(env.meta.state.toJSON(env.save(row)).seed)));
  worlds.forEach(({ start, path }, row) => {
    const key = `${start} ${path.length}`;
    shown.set(key, (shown.get(key) ?? new Set()).add(rowText(row)));
  });
  expect([...shown.values()].map((texts) => texts.size)).toEqual(Array.from(shown, () => 1));
  const actions = createActions(env.meta, 200);
  worlds.forEach(({ start }, row) => {
    actions[row] = (start + 1) % 3;
  });
  const before = Array.from({ length: 200 }, (_, row) => rowText(row).split(','));
  env.step(actions, buffers);
  before.forEach((was, row) => {
    const changed = rowText(row)
      .split(',')
      .flatMap((x, i) => (x === was[i] ? [] : [i]));
    expect(changed).toEqual([O - 2]);
  });
});

it('a tenth of the worlds is held out, or the questions with the most hops', () => {
  const seeds = Array.from({ length: 2000 }, (_, seed) => seed);
  const knobs = { hops: 3, leastHops: 1 };
  for (const splitBy of ['world', 'hops'] as const) {
    const train = seeds.filter((seed) => isAsked(parse({ ...knobs, splitBy, split: 'train' }), seed));
    const held = seeds.filter((seed) => isAsked(parse({ ...knobs, splitBy, split: 'held-out' }), seed));
    expect([...train, ...held].sort((x, y) => x - y)).toEqual(seeds);
    const texts = (list: number[]) => new Set(list.map((seed) => JSON.stringify(worldOf(parse(knobs), seed))));
    const known = texts(train);
    for (const text of texts(held)) expect(known.has(text)).toBe(false);
    expect(held.length / 2000).toBeCloseTo(splitBy === 'world' ? 0.1 : 1 / 3, 1);
    for (const seed of held) if (splitBy === 'hops') expect(worldOf(parse(knobs), seed).path).toHaveLength(3);
  }
  for (const entry of [tSearch, lookupWorlds])
    expect(() => entry.meta({ hops: 2, leastHops: 2, splitBy: 'hops', split: 'train' })).toThrow(/none of the first/);
});

it.each([tSearch, lookupWorlds])('$id: the expert finds every answer at the least price; the more mistakes, the less is found', (entry) => {
  const mean = (policy: string, mistakes: number): number => {
    const config = { hops: 3, leastHops: 3, fields: 2, lookups: 6, price: 0.05, mistakes };
    const env = entry.create(config, 300);
    const buffers = createBuffers(env.meta, 300);
    const actions = createActions(env.meta, 300);
    const script = entry.policies(entry.parse(config))[policy]!;
    env.reset(
      Uint32Array.from({ length: 300 }, (_, i) => i),
      buffers,
    );
    const over = new Uint8Array(300);
    let total = 0;
    for (let t = 0; t < 7; t++) {
      script.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 300; row++) {
        if (over[row] === 0) total += buffers.reward[row]!;
        over[row] = Math.max(over[row]!, buffers.terminated[row]!);
      }
    }
    expect(over.every((x) => x === 1)).toBe(true);
    return total / 300;
  };
  expect(mean('expert', 1)).toBeCloseTo(0.85, 5);
  expect(mean('novice', 0)).toBeCloseTo(0.85, 5);
  const [some, many, all] = [mean('novice', 0.15), mean('novice', 0.4), mean('novice', 1)];
  expect(0.85 - some).toBeGreaterThan(0.05);
  expect(some - many).toBeGreaterThan(0.05);
  expect(many - all).toBeGreaterThan(0.05);
});

/** As the rules read it: by flat names. */
const graphConfig = (config: JsonObject): GraphConfig =>
  flatConfig('t-search', tSearch.parse(config) as JsonObject, true) as unknown as GraphConfig;
/** The world above and a document d; the graph lacks the first field of a, and knows where the relation leads from d. */
const g = graphConfig({ hops: 2, leastHops: 1, fields: 2, distractors: 2, lookups: 3, price: 0.1, gaps: 0.25, asks: 'rule' });
const gapped: GraphWorld = {
  documents: [
    [seven, B],
    [C, C],
    [B, A],
    [C, B],
  ],
  graph: [
    [null, B],
    [C, C],
    [B, A],
    [C, B],
  ],
  start: C,
  path: [1, 0],
  answer: 7,
  facts: [null, null, null, C],
  rule: [1, 0],
  relation: 3,
};

it('what the graph lacks stands in a text alone; a text takes the place and the price of a lookup', () => {
  const search = new GraphSearch(g, gapped);
  const text = (name: number): number => 4 + g.answers + name;
  expect(askedText(g, gapped)).toBe('c/xw?');
  expect(askedText({ ...g, asks: 'relation' }, gapped)).toBe('c/?');
  expect(search.play(C)).toMatchObject({ found: [B, A, null], reward: -0.1 });
  expect(search.follows).toBe(1);
  expect(search.play(A)).toMatchObject({ found: [null, B, null] });
  expect([search.follows, search.last]).toEqual([0, [null, B]]);
  expect(search.suggest(0, new Xorshift(1))).toBe(text(A));
  expect(search.play(text(A))).toMatchObject({ found: [seven, null], reward: -0.1, done: false });
  expect([search.last, search.suggest(0, new Xorshift(1))]).toEqual([[seven, B], seven]);
  expect(search.play(seven)).toMatchObject({ reward: 1, done: true });
  expect(search.measured()).toEqual([3, 1, 1]);
  // off the way nothing says so: the rule goes on from the document in hand
  const stray = new GraphSearch(g, gapped);
  stray.play(C);
  expect(stray.play(D)).toMatchObject({ found: [C, B, C] });
  expect([stray.place, stray.follows, stray.fact]).toEqual([1, 0, C]);
  // without a text to read the answer is a guess
  const blind = new GraphSearch({ ...g, texts: false }, gapped);
  blind.play(C);
  blind.play(A);
  expect(blind.suggest(0, new Xorshift(1))).toBeGreaterThanOrEqual(4);
});

it('a rule is the way that explains most of what the graph says of a relation, never what was asked', () => {
  const ways = [[0], [1], [0, 1], [1, 0]];
  const graph = [[B, C], [C, A], [null, B], null];
  // from a: b by 0, c by 1, a by 01; from b: c by 0, a by 1, nothing by 01 (the gap of c lies on it)
  expect(minedRule(ways, graph, [B, C, null, null], new Xorshift(1))).toEqual([0]);
  expect(minedRule(ways, graph, [A, null, null, null], new Xorshift(1))).toEqual([0, 1]);
  const drawn = Array.from({ length: 40 }, (_, seed) => minedRule(ways, graph, [null, null, null, null], new Xorshift(seed)).join());
  expect(new Set(drawn).size).toBe(4);
  let right = 0;
  for (let seed = 0; seed < 400; seed++) {
    const found = drawGraph({ ...g, distractors: 6 }, seed * 7919 + 1);
    expect(found.facts[found.start]).toBeNull();
    right += Number(found.rule.join() === found.path.join());
  }
  expect(right / 400).toBeGreaterThan(0.6);
  expect(right / 400).toBeLessThan(0.95);
});

it('a sign is that of its way in every graph, or of no way at all; the worlds are those without gaps', () => {
  const signs = new Map<string, Set<number>>();
  const own = new Map<string, Set<number>>();
  for (let seed = 0; seed < 300; seed++) {
    const [one, other] = [drawGraph(g, seed), drawGraph({ ...g, relations: 'own' }, seed)];
    const { documents, start, path, answer } = drawWorld(g, new Xorshift(seed));
    for (const drawn of [one, other]) expect(drawn).toMatchObject({ documents, start, path, answer });
    signs.set(path.join(), (signs.get(path.join()) ?? new Set()).add(one.relation));
    own.set(path.join(), (own.get(path.join()) ?? new Set()).add(other.relation));
  }
  expect([...signs.values()].map((found) => found.size)).toEqual(Array.from(signs, () => 1));
  expect(Math.min(...[...own.values()].map((found) => found.size))).toBeGreaterThan(2);
  expect(() => tSearch.meta({ hops: 3, leastHops: 1, fields: 3, asks: 'relation' })).toThrow(/39 ways/);
});

it('in tokens a colon before a name reads its text, and a document also says where the relation leads from it', () => {
  const config = { hops: 2, leastHops: 2, fields: 2, distractors: 2, gaps: 0.5, asks: 'relation' };
  const env = tSearch.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(9), buffers);
  const world = drawGraph(graphConfig(config), Number(env.meta.state.toJSON(env.save(0)).seed));
  const name = (value: number | null): string => (value === null ? '.' : value < 4 ? 'abcd'[value]! : String(value - 4));
  const asked = decode(buffers.obs);
  const first = name(world.start);
  for (const id of encode(`${first}:${first}`)) {
    actions[0] = id;
    env.step(actions, buffers);
  }
  const known = world.graph[world.start]!;
  const lacking = world.documents[world.start]!.map((value, i) => (known[i] === null ? value : null));
  expect(decode(buffers.obs)).toBe(`${asked}${first}${known.map(name).join('')}.:${first}${lacking.map(name).join('')}`);
});
