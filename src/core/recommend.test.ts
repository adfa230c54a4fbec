import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { nestedConfig } from '#contract/run/flat-settings.ts';
import { algos } from './algos/all.ts';
import { envs } from './envs/all.ts';
import { recommend } from './recommend.ts';
import { completeRun } from './run/loaded.ts';

const named = (config: JsonObject): readonly string[] => Object.keys(config).sort();

it.each(envs.map((entry) => [entry.id, entry] as const))('%s: what is offered first can be trained', (id, entry) => {
  for (const preset of [{ config: {} }, ...entry.presets]) {
    const { algo, config, steps } = recommend(entry, preset.config);
    const run = completeRun({ env: { id, config: preset.config }, algo: { id: algo, config }, run: { steps } });
    expect(run.algo.id).toBe(algo);
    // Random actions are offered only where no agent decides anything.
    if (entry.meta(preset.config).actionSize > 0) expect(algo).not.toBe('random');
    // A person who chooses it gets these settings as they stand, beside defaults with the names of today.
    expect(named(nestedConfig(algo, config))).toEqual(named(config));
    expect(named(nestedConfig(id, preset.config))).toEqual(named(preset.config));
  }
});

it.each(algos.map(({ id, presets }) => [id, presets] as const))('%s: its presets name settings as they are named today', (id, presets) => {
  for (const { config } of presets) expect(named(nestedConfig(id, config))).toEqual(named(config));
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
