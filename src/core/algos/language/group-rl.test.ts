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
