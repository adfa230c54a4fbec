import { expect, it } from 'vitest';
import { completeRun } from './by-id.ts';

const run = (options: object): object => ({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: options });

it('settings that do not exist are named, in every room', () => {
  expect(() => completeRun(run({ step: 64 }))).toThrow('There is no setting run.step. Settings: steps, seeds');
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
