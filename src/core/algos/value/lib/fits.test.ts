import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/index.ts';
import { getAlgo } from '../../index.ts';

it.each([
  ['vdn', 'pendulum', {}, 'env.id', /VDN needs actions to choose from/],
  ['iql', 'deep-sea-treasure', {}, 'env.id', /IQL needs one reward/],
  ['pqn', 'cartpole', { minibatches: 7 }, 'algo.minibatches', /512 rows.*7 equal/],
  ['qmix', 'mpe-simple-spread', { bufferSize: 200_000, sequence: 64 }, 'algo.bufferSize', /MB/],
] as const)('%s on %s %j says what does not fit', (id, env, settings, field, text) => {
  const algo = getAlgo(id);
  let failure: { readonly field?: string; readonly message: string } | undefined;
  try {
    algo.fits(getEnv(env).meta({}), algo.parse(settings));
  } catch (error) {
    ({ failure } = error as { failure: typeof failure });
  }
  expect(failure?.field).toBe(field);
  expect(failure?.message).toMatch(text);
});

it('fits every team of the particle worlds', () => {
  for (const env of ['mpe-simple-spread', 'mpe-simple-tag', 'mpe-simple-speaker-listener']) {
    for (const id of ['pqn', 'pqn-vdn', 'iql', 'vdn', 'qmix']) {
      const algo = getAlgo(id);
      algo.fits(getEnv(env).meta({}), algo.parse({}));
    }
  }
});
