import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { minatarAsterix } from '../minatar-asterix.ts';
import { minatarBreakout } from '../minatar-breakout.ts';
import { minatarFreeway } from '../minatar-freeway.ts';
import { minatarSeaquest } from '../minatar-seaquest.ts';
import { minatarSpaceInvaders } from '../minatar-space-invaders.ts';

/** Mean return of n episodes, scripted or random. */
function mean(entry: EnvEntry, config: object, scripted: boolean, n: number): number {
  const env = entry.create(config, n);
  const buffers = createBuffers(env.meta, n);
  const actions = createActions(env.meta, n);
  const policy = entry.policies(config).expert;
  const rng = Rng.from(3);
  env.reset(
    Uint32Array.from({ length: n }, (_, i) => i),
    buffers,
  );
  const over = new Uint8Array(n);
  let sum = 0;
  for (let t = 0; t < env.meta.evalMaxSteps && over.includes(0); t++) {
    if (scripted) policy?.act(env, buffers, actions);
    else for (let i = 0; i < n; i++) actions[i] = rng.int(6);
    env.step(actions, buffers);
    for (let row = 0; row < n; row++) {
      if (over[row] === 0) sum += buffers.reward[row]!;
      over[row] = over[row]! | buffers.terminated[row]!;
    }
    env.restart(buffers.terminated, buffers);
  }
  return sum / n;
}

const stated = (entry: EnvEntry, name: string) => entry.meta({}).references.find((r) => r.name === name)?.value as number;

// how far a mean of so many episodes may lie from the stated one: about four standard errors
it.each([
  { entry: minatarAsterix, episodes: 16, within: 18 },
  { entry: minatarBreakout, episodes: 16, within: 15 },
  { entry: minatarFreeway, episodes: 3, within: 11 },
  { entry: minatarSpaceInvaders, episodes: 8, within: 60 },
  { entry: minatarSeaquest, episodes: 16, within: 15 },
])('$entry.id: the rule of thumb is worth what is stated, far from random', ({ entry, episodes, within }) => {
  const got = mean(entry, {}, true, episodes);
  expect(Math.abs(got - stated(entry, 'rule of thumb'))).toBeLessThan(within);
  expect(got).toBeGreaterThan(5 * stated(entry, 'random'));
});

it('breakout without sticky actions: the ball is never lost', () => {
  expect(mean(minatarBreakout, { stickyActionProbability: 0 }, true, 1)).toBeGreaterThan(300);
});

it.each([minatarAsterix, minatarBreakout, minatarSpaceInvaders])('$id: random play is worth what is stated', (entry) => {
  const got = mean(entry, {}, false, 200);
  expect(Math.abs(got - stated(entry, 'random'))).toBeLessThan(0.25 + 0.25 * stated(entry, 'random'));
});

it.each([minatarBreakout, minatarFreeway])('$id: a step limit cuts the episode, and does not end it', (entry) => {
  const env = entry.create({ stickyActionProbability: 0, maxSteps: 7 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = entry.policies({ stickyActionProbability: 0 }).expert;
  env.reset(Uint32Array.of(1), buffers);
  const cut = Array.from({ length: 7 }, () => {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    return buffers.truncated[0];
  });
  expect(cut).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(buffers.terminated[0]).toBe(0);
  expect(env.meta.evalMaxSteps).toBe(7);
});
