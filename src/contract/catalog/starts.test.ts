import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { startIn } from './starts.ts';

const { algos, envs } = buildCatalog();
const algo = (id: string) => algos.find((card) => card.id === id)!;
const env = (id: string) => envs.find((card) => card.id === id)!;

test('a method starts with the discount of the environment', () => {
  expect(startIn(algo('q-learning'), env('taxi'))).toEqual({ gamma: 0.99 });
  expect(startIn(algo('ippo'), env('coin-game'))).toEqual({ gamma: 0.96 });
});

test('a preset of the environment’s name is where it starts, as long as the run says', () => {
  const { maxEpisodes, ...lake } = algo('sarsa-lambda').presets.find(({ id }) => id === 'frozen-lake')!.config;
  expect(maxEpisodes).toBe(10_000);
  expect(startIn(algo('sarsa-lambda'), env('frozen-lake'))).toEqual({ ...lake, gamma: 0.99 });
  expect(startIn(algo('ppo'), env('pendulum'))).toEqual(algo('ppo').presets.find(({ id }) => id === 'pendulum')!.config);
  const { gamma, groups } = env('frozen-lake');
  expect(startIn(algo('sarsa-lambda'), { gamma, groups })).toEqual({ gamma: 0.99 });
});

test('every table that learns step by step starts on the slippery lake with its settings for chance', () => {
  for (const id of [
    'q-learning',
    'sarsa',
    'expected-sarsa',
    'double-q-learning',
    'n-step-sarsa',
    'sarsa-lambda',
    'q-lambda',
    'monte-carlo',
  ])
    expect(startIn(algo(id), env('frozen-lake')), id).toMatchObject({
      epsilon: 1,
      decay: { kind: 'linear', epsilonFinal: 0.05 },
    });
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
