import { expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { envCard } from '#core/cards.ts';
import { getEnv } from '#core/envs/all.ts';
import { keeps } from './promises.ts';

const cardOf = (id: string, recommended: Partial<EnvCard['recommended']> = {}): EnvCard => {
  const card = envCard(getEnv(id));
  return { ...card, recommended: { ...card.recommended, ...recommended } };
};
const never = (): boolean => false;

test('a promise is kept by the line that the page draws: a return while exploring, tests of kept policies, or the distance from an equilibrium', async () => {
  expect(await keeps(getEnv('bandit'), cardOf('bandit', { steps: 3000 }), never)).toMatchObject({
    shows: 'return while exploring',
    course: 'up',
    steps: 3000,
  });
  const lake = await keeps(getEnv('frozen-lake'), cardOf('frozen-lake'), never);
  expect(lake).toMatchObject({ shows: 'return', algo: 'q-learning', course: 'up' });
  expect(lake?.end).toBeGreaterThan(0.5);
  const poker = await keeps(getEnv('kuhn-poker'), cardOf('kuhn-poker', { steps: 20_000 }), never);
  expect(poker).toMatchObject({ shows: 'distance from an equilibrium', course: 'up' });
}, 60_000);

test('what does not learn does not keep it, and what is stopped says nothing', async () => {
  const still = cardOf('cartpole', { algo: 'ppo', config: { lr: 1e-9 }, steps: 20_000 });
  expect((await keeps(getEnv('cartpole'), still, never))?.course).not.toBe('up');
  expect(await keeps(getEnv('cartpole'), cardOf('cartpole'), () => true)).toBeNull();
}, 60_000);
