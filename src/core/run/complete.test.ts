import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { checkMaps } from '#contract/game/map-check.ts';
import { defineAlgo } from '../algos/api/define.ts';
import { random } from '../algos/baselines/random.ts';
import { envs, getEnv } from '../envs/all.ts';
import { completeRun as complete } from './complete.ts';
import { completeRun } from './loaded.ts';
import { registryOf } from './registry.ts';

const run = (options: object): object => ({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: options });

it('settings that do not exist are named, in every room', () => {
  expect(() => completeRun(run({ step: 64 }))).toThrow('There is no setting run.step. Did you mean steps?');
  expect(() => completeRun({ ...run({}), env: { id: 'cartpole', config: { gravitas: 1 } } })).toThrow('There is no setting env.gravitas');
  expect(() => completeRun({ ...run({}), seedz: 1 })).toThrow('There is no field "seedz"');
});

it('completing twice changes nothing', () => {
  const complete = completeRun(run({ steps: 64 }));
  expect(completeRun(complete)).toEqual(complete);
});

it('seeds do not wrap around', () => {
  expect(completeRun(run({ seedStart: 0xffff_fffb, seeds: 5 })).run.seedStart).toBe(0xffff_fffb);
  expect(() => completeRun(run({ seedStart: 0xffff_fffc, seeds: 5 }))).toThrow('go past 4294967295');
});

it('a config is checked once: what parse gave is known where the method is asked about it again', async () => {
  const config = z.strictObject({ copies: z.int().min(1).default(2) });
  const { id, title, summary, source, action, learner, agents, metrics, trial } = random;
  const checked = vi.spyOn(config, 'safeParse');
  const method = defineAlgo({
    spec: { id, version: 1, title, summary, source, config, presets: [], action, learner, agents, metrics, trial, probes: [] },
    fits: (_, c) => expect(c).toEqual({ copies: 2 }),
    train: random.train as never,
    policy: random.policy as never,
  });
  const env = getEnv('cartpole');
  const run = complete({ env: { id: 'cartpole' }, algo: { id } }, registryOf([env], [method]));
  expect(checked).toHaveBeenCalledTimes(1);
  method.fits(env.meta(run.env.config), run.algo.config);
  expect(checked).toHaveBeenCalledTimes(1);
  expect(env.parse(run.env.config)).toBe(run.env.config);
  expect(() => method.fits(env.meta({}), { copies: 0 })).toThrow(/algo.copies/);
  expect(() => env.meta({ ...run.env.config, gravity: 'much' })).toThrow(/env.gravity/);
});

it('a new map without purpose is refused in the words of the map editor; a stored one plays as it is', () => {
  const empty = ['XXXXX', 'O   O', 'X   X', 'XXXXX'];
  const kitchen = (rows: readonly string[], version?: number): object => ({
    env: { id: 'overcooked', ...(version !== undefined && { version }), config: { rows } },
    algo: { id: 'ippo' },
  });
  expect(() => completeRun(kitchen(empty))).toThrow('There is no pot on this map, so no soup can be cooked.');
  expect(() => completeRun(kitchen(['XXPXX', 'O X1O', 'X2X S', 'XXDXX']))).toThrow('No cook comes to');
  expect(completeRun(kitchen(empty, 1)).env.config.rows).toEqual(empty);
  expect(completeRun(kitchen(['XXPXX', 'O 1 O', 'X2  S', 'XXDXX'])).env.version).toBe(1);
  const lake = (map: readonly string[]): object => ({ env: { id: 'frozen-lake', config: { map } }, algo: { id: 'q-learning' } });
  expect(() => completeRun(lake(['SF', 'FF']))).toThrow(/goal|G/);
});

it('the maps of every preset have their purpose', () => {
  for (const env of envs)
    for (const preset of env.presets)
      expect(() => checkMaps(env.schema.properties ?? {}, env.parse(preset.config)), `${env.id} ${preset.id}`).not.toThrow();
}, 120_000);
