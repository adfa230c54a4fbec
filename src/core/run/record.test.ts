import { describe, expect, it } from 'vitest';
import { decodeDataset, encodeDataset } from '#contract/files/dataset.ts';
import { recordGrade } from '../algos/lib/data/recording.ts';
import { cartpole } from '../envs/classic/cartpole.ts';
import { pendulum } from '../envs/classic/pendulum.ts';
import { frozenLake } from '../envs/tabular/frozen-lake.ts';
import { coverageOf, datasetOfReplays, recordDataset, replayOf } from './record.ts';
import { playScripted, ReplayReader } from './replay.ts';

const ask = {
  players: [{ kind: 'script', name: 'expert' }],
  steps: 300,
  seed: 3,
  errors: 0.2,
  greedy: true,
  title: 't',
  licence: 'CC0-1.0',
} as const;

describe('a recording', () => {
  it('is the same file for the same request, and another for another seed', async () => {
    const one = encodeDataset(await recordDataset({ ...ask, entry: pendulum, config: pendulum.parse({}) }));
    expect(encodeDataset(await recordDataset({ ...ask, entry: pendulum, config: pendulum.parse({}) }))).toEqual(one);
    expect(encodeDataset(await recordDataset({ ...ask, entry: pendulum, config: pendulum.parse({}), seed: 4 }))).not.toEqual(one);
    expect(decodeDataset(one).header).toMatchObject({ who: 'script', grade: 'medium', steps: 400, episodes: 2, actionCount: 0 });
  });

  it('shows its episodes again, step by step', async () => {
    const data = await recordDataset({ ...ask, entry: cartpole, config: cartpole.parse({}), steps: 40, errors: 1 });
    for (let e = 0; e < data.header.episodes; e++) {
      const reader = new ReplayReader(replayOf(data, e), cartpole); // throws where rewards differ
      reader.seek(reader.total - 1);
      expect(reader.buffers.terminated[0]).toBe(1);
    }
  });

  it('of episodes that were played before holds what was seen and done', async () => {
    const config = cartpole.parse({});
    const replay = await playScripted('expert', cartpole, config, 5);
    const what = { title: 't', who: 'human', player: 'p', grade: 'ungraded', licence: 'l' } as const;
    const data = datasetOfReplays(cartpole, [replay, replay], what);
    expect([data.header.episodes, data.returns[0], data.timeouts[499], data.terminals[499]]).toEqual([2, 500, 1, 0]);
    const played = await recordDataset({ ...ask, entry: cartpole, config, steps: 1, seed: 5, errors: 0 });
    expect(data.observations.subarray(0, played.observations.length)).toEqual(played.observations);
    expect(data.actions.subarray(0, 500)).toEqual(played.actions);
    expect(data.finals.subarray(0, 4)).toEqual(played.finals);
  });

  it('of a grade is better the better the grade', async () => {
    const mean = async (grade: 'random' | 'medium' | 'expert' | 'mixed'): Promise<number> => {
      const { returns } = await recordGrade({ entry: cartpole, config: cartpole.parse({}), steps: 3000, seed: 1 }, grade, 0.5);
      return returns.reduce((a, b) => a + b, 0) / returns.length;
    };
    const [random, medium, expert] = [await mean('random'), await mean('medium'), await mean('expert')];
    expect(random).toBeLessThan(40);
    expect(medium).toBeGreaterThan(random);
    expect(expert).toBe(500);
    expect(await mean('mixed')).toBeGreaterThan(random);
  });

  it('counts the cells it came to', async () => {
    const config = frozenLake.parse({});
    const data = await recordDataset({ ...ask, players: [{ kind: 'random' }], entry: frozenLake, config, steps: 200 });
    const found = coverageOf(frozenLake, data);
    expect(found?.counts[0]).toBeGreaterThan(0); // all episodes start in the corner
    expect(found?.counts.reduce((a, b) => a + b, 0)).toBe(data.header.steps + data.header.episodes);
    expect(coverageOf(cartpole, await recordDataset({ ...ask, entry: cartpole, config: cartpole.parse({}), steps: 1 }))).toBe(null);
  });
});
