/**
 * Games of members of a pool, for measuring only: against each other, against uniformly random actions, or against a scripted player.
 * Copies of their own, both seats in turn, actions drawn as in training. All games of a pair start together and all are waited for, up
 * to a limit of steps, at which the payoffs so far count.
 */
import type { Engine } from '#core/engine/types.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry, ScriptedPolicy } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import { randomPolicy } from '../../baselines/random.ts';
import type { NetworkOptions } from '../../lib/ppo/networks.ts';
import { createSlot, type Frozen } from './frozen.ts';

export interface MatchResult {
  readonly games: number;
  /** Of the first: 1 a win, 0.5 a draw. */
  readonly wins: number;
  /** Sums over games. */
  readonly payoffs: readonly [number, number];
}

export type Opponent = Frozen | ScriptedPolicy | 'random';

export interface Arena {
  play(first: Frozen, second: Opponent, rng: Rng): Promise<MatchResult>;
}

/** `games`: per match, an even number; `limit`: steps of one game. */
export function createArena(
  engine: Engine,
  entry: EnvEntry,
  config: unknown,
  options: NetworkOptions,
  games: number,
  limit: number,
): Arena {
  const env = entry.create(config, games);
  const { meta } = env;
  const buffers = createBuffers(meta, games);
  const actions = createActions(meta, games);
  // copy g: the first player has seat g mod 2
  const seats = [0, 1].map((player) => Int32Array.from({ length: games }, (_, g) => 2 * g + ((g + player) % 2)));
  const slots = seats.map((list, player) => createSlot(engine, `arena${player}`, meta, list, options));
  const ended = new Uint8Array(games);
  const random = randomPolicy(meta);
  const agent = Int32Array.from({ length: 2 * games }, (_, seat) => seat % 2);
  const answers = createActions(meta, games); // of both seats, half of them used
  const answer = async (opponent: Opponent, rng: Rng): Promise<void> => {
    if (opponent === 'random') {
      const { obs, mask } = buffers;
      const query = { obs, agent, hidden: random.initial(2 * games), rng, rows: 2 * games, greedy: false };
      answers.set((await random.act(mask === undefined ? query : { ...query, mask })).actions);
    } else if ('act' in opponent) opponent.act(env, buffers, answers);
    else return slots[1]?.act(buffers, actions, rng);
    const { actionSize: D } = meta;
    for (const seat of seats[1] ?? []) actions.set(answers.subarray(seat * D, (seat + 1) * D), seat * D);
  };
  return {
    async play(first, second, rng) {
      slots[0]?.seat('', first);
      if (second !== 'random' && !('act' in second)) slots[1]?.seat('', second);
      env.reset(
        Uint32Array.from({ length: games }, () => rng.next()),
        buffers,
      );
      const returns = new Float64Array(2 * games);
      const done = new Uint8Array(games);
      let left = games;
      for (let t = 0; t < limit && left > 0; t++) {
        await slots[0]?.act(buffers, actions, rng);
        await answer(second, rng);
        env.step(actions, buffers);
        let any = false;
        for (let g = 0; g < games; g++) {
          const over = buffers.terminated[g]! | buffers.truncated[g]!;
          ended[g] = over;
          if (over !== 0) any = true;
          if (done[g] !== 0) continue;
          for (const seat of [2 * g, 2 * g + 1]) returns[seat] = returns[seat]! + buffers.reward[seat]!;
          if (over === 0) continue;
          done[g] = 1;
          left--;
        }
        if (any && left > 0) env.restart(ended, buffers); // finished games go on unseen
      }
      let wins = 0;
      const payoffs: [number, number] = [0, 0];
      for (let g = 0; g < games; g++) {
        const own = returns[seats[0]![g]!]!;
        const other = returns[seats[1]![g]!]!;
        payoffs[0] += own;
        payoffs[1] += other;
        wins += own > other ? 1 : own === other ? 0.5 : 0;
      }
      return { games, wins, payoffs };
    },
  };
}
