import { expect, it } from 'vitest';
import type { Dataset } from '#contract/files/dataset.ts';
import { LabError } from '#contract/kit/errors.ts';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { recordGrade } from '../../lib/data/recording.ts';
import type { Played } from '../../lib/ppo/learned-reward.ts';
import { checkInsight, OWN, optimalAdvantages, Questions, recordedInsight } from './questions.ts';

const ASKING = { raterErrors: 0, segment: 2, candidates: 1, ensemble: 0 };

/** Two rows of two steps each; a segment is a row. */
function play(reward: readonly number[]) {
  const meta = getEnv('pendulum').meta({});
  const played = {
    obs: new Float32Array(4 * meta.obsSize),
    action: new Float32Array(4),
    reward: Float32Array.from(reward),
    ended: new Uint8Array(4),
    next: new Float32Array(0),
    steps: 2,
    rows: 2,
  };
  return new Questions(ASKING, meta, played, Rng.from(1));
}

it('groups want different things, and a pair is answered by any of them', () => {
  // the first row pays 3 by its first term, the second row 5 by its second one
  const terms = Float32Array.of(3, 0, 0, 5, 0, 0, 0, 0);
  const compare = play([3, 5, 0, 0]).by('grouped', { terms });
  const answers = Array.from({ length: 400 }, () => compare([0, 0], [0, 1]));
  const first = answers.filter((choice) => choice === 1).length;
  expect(3 * OWN).toBeGreaterThan(5); // whose own term it is prefers the first row, against the sum of both
  expect(first).toBeGreaterThan(150);
  expect(first).toBeLessThan(250);
  // where all groups agree there is nothing to draw
  const agreed = play([3, 5, 0, 0]).by('grouped', { terms: Float32Array.of(1, 1, 2, 2, 1, 1, 2, 2) });
  expect(new Set(Array.from({ length: 50 }, () => agreed([0, 0], [0, 1])))).toEqual(new Set([0]));
});

it('by regret the better decisions are preferred, whatever they were paid', () => {
  const compare = play([9, 0, 9, 0]).by('regret', { advantages: Float32Array.of(-1, 0, 0, -0.5) });
  expect([compare([0, 0], [0, 1]), compare([0, 1], [0, 0]), compare([0, 0], [0, 0])]).toEqual([0, 1, 0.5]);
});

it('advantages of the exact model: 0 for a best action, less for others, and none where there is no model', () => {
  const env = getEnv('key-grid').create({}, 1);
  const found = optimalAdvantages(env);
  const { actionCount: N, obsSize: S } = env.meta;
  expect(found.length).toBe(S * N);
  for (let s = 0; s < S; s++) expect(Math.max(...found.subarray(s * N, (s + 1) * N)), String(s)).toBeCloseTo(0, 12);
  expect(Math.min(...found)).toBeLessThan(-0.01);
  expect(() => optimalAdvantages(getEnv('pendulum').create({}, 1))).toThrow(LabError);
  expect(() => checkInsight(getEnv('pendulum').meta({}), 'regret')).toThrow(/exact model/);
  expect(() => checkInsight(getEnv('cartpole').meta({}), 'grouped')).toThrow(/no terms/);
  expect(() => checkInsight(getEnv('mpe-simple-spread').meta({}), 'regret', true)).toThrow(/exact model/);
  checkInsight(getEnv('pendulum').meta({}), 'regret', true);
  checkInsight(getEnv('key-grid').meta({}), 'regret');
  checkInsight(getEnv('pendulum').meta({}), 'grouped');
});

/** The rows of a recording of one agent. */
const playedOf = (data: Dataset): Played => ({
  obs: data.observations,
  action: data.actions,
  reward: data.rewards,
  ended: data.timeouts,
  next: new Float32Array(0),
  steps: data.header.steps,
  rows: 1,
});

it('where there is no model, recorded play is held against the scripted player: the expert loses nothing, random play does', async () => {
  const entry = getEnv('pendulum');
  const lost = async (grade: 'expert' | 'random'): Promise<number> => {
    const data = await recordGrade({ entry, config: entry.parse({}), steps: 400, seed: 3 }, grade, 0);
    const { advantages } = recordedInsight(entry, data.header.env.config, 'regret', data, playedOf(data));
    return advantages!.reduce((a, b) => a + b, 0) / data.header.episodes;
  };
  expect(Math.abs(await lost('expert'))).toBeLessThan(1e-2);
  expect(await lost('random')).toBeLessThan(-300);
});

it('recorded play is played again for its terms, which add up to what was recorded', async () => {
  const entry = getEnv('pendulum');
  const data = await recordGrade({ entry, config: entry.parse({}), steps: 600, seed: 3 }, 'mixed', 0.3);
  const { terms } = recordedInsight(entry, data.header.env.config, 'grouped', data, playedOf(data));
  expect(terms).toHaveLength(3 * data.header.steps);
  data.rewards.forEach((reward, t) => {
    expect(terms![3 * t]! + terms![3 * t + 1]! + terms![3 * t + 2]!).toBeCloseTo(reward, 4);
  });
});
