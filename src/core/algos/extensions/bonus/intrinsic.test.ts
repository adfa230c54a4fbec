/** Rewards for what is new: counts and keys, what joins the advantages, and that nothing goes missing in a checkpoint. */
import { describe, expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { exactKey } from '#math/hash.ts';
import { Rng } from '#math/rng.ts';
import type { RolloutHost } from '../../api/extension.ts';
import { extensionsOf } from '../index.ts';
import { simHashKey, VisitCounts } from './counts.ts';

describe('keys', () => {
  it('are equal for equal rows only, wherever they stand, and -0 is 0', () => {
    const rows = Float32Array.of(0, 1, 0, 0, 1, -0, 0, 0, 1);
    const [a, b, c] = [0, 1, 2].map((row) => exactKey(rows, row, 3));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    const many = new Set(Array.from({ length: 4096 }, (_, i) => exactKey(Float32Array.of(i % 64, Math.floor(i / 64)), 0, 2)));
    expect(many.size).toBe(4096);
  });

  it('of a hash are shared by near rows, less so by far ones', () => {
    const space = { kind: 'box', shape: [2], low: -1, high: 1 } as const;
    const key = simHashKey(space, 2, 40, Rng.from(3));
    const different = (a: readonly number[], b: readonly number[]): number => {
      const [x, y] = [a, b].map((row) => key(Float32Array.from(row), 0, 2).toString(2).padStart(40, '0')) as [string, string];
      return [...x].filter((bit, i) => bit !== y[i]).length;
    };
    expect(different([0.2, 0.3], [0.2, 0.3])).toBe(0);
    expect(different([0.2, 0.3], [0.21, 0.3])).toBeLessThan(4);
    expect(different([0.2, 0.3], [-0.9, -0.7])).toBeGreaterThan(7);
    // one-hot rows, however long, are told apart
    const planes = { kind: 'box', shape: [400], low: 0, high: 1 } as const;
    const cell = simHashKey(planes, 400, 32, Rng.from(3));
    const rows = Float32Array.from({ length: 400 * 400 }, (_, i) => (i % 401 === 0 ? 1 : 0));
    expect(new Set(Array.from({ length: 400 }, (_, row) => cell(rows, row, 400))).size).toBeGreaterThan(390);
  });
});

it('counts are kept through a save', () => {
  const counts = new VisitCounts();
  expect([counts.visit(7), counts.visit(7), counts.visit(2 ** 52)]).toEqual([1, 2, 1]);
  const again = new VisitCounts();
  again.load(counts.save());
  expect([again.size, again.of(7), again.of(8), again.visit(7)]).toEqual([2, 2, 0, 3]);
});

/** One rollout of 8 steps of 2 copies of a small deep sea; what the bonus added to advantages of 0. */
async function added(kind: string, weight: number) {
  const engine = await createEngine('wasm');
  const entry = getEnv('deep-sea');
  const env = createVectorEnv(entry, { size: 4 }, 2, Rng.from(1));
  const shape = { rows: 2, steps: 8, size: 8 } as const;
  const learning = { epochs: 2, minibatches: 2, gamma: 0.99, lambda: 0.95, valueCoef: 0.5, adamEps: 1e-5, maxGradNorm: 0.5 };
  const config = { ...learning, hidden: [8], activation: 'tanh', filters: 0 } as const;
  const { meta } = env;
  const extensions = extensionsOf({ loop: 'rollout', networks: 'policy' });
  const bonus = extensions.fields.bonus!.parse({ kind, weight });
  const begun = await extensions.begin({ bonus }, { engine, meta });
  // a bonus asks nothing of the policy's network
  const host = { loop: 'rollout', networks: 'policy', engine, meta, env, rng: Rng.from(2), learned: [], ...shape, config } as unknown;
  const intrinsic = begun.attach(host as RolloutHost).places();
  env.reset();
  const obs = new Float32Array(16 * 16);
  for (let t = 0; t < 8; t++) {
    obs.set(env.buffers.obs, t * 32);
    intrinsic.beforeStep?.(t);
    env.step(new Int32Array(2));
    intrinsic.afterStep?.(t);
  }
  const floats = () => new Float32Array(16);
  const [advantages, actions, rewards, values, logProbs, finalValues, targets] = Array.from({ length: 7 }, floats) as Float32Array[];
  const flags = new Uint8Array(16);
  const lastObs = env.buffers.obs;
  const lastValues = new Float32Array(2);
  await intrinsic.advantages?.({
    obs,
    lastObs,
    lastValues,
    terminated: flags,
    truncated: flags,
    advantages: advantages!,
    actions: actions!,
    rewards: rewards!,
    values: values!,
    logProbs: logProbs!,
    finalValues: finalValues!,
    targets: targets!,
  });
  await intrinsic.afterUpdates?.({ before: 0, now: 16, next: 32 }, { lr: 1e-3, clip: 0.2, entropyCoef: 0, epochs: 4, valueCoef: 0.5 });
  const found = { advantages: advantages!, metrics: intrinsic.metrics?.() ?? {} };
  engine.dispose();
  return found;
}

describe.each(['counts', 'hash counts', 'RND', 'ICM'])('%s', (bonus) => {
  it('joins by its weight and reports what it paid', async () => {
    const [one, two] = [await added(bonus, 1), await added(bonus, 2)];
    expect(one.metrics.bonus).toBeGreaterThan(0);
    expect(one.advantages.some((x) => x !== 0)).toBe(true);
    one.advantages.forEach((x, i) => {
      expect(two.advantages[i]).toBeCloseTo(2 * x, 5);
    });
    const counted = bonus === 'counts' || bonus === 'hash counts';
    expect(Number.isFinite(one.metrics.bonusLoss)).toBe(!counted);
    // the same moves twice: four places of the sea, and the end, which shows nothing
    if (bonus === 'counts') expect(one.metrics.statesSeen).toBeLessThanOrEqual(9);
    else if (!counted) expect(one.metrics.statesSeen).toBeNaN();
  });
});
