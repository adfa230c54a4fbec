/** Process rewards: turns of a group are compared with each other, not whole answers alone. */
import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { processAdvantages } from '#math/credit.ts';
import type { Sampled } from '../api/types.ts';
import { groupRl } from './group-rl.ts';
import { stepsOf } from './lib/rollouts.ts';

it('a turn has the sum of what it and the turns behind it were paid above the mean of all turns of the group', () => {
  const rewards = [[1, 0], [0, 1], [0.5]];
  expect(processAdvantages(rewards, 'none')).toEqual([[0, -0.5], [0, 0.5], [0]]);
  const deviation = Math.sqrt(1 / 4); // of 1, 0, 0, 1, 0.5, by n - 1
  const [, [, last = 0] = []] = processAdvantages(rewards, 'group');
  expect(last).toBeCloseTo(0.5 / (deviation + 1e-4), 12);
  expect(processAdvantages([[1], [1, 1]], 'group')).toEqual([[0], [0, 0]]);
});

it('tokens next to each other are a turn, paid in all; a reply or a new line ends it', () => {
  // two lines of five places: "ab", a reply, "c" and then "de" in the row that began anew
  const written = Float32Array.of(0, 1, 1, 0, 1, 0, 0, 1, 1, 0);
  const paid = Float32Array.of(0, 0.1, 0.2, 9, 0.4, 0, 0, 0, 1, 0);
  const steps = stepsOf({ written, paid }, 0, { turns: 2, places: 5, perTurn: true });
  expect(steps.map(({ at }) => at)).toEqual([[0, 1], [3], [5, 6]]);
  expect(steps.map(({ reward }) => Number(reward.toFixed(5)))).toEqual([0.3, 0.4, 1]);
  expect(stepsOf({ written, paid }, 0, { turns: 2, places: 5, perTurn: false })).toHaveLength(5);
});

const config = { prompts: 4, group: 4, width: 16, layers: 1, heads: 2, lr: 0.01 };
const run = (env: string, more: object, envConfig = {}) =>
  trained({ algo: groupRl, env: getEnv(env), envConfig, config: { ...config, ...more }, steps: 1200 });

it('an answer of one turn is compared as ever, to the bit; one of several turns is not', async () => {
  const reason = { length: 3, letters: 4 };
  expect((await run('t-reason', { credit: 'turn' }, reason)).hash).toBe((await run('t-reason', {}, reason)).hash);
  const steps = { task: 'exchange', numbers: 5, steps: 4, mistakes: 1 };
  const found = await run('t-steps', { credit: 'turn' }, steps);
  expect(found.rows.some(([, { taught = 0 }]) => taught > 0)).toBe(true);
  expect(found.hash).not.toBe((await run('t-steps', {}, steps)).hash);
});

it('what is shown of answers is what their turns weigh, by tokens', () => {
  const turns = [
    [
      { reward: 1, tokens: 1 },
      { reward: 0, tokens: 3 },
    ],
    [
      { reward: 0, tokens: 2 },
      { reward: 1, tokens: 2 },
    ],
  ];
  const sampled: Sampled = { size: 2, rewards: [1, 1], solved: [1, 1], lengths: [4, 4], longest: 8, turns };
  const of = (more: object) => Array.from(groupRl.weigh!(groupRl.parse({ scale: 'none', ...more }), sampled).advantages);
  expect(of({})).toEqual([0, 0]); // both answers earned 1
  expect(of({ credit: 'turn' })).toEqual([-0.375, 0.25]);
});

it('refuses what turns are not compared by', () => {
  const env = getEnv('t-turns');
  const fits = (more: object) => () => groupRl.fits(env.meta(env.parse({})), groupRl.parse({ credit: 'turn', ...more }));
  for (const more of [{ baseline: 'best' }, { baseline: 'batch' }, { scale: 'batch' }]) expect(fits(more)).toThrow('Turns are compared');
  expect(fits({ scale: 'none' })).not.toThrow();
});
