import { expect, it } from 'vitest';
import { envs } from './envs/all.ts';
import { recommend } from './recommend.ts';
import { completeRun } from './run/loaded.ts';

it.each(envs.map((entry) => [entry.id, entry] as const))('%s: what is offered first can be trained', (id, entry) => {
  for (const preset of [{ config: {} }, ...entry.presets]) {
    const { algo, config, steps } = recommend(entry, preset.config);
    const run = completeRun({ env: { id, config: preset.config }, algo: { id: algo, config }, run: { steps } });
    expect(run.algo.id).toBe(algo);
    // Random actions are offered only where no agent decides anything.
    if (entry.meta(preset.config).actionSize > 0) expect(algo).not.toBe('random');
  }
});

it('a world of its own kind gets what its file names, with the discount of the environment', () => {
  const of = (id: string): unknown => recommend(envs.find((entry) => entry.id === id)!);
  expect(of('pendulum')).toMatchObject({ algo: 'ppo', config: { gamma: 0.9 } });
  expect(of('coin-game')).toMatchObject({ algo: 'ippo', config: { gamma: 0.96 } });
  expect(of('frozen-lake')).toMatchObject({
    algo: 'q-learning',
    config: { gamma: 0.99, epsilon: 1, decay: { kind: 'linear', epsilonFinal: 0.05 } },
  });
});

it('a method that is offered without a preset starts from the one of the world’s name, as where a person chooses it', () => {
  const entry = envs.find(({ id }) => id === 'pendulum')!;
  expect(recommend({ ...entry, recommended: { algo: 'ppo', steps: 1000 } })).toEqual({ ...recommend(entry), steps: 1000 });
});
