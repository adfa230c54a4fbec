import { expect, it, vi } from 'vitest';
import { fail } from '#contract/kit/errors.ts';
import { random } from '../../algos/baselines/random.ts';
import { completeRun } from '../../run/complete.ts';
import { evaluate } from '../../run/evaluate.ts';
import { registryOf } from '../../run/registry.ts';
import { createSession } from '../../run/session.ts';
import { train } from '../../run/train.ts';
import { cartpole } from '../classic/cartpole.ts';
import { lifetimeOf } from './lifetime.ts';
import type { EnvEntry } from './types.ts';

/** CartPole as if it needed loading, and counts of what is made and freed. */
function loadedLate(): { readonly entry: EnvEntry; readonly counts: { prepared: number; made: number; freed: number } } {
  const counts = { prepared: 0, made: 0, freed: 0 };
  const entry: EnvEntry = {
    ...cartpole,
    async prepare() {
      counts.prepared++;
    },
    create(config, batch, options) {
      if (counts.prepared === 0) throw fail('internal', 'Not loaded.', 'Await prepare().');
      const env = cartpole.create(config, batch, options);
      counts.made++;
      env.dispose = () => {
        counts.freed++;
      };
      return env;
    },
  };
  return { entry, counts };
}

it('frees what was made once, and only that', () => {
  const { entry, counts } = loadedLate();
  counts.prepared = 1;
  const { entry: own, dispose } = lifetimeOf(entry);
  expect(own.id).toBe('cartpole');
  own.create({}, 1).dispose?.();
  own.create({}, 2);
  entry.create({}, 1);
  expect(counts).toMatchObject({ made: 3, freed: 1 });
  dispose();
  dispose();
  expect(counts).toMatchObject({ made: 3, freed: 2 });
});

it('a run prepares its environment and frees every copy', async () => {
  const { entry, counts } = loadedLate();
  for await (const progress of train({ env: entry, algo: random, steps: 2000, evalEvery: 500, evalEpisodes: 2 }))
    expect(progress.step).toBeGreaterThan(0);
  expect(counts.prepared).toBeGreaterThan(0);
  expect(counts.made).toBeGreaterThan(2); // the training copies and those of each evaluation
  expect(counts.freed).toBe(counts.made);
});

it('a run whose environment cannot be loaded fails with the reason', async () => {
  const { entry } = loadedLate();
  entry.prepare = vi.fn().mockRejectedValue(fail('internal', 'The module is missing.', 'Load it.'));
  const config = completeRun({ env: { id: 'cartpole' }, algo: { id: 'random' }, run: { steps: 100 } }, registryOf([entry], [random]));
  const states: string[] = [];
  for await (const event of createSession({ config, env: entry, algo: random, seed: 1, now: () => 0 }))
    if (event.kind === 'state') states.push(event.error?.message ?? event.state);
  expect(states).toEqual(['starting', 'The module is missing.']);
});

it('an evaluation frees its copies, also where the policy fails', async () => {
  const { entry, counts } = loadedLate();
  const policy = { initial: () => new Float32Array(), act: () => Promise.reject(new Error('no answer')), dispose() {} };
  await expect(evaluate(policy, entry, {}, { episodes: 2 })).rejects.toThrow('no answer');
  expect(counts).toMatchObject({ made: 1, freed: 1 });
});
