import { expect, test } from 'vitest';
import { getEnv } from '../envs/all.ts';
import type { EnvEntry, StepBuffers } from '../envs/api/types.ts';
import { createSoak } from './soak.ts';

/** CartPole whose step is followed by `spoil`. */
function spoiled(spoil: (out: StepBuffers) => void): EnvEntry {
  const entry = getEnv('cartpole');
  return {
    ...entry,
    create: (config, batch, options) => {
      const env = entry.create(config, batch, options);
      return {
        ...env,
        step: (actions, out) => {
          env.step(actions, out);
          spoil(out);
        },
      };
    },
  };
}

test('an environment that keeps its promises is played and counted', () => {
  const soak = createSoak(getEnv('taxi'), {}, 4, 1);
  soak.run(1200);
  expect(soak).toMatchObject({ agentSteps: 4800, roundTrips: 1 });
  expect(soak.episodes).toBeGreaterThan(20);
});

const lies: readonly { readonly name: string; readonly spoil: (out: StepBuffers) => void; readonly found: RegExp }[] = [
  {
    name: 'a number out of its range',
    spoil: (out) => {
      out.obs[2] = 1e7;
    },
    found: /cartpole, step 1: observation of agent 0, row 0: number 2 is 10000000, declared/,
  },
  {
    name: 'a reward that is no number',
    spoil: (out) => {
      out.reward[0] = Number.NaN;
    },
    found: /reward\[0\] is NaN/,
  },
  {
    name: 'a flag that is neither 0 nor 1',
    spoil: (out) => {
      out.truncated[0] = 2;
    },
    found: /truncated\[0\] is 2/,
  },
];

test.each(lies)('$name is found', ({ spoil, found }) => {
  expect(() => createSoak(spoiled(spoil), {}, 2, 1).run(5)).toThrow(found);
});

test('a state that does not bring everything along is found', () => {
  let noise = 0;
  const forgetful = spoiled((out) => {
    out.reward[0] = out.reward[0]! + 1e-3 * noise++; // kept nowhere in the state
  });
  expect(() => createSoak(forgetful, {}, 2, 1).run(1200)).toThrow(/a reloaded state goes another way after 1 steps: reward\[0\]/);
});

test('a mask that forbids everything is found', () => {
  const entry = getEnv('tic-tac-toe');
  const shut: EnvEntry = {
    ...entry,
    create: (config, batch, options) => {
      const env = entry.create(config, batch, options);
      return {
        ...env,
        step: (actions, out) => {
          env.step(actions, out);
          out.mask?.fill(0);
        },
      };
    },
  };
  expect(() => createSoak(shut, {}, 1, 1).run(1)).toThrow(/has no legal action/);
});
