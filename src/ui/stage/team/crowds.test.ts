import { expect, it } from 'vitest';
import { entitiesOf } from '#contract/game/spaces.ts';
import { getEnv } from '#core/envs/all.ts';
import { crowdsOf } from './crowds.ts';

it.each([
  ['mpe-simple-spread', ['agents']],
  ['mpe-simple-tag', ['hunters', 'prey', 'obstacles']],
  ['level-based-foraging', ['players', 'foods']],
  ['base-stations', ['stations', 'users']],
  ['demand-routing', ['nodes']],
  ['ride-dispatch', ['drivers']],
])('%s: what may be more or fewer, and each step of it is another size of the same world', (id, titles) => {
  const env = getEnv(id);
  const config = env.parse({});
  const crowds = crowdsOf(env, config);
  expect(crowds.map(({ title }) => title)).toEqual(titles);
  const kindsOf = (of: object) => env.meta(of).agents.map(({ obs }) => (entitiesOf(obs) ?? []).map(({ name, width }) => [name, width]));
  for (const { path, count, range } of crowds) {
    expect(count).toBe(config[path.slice('env.'.length)]);
    expect(count).toBeGreaterThanOrEqual(range[0]);
    if (count < range[1]) expect(kindsOf({ ...config, [path.slice('env.'.length)]: count + 1 })).toEqual(kindsOf(config));
  }
});

it('worlds without such numbers offer none', () => {
  expect(crowdsOf(getEnv('cartpole'), getEnv('cartpole').parse({}))).toEqual([]);
});
