/** A limit on cost: what the multiplier does, that PPO keeps within the limit, and that nothing goes missing in a checkpoint. */
import { describe, expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { play, resumed } from '../../../testing/play.ts';
import { probe } from '../../../testing/probe.ts';
import { limitedAdvantage, Multiplier } from './multiplier.ts';

describe('the multiplier', () => {
  it.each(['Adam', 'ascent'] as const)('by %s rises above the limit, falls below it and is never below 0', (rule) => {
    const one = new Multiplier(0.1);
    one.climb(5, 0.02, rule);
    const risen = one.value;
    expect(risen).toBeGreaterThan(0.1);
    for (let i = 0; i < 4; i++) one.climb(-5, 0.02, rule);
    expect(one.value).toBeLessThan(risen);
    for (let i = 0; i < 200; i++) one.climb(-5, 0.02, rule);
    expect(one.value).toBe(0);
  });

  it('of 0 leaves the advantage as it is; a large one leaves minus that of the cost', () => {
    expect(limitedAdvantage(0.7, 3, 0)).toBe(0.7);
    expect(limitedAdvantage(0.7, 3, 1e9)).toBeCloseTo(-3, 6);
  });
});

const LENGTH = 8;
const bare = probe('probe-costly', {
  obs: { kind: 'box', shape: [1], low: 0, high: 1 },
  action: { kind: 'discrete', n: 2, labels: ['wait', 'take'] },
  maxSteps: LENGTH,
  start: () => 0,
  observe: (_, t, out) => out.fill(t / LENGTH),
  step: (_, __, action) => ({ reward: action, terminated: false }),
});
/** Action 1 pays 1, and costs 1 from the third step on: free play costs 6 an episode, and what costs nothing earns 2. */
const costly: EnvEntry = {
  ...bare,
  meta: (config) => ({ ...bare.meta(config), costs: ['taken'] }),
  create(config, batch) {
    const env = bare.create(config, batch);
    return {
      ...env,
      meta: { ...env.meta, costs: ['taken'] },
      step(actions, out) {
        const late = Array.from({ length: batch }, (_, row) => (out.obs[row] ?? 0) >= 2 / LENGTH);
        env.step(actions, out);
        out.cost?.set(late.map((dear, row) => (dear ? (out.reward[row] ?? 0) : 0)));
      },
    };
  },
};

const settings = { envs: 8, rolloutSteps: 64, minibatches: 4, lr: 2e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.05, hidden: [16] };
const within = (limit: number) => ({ ...settings, lagrangian: { kind: 'Adam', limit, rate: 0.3, start: 1 } });
/** The last value that is a number. */
const last = ({ columns, rows }: Awaited<ReturnType<typeof play>>, id: string): number =>
  rows.map((row) => row[columns.indexOf(id) + 1] ?? Number.NaN).findLast(Number.isFinite) ?? Number.NaN;

it('PPO keeps within it and earns what costs nothing; one that is never passed leaves free play', { timeout: 60_000 }, async () => {
  const strict = await play(costly, 'ppo', 60_000, within(1));
  const loose = await play(costly, 'ppo', 60_000, within(100));
  const free = await play(costly, 'ppo', 60_000, settings);
  expect(last(free, 'episodicReturn')).toBeGreaterThan(7);
  expect(last(loose, 'episodicReturn')).toBeGreaterThan(7);
  expect(last(loose, 'updateCost')).toBeGreaterThan(5);
  expect(last(loose, 'multiplier')).toBe(0);
  expect(last(strict, 'updateCost')).toBeLessThan(2);
  expect(last(strict, 'episodicReturn')).toBeGreaterThan(2);
  expect(last(strict, 'multiplier')).toBeGreaterThan(0);
  expect(last(strict, 'costLimit')).toBe(1);
});

it('continues bit for bit, and refuses an environment without costs', { timeout: 60_000 }, async () => {
  const world = getEnv('random-mdp');
  const { whole, joined } = await resumed(world, 'ppo', 1024, within(1));
  expect(joined.hash).toBe(whole.hash);
  expect(joined.rows).toEqual(whole.rows);
  await expect(play(bare, 'ppo', 256, within(1))).rejects.toMatchObject({ failure: { id: 'config-invalid' } });
});
