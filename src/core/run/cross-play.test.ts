/** Policies with partners they were not trained with: the same numbers as playing there, and who may play with whom. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { playTogether } from './cross-play.ts';
import { evaluate, FIRST_SEED } from './evaluate.ts';
import { buildPolicy, createSession } from './loaded.ts';

const entry = getEnv('level-based-foraging');
const world = { foods: 2, maxSteps: 12, fieldSize: [5, 5], playerLevels: [2, 1] };
const POOL = ['modest-patient', 'selfish-hasty'];
const EPISODES = 24;

async function trained(algo: string, settings: JsonObject, seats: JsonObject | null): Promise<PolicySnapshot> {
  const config = runConfigSchema.parse({
    env: { id: entry.id, config: entry.parse({ ...world, ...(seats !== null && { seats }) }) },
    algo: { id: algo, config: getAlgo(algo).parse({ envs: 8, rolloutSteps: 32, hidden: [16], lr: 3e-3, ...settings }) },
    run: { steps: 16_384, evalEpisodes: 2 },
  });
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  if (snapshot === undefined) throw new Error('no policy');
  return snapshot;
}

async function scoresOf(snapshot: PolicySnapshot): Promise<{ readonly scores: readonly number[]; readonly perAgent: readonly number[] }> {
  const { policy, free } = await buildPolicy(snapshot);
  const { scores, perAgent } = await evaluate(policy, entry, snapshot.env.config, { episodes: EPISODES });
  free();
  return { scores: [...scores], perAgent };
}

describe('cross-play', () => {
  let alone: PolicySnapshot;
  let told: PolicySnapshot;
  let team: PolicySnapshot;
  beforeAll(async () => {
    alone = await trained('ppo', {}, { 'player 2': 'modest-patient' });
    told = await trained('agent-modelling', { partnerCode: 'oracle' }, { 'player 2': { pool: POOL, tell: true } });
    team = await trained('ppo', {}, null);
  });
  const play = async (snapshot: PolicySnapshot, partner: PolicySnapshot | string, more: object = {}) => {
    const built = await buildPolicy(snapshot);
    const other = typeof partner === 'string' ? null : await buildPolicy(partner);
    const ego = { built, config: snapshot.env.config };
    try {
      const met = other ?? String(partner);
      return await playTogether(ego, met, entry, { episodes: EPISODES, firstSeed: FIRST_SEED, ...more });
    } finally {
      built.free();
      other?.free();
    }
  };

  it('with the partner of its training it gets what an evaluation says', async () => {
    const { scores, mean, interval } = await play(alone, 'modest-patient');
    expect([...scores]).toEqual((await scoresOf(alone)).scores);
    expect(mean).toBeGreaterThan(0);
    expect(interval![0]).toBeLessThan(mean);
    expect((await play(alone, 'idle')).mean).not.toBe(mean);
  });

  it('a policy that was told is told whom it meets: each episode is that of its pool', async () => {
    const env = entry.create(told.env.config, EPISODES);
    env.reset(
      Uint32Array.from({ length: EPISODES }, (_, i) => FIRST_SEED + i),
      createBuffers(env.meta, EPISODES),
    );
    const { scores } = await scoresOf(told);
    const each = await Promise.all(POOL.map((member) => play(told, member)));
    const drawn = scores.map((_, row) => env.partner!(row, 0));
    expect(new Set(drawn).size).toBe(2);
    expect(scores).toEqual(drawn.map((member, row) => each[member]!.scores[row]));
    expect((await play(told, 'random')).scores).toHaveLength(EPISODES); // one that its pool does not have
  });

  it('a frozen policy takes the seat it knows; with itself as partner a team gets what it gets', async () => {
    const { perAgent } = await scoresOf(team);
    const { mean } = await play(team, team, { seats: ['player 2'] });
    expect(mean).toBeCloseTo(perAgent[0]!, 12);
    expect((await play(alone, team)).scores).toHaveLength(EPISODES);
  });

  it('only the first steps are counted where that is asked', async () => {
    const [few, all] = [await play(alone, 'modest-patient', { steps: 3 }), await play(alone, 'modest-patient')];
    expect(few.mean).toBeLessThan(all.mean);
  });

  it('refuses by name who cannot play together', async () => {
    const refused = (field: string) => expect.objectContaining({ failure: expect.objectContaining({ field }) });
    await expect(play(team, 'random')).rejects.toEqual(refused('seats')); // no seat is left
    await expect(play(alone, alone)).rejects.toEqual(refused('partner')); // it has not learned that seat
    await expect(play(alone, 'random', { seats: ['player 9'] })).rejects.toEqual(refused('seats'));
    await expect(play(alone, 'champion')).rejects.toEqual(refused('env.seats.player 2'));
  });
});
