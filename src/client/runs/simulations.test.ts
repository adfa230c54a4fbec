import { expect, test } from 'vitest';
import type { SessionWorker } from '#client/workers/workers.ts';
import { LabError } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { Simulations } from './simulations.ts';

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const result = (seed: number): SeedResult => ({
  seed,
  finalReturn: seed,
  evalReturn: seed,
  evalLoops: 0,
  perAgent: [],
  steps: 1,
  seconds: 0,
  stepsPerSecond: 0,
  parameterHash: '00',
});
const nothing = (): Promise<void> => Promise.resolve();

function workers(simulate: (seed: number) => Promise<SeedResult>) {
  const made: { ended: boolean; die: (why: string) => void }[] = [];
  const spawn = (die: (why: string) => void): SessionWorker => {
    const one = { ended: false, die };
    made.push(one);
    return {
      api: {
        pause: nothing,
        resume: nothing,
        stepOnce: nothing,
        stop: nothing,
        stopAt: nothing,
        save: nothing,
        hold: async () => null,
        release: nothing,
      },
      simulate: (_, seed) => simulate(seed),
      start: nothing,
      terminate: () => void (one.ended = true),
    };
  };
  return { made, spawn };
}

test('simulates in as many workers as allowed, uses them again and ends them at the end', async () => {
  let now = 0;
  let most = 0;
  const { made, spawn } = workers(async (seed) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return result(seed);
  });
  const simulations = new Simulations(spawn, () => 2);
  const seeds = await Promise.all([1, 2, 3, 4, 5].map((seed) => simulations.run(config, seed)));
  expect(seeds.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(made).toHaveLength(2);
  expect(made.every(({ ended }) => ended)).toBe(true);
});

test('one that takes too long, one that breaks and one that dies are refused; the next goes on in a new worker', async () => {
  const { made, spawn } = workers((seed) => {
    if (seed === 2) return Promise.reject(new Error('no such world'));
    if (seed === 3) queueMicrotask(() => made[2]?.die('out of memory'));
    return seed === 4 ? Promise.resolve(result(seed)) : new Promise(() => {});
  });
  const simulations = new Simulations(spawn, () => 1, 20);
  const outcomes = Promise.allSettled([1, 2, 3, 4].map((seed) => simulations.run(config, seed)));
  const all = await outcomes;
  const why = all.map((one) => (one.status === 'rejected' && one.reason instanceof LabError ? one.reason.failure.message : 'fine'));
  expect(why).toEqual([
    'The simulation was given up: one seed takes longer than 0.02 s here.',
    'Internal error: no such world',
    'The simulation was given up: out of memory.',
    'fine',
  ]);
  expect(made.slice(0, 3).every(({ ended }) => ended)).toBe(true);
});
