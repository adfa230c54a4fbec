import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { chosenGroups, horizonAt, stepAdvantages } from './group-worlds.ts';

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
  const { advantages, shared } = stepAdvantages(last, { group: 4, stepWeight: 1, strataWeight: 0, gamma: 0.95 });
  const found = walks.flatMap(({ states }, row) => [...advantages.subarray(row * longest, row * longest + states.length)]);
  const golden = [
    1.6867962183645115, 2.3655597067550183, 1.443125716267836, -1.7311703150457987, -1.3657701887588072, -0.8658754297607016,
    1.7755444117270858, 1.443125716267836, -1.7311703150457987, -1.3657701887588072, -1.3657701887588072, -2.02037600277497,
  ];
  found.forEach((value, i) => {
    expect(value).toBeCloseTo(golden[i]!, 9);
  });
  expect(found).toHaveLength(golden.length);
  expect(shared).toBeCloseTo(11 / 12, 12); // state 3 alone was met once
  expect(advantages[2 * longest + 2]).toBe(0); // nothing was played there
});

it('without them every step of an episode has the advantage of its episode, and other groups do not matter', () => {
  const { advantages } = stepAdvantages(last, { group: 2, stepWeight: 0, strataWeight: 0, gamma: 0.95 });
  for (const [row, sign] of [1, -1, 1, -1].entries())
    for (let t = 0; t < last.lengths[row]!; t++)
      expect(advantages[row * longest + t]).toBeCloseTo((sign * 0.5) / (Math.SQRT1_2 + 1e-4), 12);
});

it('a horizon grows in a straight line and stays where it has grown to', () => {
  const growing = { horizon: 64, growFrom: 8, growUntil: 0.5 };
  expect([0, 0.25, 0.5, 1].map((done) => horizonAt(growing, done))).toEqual([8, 36, 64, 64]);
  expect(horizonAt({ ...growing, growFrom: 0 }, 0)).toBe(64);
});

it('strata: episodes are compared with those of as many steps; one that is alone has only its share of the whole group', () => {
  // lengths 3, 3, 2, 4: the first two are peers
  const among = (strataWeight: number) => {
    const { advantages } = stepAdvantages(last, { group: 4, stepWeight: 0, strataWeight, gamma: 0.95 });
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
