import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { getAlgo } from '../algos/all.ts';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { createTable, tablePolicy } from '../algos/lib/table.ts';
import { sweep } from '../algos/tabular/value-iteration.ts';
import { createEngine } from '../engine/index.ts';
import { getEnv } from '../envs/all.ts';
import { scoreOf } from '../envs/api/score.ts';
import { evaluate, exactReturn, greedyChoice } from './evaluate.ts';
import { gridMap, inspect, Memory } from './inspect.ts';
import { createSession } from './loaded.ts';
import { playEpisode, ReplayReader } from './replay.ts';

describe('replays', () => {
  it.each(['cartpole', 'frozen-lake', 'cliff-walking', 'minigrid-doorkey', 'kuramoto'])(
    '%s: frames come out alike in any order',
    async (id) => {
      const entry = getEnv(id);
      const replay = await playEpisode(randomPolicy(entry.meta({})), entry, {}, { seed: 3, greedy: false });
      const whole = new ReplayReader(replay, entry);
      const all = whole.window(0, 100_000);
      const size = frameSize(whole.env.meta.frame);
      expect(all.total).toBe(replay.reward.length + 1); // one agent; in kuramoto it decides nothing
      expect(all.frames.length).toBe(all.total * size);
      const jumping = new ReplayReader(replay, entry);
      for (const t of [all.total - 1, 0, Math.floor(all.total / 2), 1, all.total - 2]) {
        const { frames, rewards } = jumping.window(t, 1);
        expect([...frames]).toEqual([...all.frames.subarray(t * size, (t + 1) * size)]);
        expect(rewards[0]).toBe(all.rewards[t]);
      }
      expect(all.rewards[0]).toBe(0);
      expect(() => jumping.seek(all.total)).toThrow(/frames 0 to/);
    },
  );

  it('says who was drawn out of the pools of its seats', async () => {
    const entry = getEnv('level-based-foraging');
    const pool = ['random', 'idle', 'greedy-patient'];
    const config = { seats: { 'player 2': { pool } } };
    const policy = randomPolicy(entry.meta(config));
    const drawn = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      const { partners } = await playEpisode(policy, entry, config, { seed, greedy: false });
      expect(partners).toEqual([{ seat: 'player 2', player: expect.stringMatching(/^(random|idle|greedy-patient)$/) }]);
      drawn.add(partners?.[0]?.player ?? '');
    }
    expect(drawn).toEqual(new Set(pool));
    expect((await playEpisode(randomPolicy(entry.meta({})), entry, {}, { seed: 1, greedy: false })).partners).toBeUndefined();
  });

  it('takes the rewards of every step apart, wherever the reader stood before', async () => {
    const entry = getEnv('pendulum');
    const replay = await playEpisode(randomPolicy(entry.meta({})), entry, {}, { seed: 3, greedy: false });
    const reader = new ReplayReader(replay, entry);
    reader.seek(150);
    const [terms, again] = [reader.terms(), reader.terms()];
    expect(terms.length).toBe(3 * replay.reward.length);
    expect(again).toEqual(terms);
    replay.reward.forEach((reward, t) => {
      expect(terms[3 * t]! + terms[3 * t + 1]! + terms[3 * t + 2]!).toBeCloseTo(reward, 5);
    });
    const plain = getEnv('cartpole');
    const other = await playEpisode(randomPolicy(plain.meta({})), plain, {}, { seed: 3, greedy: false });
    expect(new ReplayReader(other, plain).terms()).toHaveLength(0);
  });

  it('the same seed plays the same episode, and a changed record is noticed', async () => {
    const entry = getEnv('cliff-walking');
    const play = () => playEpisode(randomPolicy(entry.meta({})), entry, {}, { seed: 5, greedy: false });
    const [a, b] = [await play(), await play()];
    expect(a).toEqual(b);
    a.reward[3] = 7;
    expect(() => new ReplayReader(a, entry).window(0, 10)).toThrow(/step 3/);
  });
});

/** The best policy of the frozen lake, from its table. */
function best() {
  const entry = getEnv('frozen-lake');
  const meta = entry.meta({});
  const model = entry.create({}, 1).model?.();
  if (model === undefined) throw new Error('no model');
  const table = createTable(meta);
  while (sweep(model, table, 0.99) > 1e-12);
  return { entry, meta, model, policy: tablePolicy(table, () => 0) };
}

describe('evaluation', () => {
  it('sampled and exact success agree with the reference for the best stationary policy', async () => {
    const { entry, meta, model, policy } = best();
    const exact = exactReturn(model, await greedyChoice(policy, meta, model.states), 100);
    expect(exact).toBeCloseTo(0.7401648977587011, 9); // algo-tabular, frozenlake4x4_slippery_step_limit
    const sampled = await evaluate(policy, entry, {}, { episodes: 1000 });
    expect(Math.abs(sampled.score - exact)).toBeLessThan(0.04); // three standard errors
    expect(sampled.loops).toBe(0);
    expect(sampled.lengths.every((n) => n <= 100)).toBe(true);
  });

  it('an episode without an end is counted as a loop, and its return so far counts', async () => {
    const entry = getEnv('cliff-walking');
    const meta = entry.meta({});
    const stuck = tablePolicy(createTable(meta), () => 0); // always the first action: up, against the wall
    const found = await evaluate(stuck, entry, {}, { episodes: 3 });
    expect(found.loops).toBe(3);
    expect(found.score).toBe(-meta.evalMaxSteps);
  });

  it('a team counts as its environment says', () => {
    const returns = [1, 2, 6];
    expect(scoreOf('mean', returns)).toBe(3);
    expect(scoreOf('sum', returns)).toBe(9);
    expect(scoreOf('shared', returns)).toBe(1);
    expect(scoreOf([1, 2], returns)).toBe(4);
  });
});

describe('inspection', () => {
  it('shows values, choice and a map over the places the agent could stand', async () => {
    const { entry, meta, policy } = best();
    const replay = await playEpisode(policy, entry, {}, { seed: 1, greedy: true });
    const reader = new ReplayReader(replay, entry);
    reader.seek(0);
    const seen = await inspect(policy, meta, reader.buffers, policy.initial(1));
    expect(seen.value).toBeCloseTo(0.5420259, 6);
    expect(seen.q?.length).toBe(4);
    expect([...(seen.probs ?? [])].reduce((a, b) => a + b)).toBe(1);
    expect(seen.probs?.[seen.chosen[0]!]).toBe(1);
    const map = await gridMap(policy, entry, {}, reader.env);
    if (map === null) throw new Error('no map');
    expect(map.values.length).toBe(16);
    expect(map.values[0]).toBeCloseTo(0.5420259, 6);
    expect(map.values[14]).toBeCloseTo(0.8628374, 6);
  });

  it('maps a room: a value and a choice wherever the agent could stand, nothing in walls', async () => {
    const entry = getEnv('minigrid-empty');
    const replay = await playEpisode(randomPolicy(entry.meta({})), entry, {}, { seed: 1, greedy: false });
    const reader = new ReplayReader(replay, entry);
    const algo = getAlgo('ppo');
    const config = runConfigSchema.parse({
      env: { id: entry.id, config: entry.parse({}) },
      algo: { id: 'ppo', config: algo.parse({ envs: 1, rolloutSteps: 8, hidden: [8] }) },
      run: { steps: 8, evalEpisodes: 1 },
    });
    let snapshot: PolicySnapshot | undefined;
    for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
    const context = { meta: reader.env.meta, envEntry: entry, envConfig: {}, makeEngine: () => createEngine('wasm') };
    const policy = await algo.policy({ ...context, config: algo.parse(config.algo.config) }, snapshot!.saved);
    const map = await gridMap(policy, entry, {}, reader.env);
    const seen = await inspect(policy, reader.env.meta, reader.buffers, policy.initial(1));
    expect(seen.probs?.length).toBe(7);
    expect([...seen.probs!].reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    expect(map?.values.length).toBe(64);
    expect(map?.values[0]).toBeNaN(); // the corner is wall
    expect(map?.actions[0]).toBe(-1);
    expect(Number.isFinite(map?.values[9])).toBe(true);
    expect([...map!.probs.subarray(9 * 7, 10 * 7)].reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    policy.dispose();
  });

  it('what a policy remembers at a frame is what it would have from the start on, in whatever order frames are asked for', async () => {
    const entry = getEnv('mpe-simple-spread');
    const counting: Policy = {
      initial: (rows) => new Float32Array(rows),
      act: ({ rows, hidden, obs }) => ({ actions: new Int32Array(rows), hidden: hidden.map((h, row) => h + obs[row * 18]!) }),
      dispose() {},
    };
    const replay = await playEpisode(randomPolicy(entry.meta({})), entry, entry.parse({}), { seed: 1, greedy: false });
    const reader = new ReplayReader(replay, entry);
    const memory = new Memory(counting, reader);
    const wanted = new Float32Array(3);
    for (let t = 0; t < 9; t++) {
      reader.seek(t);
      for (let row = 0; row < 3; row++) wanted[row] = wanted[row]! + reader.buffers.obs[row * 18]!;
    }
    expect(await memory.at(9)).toEqual(wanted);
    await memory.at(20);
    expect(await memory.at(9)).toEqual(wanted);
    expect(await memory.at(0)).toEqual(new Float32Array(3));
  });

  it('environments without places have no map', async () => {
    const entry = getEnv('cartpole');
    const map = await gridMap(randomPolicy(entry.meta({})), entry, {}, entry.create({}, 1));
    expect(map).toBeNull();
  });
});
