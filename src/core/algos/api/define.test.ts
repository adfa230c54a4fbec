import { expect, test } from 'vitest';
import { z } from 'zod';
import { getAlgo } from '../all.ts';
import { defineAlgo } from './define.ts';
import type { AlgoSpec } from './types.ts';

const config = z.strictObject({ lr: z.number().positive().default(0.1) });
const own = (spec: Partial<AlgoSpec<{ lr: number }>>) =>
  defineAlgo({
    spec: {
      id: 'own',
      version: 1,
      title: 'Own',
      summary: 'A method that names no runs for tests.',
      source: { title: 'none', authors: 'none', year: 2026 },
      config,
      presets: [],
      action: 'discrete',
      learner: 'none',
      agents: 'one',
      metrics: [],
      ...spec,
    },
    train: () => {
      throw new Error('not trained here');
    },
    policy: () => {
      throw new Error('not played here');
    },
  });

test('without a trial of its own a method is tried on CartPole, with continuous actions on Pendulum', () => {
  expect(own({}).trial).toEqual({ env: 'cartpole', steps: 4096 });
  expect(own({ action: 'box' }).trial).toEqual({ env: 'pendulum', steps: 4096 });
  expect(own({ trial: { env: 'acrobot', steps: 10 } }).trial).toEqual({ env: 'acrobot', steps: 10 });
});

test('without probes it has none to solve, and keeps those that it names', () => {
  expect(own({}).probes).toEqual([]);
  expect(own({}).probeConfig).toEqual({});
  const probes = [{ on: ['bandit'], steps: 5 }] as const;
  expect(own({ probes, probeConfig: { lr: 1 } })).toMatchObject({ probes, probeConfig: { lr: 1 } });
});

test('a config is completed once: what parse gave is taken as it is', () => {
  const { parse } = own({});
  const parsed = parse({});
  expect(parsed).toEqual({ lr: 0.1 });
  expect(parse(parsed)).toBe(parsed);
  expect(() => parse({ lr: -1 })).toThrow('lr');
  expect(getAlgo('ppo').probes.length).toBeGreaterThan(0);
});
