/** The likeliest of ten goals. Goal transition and lower reward: core/testing/methods/hindsight.ts. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { goalMemory } from './lib/goal-memory.ts';

it('a replayed goal becomes the one under which the lower policy does what was done', async () => {
  // the lower policy moves by its goal: the likeliest goal is the one that led to where the agent came
  const memory = goalMemory({ capacity: 10, obsSize: 1, actionSize: 1, goalSize: 1, every: 2 });
  memory.add(Float32Array.of(0, 0.4), Float32Array.of(0.4, 0), Float32Array.of(-0.9), 3, false, Float32Array.of(0.4));
  const rows = 10 * 2;
  const likely = {
    in: { obs: new Float32Array(rows * 2) },
    out: { mean: new Float32Array(rows) },
    run() {
      for (let i = 0; i < rows; i++) this.out.mean[i] = this.in.obs[2 * i + 1]!;
    },
  };
  const into = {
    obs: new Float32Array(1),
    action: new Float32Array(1),
    reward: new Float32Array(1),
    discount: new Float32Array(1),
    nextObs: new Float32Array(1),
  };
  const part = { from: 0, size: 1 };
  const share = await memory.sample(Rng.from(1), 1, 0.9, part, 1, likely as never, into);
  expect(share).toBe(1);
  expect(into.action[0]).toBeCloseTo(0.4, 6);
  expect([into.reward[0], into.nextObs[0]]).toEqual([3, Math.fround(0.4)]);
  expect(into.discount[0]).toBeCloseTo(0.9, 6);
  await memory.sample(Rng.from(1), 1, 0.9, part, 1, null, into);
  expect(into.action[0]).toBeCloseTo(-0.9, 6);
});
