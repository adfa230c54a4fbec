/** How strong learning by playing makes a player, measured exactly: against best responses and against perfect play. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { exploitability } from '#math/exploitability.ts';
import { exp } from '#math/functions.ts';
import { addRealisation, mixtureOf, type Strategy, zerosLike } from '#math/game-tree.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../envs/all.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import { buildPolicy, createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';
import type { Policy } from '../api/types.ts';
import { smallGame } from './lib/solver.ts';

async function learn(envId: string, algoId: string, settings: JsonObject, steps: number, seed = 1) {
  const env = getEnv(envId);
  const config = runConfigSchema.parse({
    env: { id: envId, config: env.parse({}) },
    algo: { id: algoId, config: getAlgo(algoId).parse(settings) },
    run: { steps, evalEpisodes: 4 },
  });
  let snapshot: PolicySnapshot | undefined;
  const last: Record<string, number> = {};
  for await (const event of createSession({ config, seed, now: () => 0 })) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    for (let at = 0; at < event.rows.length; at += width)
      event.columns.forEach((name, i) => {
        const value = event.rows[at + 1 + i]!;
        if (!Number.isNaN(value)) last[name] = value;
      });
  }
  if (snapshot === undefined) throw new Error('no policy');
  return { snapshot, last, ...(await buildPolicy(snapshot)) };
}

/** Chances of every row: softmax of logits, [rows, N]. */
async function chances(policy: Policy, rows: readonly { obs: Float32Array; mask: Uint8Array; agent: number }[], hidden?: number) {
  const N = rows[0]!.mask.length;
  const O = rows[0]!.obs.length;
  const query = {
    obs: new Float32Array(rows.length * O),
    mask: new Uint8Array(rows.length * N),
    agent: Int32Array.from(rows, ({ agent }) => agent),
    hidden: hidden === undefined ? policy.initial(rows.length) : new Float32Array(rows.length).fill(hidden),
    rng: Rng.from(1),
    rows: rows.length,
    greedy: true,
  };
  rows.forEach(({ obs, mask }, i) => {
    query.obs.set(obs, i * O);
    query.mask.set(mask, i * N);
  });
  const logits = (await policy.act(query)).logits!;
  return rows.map((_, i) => {
    const own = Array.from(logits.subarray(i * N, (i + 1) * N));
    const top = Math.max(...own);
    const weights = own.map((x) => exp(x - top));
    const total = weights.reduce((a, b) => a + b, 0);
    return weights.map((w) => w / total);
  });
}

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const;
const board = (key: string): readonly number[] => [...key].map(Number);
const mover = (key: string): 1 | 2 => (board(key).filter((x) => x !== 0).length % 2 === 0 ? 1 : 2);
const put = (key: string, cell: number): string => key.slice(0, cell) + mover(key) + key.slice(cell + 1);
const free = (key: string): readonly number[] => board(key).flatMap((x, cell) => (x === 0 ? [cell] : []));
/** 1 or 2 has won, 0 drawn, -1 goes on. */
function result(key: string): number {
  const b = board(key);
  for (const [i, j, k] of LINES) if (b[i] !== 0 && b[i] === b[j] && b[i] === b[k]) return b[i]!;
  return b.includes(0) ? -1 : 0;
}
/** The whole game, positions before those they lead to. */
function positions(): readonly string[] {
  const seen = new Set(['000000000']);
  for (const key of seen) if (result(key) < 0) for (const cell of free(key)) seen.add(put(key, cell));
  return [...seen];
}

/** A policy of tic-tac-toe against its best response, and how often it loses to perfect play that knows nothing of it. */
async function ticTacToe(policy: Policy, greedy: boolean) {
  const all = positions();
  const open = all.filter((key) => result(key) < 0);
  const rows = open.map((key) => {
    const [me, obs] = [mover(key), new Float32Array(27)];
    for (const [cell, x] of board(key).entries()) obs.set([Number(x === me), Number(x !== 0 && x !== me), 1], 3 * cell);
    return { obs, mask: Uint8Array.from(board(key), (x) => Number(x === 0)), agent: me - 1 };
  });
  const probabilities = await chances(policy, rows);
  const p = new Map(open.map((key, i) => [key, probabilities[i]!]));
  if (greedy)
    for (const [key, own] of p)
      p.set(
        key,
        own.map((x, cell) => Number(cell === own.indexOf(Math.max(...own)) && x > 0)),
      );
  const backwards = [...all].reverse();
  /** Value for player `me` of every position, by what each makes of the values of its moves. */
  const solve = (me: 1 | 2, own: (key: string, values: readonly number[]) => number, other: (values: readonly number[]) => number) => {
    const value = new Map<string, number>();
    for (const key of backwards) {
      const over = result(key);
      const values = over < 0 ? free(key).map((cell) => value.get(put(key, cell))!) : [];
      value.set(key, over >= 0 ? (over === 0 ? 0 : over === me ? 1 : -1) : mover(key) === me ? own(key, values) : other(values));
    }
    return value;
  };
  const drawn = (key: string, values: readonly number[]): number =>
    free(key).reduce((sum, cell, i) => sum + p.get(key)![cell]! * values[i]!, 0);
  const seats = ([1, 2] as const).map((me) => {
    const answered = solve(me, drawn, (values) => Math.min(...values)).get('000000000')!;
    const perfect = solve(
      me,
      (_, values) => Math.max(...values),
      (values) => Math.min(...values),
    );
    // perfect play takes any of the moves that keep its value
    const lost = new Map<string, number>();
    for (const key of backwards) {
      const over = result(key);
      if (over >= 0) lost.set(key, Number(over === 3 - me));
      else {
        const losses = free(key).map((cell) => lost.get(put(key, cell))!);
        const good = free(key).flatMap((cell, i) => (perfect.get(put(key, cell)) === perfect.get(key) ? [losses[i]!] : []));
        lost.set(key, mover(key) === me ? drawn(key, losses) : good.reduce((a, b) => a + b, 0) / good.length);
      }
    }
    return { answered, lost: lost.get('000000000')! };
  });
  return { nashConv: -(seats[0]!.answered + seats[1]!.answered), lost: (seats[0]!.lost + seats[1]!.lost) / 2 };
}

/** What a policy does in every information set of a listed game. */
async function strategyOf(policy: Policy, envId: string, hidden?: number): Promise<Strategy> {
  const entry = getEnv(envId);
  const { tree, infoSet } = smallGame(entry, entry.parse({}));
  const env = entry.create({}, 1);
  const { obsSize: O, actionCount: N } = env.meta;
  const buffers = createBuffers(env.meta, 1);
  const rng = Rng.from(1);
  const found = new Map<number, { obs: Float32Array; mask: Uint8Array; agent: number }>();
  for (let seed = 0; found.size < tree.infoSets.length; seed++) {
    if (seed > 10_000) throw new Error('some information sets never came up');
    env.reset(Uint32Array.of(seed), buffers);
    while (buffers.terminated[0] === 0) {
      const actions = new Int32Array(2);
      for (const agent of [0, 1]) {
        const obs = buffers.obs.slice(agent * O, (agent + 1) * O);
        const mask = buffers.mask!.slice(agent * N, (agent + 1) * N);
        const legal = [...mask.keys()].filter((a) => mask[a] !== 0);
        actions[agent] = legal[rng.int(legal.length)]!;
        const info = infoSet(buffers.obs, agent * O, agent);
        if (info >= 0 && buffers.toMove![0] === agent) found.set(info, { obs, mask, agent });
      }
      env.step(actions, buffers);
    }
  }
  const rows = tree.infoSets.map((_, info) => found.get(info)!);
  const p = await chances(policy, rows, hidden);
  return tree.infoSets.map(({ actions }, info) => Float64Array.from(actions, (a) => p[info]![a]!));
}

const kuhn = (strategy: Strategy): number => {
  const entry = getEnv('kuhn-poker');
  return exploitability(smallGame(entry, entry.parse({})).tree, strategy).nashConv;
};

describe('strength', () => {
  it('measures know perfect play and none', async () => {
    const blind: Policy = {
      initial: () => new Float32Array(0),
      act: ({ rows, mask }) => ({
        actions: new Int32Array(rows),
        hidden: new Float32Array(0),
        logits: Float32Array.from(mask!, (legal) => (legal === 1 ? 0 : -1e8)),
      }),
      dispose() {},
    };
    const { nashConv, lost } = await ticTacToe(blind, false);
    expect(nashConv).toBeCloseTo(0.9947917 + 0.9248677, 6); // the references of the environment
    expect(lost).toBeGreaterThan(0.5);
    expect(kuhn(await strategyOf(blind, 'kuhn-poker'))).toBeCloseTo(0.916667, 5);
  });

  const boards = getAlgo('self-play').presets.find(({ id }) => id === 'boards')!.config;

  it('self-play on tic-tac-toe hardly ever loses to perfect play @night', async () => {
    const { policy, free, last } = await learn('tic-tac-toe', 'self-play', boards, 600_000);
    const greedy = await ticTacToe(policy, true);
    const drawn = await ticTacToe(policy, false);
    free();
    expect(greedy.lost).toBeLessThan(0.05);
    expect(drawn.lost).toBeLessThan(0.1);
    expect(drawn.nashConv).toBeLessThan(1.3); // of 2
    expect(last.randomScore).toBeGreaterThan(0.9);
    expect(last.scriptedScore).toBeGreaterThan(0.4); // the expert never loses: half is the most
  }, 300_000);

  it('so does a league @night', async () => {
    const { policy, free } = await learn('tic-tac-toe', 'self-play', { ...boards, league: true }, 600_000);
    expect((await ticTacToe(policy, true)).lost).toBeLessThan(0.05);
    free();
  }, 300_000);

  it('PSRO whose responses are learned comes nearer to the equilibrium of Kuhn poker @night', async () => {
    const settings = {
      envs: 64,
      rolloutSteps: 16,
      minibatches: 4,
      lr: 5e-3,
      hidden: [32],
      gamma: 1,
      entropyCoef: 0.005,
      advantages: 'none',
      pairGames: 500,
      responses: 'learned',
      responseUpdates: 15,
      responseStart: 'scratch',
    };
    const { policy, snapshot, free } = await learn('kuhn-poker', 'psro', settings, 600_000);
    const entry = getEnv('kuhn-poker');
    const { tree } = smallGame(entry, entry.parse({}));
    const sums = zerosLike(tree);
    for (const [i, weight] of (snapshot.saved.arrays.weights as Float64Array).entries())
      addRealisation(tree, await strategyOf(policy, 'kuhn-poker', i + 1), weight, sums);
    free();
    expect(kuhn(mixtureOf(sums))).toBeLessThan(0.3); // uniform play: 0.917
  }, 300_000);
});
