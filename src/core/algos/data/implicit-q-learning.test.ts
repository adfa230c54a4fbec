import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { play, resumed } from '#core/testing/play.ts';

const small = { hidden: [16], batchSize: 32, recordSteps: 500, fitted: false };
const env = getEnv('cartpole');

it('the policy’s step size alone falls: values and critics learn the same numbers', async () => {
  const [level, falling] = await Promise.all(
    [false, true].map((annealLr) => play(env, 'implicit-q-learning', 256, { ...small, annealLr })),
  );
  const learned = ({ columns, rows }: NonNullable<typeof level>): number[][] =>
    rows
      .map((row) => ['valueLoss', 'criticLoss', 'qMean'].map((metric) => row[1 + columns.indexOf(metric)]!))
      .filter((row) => row.every(Number.isFinite));
  expect(learned(falling!).length).toBeGreaterThan(1);
  expect(learned(falling!)).toEqual(learned(level!));
  expect(falling!.hash).not.toBe(level!.hash);
});

it('a run with a falling step size goes on where it was', async () => {
  const { whole, joined } = await resumed(env, 'implicit-q-learning', 256, { ...small, annealLr: true });
  expect(joined).toMatchObject({ hash: whole.hash, rows: whole.rows });
});
