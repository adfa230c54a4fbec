/** Self-play: it learns, a saved run goes on with the same bits, opponents and ratings are what they should be. */
import { describe, expect, it } from 'vitest';
import type { PopulationReport } from '#contract/game/population.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Saved } from '#contract/run/events.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';
import { Pool } from './lib/league.ts';

interface Outcome {
  readonly last: Readonly<Record<string, number>>;
  readonly hash: string;
  readonly report: PopulationReport | undefined;
  readonly save: Saved;
}

async function play(
  envId: string,
  algoId: string,
  settings: JsonObject,
  steps: number,
  options: { readonly cut?: number } = {},
): Promise<Outcome> {
  const env = getEnv(envId);
  const envConfig = envId === 'slime-volley' ? { opponent: 'agent', maxSteps: 200 } : {};
  const config = runConfigSchema.parse({
    env: { id: envId, config: env.parse(envConfig) },
    algo: { id: algoId, config: getAlgo(algoId).parse(settings) },
    run: { steps, evalEpisodes: 4 },
  });
  const through = async (resume: Saved | undefined, cut: number | undefined): Promise<Outcome> => {
    const session = createSession({ config, seed: 5, now: () => 0, ...(cut !== undefined && { sliceMs: -1 }), ...(resume && { resume }) });
    const last: Record<string, number> = {};
    let hash = '';
    let report: PopulationReport | undefined;
    for await (const event of session) {
      if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
      if (cut !== undefined && session.step >= cut) session.stop();
      if (event.kind === 'population') report = event.report;
      if (event.kind === 'result') hash = event.result.parameterHash;
      if (event.kind !== 'metrics') continue;
      const width = event.columns.length + 1;
      for (let at = 0; at < event.rows.length; at += width)
        event.columns.forEach((name, i) => {
          const v = event.rows[at + 1 + i]!;
          if (!Number.isNaN(v)) last[name] = v;
        });
    }
    return { last, hash, report, save: await session.save() };
  };
  if (options.cut === undefined) return through(undefined, undefined);
  return through((await through(undefined, options.cut)).save, undefined);
}

const small = {
  envs: 8,
  rolloutSteps: 16,
  minibatches: 2,
  epochs: 2,
  hidden: [16],
  slots: 2,
  snapshotEvery: 2,
  pairGames: 2,
  heldEvery: 2,
};

describe('self-play', () => {
  it.each([
    ['tic-tac-toe', {}],
    ['tic-tac-toe', { latestShare: 0, opponents: 'uniform' }],
    ['tic-tac-toe', { latestShare: 1 }],
    ['kuhn-poker', { league: true, snapshotEvery: 1 }],
    ['slime-volley', { gameLimit: 50 }],
  ] as const)('%s %j goes on from a save with the same bits', async (env, more) => {
    const settings = { ...small, ...more };
    const whole = await play(env, 'self-play', settings, 1536);
    const cut = await play(env, 'self-play', settings, 1536, { cut: 600 });
    expect(cut.hash).toBe(whole.hash);
    expect(cut.last).toEqual(whole.last);
    expect(cut.report).toEqual(whole.report);
  });

  it('finds better play than its beginning, and says so in its ratings', async () => {
    const settings = {
      ...small,
      envs: 16,
      rolloutSteps: 32,
      minibatches: 4,
      epochs: 4,
      lr: 3e-3,
      hidden: [32],
      lambda: 0.9,
      gamma: 0.95,
      snapshotEvery: 10,
      pairGames: 16,
    };
    const { report, last } = await play('tic-tac-toe', 'self-play', settings, 40_960);
    expect(report?.members.filter(({ held }) => held)).not.toHaveLength(0);
    const newest = report?.members.at(-1);
    expect((newest?.elo ?? 0) - (report?.members[0]?.elo ?? 0)).toBeGreaterThan(50);
    expect(last.winRate).toBeGreaterThan(0.5);
    for (const row of report?.meta ?? []) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    // held members are never among the opponents
    report?.members.forEach(({ held }, i) => {
      if (held) expect(report.meta.at(-1)?.[i]).toBe(0);
    });
  });

  it('says where it cannot play', () => {
    const meta = (id: string, config: JsonObject = {}) => getEnv(id).meta(config);
    const fits = (id: string, config: JsonObject = {}, settings: JsonObject = {}) => getAlgo('self-play').fits(meta(id, config), settings);
    expect(() => fits('cartpole')).toThrow(/two players/);
    expect(() => fits('slime-volley')).toThrow(/two players/);
    expect(() => fits('slime-volley', { opponent: 'agent' })).not.toThrow();
    expect(() => fits('coin-game')).not.toThrow();
    expect(() => fits('connect-four', {}, { envs: 3, rolloutSteps: 1 })).toThrow(/equal minibatches/);
  });
});

describe('PSRO with learned responses', () => {
  const settings = { ...small, responses: 'learned', responseUpdates: 3 };
  it.each(['nash', 'uniform', 'prd', 'alpha-rank', 'risk-averse'])('%s goes on from a save with the same bits', async (metaSolver) => {
    const { snapshotEvery: _s, heldEvery: _h, ...rest } = settings;
    const whole = await play('kuhn-poker', 'psro', { ...rest, metaSolver }, 1536);
    const cut = await play('kuhn-poker', 'psro', { ...rest, metaSolver }, 1536, { cut: 600 });
    expect(cut.hash).toBe(whole.hash);
    expect(cut.last).toEqual(whole.last);
    expect(cut.report).toEqual(whole.report);
    expect(whole.report?.members.length).toBe(5);
    for (const row of whole.report?.meta ?? []) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });
});

describe('the pool', () => {
  const member = (id: string, held = false) => ({
    id,
    role: 'main',
    step: 0,
    held,
    frozen: { meta: {}, arrays: { w: Float32Array.of(1) } },
  });

  it('keeps who is held and the first, and forgets the games of who leaves', () => {
    const pool = new Pool();
    for (const [id, held] of [
      ['a', false],
      ['b', true],
      ['c', false],
      ['d', false],
    ] as const)
      pool.add(member(id, held));
    pool.played('c', 'a', 4, 3, [2, -2]);
    pool.played('d', 'a', 4, 4, [4, -4]);
    expect(pool.payoff('c', 'a')).toBe(0.5);
    expect(pool.payoff('a', 'c')).toBe(-0.5);
    pool.mixes(0, [0.5, 0, 0.25, 0.25]);
    pool.trim(2);
    expect(pool.members.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
    expect(pool.score('a', 'c')).toBeUndefined();
    const report = pool.report(7);
    expect(report.meta).toEqual([[0.5, 0, 0.25]]);
    expect(report.members[1]?.elo).toBeNull();
    expect(report.members[2]?.elo as number).toBeGreaterThan(report.members[0]?.elo as number);
    const copy = new Pool();
    copy.load(pool.save());
    expect(copy.report(7)).toEqual(report);
  });
});
