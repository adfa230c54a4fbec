/** Searches against each other and against what is known; what learns beside them: algos.test.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../envs/all.ts';
import { evaluate } from '../../run/evaluate.ts';
import { getAlgo } from '../all.ts';
import type { Policy } from '../api/types.ts';
import { dirichlet } from './alpha-zero.ts';
import { Lanes } from './lib/lanes.ts';
import { playoutJudge, searchAll } from './lib/mcts.ts';

const noEngine = (): Promise<never> => Promise.reject(new Error('it needs no engine'));

async function player(algo: string, config: JsonObject, entry: EnvEntry, world: JsonObject = {}): Promise<Policy> {
  const envConfig = entry.parse(world);
  const found = getAlgo(algo);
  const context = { config: found.parse(config), meta: entry.meta(envConfig), envEntry: entry, envConfig, makeEngine: noEngine };
  return found.policy(context, { meta: {}, arrays: {} });
}

/** What the player to move sees after these moves of connect four or tic-tac-toe. */
function seenAfter(entry: EnvEntry, moves: readonly number[]): Float32Array {
  const env = entry.create({}, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  moves.forEach((move, i) => {
    env.step(Int32Array.of(i % 2 === 0 ? move : 0, i % 2 === 1 ? move : 0), buffers);
  });
  const mover = buffers.toMove?.[0] ?? 0;
  return buffers.obs.slice(mover * env.meta.obsSize, (mover + 1) * env.meta.obsSize);
}

const ticTacToe = getEnv('tic-tac-toe');
const connectFour = getEnv('connect-four');

describe('minimax', () => {
  it('to the end of tic-tac-toe never loses to the expert, as first and as second player', async () => {
    const world = { opponent: 'expert', opponentStarts: 'drawn' };
    const perfect = await player('minimax', { depth: 9 }, ticTacToe, world);
    expect((await evaluate(perfect, ticTacToe, world, { episodes: 6 })).score).toBe(0);
  }, 20_000);

  it('of connect four wins at once, blocks, and its replies are worth what their moves cost', async () => {
    const four = await player('minimax', { depth: 3 }, connectFour);
    const best = async (moves: readonly number[]) => (await four.searched!(seenAfter(connectFour, moves), 2))!;
    const wins = await best([0, 6, 0, 6, 0, 5]);
    expect(wins[0]).toMatchObject({ move: 0, over: true, parent: -1 });
    const blocks = await best([0, 6, 0, 6, 0]);
    expect(blocks[0]).toMatchObject({ move: 0, over: false });
    // a move is worth what the best reply leaves
    blocks.forEach((move, i) => {
      const replies = blocks.filter(({ parent }) => parent === i);
      if (replies.length > 0) expect(move.value).toBeCloseTo(-Math.max(...replies.map(({ value }) => value)), 9);
    });
  });
});

describe('Monte Carlo search', () => {
  it.each(['UCT', 'PUCT'] as const)('by %s finds the win, and visits add up', async (rule) => {
    const env = connectFour.create({}, 1);
    const game = connectFour.lookAhead({})!;
    const lanes = new Lanes(connectFour, game, 2);
    const root = game.state(seenAfter(connectFour, [3, 0, 3, 0, 3, 1]), 0)!;
    const judge = playoutJudge(1, () => Rng.from(5));
    const [tree] = await searchAll([root, lanes.start], lanes, judge, { simulations: 60, rule, c: 1.41 });
    const visits = tree!.visits();
    expect(visits.indexOf(Math.max(...visits))).toBe(3);
    expect(visits.reduce((a, b) => a + b, 0)).toBe(60);
    const moves = tree!.report(2);
    const first = moves.filter(({ parent }) => parent === -1);
    expect(first[0]).toMatchObject({ move: 3, value: 1, over: true });
    first.forEach((move, i) => {
      const below = moves.filter(({ parent }) => parent === moves.indexOf(move)).reduce((sum, { visits: n }) => sum + n, 0);
      expect(below, `${i}`).toBe(move.over ? 0 : move.visits - 1); // its first visit judged it
    });
    expect(env.meta.searchable).toBe(true);
  });

  it('finds the same in lanes that were used before as in new ones', async () => {
    const game = connectFour.lookAhead({})!;
    const roots = [[], [3], [3, 3, 2]].map((moves) => game.state(seenAfter(connectFour, moves), 0)!);
    const judge = playoutJudge(1, (state) => Rng.from(state.reduce((a, b) => a + b, 0)));
    const options = { simulations: 40, rule: 'PUCT', c: 1.41 } as const;
    const visits = async (lanes: Lanes) => (await searchAll(roots, lanes, judge, options)).map((tree) => Array.from(tree.visits()));
    const lanes = new Lanes(connectFour, game, 3);
    const fresh = await visits(lanes);
    await searchAll(roots.toReversed(), lanes, judge, options);
    expect(await visits(lanes)).toEqual(fresh);
  });

  it('gives one answer to one position', async () => {
    const searcher = await player('mcts', { simulations: 40 }, ticTacToe);
    const ask = () => searcher.searched!(seenAfter(ticTacToe, [4]), 3);
    expect(await ask()).toEqual(await ask());
  });

  it('has nothing to say to the one who waits', async () => {
    const searcher = await player('mcts', {}, ticTacToe);
    expect(await searcher.searched!(new Float32Array(27), 1)).toBeNull();
  });
});

it('a mirrored position is what mirrored moves lead to', () => {
  const turned = (entry: EnvEntry, moves: readonly number[], to: readonly number[]) => {
    const [here, there] = [seenAfter(entry, moves), seenAfter(entry, to)];
    return entry
      .lookAhead({})!
      .symmetries.some(
        ({ obs, actions }) => there.every((x, i) => x === here[obs[i]!]) && to.every((move, i) => actions[move] === moves[i]),
      );
  };
  expect(turned(connectFour, [3, 0, 1, 1], [3, 6, 5, 5])).toBe(true);
  expect(turned(connectFour, [3, 0, 1, 1], [3, 6, 5, 4])).toBe(false);
  expect(turned(ticTacToe, [0, 1, 5], [6, 3, 1])).toBe(true); // a quarter turn
});

it('noise of Dirichlet sums to 1, and a small alpha puts it on few', () => {
  const rng = Rng.from(1);
  const largest = (alpha: number) => {
    let sum = 0;
    for (let k = 0; k < 200; k++) {
      const draw = dirichlet(7, alpha, rng);
      expect(draw.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
      sum += Math.max(...draw);
    }
    return sum / 200;
  };
  expect(largest(0.1)).toBeGreaterThan(0.7);
  expect(largest(10)).toBeLessThan(0.3);
});

it('refuses worlds that cannot be searched', () => {
  const cartpole = getEnv('cartpole').meta({});
  for (const id of ['minimax', 'mcts', 'alpha-zero']) expect(() => getAlgo(id).fits(cartpole, {}), id).toThrow(/looks ahead/);
});
