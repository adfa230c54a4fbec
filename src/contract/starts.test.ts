import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { startIn } from './starts.ts';

const { algos, envs } = buildCatalog();
const algo = (id: string) => algos.find((card) => card.id === id)!;
const env = (id: string) => envs.find((card) => card.id === id)!;

test('a method starts with the discount of the environment', () => {
  expect(startIn(algo('q-learning'), env('frozen-lake'))).toEqual({ gamma: 0.99 });
  expect(startIn(algo('q-learning'), env('cliff-walking'))).toEqual({});
  expect(startIn(algo('ippo'), env('coin-game'))).toEqual({ gamma: 0.96 });
});

test('where actions are continuous it starts from the preset it names for them', () => {
  const preset = algo('ppo').presets.find(({ id }) => id === 'continuous')!;
  expect(startIn(algo('ppo'), env('drone-learning-to-fly'))).toEqual({ ...preset.config, gamma: 0.98 });
  expect(startIn(algo('ppo'), env('cartpole'))).toEqual({});
  expect(startIn(algo('sac'), env('drone-learning-to-fly'))).toEqual({ gamma: 0.98 });
});

test('every preset that is named for continuous actions exists', () => {
  const named = algos.filter(({ continuous }) => continuous !== undefined);
  expect(named.length).toBeGreaterThan(0);
  for (const { id, continuous, presets } of named)
    expect(
      presets.map((preset) => preset.id),
      id,
    ).toContain(continuous);
});
