import { expect, it } from 'vitest';
import { startIn } from '#contract/catalog/starts.ts';
import { getAlgo } from '#core/algos/all.ts';
import { buildCatalog } from '#core/catalog.ts';
import { readConfig } from './config.ts';

const { algos, envs } = buildCatalog();
const read = async (env: string, algo: string, set: readonly string[] = []) =>
  (await readConfig({ env, algo, config: undefined, set }, { typedIn: '.' })).algo.config;

it.each([
  ['pendulum', 'ppo'],
  ['pendulum', 'preference-ppo'],
  ['pendulum', 'sac'],
  ['drone-hover', 'ppo'],
  ['cartpole', 'ppo'],
  ['frozen-lake', 'sarsa-lambda'],
  ['coin-game', 'ippo'],
])('%s with --algo %s has the settings that choosing it on the page gives', async (env, algo) => {
  const card = algos.find(({ id }) => id === algo)!;
  const place = envs.find(({ id }) => id === env)!;
  // a start may name some fields of a variant; the others have their defaults
  expect(await read(env, algo)).toEqual(getAlgo(algo).parse({ ...card.defaults, ...startIn(card, place) }));
});

it('settings that are given count more than where a method starts, and a preset that is named takes its place', async () => {
  expect(await read('pendulum', 'ppo', ['algo.lr=0.1'])).toMatchObject({ lr: 0.1, gamma: 0.9 });
  const { config } = (await readConfig({ env: 'pendulum', algo: 'ppo', config: 'ppo/minigrid', set: [] }, { typedIn: '.' })).algo;
  expect(config).toMatchObject({ rolloutSteps: 128, gamma: 0.99 });
});
