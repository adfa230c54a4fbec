/** A cloned start in each loop that has one: settings, hashes, where it ends, what it refuses. */
import { expect, it } from 'vitest';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { dpo } from '../../language/dpo.ts';
import { groupWorlds } from '../../language/group-worlds.ts';
import { tokenPpo } from '../../language/token-ppo.ts';

const small = { width: 16, layers: 1, heads: 2 };
const copied = { task: 'seq', order: 'copy', length: 2, letters: 4 };

it('the three settings that DPO got with it leave the hash of a config as it was, unless one is used', () => {
  const before = { lr: 1e-3, cloning: { kind: 'on', steps: 60, lr: 1e-3 } };
  const now = dpo.parse(before);
  expect(now).toMatchObject({ cloning: { kind: 'on', steps: 60, until: 1, apart: true, teacher: 'novice' } });
  const hashed = (cloning: object) => flatConfig('dpo', { lr: 1e-3, cloning: { ...before.cloning, ...cloning } }, true);
  expect(hashed({ until: 1, apart: true, teacher: 'novice' })).toEqual(flatConfig('dpo', before, true));
  expect(hashed({ teacher: 'expert' })).not.toEqual(flatConfig('dpo', before, true));
});

it('DPO stops to copy once the share that is asked for is met', async () => {
  const cloning = { kind: 'on', steps: 400, lr: 0.01, until: 0.2, teacher: 'expert' };
  const config = { ...small, prompts: 4, group: 4, cloning };
  const { rows } = await trained({ algo: dpo, env: getEnv('t-reason'), envConfig: copied, config, steps: 12_000 });
  const shares = rows.flatMap(([, row]) => (row.copied === undefined ? [] : [row.copied]));
  expect(shares.length).toBeLessThan(400);
  expect(shares.findIndex((share) => share >= 0.2)).toBe(shares.length - 1);
  expect(rows.length).toBeGreaterThan(shares.length); // it learns by comparison then
});

it('PPO on tokens copies at its own learning rate', async () => {
  const of = (lr: number) =>
    trained({ algo: tokenPpo, env: getEnv('t-reason'), envConfig: copied, config: { ...small, rows: 16, cloneSteps: 3, lr }, steps: 100 });
  const [slow, fast] = [await of(1e-5), await of(1e-2)];
  const last = ({ rows }: typeof slow): number =>
    rows.filter(([, { cloneLoss }]) => cloneLoss !== undefined).at(-1)?.[1].cloneLoss ?? Number.NaN;
  expect(last(fast)).toBeLessThan(last(slow) - 0.01);
});

it('a world without a script to copy is refused, with the field', async () => {
  const config = { starts: 2, group: 2, cloning: { kind: 'on', steps: 2 } };
  await expect(trained({ algo: groupWorlds, env: getEnv('bandit'), config, steps: 50 })).rejects.toMatchObject({
    failure: { id: 'incompatible', field: 'algo.cloning.kind' },
  });
});
