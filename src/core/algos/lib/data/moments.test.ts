import { expect, it } from 'vitest';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { getEnv } from '../../../envs/all.ts';
import { trained } from '../../../testing/trained.ts';
import { getAlgo } from '../../all.ts';
import { momentsOf } from './moments.ts';

// two numbers of three rows: one that varies, one that hardly does
const rows = { count: 3, obs: Float32Array.of(0, 5, 3, 5.0006, 6, 5.0012) };

it('the least deviation bounds how much an observation that hardly varies is stretched', () => {
  const published = momentsOf(rows, 2, 2, { normaliseObs: { kind: 'on', floor: 1e-3 } });
  expect(published.mean[0]).toBeCloseTo(3, 6);
  expect(published.scale[0]).toBeCloseTo(1 / (Math.sqrt(6) + 1e-3), 5);
  expect(published.scale[1]).toBeGreaterThan(500);
  expect(published.steady).toBe(1);
  const wide = momentsOf(rows, 2, 2, { normaliseObs: { kind: 'on', floor: 1 } });
  expect(wide.scale[1]).toBeCloseTo(1, 2);
  const off = momentsOf(rows, 2, 2, { normaliseObs: { kind: 'off' } });
  expect([...off.mean, ...off.scale, off.steady]).toEqual([0, 0, 1, 1, 0]);
});

it.each(['td3-bc', 'decision-transformer'])('%s says how many observations hardly vary', async (id) => {
  const algo = getAlgo(id);
  const steady = async (normaliseObs: JsonObject): Promise<number> => {
    const { config: short = {}, env, steps } = algo.trial;
    const { rows: found } = await trained({ algo, env: getEnv(env), config: { ...objectOf(short), normaliseObs }, steps });
    return found.at(-1)![1].steadyObs!;
  };
  expect(await steady({ floor: 1e-6 })).toBe(0);
  expect(await steady({ floor: 100 })).toBeGreaterThan(0);
  expect(await steady({ kind: 'off' })).toBe(0);
});
