import { expect, test } from 'vitest';
import golden from './golden/level-replay.json';
import { LevelBuffer, levelFacts, maxMonteCarlo } from './level-replay.ts';
import { Rng } from './rng.ts';

interface Case {
  readonly name: string;
  readonly input: Record<string, never>;
  readonly expected: Record<string, never>;
}
const cases = golden.cases as unknown as readonly Case[];
const ofName = (name: string): readonly Case[] => cases.filter((one) => one.name.startsWith(name));

test.each(ofName('scores'))('$name, as jaxued gives them', ({ input, expected }) => {
  const rows = input as unknown as Record<'dones' | 'rewards' | 'values' | 'advantages', number[][]>;
  const flat = (name: keyof typeof rows): Float64Array => Float64Array.from(rows[name].flat());
  const copies = rows.dones[0]!.length;
  const rollout = {
    copies,
    ended: Uint8Array.from(rows.dones.flat()),
    rewards: flat('rewards'),
    values: flat('values'),
    advantages: flat('advantages'),
  };
  const before = input.max_returns_so_far as unknown as number[];
  const facts = before.map((_, copy) => levelFacts(rollout, copy));
  const same = (found: readonly number[], name: string): void => {
    const wanted = (expected[name] as unknown as (number | string)[]).map((x) => (x === '-inf' ? Number.NEGATIVE_INFINITY : Number(x)));
    found.forEach((x, i) => {
      if (Number.isFinite(wanted[i])) expect(x).toBeCloseTo(wanted[i]!, 8);
      else expect(x).toBe(wanted[i]);
    });
  };
  same(facts.map(({ meanReturn }) => meanReturn), 'mean_return'); // biome-ignore format: one line
  same(facts.map(({ maxReturn }) => maxReturn), 'max_return'); // biome-ignore format: one line
  same(facts.map(({ episodes }) => episodes), 'episodes'); // biome-ignore format: one line
  same(facts.map((one, copy) => maxMonteCarlo(one, before[copy]!)), 'max_mc'); // biome-ignore format: one line
  same(facts.map(({ positiveValueLoss }) => positiveValueLoss), 'positive_value_loss'); // biome-ignore format: one line
});

test.each(ofName('rank weights'))('$name, as jaxued gives them', ({ input, expected }) => {
  const { capacity, size, scores, timestamps, episode_count, temperature, staleness_coeff } = input as unknown as {
    readonly [name: string]: number;
  } & { readonly scores: number[]; readonly timestamps: number[] };
  const buffer = new LevelBuffer({ capacity: capacity!, temperature: temperature!, staleness: staleness_coeff! });
  buffer.scores.set(scores);
  buffer.played.set(timestamps);
  Object.assign(buffer.counts, { size, played: episode_count });
  const wanted = expected.weights as unknown as number[];
  buffer.weights().forEach((weight, slot) => {
    expect(weight).toBeCloseTo(wanted[slot]!, 8);
  });
});

test('levels are kept, replaced and drawn as jaxued does', () => {
  const [{ input, expected }] = ofName('insert and sample') as [Case];
  const { capacity, temperature, staleness_coeff, operations } = input as unknown as {
    readonly capacity: number;
    readonly temperature: number;
    readonly staleness_coeff: number;
    readonly operations: readonly { readonly op: string; readonly level: number; readonly score: number; readonly index: number }[];
  };
  const buffer = new LevelBuffer({ capacity, temperature, staleness: staleness_coeff });
  const levels: number[] = [];
  const results = operations.map(({ op, level, score, index }) => {
    if (op === 'sample') {
      buffer.take(index);
      return { level: levels[index] };
    }
    const slot = buffer.offer(score);
    if (slot >= 0) levels[slot] = level;
    return { index: slot };
  });
  expect(results).toEqual(expected.results);
  expect({ levels, scores: [...buffer.scores], timestamps: [...buffer.played] }).toEqual({
    levels: expected.levels,
    scores: expected.scores,
    timestamps: expected.timestamps,
  });
  expect(buffer.counts).toEqual({ size: expected.size, played: expected.episode_count });
});

test('a level is drawn as often as its weight says, and one without a score is not kept', () => {
  const buffer = new LevelBuffer({ capacity: 4, temperature: 1, staleness: 0 });
  expect(buffer.offer(Number.NEGATIVE_INFINITY)).toBe(-1);
  for (const score of [3, 1, 2]) buffer.offer(score);
  const rng = Rng.from(5);
  const drawn = [0, 0, 0];
  for (let n = 0; n < 6000; n++) drawn[buffer.draw(rng.uniform())]!++;
  const weights = [6 / 11, 2 / 11, 3 / 11];
  drawn.forEach((count, slot) => {
    expect(Math.abs(count / 6000 - weights[slot]!)).toBeLessThan(0.03);
  });
});
