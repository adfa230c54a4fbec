import { expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { Rng } from '#math/rng.ts';
import { addStateGroups } from '../extensions/gigpo/state-groups.ts';
import { horizonAt } from '../extensions/scaling-inter/extension.ts';
import { blendStrata } from '../extensions/stratified/extension.ts';
import { chosenGroups } from '../extensions/vspo/extension.ts';
import { cloneEpisodes, sharedStates, stepAdvantages, triesOf } from './group-worlds.ts';
import { createWorldCollector } from './lib/world-groups.ts';
import { compileWorldCloner, worldNetwork } from './lib/world-network.ts';

/** Four episodes of the golden case "gigpo": states of each step, and what the last step earned. */
const walks = [
  { states: [0, 1, 2], paid: 1 },
  { states: [0, 1, 3], paid: 0 },
  { states: [0, 2], paid: 1 },
  { states: [0, 1, 1, 2], paid: 0 },
];
const longest = 4;
const keys = new Float64Array(walks.length * longest).fill(-1);
const rewards = new Float64Array(walks.length * longest);
walks.forEach(({ states, paid }, row) => {
  keys.set(states, row * longest);
  rewards[row * longest + states.length - 1] = paid;
});
const last = {
  longest,
  keys,
  rewards,
  lengths: Int32Array.from(walks, ({ states }) => states.length),
  returns: Float64Array.from(walks, ({ paid }) => paid),
};

it('steps from the same state are compared inside their group, beside the whole episode (GiGPO)', () => {
  const advantages = stepAdvantages(last, 4);
  addStateGroups(advantages, last, { group: 4, weight: 1, gamma: 0.95 });
  const found = walks.flatMap(({ states }, row) => [...advantages.subarray(row * longest, row * longest + states.length)]);
  const golden = [
    1.6867962183645115, 2.3655597067550183, 1.443125716267836, -1.7311703150457987, -1.3657701887588072, -0.8658754297607016,
    1.7755444117270858, 1.443125716267836, -1.7311703150457987, -1.3657701887588072, -1.3657701887588072, -2.02037600277497,
  ];
  found.forEach((value, i) => {
    expect(value).toBeCloseTo(golden[i]!, 9);
  });
  expect(found).toHaveLength(golden.length);
  expect(sharedStates(last, 4)).toBeCloseTo(11 / 12, 12); // state 3 alone was met once
  expect(advantages[2 * longest + 2]).toBe(0); // nothing was played there
});

it('without them every step of an episode has the advantage of its episode, and other groups do not matter', () => {
  const advantages = stepAdvantages(last, 2);
  for (const [row, sign] of [1, -1, 1, -1].entries())
    for (let t = 0; t < last.lengths[row]!; t++)
      expect(advantages[row * longest + t]).toBeCloseTo((sign * 0.5) / (Math.SQRT1_2 + 1e-4), 12);
});

it('a horizon grows in a straight line and stays where it has grown to', () => {
  const growing = { kind: 'on', from: 8, until: 0.5 } as const;
  expect([0, 0.25, 0.5, 1].map((done) => horizonAt(64, growing, done))).toEqual([8, 36, 64, 64]);
  expect(horizonAt(64, { kind: 'off' }, 0)).toBe(64);
});

it('strata: episodes are compared with those of as many steps; one that is alone has only its share of the whole group', () => {
  // lengths 3, 3, 2, 4: the first two are peers
  const among = (weight: number) => {
    const advantages = stepAdvantages(last, 4);
    blendStrata(advantages, last, { group: 4, weight });
    return walks.map((_, row) => advantages[row * longest]!);
  };
  const peers = 0.5 / (Math.SQRT1_2 + 1e-4);
  among(1).forEach((value, row) => {
    expect(value).toBeCloseTo([peers, -peers, 0, 0][row]!, 12);
  });
  const whole = 0.5 / (Math.sqrt(1 / 3) + 1e-4);
  among(0.75).forEach((value, row) => {
    expect(value).toBeCloseTo(0.75 * [peers, -peers, 0, 0][row]! + 0.25 * [whole, -whole, whole, -whole][row]!, 12);
  });
});

it('uniform groups give way to valuable ones: harder and less certain, each so often at most', () => {
  // of four groups of four: all right, one in four right, three in four right, all wrong
  const returns = Float64Array.of(1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0);
  const times = [0, 0, 0, 0];
  const rng = Rng.from(1);
  for (let i = 0; i < 2000; i++) {
    const found = chosenGroups(returns, 4, 2, rng);
    expect([found[1], found[2]]).toEqual([1, 2]);
    for (const g of [found[0]!, found[3]!]) times[g] = times[g]! + 1;
  }
  expect([times[0], times[3]]).toEqual([0, 0]);
  expect(times[1]! / 4000).toBeCloseTo(0.75, 1); // as uncertain as the other, three times as hard
  for (let i = 0; i < 20; i++) expect(chosenGroups(returns, 4, 1, rng).toSorted()).toEqual([1, 1, 2, 2]);
  expect(chosenGroups(returns.slice(0, 8), 4, 2, rng)).toEqual([1, 1]);
  expect(chosenGroups(Float64Array.of(1, 1, 0, 0, 1, 0), 2, 1, rng).filter((g) => g === 2)).toHaveLength(2);
  expect(chosenGroups(Float64Array.of(1, 1, 0, 0), 2, 2, rng)).toEqual([0, 1]);
});

/** One update of two groups of eight, half of whose rows wait for a branch. */
async function branched(chance: number, penalty: number) {
  const world = getEnv('lookup-worlds');
  const config = world.parse({ hops: 3, leastHops: 3, lookups: 6 });
  const engine = await createEngine('wasm');
  const env = createVectorEnv(world, config, 16, Rng.from(1));
  env.reset();
  const net = worldNetwork(engine, env.meta, [8], Rng.from(2));
  const [sampling, seeds, rng] = [Rng.from(3), Rng.from(4), Rng.from(5)];
  const collector = createWorldCollector(engine, env, net, {
    group: 8,
    longest: 7,
    sampling,
    seeds,
    branching: { share: 0.5, chance, penalty, rng },
  });
  const steps = await collector.collect(7, 0);
  return { steps, last: collector.last, episodes: env.episodes };
}

it('branched episodes share the steps before with another of their group, and these are played once', async () => {
  const { steps, last } = await branched(1, 0);
  const { longest, lengths, shared, returns } = last;
  const O = last.obs.length / last.actions.length;
  const total = (list: Int32Array): number => list.reduce((a, b) => a + b, 0);
  expect(steps).toBe(total(lengths) - total(shared));
  let children = 0;
  for (let row = 0; row < lengths.length; row++) {
    const [at, own, length] = [row * longest, shared[row]!, lengths[row]!];
    expect(length).toBeGreaterThan(own);
    expect(last.rewards.subarray(at, at + length).reduce((a, b) => a + b, 0)).toBe(returns[row]!);
    if (own === 0) continue;
    children++;
    expect(row % 8).toBeGreaterThanOrEqual(4); // the last rows of a group wait
    const before = (other: number, list: Float32Array | Float64Array, width: number): string =>
      list.subarray(other * longest * width, (other * longest + own) * width).join();
    const first = row - (row % 8);
    const parents = Array.from({ length: 8 }, (_, k) => first + k).filter(
      (other) => other !== row && before(other, last.actions, 1) === before(row, last.actions, 1),
    );
    expect(parents.some((other) => lengths[other]! > own && before(other, last.obs, O) === before(row, last.obs, O))).toBe(true);
    expect(parents.some((other) => before(other, last.logProbs, 1) === before(row, last.logProbs, 1))).toBe(true);
  }
  expect(children).toBeGreaterThan(0);
});

it('where nothing branches all rows begin at the start, each counted as one episode', async () => {
  const { steps, last, episodes } = await branched(0, 1);
  // an untrained policy is as undecided everywhere as at the start, give or take
  expect([...last.shared].filter((from) => from > 0).length).toBeLessThan(4);
  expect(steps).toBe([...last.lengths].reduce((a, b) => a + b, 0) - [...last.shared].reduce((a, b) => a + b, 0));
  expect(episodes.finished).toBe(16);
});

it('tries: rows that began at the start alone say what five find; ways that were gone before are not distinct', () => {
  const found = triesOf(
    {
      ...last,
      // six rows from the start, one of them right; two branched, both right
      returns: Float64Array.of(1, 0, 0, 0, 0, 0, 1, 1),
      lengths: new Int32Array(8).fill(2),
      shared: Int32Array.of(0, 0, 0, 0, 0, 0, 1, 1),
      actions: Float32Array.from([0, 1, 2, 0, 1, 2, 0, 1].flatMap((way) => [way, 1, 9, 9])),
    } as never,
    8,
  );
  expect(found.passFive).toBeCloseTo(5 / 6, 12);
  expect(found.distinct).toBe(3 / 8);
});

it('a teacher plays every row from a start of its own, and what it did is what is copied', async () => {
  const world = getEnv('lookup-worlds');
  const config = world.parse({ hops: 3, leastHops: 3, lookups: 6 });
  const expert = world.policies(config).expert!;
  const engine = await createEngine('wasm');
  const env = createVectorEnv(world, config, 16, Rng.from(1));
  env.reset();
  const net = worldNetwork(engine, env.meta, [8], Rng.from(2));
  const [sampling, seeds, rng] = [Rng.from(3), Rng.from(4), Rng.from(5)];
  const branching = { share: 0.5, chance: 1, penalty: 0, rng };
  const collector = createWorldCollector(engine, env, net, { group: 8, longest: 7, sampling, seeds, branching });
  const steps = await collector.collect(7, 0, (actions) => expert.act(env.env, env.buffers, actions));
  const { last } = collector;
  expect([...last.returns]).toEqual(Array.from({ length: 16 }, () => 1));
  expect(steps).toBe(16 * 4);
  expect(Math.max(...last.shared)).toBe(0);
  const ways = new Set(Array.from({ length: 16 }, (_, row) => last.actions.slice(row * 7, row * 7 + 4).join()));
  expect(ways.size).toBeGreaterThan(12);
  // the program makes what was shown likely
  const cloner = compileWorldCloner(engine, net, { maxGradNorm: 1 }, 64);
  const losses: number[] = [];
  for (let i = 0; i < 200; i++) losses.push(await cloneEpisodes(cloner, last, { rows: 64, lr: 0.02, rng: Rng.from(6) }));
  expect(losses[0]).toBeCloseTo(Math.log(env.meta.actionCount), 1);
  expect(losses.at(-1)).toBeLessThan(0.5 * losses[0]!);
});
