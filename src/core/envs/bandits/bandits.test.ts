import { expect, test } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { EnvEntry } from '../api/types.ts';
import { contextualBandit } from './contextual-bandit.ts';
import { noisyBandit } from './noisy-bandit.ts';

function play(entry: EnvEntry, config: object, actions: readonly number[], uniforms: readonly number[]) {
  const queue = [...uniforms];
  const draws = { uniform: () => queue.shift(), int: () => undefined };
  const env = entry.create(entry.parse(config), 1, { draws });
  const buffers = createBuffers(env.meta, 1);
  const action = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  return actions.map((a) => {
    action[0] = a;
    env.step(action, buffers);
    return { reward: buffers.reward[0]!, regret: buffers.cost![0]!, over: buffers.terminated[0] };
  });
}
const meansOf = (config: object): number[] => {
  const env = noisyBandit.create(noisyBandit.parse(config), 1);
  env.reset(Uint32Array.of(1), createBuffers(env.meta, 1));
  return (env.meta.state.toJSON(env.save(0)) as { means: number[] }).means;
};

test('an arm pays its mean, the regret is what the best one has more, and the episode ends after its pulls', () => {
  const means = meansOf({ noise: 0 });
  const best = Math.max(...means);
  const found = play(noisyBandit, { noise: 0, pulls: 3 }, [0, means.indexOf(best), 4], []);
  expect(found.map(({ over }) => over)).toEqual([0, 0, 1]);
  [0, means.indexOf(best), 4].forEach((arm, t) => {
    expect(found[t]!.reward).toBeCloseTo(means[arm]!, 6);
    expect(found[t]!.regret).toBeCloseTo(best - means[arm]!, 6);
  });
});

test('noise is normal: its first draw, by hand', () => {
  const [mean] = meansOf({ noise: 2 });
  const [first] = play(noisyBandit, { noise: 2 }, [0], [1 - Math.exp(-0.5), 0]);
  expect(first!.reward).toBeCloseTo(mean! + 2, 5); // radius sqrt(-2 ln e^-0.5) = 1, angle 0
});

test('with a drift all arms begin alike and then go apart', () => {
  expect(meansOf({ drift: 0.01 })).toEqual(new Array(10).fill(0));
  const [first, second] = play(noisyBandit, { drift: 0.5, noise: 0, arms: 2 }, [0, 0], [1 - Math.exp(-0.5), 0, 1 - Math.exp(-0.5), 0.5]);
  expect(first).toMatchObject({ reward: 0, regret: 0 });
  expect(second!.reward).toBeCloseTo(0.5, 6);
  expect(second!.regret).toBeCloseTo(0, 6);
});

test('a random arm of the testbed pays the mean of all, the best one its own: the references', () => {
  const means = meansOf({});
  const [random, optimal] = noisyBandit.meta({}).references;
  expect(random!.value).toBeCloseTo(1000 * (means.reduce((a, b) => a + b, 0) / 10), 9);
  expect(optimal!.value).toBeCloseTo(1000 * Math.max(...means), 9);
  expect(noisyBandit.meta({ drift: 0.1 }).references.map(({ name }) => name)).toEqual(['random']);
});

test('contexts have length 1, every pull ends the episode, and the shown optimum is without regret', () => {
  const env = contextualBandit.create(contextualBandit.parse({ noise: 0 }), 64);
  const buffers = createBuffers(env.meta, 64);
  const action = createActions(env.meta, 64);
  env.reset(
    Uint32Array.from({ length: 64 }, (_, i) => i),
    buffers,
  );
  for (let row = 0; row < 64; row++) {
    const x = buffers.obs.subarray(5 * row, 5 * row + 5);
    expect(Math.hypot(...x)).toBeCloseTo(1, 5);
  }
  contextualBandit.policies({ noise: 0 }).optimal!.act(env, buffers, action);
  env.step(action, buffers);
  expect([...buffers.terminated]).toEqual(new Array(64).fill(1));
  expect(Math.max(...buffers.cost!)).toBeLessThan(1e-5);
  const optimal = contextualBandit.meta({}).references.find(({ name }) => name === 'optimal')!.value;
  const mean = buffers.reward.reduce((a, b) => a + b, 0) / 64;
  expect(Math.abs(mean - optimal)).toBeLessThan(0.15);
});
