import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { agentsOf, marksOf } from './agents.ts';

const { envs } = buildCatalog([]);

test('panels call every agent by what stands on it in the scene', () => {
  for (const env of envs) for (const { place, mark } of agentsOf(env)) expect(mark, `${env.id}, agent ${place}`).toBe(marksOf(env)[place]);
  const called = (id: string) => agentsOf(envs.find((env) => env.id === id)!).map(({ mark }) => mark);
  expect(called('mpe-simple-adversary')).toEqual(['A', '1', '2']);
  expect(called('mpe-simple-crypto')).toEqual(['E', 'B', 'A']);
});
