import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { EnvEntry } from '../api/types.ts';
import { bandit } from './bandit.ts';
import { catchBall } from './catch.ts';
import { deepSea } from './deep-sea.ts';
import { discountingChain } from './discounting-chain.ts';
import { memoryChain } from './memory-chain.ts';
import { umbrellaChain } from './umbrella-chain.ts';

/** Last reward and return of n episodes of a scripted policy, all ending together. */
function play(entry: EnvEntry, config: object, name: string, n: number) {
  const env = entry.create(config, n);
  const buffers = createBuffers(env.meta, n);
  const actions = createActions(env.meta, n);
  const policy = entry.policies(config)[name];
  env.reset(
    Uint32Array.from({ length: n }, (_, i) => i),
    buffers,
  );
  const returns = new Float64Array(n);
  do {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < n; row++) returns[row] = returns[row]! + buffers.reward[row]!;
  } while (buffers.terminated[0] === 0);
  return { returns: Array.from(returns), last: Array.from(buffers.reward) };
}

const stated = (entry: EnvEntry, config: object, name = 'optimal') =>
  entry.meta(config).references.find((r) => r.name === name)?.value as number;

describe('bsuite: scripted play is optimal', () => {
  it.each([{}, { size: 20 }, { size: 7, mappingSeed: 3 }])('deep sea %j: 0.99', (config) => {
    const { returns } = play(deepSea, config, 'optimal', 2);
    expect(returns[0]).toBeCloseTo(0.99, 6);
    expect(stated(deepSea, config)).toBeCloseTo(0.99, 12);
  });

  it('deep sea with failing moves and noise: what backward induction says', () => {
    const config = { size: 5, deterministic: false };
    const { returns } = play(deepSea, config, 'optimal', 40_000);
    expect(Math.abs(returns.reduce((a, b) => a + b, 0) / 40_000 - stated(deepSea, config))).toBeLessThan(0.03); // standard error 0.006
  });

  it('deep sea: random play, exactly', () => {
    // two cells: right from the first is -0.005; from (1, 1) right pays 1 - 0.005
    const two = stated(deepSea, { size: 2 }, 'random');
    expect(two).toBeCloseTo(0.5 * (-0.005 + 0.5 * (1 - 0.005)) + 0.5 * 0.5 * -0.005, 12);
  });

  it.each([{}, { rows: 6, columns: 9 }])('catch %j: every ball', (config) => {
    expect(new Set(play(catchBall, config, 'expert', 300).returns)).toEqual(new Set([1]));
  });

  it.each([{}, { chainLength: 30, distractors: 3 }, { chainLength: 1 }])('umbrella chain %j: right at the end', (config) => {
    const { last } = play(umbrellaChain, config, 'optimal', 200);
    expect(new Set(last)).toEqual(new Set([1]));
  });

  it.each([{}, { memoryLength: 1 }, { memoryLength: 2, bits: 5 }, { memoryLength: 30, bits: 3 }])(
    'memory chain %j: never wrong',
    (config) => {
      expect(new Set(play(memoryChain, config, 'optimal', 200).returns)).toEqual(new Set([1]));
    },
  );

  it.each([{}, { mappingSeed: 4 }, { mappingSeed: 4, steps: 50 }])('discounting chain %j: the best delay', (config) => {
    expect(play(discountingChain, config, 'optimal', 1).returns[0]).toBeCloseTo(stated(discountingChain, config), 6);
  });

  it('bandit: the best arm', () => {
    expect(play(bandit, { mappingSeed: 5 }, 'optimal', 1).returns).toEqual([1]);
  });
});
