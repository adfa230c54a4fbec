/** The step of augmented random search against numpy (golden/ars-step.json), normalisation inside the network, and what is learned. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { mean, std } from '#math/stats.ts';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { ars, randomSearch, searchStep } from './ars.ts';
import golden from './golden/ars-step.json' with { type: 'json' };

it.each(golden.cases)('the $top best of $deltas.length directions', ({ deltas, plus, minus, lr, top, step }) => {
  const found = searchStep(deltas, plus, minus, { lr, top });
  step.forEach((want, i) => {
    expect(found![i]).toBeCloseTo(want, 12);
  });
});

const settings = { lr: 0.1, noise: 0.5, directions: 3, top: 3, normaliseObs: false, aliveOffset: 0, episodes: 1 };
const lengths = new Float64Array(6).fill(1);

it('stays where all returns are equal', async () => {
  expect(searchStep([[1, 2]], [3], [3], { lr: 1, top: 1 })).toBeNull();
  const search = randomSearch(new Float64Array(6), Rng.from(1), settings, 2);
  search.ask();
  await search.tell(new Float64Array(6).fill(7), async () => 0, lengths);
  expect([...search.best]).toEqual([0, 0, 0, 0, 0, 0]);
});

it('begins at 0, without biases; candidates lie opposite each other', () => {
  const all = randomSearch(Float64Array.of(9, 9, 9, 9, 9, 9), Rng.from(1), settings, 2).ask();
  expect(all.length).toBe(6);
  for (const k of [0, 1, 2]) {
    expect([...all[k]!.subarray(4)]).toEqual([0, 0]);
    for (const i of [0, 1, 2, 3]) expect(all[k]![i]).toBe(-all[k + 3]![i]!);
  }
});

it('V2: the network of a candidate does on observations what its matrix does on normalised ones', async () => {
  const seen = [Float32Array.of(1, 5, 2), Float32Array.of(3, 5, -2), Float32Array.of(8, 5, 0)];
  const plain = randomSearch(new Float64Array(8), Rng.from(3), settings, 3);
  const search = randomSearch(new Float64Array(8), Rng.from(3), { ...settings, normaliseObs: true }, 3);
  const first = search.ask();
  expect(first).toEqual(plain.ask()); // nothing was seen yet
  for (const obs of seen) search.seen?.(obs);
  const returns = Float64Array.of(1, 2, 3, 0, 0, 0);
  for (const one of [plain, search]) await one.tell(returns, async () => 0, lengths);
  const at = (i: number) => seen.map((obs) => obs[i]!);
  const obs = [4, 6, 1];
  const [M, network] = [plain.best, search.best];
  for (const o of [0, 1]) {
    // the second number never varied and is left out
    const want = [0, 2].reduce((sum, i) => sum + (M[i * 2 + o]! * (obs[i]! - mean(at(i)))) / std(at(i), 1), 0);
    const found = obs.reduce((sum, v, i) => sum + v * network[i * 2 + o]!, network[6 + o]!);
    expect(found).toBeCloseTo(want, 12);
  }
});

it('an offset of the reward counts with the length of each episode', async () => {
  const [one, other] = [0, -1].map((aliveOffset) => randomSearch(new Float64Array(6), Rng.from(1), { ...settings, aliveOffset }, 2));
  one!.ask();
  other!.ask();
  await one!.tell(Float64Array.of(5, 4, 3, 2, 1, 0), async () => 0, lengths);
  await other!.tell(
    Float64Array.of(5, 4, 3, 2, 1, 0).map((r, k) => r + k),
    async () => 0,
    Float64Array.of(0, 1, 2, 3, 4, 5),
  );
  expect([...other!.best]).toEqual([...one!.best]);
});

it('balances the pole in 50,000 steps, as in the benchmark of RL Zoo', async () => {
  const { evalReturn } = await trained({ algo: ars, env: getEnv('cartpole'), steps: 50_000, seed: 11 });
  expect(evalReturn).toBeGreaterThanOrEqual(475);
}, 60_000);
