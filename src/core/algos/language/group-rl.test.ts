import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { groupRl } from './group-rl.ts';

const config = { prompts: 8, group: 8, width: 32, layers: 1, heads: 2, cloneSteps: 400, cloneLr: 0.01 };
const envConfig = { task: 'seq', order: 'copy', length: 2, letters: 4 };
const task = { algo: groupRl, env: getEnv('t-reason'), envConfig, config, steps: 40_000 };

it('cloning ends where greedy writing meets the share that is asked for', async () => {
  const half = { ...task, config: { ...config, cloneUntil: 0.5 } };
  const { rows } = await trained(half);
  const shares = rows.map(([, { copied }]) => copied).filter((share) => share !== undefined && share !== null);
  expect(shares.length).toBeGreaterThan(8);
  expect(shares.length).toBeLessThan(400);
  expect(shares.findIndex((share) => share >= 0.5)).toBe(shares.length - 1); // it was the last update of cloning
  expect(rows[shares.length]![1].policyLoss).toBeDefined();

  const cut = await trained(half, { stopAt: rows[shares.length - 3]![0] });
  const rest = await trained(half, { resume: cut.saved });
  expect([...cut.rows, ...rest.rows]).toEqual(rows);

  const never = await trained({ ...task, steps: 8000 });
  expect(never.rows.every(([, { copied }]) => copied === undefined)).toBe(true);
});

it('refuses a cap whose least and greatest weight are the same, or the wrong way round', () => {
  const env = getEnv('t-reason');
  const fits = (low: number, high: number) => () =>
    groupRl.fits(env.meta(env.parse({})), groupRl.parse({ surrogate: { kind: 'cap', low, high } }));
  expect(fits(0.2, 0.2)).toThrow(/the same for every token.*0 and 5/);
  expect(fits(0.5, 0.2)).toThrow(/the same for every token/);
  expect(fits(0, 5)).not.toThrow();
});

it('groups dropped by the verifier teach a policy from nothing nothing, as every row says; by reward they teach', async () => {
  const dapo = groupRl.presets.find(({ id }) => id === 'dapo')!.config;
  const of = async (by: string) => {
    const own = { ...dapo, dropUniform: { kind: 'on', by }, width: 16, layers: 1, heads: 2 };
    return trained({ ...task, envConfig: {}, config: own, steps: 12_000 });
  };
  const [dropped, kept] = [await of('verifier'), await of('reward')];
  expect(dropped.rows.length).toBeGreaterThan(8);
  const shares = (of: typeof kept) => of.rows.map(([, { taught = -1 }]) => taught);
  expect(Math.max(...shares(dropped))).toBe(0);
  expect(Math.max(...shares(kept))).toBeGreaterThan(0.1);
  expect(groupRl.parse(dapo)).toMatchObject({ dropUniform: { kind: 'on', by: 'reward' } });
});

it('the loss of a token with a negative advantage is limited by the dual clip, and one that limits what has not moved is refused', () => {
  const env = getEnv('t-reason');
  const fits = (dual: number) => () => groupRl.fits(env.meta(env.parse({})), groupRl.parse({ surrogate: { kind: 'clip', dual } }));
  expect(fits(1)).toThrow(/dual clip of 1 would limit tokens that have not moved.*usually 3/);
  expect(fits(3)).not.toThrow();
  expect(fits(0)).not.toThrow();
});

it('a dual clip of the run reaches its loss', async () => {
  const own = { ...config, cloneSteps: 0, epochs: 8, lr: 0.05 };
  const hash = async (dual: number) =>
    (await trained({ ...task, config: { ...own, surrogate: { kind: 'clip', dual } }, steps: 2000 })).hash;
  expect(await hash(1.05)).not.toBe(await hash(0));
});
