/** Goals exchanged in hindsight, against two small episodes worked out by hand. */
import { describe, expect, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { getEnv } from '#core/envs/all.ts';
import { ReplayBuffer } from '#core/state/replay-buffer.ts';
import { Rng } from '#math/rng.ts';
import { play, resumed } from '../../../testing/play.ts';
import { getAlgo } from '../../all.ts';
import { Hindsight } from './hindsight.ts';

/** On a line: obs [place, 7, goal]; -1 a step, 0 at the goal. */
const PLACES = { goals: { size: 1, achieved: 0, desired: 2 }, obsSize: 3 };
const line = { goalReward: (reached: Float32Array, a: number, wanted: Float32Array, d: number) => (reached[a] === wanted[d] ? 0 : -1) };

/**
 * Two rows side by side, all steps with goal 99. Row 0: places 0 1 2 3, cut off, then 10 11, going on. Row 1: places 20 21 ... 25, going on.
 * Transitions 0 2 4 6 8 are those of row 0.
 */
function stored(): ReplayBuffer {
  const buffer = new ReplayBuffer({ capacity: 100, rows: 2, obsSize: 3, maskSize: 0 });
  const ways = [
    [0, 1, 0],
    [1, 2, 0],
    [2, 3, 1],
    [10, 11, 0],
    [11, 12, 0],
  ] as const;
  ways.forEach(([from, to, cut], t) => {
    buffer.add({
      obs: Float32Array.of(from, 7, 99, 20 + t, 7, 99),
      action: Float32Array.of(0, 0),
      reward: Float32Array.of(-1, -1),
      nextObs: Float32Array.of(to, 7, 99, 21 + t, 7, 99),
      terminated: Uint8Array.of(0, 0),
      truncated: Uint8Array.of(cut, 0),
    });
  });
  return buffer;
}

/** How often each outcome came in `draws` relabellings of one transition: [goal, goal after, reward] and the place after. */
function outcomes(
  id: number,
  k: number,
  n = 1,
  draws = 4000,
  places: ConstructorParameters<typeof Hindsight>[1] = PLACES,
): ReadonlyMap<string, number> {
  const buffer = stored();
  const hindsight = new Hindsight(line, places, k);
  const rng = Rng.from(5);
  const f = (size: number) => new Float32Array(size);
  const out = { obs: f(6), action: f(2), reward: f(2), discount: f(2), nextObs: f(6) };
  const found = new Map<string, number>();
  for (let i = 0; i < draws; i++) {
    buffer.read(id, 1, n, 0.5, out);
    hindsight.relabel(rng, buffer, id, 1, n, 0.5, out);
    const end = out.discount[1] === 0 ? ', the end' : '';
    const key = `goal ${out.obs[5]} ${out.nextObs[5]}, reward ${out.reward[1]}, at ${out.nextObs[3]}, ${out.obs[4]}${end}`;
    found.set(key, (found.get(key) ?? 0) + 1 / draws);
  }
  return found;
}

function expectShares(found: ReadonlyMap<string, number>, wanted: { readonly [outcome: string]: number }): void {
  expect([...found.keys()].sort()).toEqual(Object.keys(wanted).sort());
  for (const [outcome, share] of Object.entries(wanted)) expect(Math.abs(found.get(outcome)! - share), outcome).toBeLessThan(0.035); // over 4 sd
}

describe('future goals', () => {
  test('one in k + 1 keeps its goal; the others get a place from this step to the end of the episode, evenly', () => {
    // transition 0: 0 -> 1, then 2, 3, and the episode is cut off: 10 and 11 are not its future
    expectShares(outcomes(0, 4), {
      'goal 99 99, reward -1, at 1, 7': 1 / 5,
      'goal 1 1, reward 0, at 1, 7': 4 / 15,
      'goal 2 2, reward -1, at 1, 7': 4 / 15,
      'goal 3 3, reward -1, at 1, 7': 4 / 15,
    });
  });

  test('the last step of an episode, and the newest of one that goes on, have only themselves', () => {
    expectShares(outcomes(4, 1), { 'goal 99 99, reward -1, at 3, 7': 1 / 2, 'goal 3 3, reward 0, at 3, 7': 1 / 2 });
    expectShares(outcomes(8, 1), { 'goal 99 99, reward -1, at 12, 7': 1 / 2, 'goal 12 12, reward 0, at 12, 7': 1 / 2 });
  });

  test('rows do not mix: the future of row 1 is row 1', () => {
    expectShares(outcomes(5, 1), {
      'goal 99 99, reward -1, at 23, 7': 1 / 2,
      'goal 23 23, reward 0, at 23, 7': 1 / 6,
      'goal 24 24, reward -1, at 23, 7': 1 / 6,
      'goal 25 25, reward -1, at 23, 7': 1 / 6,
    });
  });

  test('a window of n steps is judged step by step: two steps from 0, discount 0.5', () => {
    expectShares(outcomes(0, 1, 2), {
      'goal 99 99, reward -1.5, at 2, 7': 1 / 2,
      'goal 1 1, reward -0.5, at 2, 7': 1 / 6, // 0 at once, then -1
      'goal 2 2, reward -1, at 2, 7': 1 / 6, // -1, then 0
      'goal 3 3, reward -1.5, at 2, 7': 1 / 6,
    });
  });
});

test('where episodes end at their goal, nothing follows a step that reaches the other goal, and later rewards do not count', () => {
  const places = { ...PLACES, goals: { ...PLACES.goals, ends: 0 } };
  expectShares(outcomes(0, 1, 2, 4000, places), {
    'goal 99 99, reward -1.5, at 2, 7': 1 / 2,
    'goal 1 1, reward 0, at 2, 7, the end': 1 / 6, // 0 at once
    'goal 2 2, reward -1, at 2, 7, the end': 1 / 6, // -1, then 0
    'goal 3 3, reward -1.5, at 2, 7': 1 / 6,
  });
});

test('it is refused where there is no goal, and beside a bonus', () => {
  const [cartpole, flip, dqn] = [getEnv('cartpole').meta({}), getEnv('bit-flip').meta({}), getAlgo('dqn')];
  const hindsight = { kind: 'on', goals: 4 };
  expect(() => dqn.fits(cartpole, { hindsight })).toThrow(LabError);
  expect(() => dqn.fits(flip, { hindsight, bonus: { kind: 'counts' } })).toThrow(LabError);
  dqn.fits(flip, { hindsight });
  dqn.fits(cartpole, { hindsight: { kind: 'off' } });
});

const small = {
  hidden: [32],
  lr: 2e-3,
  gamma: 0.95,
  batchSize: 64,
  learningStarts: 200,
  bufferSize: 20_000,
  trainEvery: 2,
  targetEvery: 100,
};

test('DQN turns fifteen bits as wanted with hindsight, and not without @night', async () => {
  const env = getEnv('bit-flip');
  const fast = { ...small, hidden: [64], epsilonFraction: 0.4 };
  const best = env.meta({}).references[0]!.value; // -6.5; -15 where the goal is never reached
  const returns = async (kind: 'on' | 'off') => (await play(env, 'dqn', 20_000, { ...fast, hindsight: { kind } })).evalReturn;
  expect(await returns('on')).toBeGreaterThan(best - 1);
  expect(await returns('off')).toBeLessThan(best - 5);
});

test.each([
  ['dqn', 'bit-flip', { ...small, nStep: 2, prioritised: { kind: 'on' }, envs: 2 }],
  ['sac', 'mujoco-table-reach', { hidden: [8], batchSize: 16, learningStarts: 100, bufferSize: 300, envs: 2 }],
] as const)('%s with hindsight is resumed bit for bit in %s', async (algo, id, settings) => {
  const env = getEnv(id);
  await env.prepare?.();
  const { whole, joined } = await resumed(env, algo, 700, { ...settings, hindsight: { kind: 'on' } });
  expect(joined.rows).toEqual(whole.rows);
  expect(joined.hash).toBe(whole.hash);
  expect((await play(env, algo, 700, { ...settings })).hash).not.toBe(whole.hash);
});
