import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineAlgo } from '../algos/api/define.ts';
import { random } from '../algos/baselines/random.ts';
import { getEnv } from '../envs/all.ts';
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
