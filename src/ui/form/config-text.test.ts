import { expect, test } from 'vitest';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { checkConfigText } from './config-text.ts';

const env = { id: 'cartpole', title: 'CartPole', schema: { properties: { maxSteps: { type: 'integer' } } }, defaults: { maxSteps: 500 } };
const algo = { id: 'ppo', title: 'PPO', schema: { properties: { lr: { type: 'number' } } }, defaults: { lr: 2.5e-4 } };
const catalog: Catalog = {
  version: 1,
  envs: [env as unknown as EnvCard],
  algos: [algo as unknown as AlgoCard],
  experiments: [],
  explainers: [],
};

test('a config without its defaults is completed', () => {
  const { config, error, warnings } = checkConfigText('{"env":{"id":"cartpole"},"algo":{"id":"ppo","config":{"lr":0.001}}}', catalog);
  expect(error).toBe('');
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({ env: { config: { maxSteps: 500 } }, algo: { config: { lr: 0.001 } }, run: { seeds: 5 } });
});

test('an unknown key is named and left out, wherever it stands', () => {
  const { config, warnings } = checkConfigText(
    '{"env":{"id":"cartpole","config":{"wind":1}},"algo":{"id":"ppo"},"run":{"speed":2},"extra":0}',
    catalog,
  );
  expect(warnings.map((text) => /“([^”]+)”/.exec(text)?.[1])).toEqual(['extra', 'run.speed', 'env.config.wind']);
  expect(config?.env.config).toEqual({ maxSteps: 500 });
});

test.each([
  ['{"env":', 'not JSON yet'],
  ['[]', 'an object'],
  ['{"env":{"id":"moon"},"algo":{"id":"ppo"}}', 'no environment “moon”'],
  ['{"env":{"id":"cartpole"},"algo":{"id":"magic"}}', 'no algorithm “magic”'],
  ['{"env":{"id":"cartpole"},"algo":{"id":"ppo"},"run":{"seeds":0}}', 'run.seeds'],
])('%s is refused with a reason', (text, reason) => {
  const { config, error } = checkConfigText(text, catalog);
  expect(config).toBeNull();
  expect(error).toContain(reason);
});
