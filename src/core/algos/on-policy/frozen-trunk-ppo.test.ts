/** PPO over a frozen trunk: what is frozen stays, ternary trunks hold three numbers a layer, and how small they are. */
import { describe, expect, it } from 'vitest';
import { partOf } from '#core/state/saved.ts';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { networkBytes } from './frozen-trunk-ppo.ts';

const config = { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8, 8] };
const run = (trunk: string, steps: number, trunkShare = 0.5) =>
  trained({ algo: getAlgo('frozen-trunk-ppo'), env: getEnv('cartpole'), config: { ...config, trunk, trunkShare }, steps });
const weightsOf = (saved: Awaited<ReturnType<typeof run>>['snapshot'], name: string): Float32Array =>
  partOf(saved, 'trunk').arrays[name] as Float32Array;

describe('the second stage', () => {
  it('keeps the trunk of the first bit for bit, however long it lasts', async () => {
    // the same first 640 steps, then 640 or 1,920 more
    const [short, long] = [await run('float', 1280, 0.5), await run('float', 2560, 0.25)];
    for (const name of ['trunk.0.w', 'trunk.0.b', 'trunk.1.w'])
      expect([...weightsOf(short.snapshot, name)]).toEqual([...weightsOf(long.snapshot, name)]);
    expect(short.hash).not.toBe(long.hash);
  });

  it('of a ternary trunk holds three numbers a layer', async () => {
    const { snapshot } = await run('ternary', 1280);
    for (const name of ['trunk.0.w', 'trunk.1.w']) {
      const sizes = new Set([...weightsOf(snapshot, name)].map(Math.abs));
      expect(sizes.size).toBeLessThanOrEqual(2);
      expect(Math.min(...sizes)).toBe(0);
    }
  });
});

it.each([
  ['cartpole', {}, [160, 160]],
  ['acrobot', {}, [160, 160]],
  ['catch', {}, [160, 160]],
  ['minigrid-dynamic-obstacles', {}, [160, 160]],
  ['minigrid-doorkey', { width: 5, height: 5 }, [64, 64]],
] as const)('%s: a ternary network takes a tenth of the bytes', (id, envConfig, hidden) => {
  const meta = getEnv(id).meta({ ...getEnv(id).parse(envConfig) });
  const [float, ternary] = (['float', 'ternary'] as const).map((trunk) => networkBytes(meta, { hidden: [...hidden], trunk })) as [
    number,
    number,
  ];
  expect(float / ternary).toBeGreaterThan(10);
  expect(float / ternary).toBeLessThan(16);
});
