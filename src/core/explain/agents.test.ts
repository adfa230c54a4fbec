/** Agent values against worlds whose answer is known: a reference of 20,000 episodes per coalition, and teams with a planted truth. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AgentAttribution, type AgentQuestion, defaultQuestion, type ReplacementRule } from '#contract/explain/explain.ts';
import { Rng } from '#math/rng.ts';
import type { ActQuery, Policy } from '../algos/api/types.ts';
import { networkPolicy, policyNetwork } from '../algos/lib/network-policy.ts';
import { createEngine } from '../engine/index.ts';
import { getEnv } from '../envs/all.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import type { ScriptedPolicy } from '../envs/api/types.ts';
import { explainAgents, playersOf } from './agents.ts';
import { type Actor, learnedActor, scriptedActor } from './api/actors.ts';
import { replacementOf } from './api/replacement.ts';
import { CoalitionEpisodes } from './lib/episodes.ts';

interface Case {
  readonly name: string;
  readonly expected: {
    readonly v: Record<string, number>;
    readonly shapley: number[];
    readonly variance_ratio_independent_over_common: number;
  };
}
const { cases } = JSON.parse(readFileSync(new URL('./golden/shapley-simple-spread.json', import.meta.url), 'utf8')) as { cases: Case[] };

/** The team of the reference: agents of simple_spread see own velocity, own place, then landmarks and each other relative to themselves. */
const ORDERS = ['012', '021', '102', '120', '201', '210'].map((order) => Array.from(order, Number));
const referenceTeam: ScriptedPolicy = {
  act({ batch, meta }, { obs }, out) {
    for (let row = 0; row < 3 * batch; row++) {
      const at = row * meta.obsSize;
      const me = row % 3;
      // places of the three agents as this one sees them
      const others = [0, 1, 2].filter((i) => i !== me);
      const place = (i: number, d: number): number => (i === me ? 0 : obs[at + 10 + 2 * others.indexOf(i) + d]!);
      const way = (i: number, mark: number): number =>
        Math.hypot(obs[at + 4 + 2 * mark]! - place(i, 0), obs[at + 5 + 2 * mark]! - place(i, 1));
      let best = ORDERS[0]!;
      let least = Number.POSITIVE_INFINITY;
      for (const order of ORDERS) {
        const total = order.reduce((sum, mark, i) => sum + way(i, mark), 0);
        if (total >= least - 1e-9) continue;
        best = order;
        least = total;
      }
      const x = obs[at + 4 + 2 * best[me]!]! - 0.25 * obs[at]!;
      const y = obs[at + 5 + 2 * best[me]!]! - 0.25 * obs[at + 1]!;
      const wide = Math.abs(x) >= Math.abs(y);
      const still = Math.max(Math.abs(x), Math.abs(y)) < 0.03;
      out[row] = still ? 0 : wide ? (x < 0 ? 1 : 2) : y < 0 ? 3 : 4;
    }
  },
};

async function ask(
  id: string,
  config: object,
  policy: string | ScriptedPolicy,
  question: Partial<AgentQuestion>,
  from?: Uint8Array,
): Promise<AgentAttribution> {
  const entry = getEnv(id);
  const complete = entry.parse(config);
  const { meta } = entry.create(complete, 1);
  const whole: AgentQuestion = { ...defaultQuestion, ...question };
  const actor = (who: string | ScriptedPolicy): Actor =>
    scriptedActor(typeof who === 'string' ? (entry.policies(complete)[who] as ScriptedPolicy) : who);
  const run = explainAgents({
    entry,
    config: complete,
    meta,
    question: whole,
    team: () => actor(policy),
    absent: () =>
      replacementOf(
        whole.replacement,
        meta,
        playersOf(meta, whole),
        whole.replacement.kind === 'scripted' ? actor(whole.replacement.name) : null,
      ),
    ...(from && { from }),
  });
  let last: AgentAttribution | null = null;
  for await (const estimate of run) last = estimate;
  return last!;
}

describe('the team of the reference covers landmarks', () => {
  const rules: Record<string, ReplacementRule> = {
    scripted_team_noop: { kind: 'noop' },
    scripted_team_random: { kind: 'random' },
    scripted_team_random_player: { kind: 'other-agent' },
  };
  for (const { name, expected } of cases) {
    const tag = name === 'scripted_team_noop' ? '' : ' @night';
    test(`${name}${tag}`, async () => {
      const steps = 4000 * 8 * 25;
      const got = await ask('mpe-simple-spread', {}, referenceTeam, { replacement: rules[name]!, maxSteps: steps });
      expect(got.end).toBe('budget');
      expect(got.scheme).toBe('exact');
      expect(got.steps).toBeLessThanOrEqual(steps);
      expect(got.steps).toBe(got.episodes * 25);
      for (const [key, v] of Object.entries(expected.v)) {
        const mask = (JSON.parse(key) as number[]).reduce((sum, i) => sum | (1 << i), 0);
        expect(Math.abs(got.table![mask]! - v)).toBeLessThan(0.6); // an episode's spread is 7 to 10: 3 standard errors
      }
      got.value.forEach((value, i) => {
        expect(Math.abs(value - expected.shapley[i]!)).toBeLessThan(1.5 * got.halfWidth[i]!);
        expect(got.halfWidth[i]).toBeLessThan(0.15);
      });
      expect(got.efficiencyGap).toBeCloseTo(0, 9);
      // three alike: no difference
      expect(Math.abs(got.value[0]! - got.value[1]!)).toBeLessThan(1.5 * got.differenceHalfWidth[1]!);
    }, 120_000);
  }

  test('drawn orders agree with all coalitions, and one seed gives one answer', async () => {
    const question = { scheme: 'antithetic', maxSteps: 300 * 6 * 25 } as const;
    const got = await ask('mpe-simple-spread', {}, referenceTeam, question);
    got.value.forEach((value, i) => {
      expect(Math.abs(value - cases[0]!.expected.shapley[i]!)).toBeLessThan(2 * got.halfWidth[i]!);
    });
    expect(await ask('mpe-simple-spread', {}, referenceTeam, question)).toEqual(got);
    expect(got.table).toBeNull();
  }, 60_000);

  test('a width that is asked for ends the sampling', async () => {
    const got = await ask('mpe-simple-spread', {}, 'scripted', { halfWidth: 1 });
    expect(got.end).toBe('width');
    expect(Math.max(...got.halfWidth)).toBeLessThanOrEqual(1);
  });

  test('common random numbers need at least 2.5 times fewer episodes than independent ones @night', async () => {
    const entry = getEnv('mpe-simple-spread');
    const complete = entry.parse({});
    const { meta } = entry.create(complete, 1);
    const pairs = 3000;
    const spread = async (common: boolean): Promise<number> => {
      const game = new CoalitionEpisodes({
        entry,
        config: complete,
        batch: 500,
        team: scriptedActor(referenceTeam),
        absent: replacementOf({ kind: 'noop' }, meta, [0, 1, 2], null),
        players: [0, 1, 2],
        payoff: { kind: 'team' },
      });
      let total = 0;
      for (const others of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ]) {
        // biome-ignore format: coalitions
        const seeds = Uint32Array.from({ length: 2 * pairs }, (_, i) => (common ? i >> 1 : i) + 1);
        const members = Uint8Array.from({ length: 6 * pairs }, (_, i) => (i % 3 === 0 ? Math.floor(i / 3) % 2 : others[(i % 3) - 1]!));
        const payoff = new Float64Array(2 * pairs);
        await game.play(seeds, members, payoff);
        const marginal = Array.from({ length: pairs }, (_, i) => payoff[2 * i + 1]! - payoff[2 * i]!);
        const mean = marginal.reduce((a, b) => a + b, 0) / pairs;
        total += marginal.reduce((a, b) => a + (b - mean) ** 2, 0) / (pairs - 1);
      }
      return total;
    };
    expect((await spread(false)) / (await spread(true))).toBeGreaterThan(2.5);
  }, 120_000);
});

describe('the payoff of an episode', () => {
  test('depends on seed and coalition alone, not on the batch', async () => {
    const entry = getEnv('level-based-foraging');
    const complete = entry.parse({ players: 3, foods: 3 });
    const { meta } = entry.create(complete, 1);
    const jobs = 40;
    const seeds = Uint32Array.from({ length: jobs }, (_, i) => 5 + (i >> 3));
    const members = Uint8Array.from({ length: jobs * 3 }, (_, i) => ((i % 24) / 3) >> i % 3 & 1); // biome-ignore format: bits of the row
    const play = async (batch: number): Promise<number[]> => {
      const payoff = new Float64Array(jobs);
      const game = new CoalitionEpisodes({
        entry,
        config: complete,
        batch,
        team: scriptedActor(Object.values(entry.policies(complete))[0]!),
        absent: replacementOf({ kind: 'random' }, meta, [0, 1, 2], null),
        players: [0, 1, 2],
        payoff: { kind: 'team' },
      });
      await game.play(seeds, members, payoff);
      return Array.from(payoff);
    };
    const wanted = await play(64);
    expect(await play(1)).toEqual(wanted);
    expect(await play(7)).toEqual(wanted);
    expect(new Set(wanted).size).toBeGreaterThan(3);
  }, 60_000);

  test('does not change where policies leave out whose choice nobody reads', async () => {
    const entry = getEnv('mpe-simple-spread');
    const complete = entry.parse({});
    const { meta } = entry.create(complete, 1);
    const engine = await createEngine('wasm');
    const net = policyNetwork(engine, meta, { hidden: [16], activation: 'tanh', sharedTrunk: false }, Rng.from(1));
    const sparing = networkPolicy({ meta, compile: (rows) => engine.compile(net.inputs(rows), net.outputs) });
    const asked: number[] = [];
    const counted = { ...sparing, act: (query: ActQuery) => {
      asked.push(query.rows - (query.unread?.reduce((sum, x) => sum + x, 0) ?? 0));
      return sparing.act(query);
    } }; // biome-ignore format: a policy that counts
    const whole = { ...sparing, act: ({ unread: _, valueless: __, ...query }: ActQuery) => sparing.act(query) };
    const play = async (policy: Policy, absent: ReplacementRule, greedy: boolean): Promise<number[]> => {
      const payoff = new Float64Array(24);
      const game = new CoalitionEpisodes({
        entry,
        config: complete,
        batch: 10,
        team: learnedActor(policy, meta, 10, greedy, Rng.from(0)),
        absent: replacementOf(absent, meta, [0, 1, 2], learnedActor(policy, meta, 10, greedy, Rng.from(0))),
        players: [0, 1, 2],
        payoff: { kind: 'team' },
      });
      const seeds = Uint32Array.from({ length: 24 }, (_, i) => 5 + (i >> 3));
      await game.play(
        seeds,
        Uint8Array.from({ length: 72 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1),
        payoff,
      );
      return Array.from(payoff);
    };
    const others: readonly ReplacementRule[] = [
      { kind: 'noop' },
      { kind: 'random' },
      { kind: 'other-agent' },
      { kind: 'policy', key: '', title: '' },
    ];
    for (const absent of others)
      for (const greedy of [true, false]) expect(await play(counted, absent, greedy)).toEqual(await play(whole, absent, greedy));
    expect(Math.min(...asked)).toBeLessThan(15);
  });

  test('a strong forager is worth more than weak ones, by intervals that do not touch', async () => {
    const team = { players: 3, foods: 3, playerLevels: [2, 1, 1] };
    const policy = Object.keys(getEnv('level-based-foraging').policies(getEnv('level-based-foraging').parse(team)))[0]!;
    const got = await ask('level-based-foraging', team, policy, { maxSteps: 40_000, players: [0, 1, 2] });
    for (const weak of [1, 2]) {
      expect(got.value[0]! - got.halfWidth[0]!).toBeGreaterThan(got.value[weak]! + got.halfWidth[weak]!);
      expect(got.value[weak]! - got.halfWidth[weak]!).toBeGreaterThan(0);
    }
  }, 60_000);

  test('can be asked from a moment on', async () => {
    const entry = getEnv('mpe-simple-spread');
    const complete = entry.parse({});
    const env = entry.create(complete, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(3), buffers);
    const actions = new Int32Array(3);
    const rng = Rng.from(1);
    for (let t = 0; t < 20; t++) {
      for (let a = 0; a < 3; a++) actions[a] = rng.int(5);
      env.step(actions, buffers);
    }
    const got = await ask('mpe-simple-spread', {}, 'scripted', { maxSteps: 8 * 5 * 20 }, env.save(0));
    expect(got.steps).toBe(got.episodes * 5);
    expect(Math.max(...got.halfWidth)).toBeLessThan(1e-9); // nothing is left to chance from here
    expect(got.vGrand).toBeGreaterThan(got.vEmpty);
  });

  test('what cannot be answered is refused with the field', async () => {
    await expect(ask('mpe-simple-spread', {}, 'scripted', { players: [0, 7] })).rejects.toMatchObject({ failure: { field: 'players' } });
    await expect(ask('mpe-simple-spread', {}, 'scripted', { payoff: { kind: 'component', name: 'gold' } })).rejects.toMatchObject({ failure: { field: 'payoff' } }); // biome-ignore format: one line
    await expect(ask('mpe-simple', {}, Object.keys(getEnv('mpe-simple').policies({}))[0]!, {})).rejects.toThrow('at least two');
  });
});
