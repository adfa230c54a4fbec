import { expect, it } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { dpo } from './dpo.ts';

const small = { prompts: 4, group: 8, width: 16, layers: 1, heads: 2, cloneSteps: 12, cloneLr: 1e-2, lr: 5e-3 };
const learned = async (config: object, env = 't-reason', steps = 4000) => {
  const { rows } = await trained({ algo: dpo, env: getEnv(env), config: { ...small, ...config }, steps });
  return rows.flatMap(([, metrics]) => (metrics.impliedMargin === undefined ? [] : [metrics]));
};

it.each([
  [{}],
  [{ writer: 'reference', smoothing: 0.1 }],
  [{ loss: 'ipo' }],
  [{ loss: 'simpo', beta: 2 }],
  [{ epochs: 2, minibatches: 2 }],
])('preferred answers come to lead: %j', async (config) => {
  const rows = await learned(config);
  expect(rows.length).toBeGreaterThan(5);
  const margins = rows.map(({ impliedMargin = Number.NaN }) => impliedMargin);
  const late = margins.slice(-3).reduce((a, b) => a + b, 0) / 3;
  expect(late).toBeGreaterThan(margins[0]! + 0.01);
});
