/** A frozen policy in a seat plays as the policy itself does, and is refused where it is another or does not fit. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { encodeLink } from '#contract/link/link.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { Frozen } from '#contract/run/frozen.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { playTogether } from './cross-play.ts';
import { evaluate, FIRST_SEED } from './evaluate.ts';
import { freeze } from './freeze.ts';
import { buildPolicy, completeRun, createSession } from './loaded.ts';

const FORAGING = { foods: 2, maxSteps: 12, fieldSize: [5, 5], playerLevels: [2, 1] };
const EPISODES = 16;

function configOf(env: string, world: JsonObject, algo: string, settings: JsonObject) {
  return runConfigSchema.parse({
    env: { id: env, config: getEnv(env).parse(world) },
    algo: { id: algo, config: getAlgo(algo).parse({ hidden: [16], ...settings }) },
    run: { steps: 2048, evalEpisodes: 1 },
  });
}
async function trained(env: string, world: JsonObject, algo: string, settings: JsonObject, seed = 1): Promise<PolicySnapshot> {
  let snapshot: PolicySnapshot | undefined;
  const config = configOf(env, world, algo, settings);
  for await (const event of createSession({ config, seed, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  if (snapshot === undefined) throw new Error('no policy');
  return snapshot;
}
async function frozenOf(snapshot: PolicySnapshot, seat: string): Promise<Frozen> {
  const built = await buildPolicy(snapshot);
  try {
    return freeze(built, snapshot, seat);
  } finally {
    built.free();
  }
}

describe('a frozen policy', () => {
  const ROLL = { envs: 4, rolloutSteps: 32 };
  /** Returns of `ego` beside the policy itself, and beside what was frozen of it. */
  async function both(ego: PolicySnapshot, partner: PolicySnapshot, seat: string) {
    const entry = getEnv(ego.env.id);
    const [me, other] = [await buildPolicy(ego), await buildPolicy(partner)];
    const options = { episodes: EPISODES, firstSeed: FIRST_SEED, seats: [seat] };
    const met = await playTogether({ built: me, config: ego.env.config }, other, entry, options);
    const world = entry.parse({ ...ego.env.config, seats: { [seat]: { ...(await frozenOf(partner, seat)) } as unknown as JsonObject } });
    const { scores } = await evaluate(me.policy, entry, world, { episodes: EPISODES });
    me.free();
    other.free();
    return { met: [...met.scores], frozen: [...scores] };
  }

  it.each([
    ['normalised, and told the number of its agent', 'ippo', { ...ROLL, sharing: 'grouped', agentId: true, normaliseObs: true }],
    ['one network for each', 'ippo', { ...ROLL, sharing: 'independent' }],
    ['action values', 'dqn', { learningStarts: 200 }],
  ])('plays as the policy does: %s', async (_, algo, settings) => {
    const ego = await trained('level-based-foraging', { ...FORAGING, seats: { 'player 2': 'random' } }, 'ppo', ROLL);
    const world = algo === 'dqn' ? { ...FORAGING, seats: { 'player 1': 'random' } } : FORAGING;
    const partner = await trained('level-based-foraging', world, algo, settings, 2);
    const { met, frozen } = await both(ego, partner, 'player 2');
    expect(frozen).toEqual(met);
    expect(new Set(met).size).toBeGreaterThan(1);
  });

  it('plays continuous actions', async () => {
    const world = { agents: 2, maxCycles: 10, continuousActions: true };
    const ego = await trained('mpe-simple-spread', { ...world, seats: { agent_1: 'random' } }, 'ppo', ROLL);
    const partner = await trained('mpe-simple-spread', world, 'ippo', ROLL, 2);
    const { met, frozen } = await both(ego, partner, 'agent_1');
    for (const [i, score] of frozen.entries()) expect(score).toBeCloseTo(met[i]!, 4);
  });

  describe('in a pool', () => {
    let pool: Frozen;
    beforeAll(async () => {
      // trained where a partner was told, so that its network reads more than the seat sees
      const seats = { 'player 1': { pool: ['random', 'modest-patient'], tell: true } };
      pool = await frozenOf(await trained('level-based-foraging', { ...FORAGING, seats }, 'ppo', ROLL), 'player 2');
    });
    const world = (player: object): JsonObject => ({
      ...FORAGING,
      seats: { 'player 2': { pool: ['random', { ...player } as unknown as JsonObject], tell: true } },
    });

    it('is drawn, told and trained beside, the same in every run of a seed', async () => {
      const meta = getEnv('level-based-foraging').meta(world(pool));
      expect(meta.partners).toEqual([{ seat: 'player 2', members: ['random', `frozen ${pool.frozen}`], told: true }]);
      const [one, other] = [
        await trained('level-based-foraging', world(pool), 'ppo', ROLL),
        await trained('level-based-foraging', world(pool), 'ppo', ROLL),
      ];
      expect(one.saved).toEqual(other.saved);
      expect(one.env.config).toEqual(getEnv('level-based-foraging').parse(world(pool)));
    });

    it('is refused under the name of another, with changed numbers, and where it sees other numbers', () => {
      const parse = (player: object) => () => getEnv('level-based-foraging').meta(world(player));
      expect(parse({ ...pool, frozen: '000000000000' })).toThrow('not the one that it is named');
      expect(parse({ ...pool, net: { ...pool.net, clip: 3 } })).toThrow('frozen policy');
      expect(parse({ ...pool, net: { ...pool.net, weights: pool.net.weights.slice(8) } })).toThrow('damaged');
      const larger = { ...world(pool), foods: 3 };
      expect(() => getEnv('level-based-foraging').meta(larger)).toThrow('in this seat there are');
    });

    it('a link says that it has no room for it', () => {
      const config = completeRun(configOf('level-based-foraging', world(pool), 'ppo', ROLL));
      expect(() => encodeLink(config, { env: {}, algo: {} })).toThrow(`A frozen policy plays here (${pool.frozen})`);
    });
  });

  it('memories and entities cannot be frozen, and the reason is said', async () => {
    const recurrent = await trained('level-based-foraging', FORAGING, 'ippo', {
      ...ROLL,
      body: { kind: 'entities', units: 8, heads: 1, blocks: 1 },
    });
    await expect(frozenOf(recurrent, 'player 2')).rejects.toThrow('cannot be frozen into a seat');
  });
});
